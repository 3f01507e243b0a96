"""Polish is whole: every sentence of the page and of the rules has its translation, with the same blanks."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from babel.messages.mofile import read_mo

UPDATE = Path(__file__).parents[2] / "web" / "translations" / "update.py"
BLANK = re.compile(r"%\(\w+\)[sd]|{\w+}")


@pytest.fixture(scope="module")
def update() -> ModuleType:
    described = importlib.util.spec_from_file_location("update", UPDATE)
    assert described is not None
    assert described.loader is not None
    found = importlib.util.module_from_spec(described)
    described.loader.exec_module(found)
    return found


@pytest.fixture(scope="module")
def polish(update: ModuleType) -> Any:
    return update.polish()


def test_every_sentence_is_translated(update: ModuleType, polish: Any) -> None:
    assert update.missing(polish) == [], (
        "run web/translations/update.py, then fill in messages.po and run it again"
    )


def test_blanks_stay_blanks(polish: Any) -> None:
    for message in polish:
        if not message.id:
            continue
        wanted = set(BLANK.findall(message.id if isinstance(message.id, str) else message.id[1]))
        first, *others = [message.string] if isinstance(message.string, str) else message.string
        alone = bool(others) and not BLANK.findall(message.id[0])  # "One tile" names no number
        assert set(BLANK.findall(first)) == (set() if alone else wanted), message.id
        assert all(set(BLANK.findall(string)) == wanted for string in others), message.id


def test_what_is_served_is_what_is_written(update: ModuleType, polish: Any) -> None:
    with update.POLISH.with_suffix(".mo").open("rb") as file:
        compiled = read_mo(file)
    for message in polish:
        if message.id:
            served = compiled.get(message.id)
            assert served is not None
            assert list(served.string) == list(message.string)
