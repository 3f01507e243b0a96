"""Trio: one tile a turn, a point for every three in a line, and never a fourth.

A *run* is an unbroken straight line of tiles (row, column or diagonal) that all show one colour or all one
shape. A run of exactly three is worth one point to whoever completed it; nothing may make a run longer.
`score` audits a whole table and lists its runs, a point each, but has no total: nobody can see who completed
which. `move` judges and counts one turn. An illegal turn earns 0 points; its runs stay in the breakdown with
the reason.

Option `tokens`, for the audit: the value of all players' point tokens together, a number or `{"Ola": 4, …}`;
it must be the number of runs of exactly three.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from types import MappingProxyType
from typing import NamedTuple

from scoring.core import Board, Breakdown, Cell, Finding, Item, Malformed, Message, MoveResult, Text
from scoring.game import Json
from scoring.lattice import (
    COLUMN,
    FALLING,
    NO_CONTACT,
    NOTHING_PLACED,
    RISING,
    ROW,
    Cells,
    Line,
    OpenTable,
    Tile,
    compare,
    connection_findings,
    touches,
)

RUN = 3

THREE_OF_A_COLOUR = {
    ROW: Text("colour-run-row", "three {name} tiles in a row"),
    COLUMN: Text("colour-run-column", "three {name} tiles in a column"),
    FALLING: Text("colour-run-diagonal", "three {name} tiles on a diagonal"),
    RISING: Text("colour-run-diagonal", "three {name} tiles on a diagonal"),
}
THREE_OF_A_SHAPE = {
    ROW: Text("shape-run-row", "three times {name} in a row"),
    COLUMN: Text("shape-run-column", "three times {name} in a column"),
    FALLING: Text("shape-run-diagonal", "three times {name} on a diagonal"),
    RISING: Text("shape-run-diagonal", "three times {name} on a diagonal"),
}
RUN_TOO_LONG = Text(
    "run-too-long", "{length} times {name} in one line, {cells}; a fourth tile may never join three"
)
TOKENS_DIFFER = Text(
    "tokens-differ", "the table shows {runs} runs of three, but the tokens add up to {tokens}"
)
NOT_ONE_TILE = Text("not-one-tile", "{count} tiles were placed, {cells}; a turn places one")
NO_TILE = Text("no-tile", "no tile was placed; a turn places one")
START_TILE = Text("start-tile", "the start tile scores nothing")
NO_RUN = Text("no-run", "the placed tile completes no three of a colour or a shape")
TURN_ILLEGAL = Text("turn-illegal", "the turn breaks a rule, so this scores nothing")

Aspect = Callable[[Tile], str]
COLOUR: Aspect = attrgetter("colour")
SHAPE: Aspect = attrgetter("shape")


class Run(NamedTuple):
    """A longest possible line of three or more tiles that share a colour or a shape."""

    cells: Line
    step: Cell
    aspect: Aspect
    name: str
    """The colour or the shape."""

    @property
    def message(self) -> Message:
        if len(self.cells) > RUN:
            return RUN_TOO_LONG(length=len(self.cells), name=self.name, cells=list(self.cells))
        names = THREE_OF_A_COLOUR if self.aspect is COLOUR else THREE_OF_A_SHAPE
        return names[self.step](name=self.name)

    def item(self, legal: bool = True) -> Item:
        """One point for exactly three; nothing, and why, for more or in an illegal turn."""
        length = len(self.cells)
        scores = legal and length == RUN
        reason = TURN_ILLEGAL() if length == RUN and not legal else self.message
        return Item("run", self.cells, "1" if length == RUN else "0", length, int(scores), reason)


@dataclass(frozen=True, slots=True)
class TrioOptions:
    """What is known about a table beside its tiles."""

    tokens: int | None = None


class Trio(OpenTable[TrioOptions]):
    """6 colours × 6 shapes, each tile once."""

    id = "trio"
    title = "Trio"
    players = range(2, 5)
    colours = MappingProxyType(
        {"yellow": "Y", "orange": "O", "violet": "V", "red": "R", "green": "G", "blue": "B"}
    )
    shapes = MappingProxyType(
        {"star": "t", "heart": "h", "flower": "f", "sun": "u", "moon": "m", "drop": "d"}
    )
    copies = 1

    def parse_options(self, data: Json, place: str = "options", edition: str | None = None) -> TrioOptions:
        for key in data:
            if key != "tokens":
                raise Malformed("unknown-option", "is not an option of Trio", f"{place}.{key:.60}")
        given = data.get("tokens")
        if given is None:
            return TrioOptions()
        values = list(given.values()) if isinstance(given, Mapping) else [given]
        if any(
            not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= 1000
            for value in values
        ):
            message = 'must be a whole number from 0 to 1000, or one for each player {"NAME": NUMBER, …}'
            raise Malformed("option-wrong-type", message, f"{place}.tokens")
        return TrioOptions(sum(values))

    def score(self, board: Board[Tile], options: TrioOptions) -> Breakdown:
        """The audit of a whole table: its runs, and everything a referee would object to."""
        runs = list(all_runs(board.cells))
        found = [Finding(run.message, run.cells) for run in runs if len(run.cells) > RUN]
        found += connection_findings(board.cells)
        found += self.set_findings(board.cells)
        found += self.name_findings(board)
        threes = sum(len(run.cells) == RUN for run in runs)
        if options.tokens is not None and options.tokens != threes:
            found.append(Finding(TOKENS_DIFFER(runs=threes, tokens=options.tokens)))
        return Breakdown(self.id, None, tuple(run.item() for run in runs), tuple(found))

    def move(self, before: Board[Tile], after: Board[Tile], options: TrioOptions) -> MoveResult:
        placed, disturbed = compare(before.cells, after.cells)
        if not placed and not disturbed:
            skipped = Item("exchange", (), "0", None, 0, NOTHING_PLACED())
            return MoveResult(self.id, True, 0, (skipped,), (Finding(NO_TILE()),))
        cells = after.cells
        broken = list(disturbed)
        if len(placed) > 1:
            broken.append(Finding(NOT_ONE_TILE(count=len(placed), cells=list(placed)), placed))
        if placed and before.cells and not touches(placed, before.cells):
            broken.append(Finding(NO_CONTACT(cells=list(placed)), placed))
        runs = list(runs_of(cells, placed))
        broken += [Finding(run.message, run.cells) for run in runs if len(run.cells) > RUN]
        broken += self.set_findings(cells, among=[cells[cell] for cell in placed])

        legal = not broken
        items = [run.item(legal) for run in runs]
        if not items and placed:
            nothing = TURN_ILLEGAL() if not legal else NO_RUN() if before.cells else START_TILE()
            items.append(Item("tile", placed, "0", None, 0, nothing))
        return MoveResult(
            self.id, legal, sum(item.points for item in items), tuple(items), tuple(broken), placed
        )


def run_through(cells: Cells, at: Cell, step: Cell, aspect: Aspect) -> Run:
    """The longest line through a tile, in one direction, that shares its colour or its shape."""
    name = aspect(cells[at])
    rows, columns = step
    row, column = at
    while (tile := cells.get((row - rows, column - columns))) and aspect(tile) == name:
        row, column = row - rows, column - columns
    line = []
    while (tile := cells.get((row, column))) and aspect(tile) == name:
        line.append((row, column))
        row, column = row + rows, column + columns
    return Run(tuple(line), step, aspect, name)


def runs_of(cells: Cells, placed: Sequence[Cell]) -> Iterator[Run]:
    """Every run of three or more that a placed tile belongs to, once."""
    for step in THREE_OF_A_COLOUR:
        for aspect in (COLOUR, SHAPE):
            counted: set[Cell] = set()
            for cell in placed:
                if cell not in counted:
                    run = run_through(cells, cell, step, aspect)
                    counted.update(run.cells)
                    if len(run.cells) >= RUN:
                        yield run


def all_runs(cells: Cells) -> Iterator[Run]:
    """Every run of three or more on a table, direction by direction, topmost and leftmost first."""
    for step in THREE_OF_A_COLOUR:
        for at, tile in sorted(cells.items()):
            previous = cells.get((at[0] - step[0], at[1] - step[1]))
            for aspect in (COLOUR, SHAPE):
                if previous is None or aspect(previous) != aspect(tile):
                    run = run_through(cells, at, step, aspect)
                    if len(run.cells) >= RUN:
                        yield run
