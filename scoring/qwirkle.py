"""Qwirkle: lines of one colour or one shape on an open table, scored turn by turn.

A finished table shows no points (nobody can see who placed what), so `score` is an audit: every line, and
everything a referee would object to. `move` judges one turn and counts it line by line. An illegal turn earns
0 points: its lines stay in the breakdown, each with the reason it does not count.

Options stand beside `before` and `after`:
- `last_tile`: true on the turn that ends the game, worth 6 more;
- `hands`: what the players held before the turn: `{"Ola": ["red circle", …], "Jan": […]}`, or a list of hands
  in the order of seats, or a single list of tiles, the hand of whoever plays;
- `player`: whose turn it is, a name from `hands` or a seat counted from 1. Without it, any hand that holds
  the placed tiles will do.
With hands, the opening must be the longest line any of them can lay, and every turn must come out of its
player's hand. Who is the oldest is not known: of several players with equally long lines any may open.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple

from scoring.core import Board, Breakdown, Cell, Finding, Item, Malformed, Message, MoveResult, Text
from scoring.game import Json
from scoring.lattice import (
    COLUMN,
    NO_CONTACT,
    NOTHING_PLACED,
    ROW,
    Cells,
    Line,
    OpenTable,
    Tile,
    all_lines,
    compare,
    connection_findings,
    line_through,
    touches,
)

LONGEST = 6
QWIRKLE_BONUS = 6
LAST_TILE_BONUS = 6
HAND_SIZE = 6

COLOUR_LINE = Text("colour-line", "{colour} line of {length}")
SHAPE_LINE = Text("shape-line", "{shape} line of {length}")
COLOUR_QWIRKLE = Text("colour-qwirkle", "Qwirkle: all six shapes in {colour}")
SHAPE_QWIRKLE = Text("shape-qwirkle", "Qwirkle: {shape} in all six colours")
SINGLE_TILE = Text("single-tile", "an opening of one tile counts 1")
LAST_TILE = Text("last-tile", "the last tile of a hand after the bag ran empty")
TURN_ILLEGAL = Text("turn-illegal", "the turn breaks a rule, so this scores nothing")

LINE_MIXED = Text(
    "line-mixed",
    "the line from {start} to {end} must be all one colour or all one shape; broken by {tiles} on {cells}",
)
LINE_REPEATS = Text("line-repeats", "{tile} comes {count} times in one line, on {cells}; it may come once")
LINE_TOO_LONG = Text("line-too-long", "the line from {start} to {end} has {length} tiles; the longest has 6")
TWO_EDITIONS = Text(
    "two-editions", "purple and white lie on one table, {cells}; a copy of the game has one or the other"
)

PLACED_NOT_ALIKE = Text("placed-not-alike", "the placed tiles share neither a colour nor a shape: {tiles}")
PLACED_APART = Text("placed-apart", "the placed tiles {cells} do not lie in one row or column")
PLACED_GAP = Text("placed-gap", "the placed tiles {cells} are not in one unbroken line: {gaps} is empty")

NOT_IN_HAND = Text("not-in-hand", "{player} does not hold {tiles}")
IN_NO_HAND = Text("in-no-hand", "nobody holds {tiles} together")
OPENING_TOO_SHORT = Text(
    "opening-too-short", "the opening is a line of {length}, but {players} can lay {longest}"
)
OPENING_NOT_YOURS = Text(
    "opening-not-yours", "{player} can lay {length} at most; a line of {longest} opens, from {players}"
)
NOT_LAST_TILE = Text("not-last-tile", "{player} still holds {count} tiles, so this is not the last one")
LAST_TILE_NOT_PLACED = Text("last-tile-not-placed", "nothing was placed, so nobody placed a last tile")


class Hand(NamedTuple):
    """What a player held before the turn."""

    player: str
    tiles: tuple[Tile, ...]

    def holds(self, tiles: Sequence[Tile]) -> bool:
        return not Counter(tiles) - Counter(self.tiles)


@dataclass(frozen=True, slots=True)
class QwirkleOptions:
    """What is known about a turn beside the two tables."""

    last_tile: bool = False
    hands: tuple[Hand, ...] = ()
    player: str | None = None


class Qwirkle(OpenTable[QwirkleOptions]):
    """6 colours × 6 shapes × 3 copies; newer editions print white where older ones print purple."""

    id = "qwirkle"
    title = "Qwirkle"
    players = range(2, 5)
    colours = MappingProxyType(
        {"red": "R", "orange": "O", "yellow": "Y", "green": "G", "blue": "B", "purple": "P", "white": "W"}
    )
    shapes = MappingProxyType(
        {"circle": "o", "square": "s", "diamond": "d", "star": "t", "clover": "c", "cross": "x"}
    )
    copies = 3

    def parse_options(self, data: Json, place: str = "options", edition: str | None = None) -> QwirkleOptions:
        for key in data:
            if key not in ("last_tile", "hands", "player"):
                raise Malformed("unknown-option", "is not an option of Qwirkle", f"{place}.{key:.60}")
        last_tile = data.get("last_tile", False)
        if not isinstance(last_tile, bool):
            raise Malformed("option-wrong-type", "must be true or false", f"{place}.last_tile")
        hands = tuple(self._parse_hands(data.get("hands"), f"{place}.hands", edition))
        player = data.get("player")
        if isinstance(player, int) and not isinstance(player, bool):
            player = seat_name(player)
        if player is not None and player not in [hand.player for hand in hands]:
            raise Malformed(
                "unknown-player", "must name a player whose hand is given in hands", f"{place}.player"
            )
        if player is None and len(hands) == 1:
            player = hands[0].player
        return QwirkleOptions(last_tile, hands, player)

    def _parse_hands(self, given: object, place: str, edition: str | None) -> Iterator[Hand]:
        if given is None:
            return
        if isinstance(given, list) and all(isinstance(entry, str) for entry in given):
            given = [given]
        if isinstance(given, list):
            given = {seat_name(seat): hand for seat, hand in enumerate(given, 1)}
        if not isinstance(given, dict):
            raise Malformed("option-wrong-type", 'must be {"NAME": [TILE, …], …} or a list of hands', place)
        for player, tiles in given.items():
            here = f"{place}.{player:.60}"
            if not isinstance(tiles, list) or len(tiles) > HAND_SIZE:
                raise Malformed("option-wrong-type", f"must be a list of at most {HAND_SIZE} tiles", here)
            parse = self.tile_parser(edition)
            yield Hand(player, tuple(parse(tile, f"{here}[{index}]") for index, tile in enumerate(tiles)))

    def score(self, board: Board[Tile], options: QwirkleOptions) -> Breakdown:
        """The audit of a whole table: every line as an item worth nothing by itself, total None."""
        cells = board.cells
        items, found = [], []
        for line in all_lines(cells, ROW) + all_lines(cells, COLUMN):
            broken = line_findings(cells, line)
            found += broken
            reason = broken[0].message if broken else line_name(cells, line)
            items.append(Item("line", line, str(len(line)), len(line), 0, reason))
        found += connection_findings(cells)
        found += self.set_findings(cells)
        found += self._edition_findings(board)
        return Breakdown(self.id, None, tuple(items), tuple(found))

    def _edition_findings(self, board: Board[Tile]) -> list[Finding]:
        if board.edition is not None:
            return self.name_findings(board)
        mixed = {
            cell: tile.colour for cell, tile in board.cells.items() if tile.colour in ("purple", "white")
        }
        if len(set(mixed.values())) < 2:
            return []
        where = tuple(sorted(mixed))
        return [Finding(TWO_EDITIONS(cells=list(where)), where)]

    def move(self, before: Board[Tile], after: Board[Tile], options: QwirkleOptions) -> MoveResult:
        placed, disturbed = compare(before.cells, after.cells)
        if not placed and not disturbed:
            return self._exchange(options)
        cells = after.cells
        tiles = [cells[cell] for cell in placed]
        broken = list(disturbed)
        if placed:
            broken += placement_findings(cells, placed)
            if before.cells and not touches(placed, before.cells):
                broken.append(Finding(NO_CONTACT(cells=list(placed)), placed))
        lines = {line: line_findings(cells, line, before.cells) for line in lines_of(cells, placed)}
        for wrong in lines.values():
            broken += wrong
        broken += self.set_findings(cells, among=tiles)
        if not {"purple", "white"}.isdisjoint(tile.colour for tile in tiles):
            broken += self._edition_findings(after)
        notes: list[Finding] = []
        bonus = options.last_tile and bool(placed)
        if options.hands and placed:
            broken += hand_findings(tiles, placed, options, opening=not before.cells)
            rest = held_after(tiles, options)
            if bonus and rest > 0:
                bonus = False
                notes.append(Finding(NOT_LAST_TILE(player=options.player, count=rest), placed))

        legal = not broken
        items = [line_item(cells, line, wrong, legal) for line, wrong in lines.items()]
        if not before.cells and len(placed) == 1:
            items.append(
                Item("single", placed, "1", 1, int(legal), SINGLE_TILE() if legal else TURN_ILLEGAL())
            )
        if bonus:
            points = LAST_TILE_BONUS if legal else 0
            items.append(
                Item(
                    "last-tile",
                    placed,
                    str(LAST_TILE_BONUS),
                    None,
                    points,
                    LAST_TILE() if legal else TURN_ILLEGAL(),
                )
            )
        return MoveResult(
            self.id, legal, sum(item.points for item in items), tuple(items), (*broken, *notes), placed
        )

    def _exchange(self, options: QwirkleOptions) -> MoveResult:
        notes = (Finding(LAST_TILE_NOT_PLACED()),) if options.last_tile else ()
        return MoveResult(self.id, True, 0, (Item("exchange", (), "0", None, 0, NOTHING_PLACED()),), notes)


def seat_name(seat: int) -> str:
    """What a player is called whose hand came without a name."""
    return f"player {seat}"


def lines_of(cells: Cells, placed: Sequence[Cell]) -> Iterator[Line]:
    """Every line of two or more that a placed tile belongs to, once."""
    counted: dict[Cell, set[Cell]] = {ROW: set(), COLUMN: set()}
    for cell in placed:
        for step, done in counted.items():
            if cell not in done:
                line = line_through(cells, cell, step)
                done.update(line)
                if len(line) > 1:
                    yield line


def line_findings(cells: Cells, line: Line, before: Cells | None = None) -> list[Finding]:
    """Every rule a line breaks. In a turn, the tiles that lay there `before` say what the line is."""
    tiles = [cells[cell] for cell in line]
    different = len(set(tiles)) == len(tiles)
    alike = len({tile.colour for tile in tiles}) == 1 or len({tile.shape for tile in tiles}) == 1
    if different and alike and len(line) <= LONGEST:
        return []
    found = []
    if not alike:
        strangers = tuple(_strangers(cells, line, before or {}))
        names = [cells[cell].name for cell in strangers]
        found.append(
            Finding(LINE_MIXED(start=line[0], end=line[-1], tiles=names, cells=list(strangers)), strangers)
        )
    if not different:
        where: dict[Tile, list[Cell]] = {}
        for cell, tile in zip(line, tiles, strict=True):
            where.setdefault(tile, []).append(cell)
        for tile, spots in where.items():
            if len(spots) > 1:
                message = LINE_REPEATS(tile=tile.name, count=len(spots), cells=spots)
                found.append(Finding(message, tuple(spots)))
    if len(line) > LONGEST:
        found.append(Finding(LINE_TOO_LONG(length=len(line), start=line[0], end=line[-1]), line))
    return found


def _strangers(cells: Cells, line: Line, before: Cells) -> list[Cell]:
    """The cells outside the colour or shape that most of the line shares; on a draw, outside any of these."""
    first = Counter(trait for cell in line if cell in before for trait in traits(before[cell]))
    every = Counter(trait for cell in line for trait in traits(cells[cell]))
    most = max((first[trait], count) for trait, count in every.items())
    ruling = {trait for trait, count in every.items() if (first[trait], count) == most}
    return [cell for cell in line if not ruling.issubset(traits(cells[cell]))]


def traits(tile: Tile) -> tuple[tuple[str, str], tuple[str, str]]:
    """What tiles of a line can share: colour and shape, told apart even if they are the same word."""
    return ("colour", tile.colour), ("shape", tile.shape)


def line_name(cells: Cells, line: Line) -> Message:
    """A legal line as players call it."""
    one, other = cells[line[0]], cells[line[1]]
    if len(line) == LONGEST:
        return (
            COLOUR_QWIRKLE(colour=one.colour)
            if one.colour == other.colour
            else SHAPE_QWIRKLE(shape=one.shape)
        )
    if one.colour == other.colour:
        return COLOUR_LINE(colour=one.colour, length=len(line))
    return SHAPE_LINE(shape=one.shape, length=len(line))


def line_item(cells: Cells, line: Line, wrong: Sequence[Finding], legal: bool) -> Item:
    """What a line earns in a turn: a point per tile and 6 more for a Qwirkle, or nothing and why."""
    length = len(line)
    qwirkle = length == LONGEST and not wrong
    formula = f"{length} + {QWIRKLE_BONUS}" if qwirkle else str(length)
    if wrong or not legal:
        return Item("line", line, formula, length, 0, wrong[0].message if wrong else TURN_ILLEGAL())
    return Item("line", line, formula, length, length + QWIRKLE_BONUS * qwirkle, line_name(cells, line))


def placement_findings(cells: Cells, placed: tuple[Cell, ...]) -> list[Finding]:
    """The rules about the placed tiles among themselves: alike, and in one unbroken line."""
    if len(placed) == 1:
        return []
    found = []
    tiles = [cells[cell] for cell in placed]
    if len({tile.colour for tile in tiles}) > 1 and len({tile.shape for tile in tiles}) > 1:
        found.append(Finding(PLACED_NOT_ALIKE(tiles=[tile.name for tile in tiles]), placed))
    step = ROW if len({row for row, _ in placed}) == 1 else COLUMN
    if step == COLUMN and len({column for _, column in placed}) > 1:
        found.append(Finding(PLACED_APART(cells=list(placed)), placed))
    else:
        gaps, end = [], line_through(cells, placed[0], step)[-1]
        for cell in placed:
            if cell > end:
                gaps.append((end[0] + step[0], end[1] + step[1]))
                end = line_through(cells, cell, step)[-1]
        if gaps:
            found.append(Finding(PLACED_GAP(cells=list(placed), gaps=gaps), placed))
    return found


def longest_line(tiles: Sequence[Tile]) -> int:
    """How long a line a hand can lay by itself: different tiles of one colour or one shape."""
    return max(Counter(trait for tile in set(tiles) for trait in traits(tile)).values(), default=0)


def hand_findings(
    tiles: Sequence[Tile], placed: tuple[Cell, ...], options: QwirkleOptions, opening: bool
) -> list[Finding]:
    """Whether the tiles came out of the right hand, and the opening is the longest line of all hands."""
    found = []
    hands = {hand.player: hand for hand in options.hands}
    names = [tile.name for tile in tiles]
    player = options.player
    if player is not None:
        missing = [tile.name for tile in (Counter(tiles) - Counter(hands[player].tiles)).elements()]
        if missing:
            found.append(Finding(NOT_IN_HAND(player=player, tiles=missing), placed, (player,)))
    elif not any(hand.holds(tiles) for hand in options.hands):
        found.append(Finding(IN_NO_HAND(tiles=names), placed))
    if opening:
        able = {name: longest_line(hand.tiles) for name, hand in hands.items()}
        longest = max(able.values())
        openers = tuple(name for name, length in able.items() if length == longest)
        if player is not None and player not in openers:
            message = OPENING_NOT_YOURS(
                player=player, length=able[player], players=list(openers), longest=longest
            )
            found.append(Finding(message, placed, (player, *openers)))
        elif len(tiles) < longest:
            message = OPENING_TOO_SHORT(length=len(tiles), players=list(openers), longest=longest)
            found.append(Finding(message, placed, openers))
    return found


def held_after(tiles: Sequence[Tile], options: QwirkleOptions) -> int:
    """How many tiles the player keeps after the turn; 0 when nobody said whose turn it is."""
    return next((len(hand.tiles) - len(tiles) for hand in options.hands if hand.player == options.player), 0)
