"""What a turn's page adds to its board: the verdict, what contradicts, who is next, what can be done."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any, NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from scoring.core import Board, Cell, Finding
from scoring.game import Game
from scoring.match import TRIO_TURNS
from vision.match import Contradiction
from web.play import Sheet, TableView, start_of_game, turns_played
from web.storage.desk_models import UndoneTurn
from web.storage.models import Seat, Table

MOST_SPLIT = 8
"""Photos with more new tiles than this are not two forgotten turns."""
MOST_WAYS = 6


class Compared(NamedTuple):
    """A contradiction, with the sheets whose photographs show either side of it."""

    what: Contradiction
    before: Sheet | None
    """The last earlier turn with a photograph that shows the cell."""


class Way(NamedTuple):
    """One way to share a photo's new tiles between two turns: these first, the others after."""

    first: tuple[Cell, ...]
    second: tuple[Cell, ...]
    points: int


class Panel(NamedTuple):
    """Everything the turn's page shows besides the board itself."""

    legal: bool
    exchange: bool
    compared: tuple[Compared, ...]
    ways: tuple[Way, ...]
    next_seat: Seat | None
    last: bool
    """Nothing has been played after it."""


def panel(shown: TableView, sheet: Sheet) -> Panel:
    sheets = shown.current.sheets
    index = next(number for number, one in enumerate(sheets) if one.row is sheet.row)
    before = sheets[index - 1] if index else None
    compared = tuple(
        Compared(one, _last_seen(sheets[:index], one.at))
        for one in (sheet.turn.contradictions if sheet.turn else ())
        if any(doubt.at == one.at for doubt in sheet.doubts)
    )
    legal = not sheet.breakdown.findings
    ways = (
        ()
        if legal or sheet.state not in ("done", "doubts")
        else tuple(ways_to_split(shown.game, before, sheet))
    )
    return Panel(
        legal,
        not sheet.fresh,
        compared,
        ways,
        after(shown, index),
        index == len(sheets) - 1,
    )


def _last_seen(sheets: Sequence[Sheet], at: Cell) -> Sheet | None:
    return next(
        (one for one in reversed(sheets) if at in one.polygons and one.row and one.row.photo_id), None
    )


def after(shown: TableView, index: int) -> Seat | None:
    """Who plays after the turn at this place."""
    if shown.table.finished:
        return None
    played = turns_played(shown.game, shown.current.sheets[: index + 1])
    return shown.table.seats[played % len(shown.table.seats)]


def ways_to_split(game: Game[Any, Any], before: Sheet | None, sheet: Sheet) -> Iterator[Way]:
    """Legal first turns among the new tiles; what is left is the next player's, and may be split again."""
    if not 2 <= len(sheet.fresh) <= MOST_SPLIT or before is None:
        return
    options = game.parse_options({})
    whole: list[tuple[bool, Way]] = []
    for count in range(1, len(sheet.fresh)):
        for first in combinations(sheet.fresh, count):
            rest = tuple(cell for cell in sheet.fresh if cell not in first)
            between = _without(sheet.board, rest)
            move = game.move(before.board, between, options)
            if not move.legal:
                continue
            second = game.move(between, sheet.board, options)
            whole.append((second.legal, Way(first, rest, move.points)))
    for _legal, way in sorted(whole, key=lambda one: not one[0])[:MOST_WAYS]:
        yield way


def _without(board: Board[Any], cells: Sequence[Cell]) -> Board[Any]:
    return Board(board.game, {at: tile for at, tile in board.cells.items() if at not in cells})


def redoable(db: Session, table: Table, turns: int) -> UndoneTurn | None:
    """The turn taken back last, if nothing was played in its place."""
    last = db.scalar(
        select(UndoneTurn).where(UndoneTurn.table_id == table.id).order_by(UndoneTurn.id.desc()).limit(1)
    )
    return last if last is not None and last.turn["turn"] == turns + 1 else None


def trio_full(shown: TableView) -> bool:
    """All 36 tiles lie on the table: the game of Trio is over."""
    sheets = shown.current.sheets
    return shown.game.id == "trio" and bool(sheets) and len(sheets[-1].cells) > TRIO_TURNS


def token_findings(shown: TableView, tokens: int) -> tuple[Finding, ...]:
    """What the finished table says about the tokens' value."""
    game = shown.game
    board = (
        shown.current.sheets[-1].board if shown.current.sheets else start_of_game(game, Board(game.id, {}))
    )
    result = game.score(board, game.parse_options({"tokens": tokens}))
    return tuple(finding for finding in result.findings if finding.message.code == "tokens-differ")
