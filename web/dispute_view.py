"""What the desk lays out: what was seen, what each claim would do to every total, what could explain it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from sqlalchemy.orm import Session

from scoring.core import Cell, Item
from web.play import Seen, Sheet, TableView, as_cell, view_table
from web.storage.desk_models import Claim
from web.storage.models import BoardRow, Correction, Seat, Table

MOST_EXPLANATIONS = 5
MOST_TRIED = 60


class Effect(NamedTuple):
    """One player's total as it stands and under the claim."""

    seat: Seat
    now: int
    then: int


class Explanation(NamedTuple):
    """One tile that would make the claimed total."""

    at: Cell
    seen: Seen
    p: float


class Sight(NamedTuple):
    """Something the reader held possible in the disputed cell."""

    seen: Seen
    p: float


@contextmanager
def as_if(db: Session, row: BoardRow, at: Cell, seen: Seen) -> Iterator[None]:
    """The table as if somebody had corrected this cell; nothing is kept."""
    with db.no_autoflush:
        made = Correction(
            a=at[0], b=at[1], tile=seen.tile, mark=seen.mark, who="", photo_id=row.photo_id, undone=None
        )
        row.corrections.append(made)
        try:
            yield
        finally:
            row.corrections.remove(made)
            if made in db:
                db.expunge(made)


@contextmanager
def as_if_agreed(db: Session, row: BoardRow, points: int) -> Iterator[None]:
    with db.no_autoflush:
        before = row.agreed
        row.agreed = before + points
        try:
            yield
        finally:
            row.agreed = before


def difference(claim: Claim, sheet: Sheet, shown: TableView) -> int:
    """The points an accepted claim adds to the board, where it is not about a tile."""
    total = board_total(shown, sheet)
    if claim.kind == "illegal":
        return -total
    if claim.kind == "row":
        counted = sum(item.points for item in claimed_items(claim, sheet, shown))
        return (claim.points or 0) - counted
    return (claim.points or 0) - total


def board_total(shown: TableView, sheet: Sheet) -> int:
    """What this board or turn brings, shared bonuses included."""
    around = next(one for one in shown.rounds if sheet in one.sheets)
    return around.breakdowns.get(sheet.seat.id, sheet.breakdown).total or 0


def claimed_items(claim: Claim, sheet: Sheet, shown: TableView) -> list[Item]:
    around = next(one for one in shown.rounds if sheet in one.sheets)
    cells = {as_cell(at) for at in claim.cells or ()}
    items = around.breakdowns.get(sheet.seat.id, sheet.breakdown).items
    return [item for item in items if cells and set(item.cells) == cells]


def effects(
    db: Session, table: Table, row: BoardRow, claim: Claim, sheet: Sheet, shown: TableView
) -> list[Effect]:
    """Everybody's total now and if the claim is right."""
    if claim.kind == "tile" and claim.a is not None and claim.b is not None:
        changed = as_if(db, row, (claim.a, claim.b), Seen(claim.tile, claim.mark))
    else:
        changed = as_if_agreed(db, row, difference(claim, sheet, shown))
    with changed:
        then = view_table(table).totals
        return [Effect(seat, shown.totals[seat.id], then[seat.id]) for seat in table.seats]


def sights(sheet: Sheet, at: Cell) -> list[Sight]:
    """What the reader saw in a cell, likeliest first; nothing where the board was entered by hand."""
    reading = sheet.reading or {}
    for one in reading.get("doubts", ()):
        if as_cell(one["at"]) == at:
            return [
                Sight(Seen(other["tile"], other.get("mark")), other["p"]) for other in one["alternatives"]
            ]
    for cell in reading.get("cells", ()):
        if as_cell(cell["at"]) == at:
            first = Sight(Seen(cell["tile"], cell.get("mark")), cell["p"])
            others = [Sight(Seen(one["tile"], one.get("mark")), one["p"]) for one in cell["alternatives"]]
            return [first, *others]
    return []


def explanations(db: Session, table: Table, row: BoardRow, sheet: Sheet, wanted: int) -> list[Explanation]:
    """Single tiles, among what the reader held possible, that would make the wanted total."""
    found: list[Explanation] = []
    tried = 0
    for at in sheet.polygons:
        for sight in sights(sheet, at)[1:]:
            if tried == MOST_TRIED or len(found) == MOST_EXPLANATIONS:
                return found
            tried += 1
            with as_if(db, row, at, sight.seen):
                shown = view_table(table)
                then = next(one for around in shown.rounds for one in around.sheets if one.row is row)
                if board_total(shown, then) == wanted:
                    found.append(Explanation(at, sight.seen, sight.p))
    return found
