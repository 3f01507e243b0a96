"""Open tables: tiles with a colour and a shape on a free square lattice, as Qwirkle and Trio lay them.

A cell is (row, column) with any origin. What both games share is written here once: tile names, files,
notation, which tables are the same, the lines on a table, and what changed between two states of it.

The notation writes each row of tiles as `row,column:TILES`, rows joined by `;`. A tile is two letters,
colour then shape; a number is a gap of so many cells; a tile with taught names stands in full, in brackets.
`-` is the empty table, `NAME!` in front names a taught edition, `>row,column;…` at the end is the order of
placement.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any, ClassVar, NamedTuple, TypeVar
from urllib.parse import quote, unquote

from scoring.core import Board, Cell, Finding, Malformed, Text, groups, neighbours4
from scoring.game import Game, Json, checked_cells, checked_order

OptionsT = TypeVar("OptionsT")

ROW, COLUMN, FALLING, RISING = (0, 1), (1, 0), (1, 1), (-1, 1)
"""Steps along a line; falling and rising are the two diagonals, read from the left."""

Line = tuple[Cell, ...]

NOT_CONNECTED = Text(
    "not-connected", "the table falls into {count} groups; not joined to the largest by a side: {cells}"
)
TOO_MANY_COPIES = Text("too-many-copies", "{tile} lies {count} times, on {cells}; the game has {copies}")
TOO_MANY_TILES = Text("too-many-tiles", "{count} tiles lie on the table; the game has {most}")
TOO_MANY_COLOURS = Text("too-many-colours", "{count} colours lie on the table; the game has 6: {colours}")
TOO_MANY_SHAPES = Text("too-many-shapes", "{count} shapes lie on the table; the game has 6: {shapes}")
TILE_REMOVED = Text("tile-removed", "{tile} lay on {cell} before the turn and is gone")
TILE_MOVED = Text("tile-moved", "{tile} moved from {cell} to {to}; tiles on the table stay where they are")
TILE_CHANGED = Text("tile-changed", "{cell} showed {was} before the turn and shows {tile} after it")
NO_CONTACT = Text(
    "no-contact", "{cells}: no placed tile shares a side with the tiles on the table; a corner is not enough"
)
NOTHING_PLACED = Text("nothing-placed", "nothing was placed, so nothing is scored")


class Tile(NamedTuple):
    """One kind of tile."""

    colour: str
    shape: str

    @property
    def name(self) -> str:
        """As files and people write it: "red circle"."""
        return f"{self.colour} {self.shape}"


Cells = Mapping[Cell, Tile]


class OpenTable(Game[Tile, OptionsT]):
    """A game on an open square lattice: everything but its rules."""

    colours: ClassVar[Mapping[str, str]]
    """Built-in colour names and their capital letter in the notation."""
    shapes: ClassVar[Mapping[str, str]]
    """Built-in shape names and their small letter in the notation."""
    copies: ClassVar[int]

    by_turns = True

    def kinds(self) -> Mapping[Tile, int]:
        return MappingProxyType({Tile(c, s): self.copies for c in self.colours for s in self.shapes})

    @property
    def most_tiles(self) -> int:
        """Tiles in the box: six colours, six shapes, so many copies."""
        return 36 * self.copies

    def parse_tile(self, text: object, place: str) -> Tile:
        tile = _two_words(text, place)
        if tile.colour not in self.colours:
            raise Malformed(
                "unknown-tile",
                f"{tile.colour!r} is not a colour of {self.title} ({', '.join(self.colours)})",
                place,
            )
        if tile.shape not in self.shapes:
            raise Malformed(
                "unknown-tile",
                f"{tile.shape!r} is not a shape of {self.title} ({', '.join(self.shapes)})",
                place,
            )
        return tile

    def tile_parser(self, edition: str | None) -> Callable[[object, str], Tile]:
        """How tiles are read: a taught edition may name its colours and shapes as it likes."""
        return self.parse_tile if edition is None else _two_words

    def tile_name(self, tile: Tile) -> str:
        return tile.name

    def parse_board(self, data: Json, place: str = "") -> Board[Tile]:
        edition = _checked_edition(data.get("edition"), f"{place}.edition" if place else "edition")
        parse = self.tile_parser(edition)
        cells = {
            cell: parse(entry["tile"], f"{here}.tile") for cell, entry, here in checked_cells(data, place)
        }
        return Board(self.id, cells, order=checked_order(data, place, cells), edition=edition)

    def board_json(self, board: Board[Tile]) -> dict[str, Any]:
        written: dict[str, Any] = {"game": self.id}
        if board.edition is not None:
            written["edition"] = board.edition
        written["cells"] = [
            {"at": list(cell), "tile": tile.name} for cell, tile in sorted(board.cells.items())
        ]
        if board.order:
            written["order"] = [list(cell) for cell in board.order]
        return written

    def notation(self, board: Board[Tile]) -> str:
        rows: dict[int, list[tuple[int, Tile]]] = defaultdict(list)
        for (row, column), tile in sorted(board.cells.items()):
            rows[row].append((column, tile))
        written = ";".join(self._write_row(row, tiles) for row, tiles in rows.items()) or "-"
        if board.edition is not None:
            written = f"{quote(board.edition, safe='')}!{written}"
        return written + (
            ">" + ";".join(f"{row},{column}" for row, column in board.order) if board.order else ""
        )

    def _write_row(self, row: int, tiles: Sequence[tuple[int, Tile]]) -> str:
        first = end = tiles[0][0]
        written = [f"{row},{first}:"]
        for column, tile in tiles:
            if column > end:
                written.append(str(column - end))
            colour, shape = self.colours.get(tile.colour), self.shapes.get(tile.shape)
            written.append(f"({tile.name})" if colour is None or shape is None else colour + shape)
            end = column + 1
        return "".join(written)

    def from_notation(self, text: str) -> Board[Tile]:
        body, _, order = text.partition(">")
        edition, named, body = body.rpartition("!")
        data: dict[str, Any] = {"cells": []}
        if named:
            data["edition"] = unquote(edition)
        if body != "-":
            for entry in body.split(";"):
                data["cells"] += self._read_row(entry)
        if order:
            data["order"] = [list(_read_cell(at)) for at in order.split(";")]
        return self.parse_board(data, "notation")

    def _read_row(self, entry: str) -> list[dict[str, Any]]:
        start, _, tiles = entry.partition(":")
        row, column = _read_cell(start)
        if not re.fullmatch(f"(?:{_TOKEN.pattern})+", tiles):
            raise Malformed("notation", f"{entry!r:.60} is not row,column:TILES", "notation")
        letters = {letter: name for names in (self.colours, self.shapes) for name, letter in names.items()}
        cells = []
        for pair, words, gap in _TOKEN.findall(tiles):
            if gap:
                column += int(gap)
                continue
            name = words or " ".join(letters.get(letter, letter) for letter in pair)
            cells.append({"at": [row, column], "tile": name})
            column += 1
        return cells

    def same_board(self, one: Board[Tile], other: Board[Tile]) -> bool:
        """Equal after a shift and a number of quarter turns; a mirror image is another table."""
        wanted = to_origin(other.cells)
        turned: Cells = one.cells
        for _ in range(4):
            if to_origin(turned) == wanted:
                return True
            turned = quarter_turn(turned)
        return False

    def set_findings(self, cells: Cells, among: Iterable[Tile] | None = None) -> list[Finding]:
        """What the box cannot have brought to the table: too many tiles, copies, colours or shapes.

        `among` limits the copies to these kinds: the ones a turn has just brought.
        """
        found = []
        if len(cells) > self.most_tiles:
            found.append(
                Finding(TOO_MANY_TILES(count=len(cells), most=self.most_tiles), tuple(sorted(cells)))
            )
        counts = Counter(cells.values())
        over = {tile for tile in (counts if among is None else set(among)) if counts[tile] > self.copies}
        if over:
            where: dict[Tile, list[Cell]] = defaultdict(list)
            for cell, tile in sorted(cells.items()):
                if tile in over:
                    where[tile].append(cell)
            for tile, spots in where.items():
                message = TOO_MANY_COPIES(tile=tile.name, count=len(spots), cells=spots, copies=self.copies)
                found.append(Finding(message, tuple(spots)))
        return found

    def name_findings(self, board: Board[Tile]) -> list[Finding]:
        """More than six colours or shapes on the table of a taught edition."""
        found = []
        colours = sorted({tile.colour for tile in board.cells.values()})
        shapes = sorted({tile.shape for tile in board.cells.values()})
        if len(colours) > 6:
            found.append(Finding(TOO_MANY_COLOURS(count=len(colours), colours=colours)))
        if len(shapes) > 6:
            found.append(Finding(TOO_MANY_SHAPES(count=len(shapes), shapes=shapes)))
        return found


def laid(board: Board[Tile], tiles: Cells) -> Board[Tile]:
    """The table after these tiles were placed on it: the `after` of a turn that is known by its tiles."""
    for cell in tiles:
        if cell in board.cells:
            raise Malformed(
                "cell-twice", f"[{cell[0]}, {cell[1]}] already holds {board.cells[cell].name}", "placed"
            )
    return replace(board, cells={**board.cells, **tiles}, order=())


class Change(NamedTuple):
    """What happened to a table in one turn."""

    placed: tuple[Cell, ...]
    """New tiles, topmost and leftmost first; a tile that only moved is not new."""
    findings: tuple[Finding, ...]
    """Tiles that were there before and are now elsewhere, different or gone."""


def compare(before: Cells, after: Cells) -> Change:
    """The tiles placed, and everything done to the tiles that already lay there; cells as they stand."""
    new = sorted(after.keys() - before.keys())
    if before.items() <= after.items():
        return Change(tuple(new), ())
    found = []
    for cell in sorted(before.keys() & after.keys()):
        if before[cell] != after[cell]:
            message = TILE_CHANGED(cell=cell, was=before[cell].name, tile=after[cell].name)
            found.append(Finding(message, (cell,)))
    appeared: dict[Tile, list[Cell]] = defaultdict(list)
    for cell in reversed(new):
        appeared[after[cell]].append(cell)
    moved = set()
    for cell in sorted(before.keys() - after.keys()):
        tile = before[cell]
        if appeared[tile]:
            to = appeared[tile].pop()
            moved.add(to)
            found.append(Finding(TILE_MOVED(tile=tile.name, cell=cell, to=to), (cell, to)))
        else:
            found.append(Finding(TILE_REMOVED(tile=tile.name, cell=cell), (cell,)))
    return Change(tuple(cell for cell in new if cell not in moved), tuple(found))


def touches(placed: Iterable[Cell], before: Cells) -> bool:
    """Whether a placed tile shares a side with a tile that already lay there."""
    return any(near in before for cell in placed for near in neighbours4(cell))


def connection_findings(cells: Cells) -> list[Finding]:
    """One finding when the table is not one group, naming every tile outside the largest group."""
    parts = groups(cells)
    if len(parts) < 2:
        return []
    loose = sorted(cell for part in parts[1:] for cell in part)
    return [Finding(NOT_CONNECTED(count=len(parts), cells=loose), tuple(loose))]


def line_through(cells: Cells, at: Cell, step: Cell) -> Line:
    """The unbroken line of tiles through a filled cell, in the direction of `step`."""
    rows, columns = step
    row, column = at
    while (row - rows, column - columns) in cells:
        row, column = row - rows, column - columns
    line = []
    while (row, column) in cells:
        line.append((row, column))
        row, column = row + rows, column + columns
    return tuple(line)


def all_lines(cells: Cells, step: Cell) -> list[Line]:
    """Every unbroken line of two or more tiles in one direction, topmost and leftmost first."""
    rows, columns = step
    starts = sorted(cell for cell in cells if (cell[0] - rows, cell[1] - columns) not in cells)
    return [line for line in (line_through(cells, start, step) for start in starts) if len(line) > 1]


def to_origin(cells: Cells) -> dict[Cell, Tile]:
    """The same table with its top row and its left column numbered 0."""
    if not cells:
        return {}
    top = min(row for row, _ in cells)
    left = min(column for _, column in cells)
    return {(row - top, column - left): tile for (row, column), tile in cells.items()}


def quarter_turn(cells: Cells) -> dict[Cell, Tile]:
    """The same table seen from the next side, turned clockwise."""
    return {(column, -row): tile for (row, column), tile in cells.items()}


_TOKEN = re.compile(r"([A-Z][a-z])|\(([^()]+)\)|([1-9]\d{0,7})")
_WORD = re.compile(r"[\w'’-]{1,40}")


def _two_words(text: object, place: str) -> Tile:
    if isinstance(text, str):
        words = text.split(" ")
        if len(words) == 2 and all(_WORD.fullmatch(word) for word in words):
            return Tile(*words)
    raise Malformed("unknown-tile", f'{text!r:.60} is not a tile: write "<colour> <shape>"', place)


def _checked_edition(name: object, place: str) -> str | None:
    if name is None or (isinstance(name, str) and 0 < len(name) <= 100):
        return name
    raise Malformed("edition-wrong-type", "must be the name of a taught edition, at most 100 letters", place)


def _read_cell(text: str) -> Cell:
    if not re.fullmatch(r"-?\d{1,7},-?\d{1,7}", text):
        raise Malformed("notation", f"{text!r:.60} is not row,column", "notation")
    row, column = text.split(",")
    return int(row), int(column)
