"""`kibic verify`: play a table's record again and show the first entry that does not fit."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scoring.core import Malformed
from web.commands.answering import Exit
from web.terminal import one_line

if TYPE_CHECKING:
    from web.commands import Subparsers
    from web.record_replay import Verdict


def add_parser(subparsers: Subparsers) -> None:
    parser = subparsers.add_parser(
        "verify",
        help="play a table's record again and compare",
        description="TABLE is a record's file, or the join code or key of a table on this machine.",
    )
    parser.add_argument("tables", nargs="+", metavar="TABLE")
    parser.add_argument("--json", action="store_true", help="one result per line, as JSON")
    parser.add_argument("--no-photos", action="store_true", help="do not read the photographs again")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    worst = Exit.OK
    for name in args.tables:
        try:
            verdict = verified(name, not args.no_photos)
        except Malformed as error:
            worst = Exit.CANNOT
            if args.json:
                print(json.dumps({"table": name, "error": {"code": error.code, "message": str(error)}}))
            print(f"kibic: {one_line(str(error))}", file=sys.stderr)
            continue
        print(
            json.dumps(verdict_json(name, verdict), ensure_ascii=False) if args.json else text(name, verdict)
        )
        worst = max(worst, Exit.FOUND_WRONG if verdict.flaw else Exit.OK)
    return worst


def verified(name: str, with_photos: bool) -> Verdict:
    """The verdict on a file, or on a table of this machine's database."""
    from web.record_chain import check_chain
    from web.record_file import read_record
    from web.record_replay import verify

    path = Path(name)
    if path.is_file():
        held = read_record(path.read_bytes())
        return verify(held.entries, held.flaw, held.photos, reread if with_photos else None)
    lines, photos, damaged = _kept(name)
    entries, broken = check_chain(lines)
    return verify(entries, broken or damaged, photos, reread if with_photos else None)


def _kept(name: str) -> tuple[list[str], dict[str, bytes], Any]:
    from sqlalchemy import or_, select

    from web.auth import tidy_code
    from web.record_store import lines_of, photos_of
    from web.settings import settings_from
    from web.storage.database import open_database
    from web.storage.models import Table

    settings = settings_from(None)
    missing = Malformed("no-table", f"{name!r:.60} is neither a file nor a table on this machine")
    if settings.database.startswith("sqlite:///") and not Path(settings.database[10:]).is_file():
        raise missing
    with open_database(settings.database).session(writing=False) as session:
        table = session.scalar(select(Table).where(or_(Table.key == name, Table.code == tidy_code(name))))
        if table is None:
            raise missing
        photos, damaged = photos_of(session, table.id, settings.photo_folder)
        lines = lines_of(session, table.id)
        if not lines:
            raise Malformed("no-record", f"no record was kept for {name!r:.60}")
        return lines, photos, damaged


def reread(data: bytes, game: str, options: Any) -> dict[str, Any]:
    """The kept photograph read once more, as the page would."""
    from vision.reading import Unreadable
    from web.photo_work import read_photo
    from web.photos import reading_json

    try:
        return reading_json(read_photo(data, game, options))
    except Unreadable as error:
        raise Malformed("record-reading", f"the photo, read again, is refused: {error}") from None


def verdict_json(name: str, verdict: Verdict) -> dict[str, Any]:
    return {
        "table": name,
        "fits": verdict.flaw is None,
        "entries": verdict.entries,
        "head": verdict.head,
        "flaw": verdict.flaw._asdict() if verdict.flaw else None,
        "totals": dict(verdict.totals),
        "photos_read": verdict.photos_read,
        "photos_skipped": verdict.photos_skipped,
        "other_rules": verdict.other_rules,
    }


def text(name: str, verdict: Verdict) -> str:
    if verdict.flaw is not None:
        where = f"entry {verdict.flaw.number}" if verdict.flaw.number else "the file"
        return one_line(f"{name}: does not fit: {where} {verdict.flaw.message}")
    totals = ", ".join(f"{player} {total}" for player, total in verdict.totals.items())
    notes = [f"{verdict.photos_read} photos read again alike"] if verdict.photos_read else []
    if verdict.photos_skipped:
        notes.append(f"{verdict.photos_skipped} readings not repeated (no photo, or other networks)")
    if verdict.other_rules:
        notes.append("scored by another version of the rules, with the same totals")
    said = "".join(f"; {note}" for note in notes)
    return one_line(f"{name}: fits, {verdict.entries} entries, {totals}{said}; last hash {verdict.head[:16]}")
