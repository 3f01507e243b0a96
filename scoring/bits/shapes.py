"""Polyominoes as task cards show them: a letter or a drawing, the same however turned or mirrored."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from scoring.core import Cell, Malformed, groups

EXAMPLE = 'a letter I, O, T, L, S or a drawing such as "XX/.X"'
LONGEST_DRAWING = 80


@dataclass(frozen=True, slots=True, order=True)
class Shape:
    """A polyomino up to turning and mirroring; build it with `shape_of` or `parse_shape`."""

    cells: tuple[Cell, ...]
    """The smallest of its eight placements: sorted, touching row 0 and column 0."""

    def __len__(self) -> int:
        return len(self.cells)

    @property
    def drawing(self) -> str:
        """Rows top to bottom, joined by "/"."""
        height = 1 + max(row for row, _ in self.cells)
        width = 1 + max(column for _, column in self.cells)
        return "/".join(
            "".join("X" if (row, column) in self.cells else "." for column in range(width))
            for row in range(height)
        )

    @property
    def name(self) -> str:
        """The letter of a tetromino, the drawing of anything else."""
        return NAMES.get(self, self.drawing)


def shape_of(cells: Iterable[Cell]) -> Shape:
    """The shape these cells make, wherever they lie."""
    placed = list(cells)
    turned = []
    for _ in range(4):
        placed = [(column, -row) for row, column in placed]
        turned += [placed, [(row, -column) for row, column in placed]]
    return Shape(min(_at_origin(placement) for placement in turned))


def _at_origin(cells: list[Cell]) -> tuple[Cell, ...]:
    top = min(row for row, _ in cells)
    left = min(column for _, column in cells)
    return tuple(sorted((row - top, column - left) for row, column in cells))


def _drawn(drawing: str) -> list[Cell]:
    return [
        (row, column)
        for row, line in enumerate(drawing.split("/"))
        for column, mark in enumerate(line)
        if mark == "X"
    ]


LETTERS = {
    letter: shape_of(_drawn(drawing))
    for letter, drawing in {
        "I": "XXXX",
        "O": "XX/XX",
        "T": "XXX/.X.",
        "L": "X./X./XX",
        "S": ".XX/XX.",
    }.items()
}
NAMES = {shape: letter for letter, shape in LETTERS.items()}


def parse_shape(text: object, sizes: range, place: str) -> Shape:
    """A shape from its letter or drawing; it must be one piece of an allowed number of cells."""
    if not isinstance(text, str):
        raise Malformed("shape-wrong-type", f"must be {EXAMPLE}", place)
    if text in LETTERS:
        shape = LETTERS[text]
    else:
        if not text or len(text) > LONGEST_DRAWING or set(text) - set("X./"):
            raise Malformed("unknown-shape", f"{text!r:.40} is not {EXAMPLE}", place)
        cells = _drawn(text)
        if len(groups(cells)) != 1:
            raise Malformed("shape-not-one-piece", f"{text!r:.40} does not draw one connected piece", place)
        shape = shape_of(cells)
    if len(shape) not in sizes:
        wanted = str(sizes[0]) if len(sizes) == 1 else f"{sizes[0]} to {sizes[-1]}"
        raise Malformed("shape-wrong-size", f"{text!r:.40} has {len(shape)} cells, not {wanted}", place)
    return shape
