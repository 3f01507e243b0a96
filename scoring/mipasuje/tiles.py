"""The tiles of Mi pasuje!: three lines each, and a sun or a moon."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from operator import itemgetter
from typing import Final, Literal, NamedTuple, TypeAlias

Direction: TypeAlias = Literal["vertical", "rising", "falling"]
Mark: TypeAlias = Literal["sun", "moon"]

DIRECTIONS: Final[tuple[Direction, ...]] = ("vertical", "rising", "falling")
VALUES: Final = ((1, 5, 9), (2, 6, 7), (3, 4, 8))
"""The three values of each direction, in the order of `DIRECTIONS`."""
MARKS: Final[dict[object, Mark]] = {"sun": "sun", "moon": "moon"}

JOKER: Final = 0
"""A line that counts as any one of its direction's values."""


class HexTile(NamedTuple):
    """A tile as it lies: the value of each line (or `JOKER`), and the symbol it shows."""

    vertical: int
    rising: int
    falling: int
    mark: Mark | None = None

    @property
    def name(self) -> str:
        """The name in files, "9-7-3" or "*-*-3"; the symbol is no part of it."""
        return NAMES[self[:3]]

    @property
    def is_joker(self) -> bool:
        """One of the four special tiles."""
        return JOKER in self[:3]

    def marked(self, mark: Mark | None) -> HexTile:
        """The same tile showing this symbol."""
        return HexTile(self.vertical, self.rising, self.falling, mark)


SHOWS: Final[tuple[Callable[[HexTile], int], ...]] = (itemgetter(0), itemgetter(1), itemgetter(2))
"""What a tile shows along each direction, in the order of `DIRECTIONS`."""

BASIC: Final = tuple(HexTile(*lines) for lines in product(*VALUES))
JOKERS: Final = (
    HexTile(JOKER, JOKER, JOKER),
    HexTile(1, JOKER, JOKER),
    HexTile(JOKER, 2, JOKER),
    HexTile(JOKER, JOKER, 3),
)
NAMES: Final[dict[tuple[int, int, int], str]] = {
    (tile.vertical, tile.rising, tile.falling): "-".join(str(line) if line else "*" for line in tile[:3])
    for tile in BASIC + JOKERS
}
TILES: Final = {tile.name: tile for tile in BASIC + JOKERS}
"""One player's whole set by name: 27 basic tiles and 4 jokers, without symbols."""
