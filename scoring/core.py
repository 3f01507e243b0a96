"""The few values everything else hangs on: boards in, breakdowns out.

All of them are immutable. Anything said to people is a `Message`: a code with parameters, so that a page can
translate it, and an English text, so that a file or a terminal can simply print it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Generic, NamedTuple, TypeAlias, TypeVar

Cell: TypeAlias = tuple[int, int]
"""Where a tile lies: axial (q, r) on hexagonal boards, (row, column) on square ones."""

TileT = TypeVar("TileT")


class Malformed(ValueError):
    """The input is not a board, a round or a move; nothing has been scored.

    `place` says where in the input ("cells[3].tile"), the message what is wrong there.
    """

    def __init__(self, code: str, message: str, place: str = "") -> None:
        super().__init__(f"{place}: {message}" if place else message)
        self.code = code
        self.place = place


class Message(NamedTuple):
    """One sentence for people. `template` is the key translators see; `params` fill it."""

    code: str
    template: str
    params: Mapping[str, Any]

    @property
    def text(self) -> str:
        """The English sentence."""
        return self.template.format_map({key: spell(value) for key, value in self.params.items()})


class Text:
    """A kind of sentence, declared once beside the rule that says it; calling it makes a `Message`.

    >>> TWICE = Text("tile-twice", "{tile} lies on {cells}")
    >>> TWICE(tile="9-7-3", cells=[(0, 1), (1, -1)]).text
    '9-7-3 lies on (0, 1) and (1, −1)'
    """

    __slots__ = ("code", "template")

    def __init__(self, code: str, template: str) -> None:
        self.code = code
        self.template = template

    def __call__(self, **params: Any) -> Message:
        return Message(self.code, self.template, params)


def spell(value: object, conjunction: str = "and") -> str:
    """A parameter as people write it: a real minus, cells in brackets, lists with a conjunction."""
    if isinstance(value, str):
        return value
    match value:
        case bool() | None:
            return str(value)
        case int():
            return str(value).replace("-", "−")
        case (int(), int()):
            return f"({spell(value[0])}, {spell(value[1])})"
        case list() | tuple() | set() | frozenset():
            parts = [spell(part, conjunction) for part in value]
            if len(parts) < 2:
                return parts[0] if parts else "–"
            return f"{', '.join(parts[:-1])} {conjunction} {parts[-1]}"
        case _:
            return str(value)


@dataclass(frozen=True, slots=True)
class Board(Generic[TileT]):
    """What lies where. Nothing here is judged: an impossible board is still a board, with findings."""

    game: str
    cells: Mapping[Cell, TileT]
    layout: str = ""
    """Mi pasuje!: "standard", "valve", …; empty for the other games."""
    size: tuple[int, int] | None = None
    """Bits: (rows, columns)."""
    aside: tuple[TileT, ...] = ()
    """Mi pasuje!, valve variant 4: the tiles on the valve symbol that were not placed."""
    order: tuple[Cell, ...] = ()
    """The cells in the order they were filled, where somebody kept a log; empty otherwise."""
    edition: str | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.cells, MappingProxyType):
            object.__setattr__(self, "cells", MappingProxyType(dict(self.cells)))


class Item(NamedTuple):
    """One line of the breakdown: a row, a run, an area, a bonus. Zero points come with a `reason`."""

    kind: str
    cells: tuple[Cell, ...]
    formula: str
    value: int | None
    points: int
    reason: Message | None = None


class Finding(NamedTuple):
    """Something a referee would say. It never changes a total by itself."""

    message: Message
    cells: tuple[Cell, ...] = ()
    players: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Breakdown:
    """The score of one board, item by item; `total` is None where the game is scored by turns."""

    game: str
    total: int | None
    items: tuple[Item, ...]
    findings: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class Player(Generic[TileT]):
    """One player's board in a round."""

    name: str
    board: Board[TileT]


@dataclass(frozen=True, slots=True)
class Place:
    """One line of a ranking; players with equal totals share the place (1, 1, 3, …)."""

    place: int
    name: str
    total: int


@dataclass(frozen=True, slots=True)
class RoundResult:
    """Everybody's breakdown, what concerns several of them, and who is ahead."""

    game: str
    players: tuple[tuple[str, Breakdown], ...]
    findings: tuple[Finding, ...]
    ranking: tuple[Place, ...]


@dataclass(frozen=True, slots=True)
class MoveResult:
    """One turn. An illegal turn earns nothing; the findings name every rule it breaks, cell by cell."""

    game: str
    legal: bool
    points: int
    items: tuple[Item, ...]
    findings: tuple[Finding, ...]
    placed: tuple[Cell, ...] = field(default=())


def ranking(totals: Sequence[tuple[str, int]]) -> tuple[Place, ...]:
    """Highest first; equal totals share the better place, in the order given.

    >>> [(p.place, p.name) for p in ranking([("Ola", 3), ("Jan", 7), ("Ela", 7)])]
    [(1, 'Jan'), (1, 'Ela'), (3, 'Ola')]
    """
    return tuple(
        Place(1 + sum(other > total for _, other in totals), name, total)
        for name, total in sorted(totals, key=lambda pair: -pair[1])
    )


def neighbours4(cell: Cell) -> Iterator[Cell]:
    """The four cells that share a side with `cell` on a square lattice."""
    row, column = cell
    yield (row - 1, column)
    yield (row, column - 1)
    yield (row, column + 1)
    yield (row + 1, column)


def groups(cells: Iterable[Cell]) -> list[frozenset[Cell]]:
    """The side-connected groups of square-lattice cells, largest first (ties: topmost, leftmost first)."""
    left = set(cells)
    found = []
    while left:
        todo = [left.pop()]
        group = set(todo)
        while todo:
            for near in neighbours4(todo.pop()):
                if near in left:
                    left.remove(near)
                    group.add(near)
                    todo.append(near)
        found.append(frozenset(group))
    return sorted(found, key=lambda group: (-len(group), min(group)))
