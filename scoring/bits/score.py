"""Areas and what the task cards pay for them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping

from scoring.bits.options import AREA, BitsOptions
from scoring.bits.shapes import shape_of
from scoring.core import Cell, Item, Message, Text, groups

AREA_SINGLE = Text("area-single", "a single cell, {missing} short of 4")
AREA_SHORT = Text("area-short", "{size} cells, {missing} short of 4")
AREA_LONG = Text("area-long", "{size} cells, {extra} too many")
NOT_ON_CARD2 = Text("not-on-card2", "4 cells, but {shape} is not on card 2")


def areas(cells: Mapping[Cell, str]) -> list[tuple[str, tuple[Cell, ...]]]:
    """The side-connected areas of one colour, in reading order of their first cells."""
    by_colour: dict[str, list[Cell]] = defaultdict(list)
    for cell, colour in cells.items():
        by_colour[colour].append(cell)
    found = [(colour, tuple(sorted(group))) for colour, own in by_colour.items() for group in groups(own)]
    return sorted(found, key=lambda area: area[1])


def items(cells: Mapping[Cell, str], options: BitsOptions) -> Iterator[Item]:
    """Every area under card 1, then what cards 2 and 3 add or take where the round uses them."""
    found = areas(cells)
    for colour, area in found:
        size = len(area)
        yield Item("area", area, f"{size} × {colour}", size, int(size == AREA), _refusal(size))
    shown2, shown3 = options.shown2, options.shown3
    sizes3 = {len(shape) for shape in shown3}
    shaped = [(area, shape_of(area)) for _, area in found if len(area) == AREA or len(area) in sizes3]
    for area, shape in shaped:
        if shown2 and len(area) == AREA:
            hit = shape in shown2
            reason = None if hit else NOT_ON_CARD2(shape=shape.name)
            yield Item("card2", area, shape.name, AREA, int(hit), reason)
    for area, shape in shaped:
        if shape in shown3:
            yield Item("card3", area, shape.name, len(area), shown3[shape])


def most_points(cells: int) -> int:
    """No round on so many cells earns more: areas of four, each paid by card 1 and card 2."""
    return cells // AREA * 2


def _refusal(size: int) -> Message | None:
    if size == AREA:
        return None
    if size == 1:
        return AREA_SINGLE(missing=AREA - 1)
    return (
        AREA_SHORT(size=size, missing=AREA - size) if size < AREA else AREA_LONG(size=size, extra=size - AREA)
    )
