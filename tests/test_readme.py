"""The README keeps its word: its commands print what it shows, its Python runs."""

from __future__ import annotations

import doctest
import re
import shlex
from pathlib import Path

import pytest

from web.cli import main

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
CONSOLE = re.findall(r"```console\n\$ kibic (.*)\n([\s\S]*?)\n```", README)


def test_the_commands_print_what_is_shown(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("COLUMNS", "100")
    assert CONSOLE
    for command, shown in CONSOLE:
        main(shlex.split(command))
        assert capsys.readouterr().out.rstrip("\n") == shown


def test_the_python_runs() -> None:
    failed, tried = doctest.testfile(str(ROOT / "README.md"), module_relative=False)
    assert (failed, tried > 3) == (0, True)


def test_it_names_every_command_that_exists() -> None:
    from web.commands import COMMANDS

    for command in COMMANDS:
        assert f"`kibic {command}" in (ROOT / "docs" / "command-line.md").read_text(encoding="utf-8")
