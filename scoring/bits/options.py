"""What a Bits round is played with: the task cards, and, where known, the tiles and the calls."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from scoring.bits.shapes import Shape, parse_shape
from scoring.core import Malformed

COLOURS = (
    "red",
    "orange",
    "yellow",
    "green",
    "blue",
    "purple",
    "pink",
    "teal",
    "white",
    "grey",
    "black",
)

Domino: TypeAlias = tuple[str, str]
"""A kind of tile: its two colours in alphabetical order."""

SIZE = (6, 4)
"""Rows and columns of the travel edition."""

AREA = 4
CARD2_SIZES = range(AREA, AREA + 1)
CARD3_SIZES = range(1, 7)
CARD3_POINTS = (-1, -2)
ROUNDS = range(1, 4)
LARGEST_BOX = 36  # cells; nobody knows a box for a larger board
MOST_TILES = 200  # fills the largest board, 20 × 20

_WORD = re.compile(r"\w[\w-]{0,39}")
_KEYS = ("round", "card2", "card3", "tiles", "start", "called")


@dataclass(frozen=True, slots=True)
class BitsOptions:
    """One round's settings. `None` means: not said, take what the box most likely holds."""

    round: int = 1
    card2: tuple[Shape, ...] = ()
    card3: tuple[tuple[Shape, int], ...] = ()
    tiles: tuple[Domino, ...] | None = None
    """The player's own tiles, one entry per copy."""
    start: tuple[Domino, ...] | None = None
    """The start tiles that can have been drawn, one entry per copy; empty: played without one."""
    called: tuple[Domino, ...] | None = None
    """The building cards in the order they were turned over."""

    @property
    def shown2(self) -> frozenset[Shape]:
        """The shapes of card 2, if it counts in this round."""
        return frozenset(self.card2 if self.round >= 2 else ())

    @property
    def shown3(self) -> Mapping[Shape, int]:
        """The shapes of card 3 with their points, if it counts in this round."""
        return dict(self.card3 if self.round >= 3 else ())


def is_word(text: object) -> bool:
    """Whether a taught edition may use this as the name of a colour."""
    return isinstance(text, str) and _WORD.fullmatch(text) is not None


def domino(one: str, other: str) -> Domino:
    """The tile with these two colours, whichever way round."""
    return (one, other) if one <= other else (other, one)


def domino_name(tile: Domino) -> str:
    """As `called` and `tiles` write it: "blue-red"."""
    return "-".join(tile)


def parse_options(data: Mapping[str, Any], place: str) -> BitsOptions:
    """Options from a file; every key may be absent."""
    if not isinstance(data, Mapping):
        raise Malformed("options-wrong-type", "must be an object", place)
    for key in data:
        if key not in _KEYS:
            raise Malformed("unknown-option", f"{key!r:.40} is not one of {', '.join(_KEYS)}", place)
    number = data.get("round", 1)
    if not isinstance(number, int) or isinstance(number, bool) or number not in ROUNDS:
        raise Malformed("option-value", "must be 1, 2 or 3", f"{place}.round")
    return BitsOptions(
        number,
        _card2(data.get("card2", []), f"{place}.card2"),
        _card3(data.get("card3", {}), f"{place}.card3"),
        _tiles(data.get("tiles"), f"{place}.tiles"),
        _tiles(data.get("start"), f"{place}.start"),
        _tiles(data.get("called"), f"{place}.called"),
    )


def _card2(shapes: object, place: str) -> tuple[Shape, ...]:
    if not isinstance(shapes, list):
        raise Malformed("option-value", 'must be a list of shapes, such as ["L", "O"]', place)
    found: dict[Shape, None] = {}
    for index, text in enumerate(shapes):
        shape = parse_shape(text, CARD2_SIZES, f"{place}[{index}]")
        if shape in found:
            raise Malformed("shape-twice", f"{shape.name} is on the card already", f"{place}[{index}]")
        found[shape] = None
    return tuple(found)


