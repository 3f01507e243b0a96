"""Sun rays and moon rays: rows made of one symbol only, and the brightest of them at the table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from scoring.core import Cell, Item, Text
from scoring.mipasuje.tiles import HexTile, Mark

PER_TILE: Final[Mapping[Mark, int]] = {"sun": 7, "moon": 6}
BRIGHTEST: Final = 60

SHOWS_OTHER: Final[Mapping[Mark, Text]] = {
    "sun": Text("ray-broken-by-moon", "no sun ray: cell {cell} shows a moon and the others suns"),
    "moon": Text("ray-broken-by-sun", "no moon ray: cell {cell} shows a sun and the others moons"),
}
SHOWS_NONE: Final[Mapping[Mark, Text]] = {
    "sun": Text("ray-broken-sun", "no sun ray: cell {cell} shows no symbol and the others suns"),
    "moon": Text("ray-broken-moon", "no moon ray: cell {cell} shows no symbol and the others moons"),
}
ROW_EARNS_NOTHING: Final = Text("ray-row-earns-nothing", "does not count: the row itself earns nothing")
OUTSHONE: Final = Text("ray-outshone", "outshone: the brightest at the table is {brightest}")
COUNTED_ONCE: Final = Text(
    "ray-counted-once", "as bright as the player's other one, and a player counts once"
)


class Ray(NamedTuple):
    """A complete row of one symbol; `value` is the row's own value, None where the row earns nothing."""

    mark: Mark
    cells: tuple[Cell, ...]
    value: int | None

    @property
    def brightness(self) -> tuple[int, int]:
        """Longer beats shorter, then the higher row value wins; (0, 0) for a ray that cannot compete."""
        return (len(self.cells), self.value) if self.value is not None else (0, 0)


def rays(rows: Sequence[Item], cells: Mapping[Cell, HexTile]) -> Iterator[Ray]:
    """The rays along these rows, scoring or not."""
    for row in rows:
        marks = {tile.mark if (tile := cells.get(cell)) else None for cell in row.cells}
        if len(marks) == 1 and (mark := marks.pop()) is not None:
            yield Ray(mark, row.cells, row.value)


def ray_items(rows: Sequence[Item], cells: Mapping[Cell, HexTile]) -> Iterator[Item]:
    """Rays scoring: every ray earns by its length; a row that misses by one tile says so."""
    for ray in rays(rows, cells):
        count, each = len(ray.cells), PER_TILE[ray.mark]
        yield Item(f"{ray.mark}-ray", ray.cells, f"{count} × {each}", each, count * each)
    yield from _near_misses(rows, cells)


def _near_misses(rows: Sequence[Item], cells: Mapping[Cell, HexTile]) -> Iterator[Item]:
    """Rows with one stranger; two of three alike are worth a word only if the third shows no symbol."""
    for row in rows:
        if len(row.cells) < 3 or not all(cell in cells for cell in row.cells):
            continue
        marks = [cells[cell].mark for cell in row.cells]
        for mark in PER_TILE:
            if marks.count(mark) == len(marks) - 1:
                cell = next(cell for cell, shown in zip(row.cells, marks, strict=True) if shown != mark)
                if cells[cell].mark is None:
                    yield Item(f"{mark}-ray", row.cells, "", None, 0, SHOWS_NONE[mark](cell=cell))
                elif len(marks) > 3:
                    yield Item(f"{mark}-ray", row.cells, "", None, 0, SHOWS_OTHER[mark](cell=cell))


def brightest_items(table: Sequence[Sequence[Ray]]) -> list[tuple[Item, ...]]:
    """Brightest scoring: for each player, what their rays earn against everybody's at the table."""
    items: list[list[Item]] = [[] for _ in table]
    for mark in PER_TILE:
        best = [max((ray.brightness for ray in own if ray.mark == mark), default=(0, 0)) for own in table]
        top = max(best, default=(0, 0))
        sharing = best.count(top)
        for own, earned in zip(table, items, strict=True):
            earned.extend(_against(top, sharing, [ray for ray in own if ray.mark == mark]))
    return [tuple(earned) for earned in items]


def _against(top: tuple[int, int], sharing: int, own: Sequence[Ray]) -> Iterator[Item]:
    paid = False
    for ray in own:
        kind = f"{ray.mark}-ray"
        if ray.value is None:
            yield Item(kind, ray.cells, "", None, 0, ROW_EARNS_NOTHING())
        elif ray.brightness < top:
            brightest = f"{top[0]} × {top[1]}"
            yield Item(kind, ray.cells, "", ray.value, 0, OUTSHONE(brightest=brightest))
        elif paid:
            yield Item(kind, ray.cells, "", ray.value, 0, COUNTED_ONCE())
        else:
            paid = True
            formula = str(BRIGHTEST) if sharing == 1 else f"{BRIGHTEST} ÷ {sharing}"
            yield Item(kind, ray.cells, formula, ray.value, BRIGHTEST // sharing)
