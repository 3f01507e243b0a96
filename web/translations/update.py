"""Bring the Polish words up to date: `.venv/bin/python web/translations/update.py`.

Adds every new sentence of the page and the rules to messages.po, drops those that are gone, compiles what is
translated, and lists what is still missing.
"""

from __future__ import annotations

import sys
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).parents[2]
POLISH = Path(__file__).parent / "pl" / "LC_MESSAGES" / "messages.po"
FOLDERS = ("web", "scoring")
SOURCES = [("**.py", "python"), ("**.html", "jinja2.ext:babel_extract")]
CALLS = {"_": None, "gettext": None, "_l": None, "ngettext": (1, 2), "Text": (2,)}


def sentences() -> Catalog:
    """Everything the page and the rules may say."""
    found = Catalog()
    for folder in FOLDERS:
        for _file, _line, message, _comments, _context in extract_from_dir(
            ROOT / folder, SOURCES, keywords=CALLS, options_map={"**.html": {"silent": "false"}}
        ):
            found.add(message)
    return found


def polish() -> Catalog:
    with POLISH.open("rb") as file:
        return read_po(file, locale="pl")


def missing(words: Catalog) -> list[str]:
    """Sentences without a translation, plural forms included."""
    found = []
    for message in sentences():
        there = words.get(message.id) if message.id else None
        told = there.string if there else ""
        if message.id and not (told and all([told] if isinstance(told, str) else told)):
            found.append(message.id if isinstance(message.id, str) else message.id[0])
    return found


def main() -> int:
    words, said = polish(), sentences()
    for message in list(words):
        if message.id and said.get(message.id) is None:
            words.delete(message.id)
    for message in said:
        if message.id and words.get(message.id) is None:
            words.add(message.id)
    with POLISH.open("wb") as file:
        write_po(file, words, no_location=True, sort_output=True, width=110)
    with POLISH.with_suffix(".mo").open("wb") as file:
        write_mo(file, words)
    for sentence in missing(words):
        print(f"to translate: {sentence}")
    return 1 if missing(words) else 0


if __name__ == "__main__":
    sys.exit(main())