def _card3(shapes: object, place: str) -> tuple[tuple[Shape, int], ...]:
    if not isinstance(shapes, Mapping):
        raise Malformed("option-value", 'must be shapes with points, such as {"L": -1}', place)
    found: dict[Shape, int] = {}
    for text, points in shapes.items():
        here = f"{place}[{text!r:.40}]"
        shape = parse_shape(text, CARD3_SIZES, here)
        if shape in found:
            raise Malformed("shape-twice", f"{shape.name} is on the card already", here)
        if not isinstance(points, int) or isinstance(points, bool) or points not in CARD3_POINTS:
            raise Malformed("option-value", "must be -1 or -2", here)
        found[shape] = points
    return tuple(found.items())


def _tiles(tiles: object, place: str) -> tuple[Domino, ...] | None:
    """A list of pairs, a repeated one per copy, or an object of pairs with their number of copies."""
    if tiles is None:
        return None
    if isinstance(tiles, list):
        entries = [(text, 1, f"{place}[{index}]") for index, text in enumerate(tiles)]
    elif isinstance(tiles, Mapping):
        entries = [(text, copies, f"{place}[{text!r:.40}]") for text, copies in tiles.items()]
    else:
        raise Malformed("option-value", 'must be a list of tiles, such as ["red-blue", "red-red"]', place)
    found: list[Domino] = []
    for text, copies, here in entries:
        if not isinstance(copies, int) or isinstance(copies, bool) or not 1 <= copies <= MOST_TILES:
            raise Malformed("option-value", f"must be a number of copies, 1 to {MOST_TILES}", here)
        found += [_domino(text, here)] * copies
        if len(found) > MOST_TILES:
            raise Malformed("option-value", f"has more than {MOST_TILES} tiles", place)
    return tuple(found)


def _domino(text: object, place: str) -> Domino:
    parts = text.split("-") if isinstance(text, str) else text
    if isinstance(parts, list) and len(parts) == 2 and all(is_word(part) for part in parts):
        return domino(*parts)
    raise Malformed("unknown-tile", 'must be two colours, such as "red-blue" or ["red", "blue"]', place)


@dataclass(frozen=True, slots=True)
class TileSet:
    """What one player can have placed: own tiles and start tiles with their copies, and how many colours."""

    tiles: Mapping[Domino, int]
    start: Mapping[Domino, int] | None
    """None: played without one. (Kinds given, but none of them on the board: the start tile is missing.)"""
    colours: frozenset[str] | int
    """The colours by name, or only how many of them the box has."""


def box(colours: frozenset[str], cells: int, options: BitsOptions) -> TileSet | None:
    """The tiles that a board of so many cells, showing these colours, was played with; None: nobody can tell.

    The travel edition (24 cells) has four colours, the 2011 box (36) five. For both, decided: each double
    twice, each mixed pair once, the mixed pairs also as start tiles. Which colours they are does not matter:
    those seen on the board stand for them.
    """
    if options.tiles is not None:
        named = frozenset(colour for tile in options.tiles + (options.start or ()) for colour in tile)
        return TileSet(Counter(options.tiles), _start(named, options), named)
    if cells > LARGEST_BOX:
        if options.called is None:
            return None
        seen = colours | {colour for tile in options.called for colour in tile}
        return TileSet(Counter(options.called), _start(seen, options), seen)
    seen = colours | {colour for tile in (options.start or ()) + (options.called or ()) for colour in tile}
    doubles = {(colour, colour): 2 for colour in sorted(seen)}
    return TileSet(
        doubles | dict.fromkeys(mixed_pairs(seen), 1),
        _start(seen, options),
        4 if cells <= SIZE[0] * SIZE[1] else 5,
    )


def _start(colours: frozenset[str], options: BitsOptions) -> Mapping[Domino, int] | None:
    if options.start is None:
        return Counter(mixed_pairs(colours))
    return Counter(options.start) or None


def mixed_pairs(colours: frozenset[str]) -> tuple[Domino, ...]:
    """Every tile of two different colours among these."""
    names = sorted(colours)
    return tuple((one, other) for index, one in enumerate(names) for other in names[index + 1 :])
