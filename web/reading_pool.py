"""Photographs are decoded and read in child processes: few, bounded, with a time limit.

A picture that makes a decoder hang, crash or eat memory costs one child, never the page. Each child is driven
by one thread of the server; a job answers twice, first with the cleaned picture, then with what was read.
"""

from __future__ import annotations

import logging
import multiprocessing
import queue
import threading
from collections.abc import Mapping
from concurrent.futures import Future
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any, NamedTuple

from vision.reading import Reading, Unreadable

log = logging.getLogger(__name__)

START_SECONDS = 30.0
"""What a fresh child may take to import its libraries, on top of the time for the photograph."""


class Full(Exception):
    """Too many photographs are waiting already; try again shortly."""


class CleanPhoto(NamedTuple):
    """A picture as it is kept: upright, re-encoded, nothing in it but pixels."""

    jpeg: bytes
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class Job:
    """One photograph on its way."""

    data: bytes
    game: str
    options: Mapping[str, Any]
    is_clean: bool = False
    """Already cleaned (kept before a restart): only read it."""
    clean: Future[CleanPhoto] = field(default_factory=Future)
    reading: Future[Reading] = field(default_factory=Future)

    def fail(self, error: Exception) -> None:
        for future in (self.clean, self.reading):
            if not future.done():
                future.set_exception(error)


class ReadingPool:
    """`submit` never blocks: it takes the job or raises `Full`."""

    def __init__(self, workers: int, waiting: int, seconds: float) -> None:
        self._jobs: queue.Queue[Job | None] = queue.Queue(maxsize=waiting)
        self._seconds = seconds
        self._closed = threading.Event()
        self._threads = [
            threading.Thread(target=self._drive, name=f"reader-{number}", daemon=True)
            for number in range(workers)
        ]
        self._started = False
        self._lock = threading.Lock()

    def submit(self, job: Job) -> Job:
        with self._lock:
            if not self._started:
                self._started = True
                for thread in self._threads:
                    thread.start()
        try:
            self._jobs.put_nowait(job)
        except queue.Full:
            raise Full from None
        return job

    def close(self) -> None:
        """Let the running jobs go and stop; what was not read yet is read at the next start."""
        self._closed.set()
        while True:
            try:
                job = self._jobs.get_nowait()
            except queue.Empty:
                break
            if job is not None:
                job.fail(
                    Unreadable(
                        "stopped", "The server is stopping; the photo will be read when it starts again."
                    )
                )
        with self._lock:
            if self._started:
                for _ in self._threads:
                    self._jobs.put(None)
                for thread in self._threads:
                    thread.join(timeout=self._seconds)

    def _drive(self) -> None:
        child: Child | None = None
        try:
            while (job := self._jobs.get()) is not None:
                if child is None:
                    child = Child()
                if not self._run(child, job):
                    child.stop()
                    child = None
                if self._closed.is_set():
                    break
        finally:
            if child is not None:
                child.stop()

    def _run(self, child: Child, job: Job) -> bool:
        """One job; False when the child must not be used again."""
        try:
            child.pipe.send((job.data, job.game, dict(job.options), job.is_clean))
            while not job.reading.done():
                # The first job also pays for the child's start.
                if not child.pipe.poll(self._seconds + (0 if child.warm else START_SECONDS)):
                    job.fail(
                        Unreadable(
                            "too-slow", "Reading this photo took too long. Take it again, a bit closer."
                        )
                    )
                    return False
                child.warm = True
                answer(job, child.pipe.recv())
        except (EOFError, OSError):
            log.warning("a reading process ended unexpectedly")
            job.fail(Unreadable("reader-crashed", "This picture broke the reader. Take the photo again."))
            return False
        return True


def answer(job: Job, message: tuple[str, Any]) -> None:
    """Hand a child's answer to whoever waits for it."""
    match message:
        case ("clean", photo):
            job.clean.set_result(photo)
        case ("read", reading):
            if not job.clean.done():
                job.clean.cancel()
            job.reading.set_result(reading)
        case ("unreadable", (code, text)):
            job.fail(Unreadable(code, text))


class Child:
    """A child process and the pipe to it."""

    def __init__(self) -> None:
        context = multiprocessing.get_context("spawn")
        self.pipe: Connection
        self.pipe, theirs = context.Pipe()
        self.process: BaseProcess = context.Process(target=serve_jobs, args=(theirs,), daemon=True)
        self.process.start()
        theirs.close()
        self.warm = False

    def stop(self) -> None:
        self.pipe.close()
        self.process.kill()
        self.process.join()


def serve_jobs(pipe: Connection) -> None:
    """The child: one photograph after another until the server goes away."""
    from web.photo_work import clean_photo, read_photo

    while True:
        try:
            data, game, options, is_clean = pipe.recv()
        except (EOFError, KeyboardInterrupt):
            return
        try:
            if not is_clean:
                photo = clean_photo(data)
                pipe.send(("clean", photo))
                data = photo.jpeg
            pipe.send(("read", read_photo(data, game, options)))
        except Unreadable as error:
            pipe.send(("unreadable", (error.code, str(error))))
