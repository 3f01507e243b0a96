"""Keeping the record: whatever changes at a table becomes an entry, in the same transaction.

Nothing asks to be recorded and nothing can be forgotten: the entries are made from what the database session
is about to write. After each change the totals follow, if they are new, so that a replay can be held to them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import event, inspect, select
from sqlalchemy.orm import Session

from web.play import view_table
from web.record_chain import START, Entry, parse_line, seal
from web.storage.desk_models import Claim, RecordEntry
from web.storage.models import BoardRow, Call, Correction, Photo, Round, Seat, Table, now
from web.versions import model_versions, program_version, rules_version

FACTS = "kibic_facts"
TABLE_FIELDS = ("game", "layout", "size", "options", "rounds_planned", "finished", "edition")
BOARD_FIELDS = (
    "seat_id", "turn", "photo_id", "awaiting", "problem", "corners", "aside", "complete", "last_tile",
    "agreed", "order",
)  # fmt: skip
CLAIM_FIELDS = (
    "board_id", "kind", "a", "b", "tile", "mark", "points", "cells", "words", "who", "photo_id",
)  # fmt: skip


class Fact(NamedTuple):
    """Something that is being written; `table` finds the table's id once everything is flushed."""

    table: Callable[[Session], int | None]
    kind: str
    body: Mapping[str, Any]


def keep_record() -> None:
    """From now on every session writes the record along."""
    if not event.contains(Session, "after_flush", collect):
        event.listen(Session, "after_flush", collect)
        event.listen(Session, "persistent_to_deleted", collect_removed)
        event.listen(Session, "before_commit", write)
        event.listen(Session, "after_soft_rollback", forget)


def collect(session: Session, _context: object) -> None:
    """What this flush has just written."""
    facts: list[Fact] = session.info.setdefault(FACTS, [])
    for thing in sorted((one for one in session.new if type(one) in _NEW), key=_order):
        facts += _NEW[type(thing)](thing)
    for thing in session.dirty:
        if type(thing) in _CHANGED:
            facts += _CHANGED[type(thing)](thing, _changes(thing))


def collect_removed(session: Session, thing: object) -> None:
    facts: list[Fact] = session.info.setdefault(FACTS, [])
    if isinstance(thing, BoardRow):
        facts.append(Fact(_of_round(thing.round_id), "board-removed", {"board": thing.id}))
    elif isinstance(thing, Call):
        body = {"round": thing.round_id, "call": thing.number}
        facts.append(Fact(_of_round(thing.round_id), "call-removed", body))


def forget(session: Session, _previous: object) -> None:
    session.info.pop(FACTS, None)


def write(session: Session) -> None:
    """The facts of this transaction as entries, then the totals they make."""
    if not (session.new or session.dirty or session.deleted or session.info.get(FACTS)):
        return
    session.flush()
    facts: list[Fact] = session.info.pop(FACTS, [])
    by_table: dict[int, list[Fact]] = {}
    for fact in facts:
        table_id = fact.table(session)
        if table_id is not None:
            by_table.setdefault(table_id, []).append(fact)
    for table_id, happened in by_table.items():
        table = session.get(Table, table_id)
        if table is not None and not inspect(table).deleted:
            _append(session, table, happened)


def _append(session: Session, table: Table, happened: list[Fact]) -> None:
    # Two servers on one database must not both write the next entry.
    session.execute(select(Table.id).where(Table.id == table.id).with_for_update())
    last = last_entry(session, table.id)
    opening = happened[0].kind == "table"
    if last is None and not opening:
        return  # a table from before there were records: half a record would prove nothing
    entries = list(happened) if last is not None else [Fact(lambda _: table.id, "table", opened(table))]
    if last is None:
        entries += [fact for fact in happened if fact.kind not in ("table", "player")]
    for fact in entries:
        last = _add(session, table.id, last, fact.kind, fact.body)
    totals = {"totals": {str(seat.id): total for seat, total in _totals(session, table)}}
    if totals != last_totals(session, table.id):
        _add(session, table.id, last, "score", totals | {"rules": rules_version()})


def _totals(session: Session, table: Table) -> list[tuple[Seat, int]]:
    session.expire(table, ["rounds", "seats"])
    for round_ in table.rounds:
        session.expire(round_, ["boards"])
    shown = view_table(table)
    return [(seat, shown.totals[seat.id]) for seat in table.seats]


def _add(session: Session, table_id: int, last: Entry | None, kind: str, body: Mapping[str, Any]) -> Entry:
    number, previous = (last.number + 1, last.hash) if last else (1, START)
    entry = seal(number, now().isoformat(timespec="seconds") + "Z", kind, dict(body), previous)
    session.add(RecordEntry(table_id=table_id, number=entry.number, line=entry.line))
    session.flush()
    return entry


def last_entry(session: Session, table_id: int) -> Entry | None:
    line = session.scalar(
        select(RecordEntry.line)
        .where(RecordEntry.table_id == table_id)
        .order_by(RecordEntry.number.desc())
        .limit(1)
    )
    return parse_line(line) if line is not None else None


def last_totals(session: Session, table_id: int) -> dict[str, Any] | None:
    """What the latest score entry says."""
    lines = session.scalars(
        select(RecordEntry.line)
        .where(RecordEntry.table_id == table_id, RecordEntry.line.contains('"kind":"score"'))
        .order_by(RecordEntry.number.desc())
        .limit(1)
    )
    found = [parse_line(line) for line in lines]
    return {"totals": found[0].body["totals"]} if found and found[0].kind == "score" else None


