"""`Reading`: the one value between the camera and everybody else.

A reading never claims more than was seen: every tile carries its probability and what else it could be, and a
cell that could plausibly be something else is among the `doubts`, also when it was read as empty.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

Cell: TypeAlias = tuple[int, int]
Polygon: TypeAlias = tuple[tuple[float, float], ...]
"""Corners in pixels of the upright full-size photo, clockwise."""


class Unreadable(Exception):
    """The photo cannot be read as a board of this game; `code` names why, the message says what to do."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True, slots=True)
class Alternative:
    """Something a cell could be, and how likely. `tile` None means: nothing lies there."""

    tile: str | None
    p: float
    mark: str | None = None


@dataclass(frozen=True, slots=True)
class CellReading:
    """A tile that was seen: its name as in files, how likely it is, the next best, where in the photo."""

    at: Cell
    tile: str
    p: float
    alternatives: tuple[Alternative, ...]
    polygon: Polygon
    mark: str | None = None


@dataclass(frozen=True, slots=True)
class Doubt:
    """A cell people should look at, with everything it may plausibly be, likeliest first."""

    at: Cell
    alternatives: tuple[Alternative, ...]
    polygon: Polygon


@dataclass(frozen=True, slots=True)
class PhotoFinding:
    """What is wrong with the photo, in plain words with one piece of advice."""

    code: str
    message: str
    cells: tuple[Cell, ...] = ()


@dataclass(frozen=True, slots=True)
class Reading:
    """What vision saw in one photo."""

    game: str
    cells: tuple[CellReading, ...]
    doubts: tuple[Doubt, ...] = ()
    findings: tuple[PhotoFinding, ...] = ()
    layout: str = ""
    size: tuple[int, int] | None = None
    aside: tuple[str, ...] = ()
    edition: str | None = None
    homography: tuple[tuple[float, ...], ...] = ()
    """3 × 3, lattice coordinates (x right, y down, one cell apart) to photo pixels."""
    photo_size: tuple[int, int] = (0, 0)
    """(width, height) of the upright photo, in pixels."""
    ms: Mapping[str, float] = field(default_factory=dict)
    """Milliseconds per stage; not part of what was read."""
