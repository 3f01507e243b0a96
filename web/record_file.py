"""A record as one file that another copy of the program can open: a header, the entries, the photographs.

Plain text, one JSON object a line, written the one right way: whatever byte of it changes, it is noticed.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scoring.core import Malformed
from scoring.strictjson import loads
from web.record_chain import START, Entry, Flaw, canonical, check_chain

FORMAT = "kibic-record"
VERSION = 1


@dataclass(frozen=True, slots=True)
class RecordFile:
    """What a file holds, as far as it is sound, and the first thing that is not."""

    entries: tuple[Entry, ...]
    photos: Mapping[str, bytes]
    """SHA-256 → JPEG."""
    flaw: Flaw | None = None


def write_record(lines: Sequence[str], photos: Mapping[str, bytes]) -> bytes:
    """The file of these entries (as sealed) and photographs (by their SHA-256)."""
    entries, _ = check_chain(lines)
    header = {
        "format": FORMAT,
        "version": VERSION,
        "entries": len(lines),
        "head": entries[-1].hash if entries else START,
        "photos": sorted(photos),
    }
    pictures = [
        canonical({"photo": name, "jpeg": base64.b64encode(photos[name]).decode()}) for name in sorted(photos)
    ]
    return "".join(f"{line}\n" for line in (canonical(header), *lines, *pictures)).encode()


def read_record(data: bytes) -> RecordFile:
    """The file's entries and photographs; never raises, every damage is a `Flaw`."""
    try:
        *lines, rest = data.decode("utf-8").split("\n")
        header = _header(lines[0] if lines else "")
    except (UnicodeDecodeError, Malformed) as error:
        return RecordFile((), {}, Flaw(0, f"is not a record of Kibic: {error}"))
    count = header["entries"]
    entries, flaw = check_chain(lines[1 : 1 + count])
    if flaw is None and (len(entries) != count or rest or len(lines) != 1 + count + len(header["photos"])):
        flaw = Flaw(0, "has more or fewer lines than its header says")
    if flaw is None and (entries[-1].hash if entries else START) != header["head"]:
        flaw = Flaw(0, "ends with another entry than its header says")
    photos: dict[str, bytes] = {}
    if flaw is None:
        photos, flaw = _photos(lines[1 + count :], header["photos"])
    return RecordFile(tuple(entries), photos, flaw)


def _header(line: str) -> dict[str, Any]:
    header: Any = loads(line)
    if (
        not isinstance(header, dict)
        or header.keys() != {"format", "version", "entries", "head", "photos"}
        or canonical(header) != line
        or header["format"] != FORMAT
        or header["version"] != VERSION
        or type(header["entries"]) is not int
        or header["entries"] < 0
        or not isinstance(header["photos"], list)
        or not all(isinstance(name, str) for name in header["photos"])
    ):
        raise Malformed("record-header", "its first line is not a record's header")
    return dict(header)


def _photos(lines: Sequence[str], names: Sequence[str]) -> tuple[dict[str, bytes], Flaw | None]:
    found: dict[str, bytes] = {}
    for name, line in zip(names, lines, strict=True):
        wrong = Flaw(0, f"photo {name[:12]}… is not the one that was taken")
        try:
            fields = loads(line)
            if (
                not isinstance(fields, dict)
                or fields.keys() != {"photo", "jpeg"}
                or canonical(fields) != line
            ):
                return found, wrong
            jpeg = base64.b64decode(str(fields["jpeg"]), validate=True)
        except (Malformed, binascii.Error, ValueError):
            return found, wrong
        again = base64.b64encode(jpeg).decode()
        if fields["photo"] != name or fields["jpeg"] != again or hashlib.sha256(jpeg).hexdigest() != name:
            return found, wrong
        found[name] = jpeg
    return found, None
