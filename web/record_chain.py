"""The record as a chain: every entry carries the hash of the one before, so none can change unnoticed.

An entry is one line of canonical JSON: keys sorted, no spaces, one way to write it. The chain shows that a
record is the one it was when its last hash was noted; whoever rewrites a whole file can rewrite every hash in
it, too, which is why the page shows the last one to everybody at the table.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from scoring.core import Malformed
from scoring.strictjson import loads

START = "0" * 64
"""What the first entry names as the one before it."""
FIELDS = frozenset({"number", "made", "kind", "body", "previous", "hash"})


class Entry(NamedTuple):
    """Something that happened at the table."""

    number: int
    """Counted from 1."""
    made: str
    kind: str
    body: Mapping[str, Any]
    previous: str
    hash: str

    @property
    def line(self) -> str:
        return canonical(self._asdict())


class Flaw(NamedTuple):
    """The first thing in a record that does not fit; `number` 0: the file around the entries."""

    number: int
    message: str


def canonical(value: object) -> str:
    """The one way to write a value."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)


def seal(number: int, made: str, kind: str, body: Mapping[str, Any], previous: str) -> Entry:
    """An entry with its hash."""
    plain = {"number": number, "made": made, "kind": kind, "body": body, "previous": previous}
    return Entry(number, made, kind, body, previous, hashlib.sha256(canonical(plain).encode()).hexdigest())


def parse_line(line: str) -> Entry:
    """An entry from its line; raises `Malformed` unless it is written the one right way."""
    fields = loads(line)
    if not isinstance(fields, dict) or fields.keys() != FIELDS or canonical(fields) != line:
        raise Malformed("record-entry", "is not an entry as a record writes it")
    if not isinstance(fields["body"], dict) or type(fields["number"]) is not int:
        raise Malformed("record-entry", "has no body or no number")
    return Entry(**fields)


def check_chain(lines: Iterable[str]) -> tuple[list[Entry], Flaw | None]:
    """The entries up to the first that does not fit, and what is wrong with that one."""
    entries: list[Entry] = []
    for number, line in enumerate(lines, 1):
        try:
            entry = parse_line(line)
        except Malformed as error:
            return entries, Flaw(number, str(error))
        previous = entries[-1].hash if entries else START
        if entry.number != number:
            return entries, Flaw(number, f"is numbered {entry.number}: an entry is missing or misplaced")
        if entry.previous != previous:
            return entries, Flaw(number, "does not follow the entry before it")
        if seal(*entry[:5]).hash != entry.hash:
            return entries, Flaw(number, "has been changed: its hash does not fit")
        entries.append(entry)
    return entries, None
