"""`kibic serve`: the address it prints is the address it answers at."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from web.commands.serve import address


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def served(data: Path, *argv: str) -> Iterator[subprocess.Popen[str]]:
    with subprocess.Popen(
        [sys.executable, "-m", "web.cli", "serve", "--host", "127.0.0.1", *argv],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "KIBIC_DATA": str(data)},
    ) as process:
        try:
            yield process
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(timeout=30)


def test_it_answers_where_it_says(tmp_path: Path) -> None:
    with served(tmp_path, "--port", str(free_port()), "--json") as process:
        assert process.stdout is not None
        url = json.loads(process.stdout.readline())["url"]
        with urllib.request.urlopen(url, timeout=30) as page:
            assert page.status == 200
            assert "Kibic" in page.read().decode()
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=30)
    assert "Traceback" not in err


def test_a_person_sees_the_address_and_a_square_to_scan(tmp_path: Path) -> None:
    port = free_port()
    with served(tmp_path, "--port", str(port)) as process:
        assert process.stdout is not None
        assert f"http://127.0.0.1:{port}/" in process.stdout.readline()
        assert process.stdout.readline() == "\n"
        assert "█" in process.stdout.readline()


def test_a_port_that_is_taken_is_one_clear_line(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with served(tmp_path, "--port", str(port)) as process:
            out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (2, "")
    assert err.count("\n") == 1
    assert f"cannot listen on 127.0.0.1:{port}" in err


@pytest.mark.parametrize(
    ("host", "url"), [("192.168.1.7", "http://192.168.1.7:8000/"), ("::1", "http://[::1]:8000/")]
)
def test_the_address_of_a_chosen_host(host: str, url: str) -> None:
    assert address(host, 8000) == url


def test_the_address_for_everybody_is_no_wildcard() -> None:
    assert "0.0.0.0" not in address("0.0.0.0", 8000)


@pytest.mark.parametrize("port", ["0", "65536", "-1", "http", ""])
def test_ports_that_are_none(port: str) -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "web.cli", "serve", f"--port={port}"],
        capture_output=True,
        check=False,
        timeout=60,
    )
    assert ran.returncode == 2
    assert b"1 to 65535" in ran.stderr
