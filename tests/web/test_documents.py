"""One object over many lines, or one per line: told apart without holding the file."""

from __future__ import annotations

import json
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from web import documents
from web.documents import read_documents


def read(path: Path, text: str) -> list[tuple[int, Any]]:
    """(line, value or the problem's code) for each document."""
    path.write_text(text)
    return [(one.line, one.problem.code if one.problem else one.value) for one in read_documents(str(path))]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "input"


def test_one_object_per_line(path: Path) -> None:
    assert read(path, '{"a": 1}\n\n  {"b": 2}\r\n{"c": 3}') == [(1, {"a": 1}), (3, {"b": 2}), (4, {"c": 3})]


def test_one_object_over_many_lines(path: Path) -> None:
    value = {"cells": [{"at": [0, 0]}, {"at": [0, 1]}], "players": {"x": {}}}
    for indent in (0, 1, 2, 4):
        assert read(path, "\n" + json.dumps(value, indent=indent) + "\n\n") == [(2, value)]


def test_carriage_returns_alone_are_blanks(path: Path) -> None:
    assert read(path, '{\r"a":\r1}') == [(1, {"a": 1})]


def test_bad_lines_keep_their_place(path: Path) -> None:
    text = '{"a": \n{"b": 2}\nx\n7\n{"c": 3}\n'
    assert read(path, text) == [(1, "not-json"), (2, {"b": 2}), (3, "not-json"), (4, 7), (5, {"c": 3})]


def test_a_broken_long_object_is_one_problem_at_its_own_line(path: Path) -> None:
    text = json.dumps({"cells": [{"at": [0, 0]}, {"at": [0, 1]}], "x": 1}, indent=2).replace("},", "}")
    ((line, problem),) = read(path, text)
    assert problem == "not-json"
    assert text.splitlines()[line - 1].strip() == "{"


def test_lines_beyond_the_limit_cost_only_themselves(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(documents, "MAX_OBJECT_BYTES", 50)
    long = json.dumps({"a": "x" * 500})
    assert read(path, f'{{"a": 1}}\n{long}\n{" " * 200}\n{{"b": 2}}') == [
        (1, {"a": 1}),
        (2, "too-large"),
        (3, "too-large"),
        (4, {"b": 2}),
    ]
    assert read(path, long) == [(1, "too-large")]
    assert read(path, "{\n" + "1\n" * 40) == [(1, "too-large")]
    assert read(path, "{\n" + '{"a": 1}\n' * 20)[0:3] == [(1, "not-json"), (2, {"a": 1}), (3, {"a": 1})]
    assert len(read(path, "{\n" + '{"a": 1}\n' * 20)) == 21


def test_lines_are_read_as_they_are_wanted(path: Path) -> None:
    path.write_text('{"a": 1}\n' * 100_000)
    with path.open("rb") as stream:
        first = list(islice(documents._documents("input", stream), 3))
        assert [one.value for one in first] == [{"a": 1}] * 3
        assert stream.tell() == 27
