"""The JSON objects in files and on standard input, one after another, never all at once.

A file holds either one object, over as many lines as it likes, or one object per line. If its first line
alone is an object, every line is one; otherwise the whole file must be.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from itertools import chain
from pathlib import Path
from typing import IO, Any, NamedTuple

from scoring.core import Malformed
from scoring.strictjson import NotJson, loads

MAX_OBJECT_BYTES = 16 * 1024 * 1024
"""A board takes about a kilobyte; what is longer than this is something else."""

STANDARD_INPUT = "-"
BYTE_ORDER_MARK = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class Document:
    """One object of a file, or why there is none: `value` means something only without a `problem`."""

    file: str
    line: int
    """Counted from 1; 0 where the file as a whole is meant."""
    value: Any = None
    problem: Malformed | None = None

    @property
    def source(self) -> str:
        """Where people find it: "boards.jsonl:12"."""
        return f"{self.file}:{self.line}" if self.line else self.file

    @property
    def heading(self) -> str:
        """The same for a title, where the first line goes without saying."""
        return self.source if self.line > 1 else self.file


class _Line(NamedTuple):
    number: int
    raw: bytes
    too_long: bool = False
    """Then `raw` is only a piece of it."""


def read_documents(path: str) -> Iterator[Document]:
    """Every object in the file (`-`: standard input); a file that cannot be read is one with a problem."""
    name = "stdin" if path == STANDARD_INPUT else path
    try:
        if path == STANDARD_INPUT:
            yield from _documents(name, sys.stdin.buffer)
        else:
            with _opened(path) as stream:
                yield from _documents(name, stream)
    except OSError as error:
        yield _refused(name, 0, "cannot-read", f"cannot be read: {error.strerror or error}")


def _opened(path: str) -> IO[bytes]:
    try:
        return Path(path).open("rb")
    except ValueError as error:  # a name no file can have, such as one with a zero byte
        raise OSError(0, str(error)) from None


def _documents(name: str, stream: IO[bytes]) -> Iterator[Document]:
    lines = _lines(stream)
    first = next(lines, None)
    if first is None:
        yield _refused(name, 0, "empty", "holds no JSON object")
        return
    document = _parsed(name, first)
    if first.too_long:
        yield document
    elif _is_object(document):
        yield document
        yield from _one_per_line(name, lines)
    else:
        yield from _one_object_or_bad_lines(name, first, stream)


def _lines(stream: IO[bytes], number: int = 1) -> Iterator[_Line]:
    """Every line that is not blank."""
    for at, raw in enumerate(iter(lambda: stream.readline(MAX_OBJECT_BYTES + 1), b""), number):
        if at == 1:
            raw = raw.removeprefix(BYTE_ORDER_MARK)
        too_long = len(raw) > MAX_OBJECT_BYTES
        while len(raw) > MAX_OBJECT_BYTES and not raw.endswith(b"\n"):
            raw = stream.readline(MAX_OBJECT_BYTES + 1)
        if too_long or (raw and not raw.isspace()):
            yield _Line(at, raw, too_long)


def _one_per_line(name: str, lines: Iterator[_Line]) -> Iterator[Document]:
    return (_parsed(name, line) for line in lines)


def _one_object_or_bad_lines(name: str, first: _Line, stream: IO[bytes]) -> Iterator[Document]:
    """The first line alone is no object: it begins a longer one, or it is a bad line before good ones."""
    text = first.raw + stream.read(MAX_OBJECT_BYTES)
    if not text.endswith(b"\n"):
        text += stream.readline(MAX_OBJECT_BYTES)
    whole = _parsed(name, _Line(first.number, text, too_long=len(text) > MAX_OBJECT_BYTES))
    # Inside an object written over many lines, the objects on lines of their own are indented.
    begun = (_parsed(name, _Line(0, match[0])) for match in _BEGINS_AN_OBJECT.finditer(text, len(first.raw)))
    if whole.problem is None or not any(map(_is_object, begun)):
        yield whole
        return
    held = _lines(BytesIO(text), first.number)
    further = _lines(stream, first.number + text.count(b"\n"))
    yield from _one_per_line(name, chain(held, further))


def _is_object(document: Document) -> bool:
    return document.problem is None and isinstance(document.value, dict)


_BEGINS_AN_OBJECT = re.compile(rb"^\{.*$", re.MULTILINE)


def _parsed(name: str, line: _Line) -> Document:
    if line.too_long:
        limit = MAX_OBJECT_BYTES // (1024 * 1024)
        return _refused(name, line.number, "too-large", f"no board is longer than {limit} MB")
    try:
        return Document(name, line.number, loads(line.raw.rstrip().decode()))
    except UnicodeDecodeError as error:
        number = line.number + line.raw.count(b"\n", 0, error.start)
        column = error.start - line.raw.rfind(b"\n", 0, error.start)
        return Document(name, number, problem=NotJson("not-utf8", "not UTF-8 text", column=column))
    except NotJson as error:
        return Document(name, line.number + error.line - 1, problem=error)


def _refused(name: str, line: int, code: str, message: str) -> Document:
    return Document(name, line, problem=Malformed(code, message))