def opened(table: Table) -> dict[str, Any]:
    """A table's first entry: what is played, by whom, and with what."""
    return {
        **{field: getattr(table, field) for field in TABLE_FIELDS},
        "key": table.key,
        "players": [
            {"seat": seat.id, "position": seat.position, "name": seat.name, "team": seat.team}
            for seat in table.seats
        ],
        "program": program_version(),
        "rules": rules_version(),
    }


def _order(thing: Any) -> tuple[int, int]:
    return list(_NEW).index(type(thing)), thing.id


def _changes(thing: object) -> dict[str, Any]:
    """The fields this flush changes, with their new values."""
    state = inspect(thing)
    assert state is not None
    found = {}
    for attribute in state.mapper.column_attrs:
        history = state.attrs[attribute.key].history
        before = history.deleted[0] if history.deleted else None
        now_ = getattr(thing, attribute.key)
        if history.has_changes() and before != now_:
            found[attribute.key] = _plain(now_)
    return found


def _plain(value: object) -> Any:
    return value.isoformat(timespec="seconds") + "Z" if isinstance(value, datetime) else value


def _of_table(table_id: int) -> Callable[[Session], int | None]:
    return lambda _session: table_id


def _of_round(round_id: int) -> Callable[[Session], int | None]:
    return lambda session: session.scalar(select(Round.table_id).where(Round.id == round_id))


def _of_board(board_id: int) -> Callable[[Session], int | None]:
    return lambda session: session.scalar(
        select(Round.table_id).join(BoardRow, BoardRow.round_id == Round.id).where(BoardRow.id == board_id)
    )


def _new_board(row: BoardRow) -> list[Fact]:
    where = _of_round(row.round_id)
    body = {"board": row.id, "round": row.round_id} | {
        field: getattr(row, field) for field in BOARD_FIELDS if getattr(row, field) not in (None, False, 0)
    }
    facts = [Fact(where, "board", body)]
    return facts + (_read(row, where) if row.reading is not None else [])


def _read(row: BoardRow, where: Callable[[Session], int | None]) -> list[Fact]:
    """A reading with its probabilities, and the networks it was made with."""
    game = row.round.table.game
    body = {"board": row.id, "photo": row.photo_id, "reading": row.reading, "models": model_versions(game)}
    return [Fact(where, "reading", body)]


def _changed_board(row: BoardRow, changes: dict[str, Any]) -> list[Fact]:
    where = _of_round(row.round_id)
    fields = {field: changes[field] for field in BOARD_FIELDS if field in changes}
    facts = [Fact(where, "board-changed", {"board": row.id, "to": fields})] if fields else []
    if "reading" in changes:
        facts += (
            _read(row, where)
            if row.reading is not None
            else [Fact(where, "reading", {"board": row.id, "photo": row.photo_id, "reading": None})]
        )
    return facts


def _new_correction(one: Correction) -> list[Fact]:
    body = {
        "correction": one.id,
        "board": one.board_id,
        "at": [one.a, one.b],
        "tile": one.tile,
        "mark": one.mark,
        "photo": one.photo_id,
        "who": one.who,
    }
    return [Fact(_of_board(one.board_id), "correction", body)]


def _changed_correction(one: Correction, changes: dict[str, Any]) -> list[Fact]:
    if "undone" not in changes:
        return []
    kind = "correction-undone" if one.undone else "correction-redone"
    return [Fact(_of_board(one.board_id), kind, {"correction": one.id, "who": one.undone_by})]


def _new_claim(claim: Claim) -> list[Fact]:
    body = {"claim": claim.id} | {field: getattr(claim, field) for field in CLAIM_FIELDS}
    return [Fact(_of_table(claim.table_id), "claim", body)]


def _changed_claim(claim: Claim, changes: dict[str, Any]) -> list[Fact]:
    if "ruling" not in changes:
        return []
    body = {"claim": claim.id, "ruling": claim.ruling, "who": claim.ruled_by, "reason": claim.reason}
    return [Fact(_of_table(claim.table_id), "ruling", body)]


def _new_photo(photo: Photo) -> list[Fact]:
    body = {"photo": photo.id, "sha256": photo.sha256, "width": photo.width, "height": photo.height}
    return [Fact(_of_table(photo.table_id), "photo", body)]


def _new_call(call: Call) -> list[Fact]:
    body = {
        "round": call.round_id,
        "call": call.number,
        "tile": call.tile,
        "mark": call.mark,
        "who": call.who,
    }
    return [Fact(_of_round(call.round_id), "call", body)]


def _changed_table(table: Table, changes: dict[str, Any]) -> list[Fact]:
    fields = {field: changes[field] for field in TABLE_FIELDS if field in changes}
    return [Fact(_of_table(table.id), "table-changed", {"to": fields})] if fields else []


def _changed_seat(seat: Seat, changes: dict[str, Any]) -> list[Fact]:
    if "name" not in changes:
        return []
    return [Fact(_of_table(seat.table_id), "player", {"seat": seat.id, "name": seat.name})]


_NEW: dict[type[Any], Callable[[Any], list[Fact]]] = {
    Table: lambda table: [Fact(_of_table(table.id), "table", {})],
    Round: lambda row: [
        Fact(
            _of_table(row.table_id),
            "round",
            {"round": row.id, "number": row.number, "caller": row.caller_id},
        )
    ],
    Photo: _new_photo,
    BoardRow: _new_board,
    Correction: _new_correction,
    Claim: _new_claim,
    Call: _new_call,
}
_CHANGED: dict[type[Any], Callable[[Any, dict[str, Any]], list[Fact]]] = {
    Table: _changed_table,
    Seat: _changed_seat,
    BoardRow: _changed_board,
    Correction: _changed_correction,
    Claim: _changed_claim,
}
