"""Polish is whole: every sentence of the page and of the rules has its translation, with the same blanks."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import read_mo
from babel.messages.pofile import read_po

ROOT = Path(__file__).parents[2]
POLISH = ROOT / "web" / "translations" / "pl" / "LC_MESSAGES"
SOURCES = [("**.py", "python"), ("**.html", "jinja2.ext:babel_extract")]
CALLS = {"_": None, "gettext": None, "_l": None, "ngettext": (1, 2), "Text": (2,)}
BLANK = re.compile(r"%\(\w+\)[sd]|{\w+}")


def sentences() -> Catalog:
    found = Catalog()
    for folder in ("web", "scoring"):
        for _file, _line, message, _comments, _context in extract_from_dir(
            ROOT / folder, SOURCES, keywords=CALLS, options_map={"**.html": {"silent": "false"}}
        ):
            found.add(message)
    return found


@pytest.fixture(scope="module")
def polish() -> Catalog:
    with (POLISH / "messages.po").open("rb") as file:
        return read_po(file, locale="pl")


def test_every_sentence_is_translated(polish: Catalog) -> None:
    missing = []
    for message in sentences():
        there = polish.get(message.id) if message.id else None
        if message.id and (
            there is None or not all([there.string] if isinstance(there.string, str) else there.string)
        ):
            missing.append(message.id)
    assert missing == []


def test_blanks_stay_blanks(polish: Catalog) -> None:
    for message in polish:
        if not message.id:
            continue
        wanted = set(BLANK.findall(message.id if isinstance(message.id, str) else message.id[1]))
        first, *others = [message.string] if isinstance(message.string, str) else message.string
        alone = bool(others) and not BLANK.findall(message.id[0])  # "One tile" names no number
        assert set(BLANK.findall(first)) == (set() if alone else wanted), message.id
        assert all(set(BLANK.findall(string)) == wanted for string in others), message.id


def test_what_is_served_is_what_is_written(polish: Catalog) -> None:
    with (POLISH / "messages.mo").open("rb") as file:
        compiled = read_mo(file)
    for message in polish:
        if message.id:
            served = compiled.get(message.id)
            assert served is not None
            assert list(served.string) == list(message.string)
