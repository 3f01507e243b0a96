"""From single photos to the figures people compare readers by.

Shares are fractions. `tiles_right` counts cells over the photos that were read (all their cells together, so
a large table weighs more than a small one); everything else counts photos, and a refused photo is one whose
board and score are not right. Files that are no pictures count as refused, but not towards the times.
Pictures whose truth says that there is no board are counted on their own: there is nothing to read right.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from statistics import median
from typing import Any

import numpy as np

from models.measure.cases import Case
from models.measure.compare import Comparison
from vision.header import FILE_CODES
from vision.reading import Reading


@dataclass(frozen=True, slots=True)
class Measured:
    """One photo: what became of it, and what it cost."""

    case: Case
    ms: float
    reading: Reading | None = None
    comparison: Comparison | None = None
    error: tuple[str, str] | None = None
    """Why the photo was refused: code and message."""
    decode_ms: float | None = None
    """A plain full-size `cv2.imdecode` of the same bytes; None where OpenCV cannot."""

    @property
    def broken_file(self) -> bool:
        """The file is at fault, not what it shows."""
        return self.error is not None and self.error[0] in FILE_CODES

    @property
    def errors(self) -> tuple[str, ...]:
        """What is wrong with the reading, in words: another board or size first, then cell by cell."""
        if self.comparison is None or self.reading is None:
            return ()
        found = tuple(cell.text for cell in self.comparison.wrong)
        if self.comparison.same_frame:
            return found
        read, there = (_frame(one.layout, one.size) for one in (self.reading, self.case.truth))
        return (f"{read} read, {there} there", *found)

    @property
    def made_up(self) -> bool:
        """Tiles were named where no board lies."""
        return self.case.truth.no_board and self.reading is not None and bool(self.reading.cells)

    @property
    def decode_ratio(self) -> float | None:
        return self.ms / self.decode_ms if self.decode_ms else None


def _frame(layout: str, size: tuple[int, int] | None) -> str:
    return f"{size[0]} × {size[1]} cells" if size else f"{layout or 'no'} board"


@dataclass(frozen=True, slots=True)
class Figures:
    """One line of the table; None where there is nothing to take a share of."""

    photos: int
    refused: int
    tiles_right: float | None
    boards_right: float
    scores_right: float
    silent_errors: int
    doubts_per_board: float | None
    ms_median: float | None
    ms_p95: float | None
    decode_ratio: float | None
    """Median over the photos of: time to read ÷ time of a full decode."""

    def json(self) -> dict[str, Any]:
        return {
            key: round(value, 6) if isinstance(value, float) else value for key, value in asdict(self).items()
        }


@dataclass(frozen=True, slots=True)
class Blanks:
    """Pictures without a board. What is neither refused nor made up was read as an empty board."""

    photos: int
    refused: int
    made_up: int


def blanks(measured: Sequence[Measured]) -> Blanks:
    """How pictures without a board fared."""
    refused = sum(photo.reading is None for photo in measured)
    return Blanks(len(measured), refused, sum(photo.made_up for photo in measured))


def figures(measured: Sequence[Measured]) -> Figures:
    """The figures of at least one photo."""
    compared = [photo.comparison for photo in measured if photo.comparison is not None]
    cells = sum(len(one.cells) for one in compared)
    right = sum(one.right for one in compared)
    doubts = [len(photo.reading.doubts) for photo in measured if photo.reading is not None]
    times = [photo.ms for photo in measured if not photo.broken_file]
    ratios = [photo.decode_ratio for photo in measured if photo.decode_ratio is not None]
    return Figures(
        photos=len(measured),
        refused=len(measured) - len(compared),
        tiles_right=(right / cells if cells else 1.0) if compared else None,
        boards_right=sum(one.board_right for one in compared) / len(measured),
        scores_right=sum(one.score_right for one in compared) / len(measured),
        silent_errors=sum(one.silent_error for one in compared),
        doubts_per_board=sum(doubts) / len(doubts) if doubts else None,
        ms_median=median(times) if times else None,
        ms_p95=float(np.percentile(times, 95)) if times else None,
        decode_ratio=median(ratios) if ratios else None,
    )


@dataclass(frozen=True, slots=True)
class Results:
    """Everything one run found, photo by photo."""

    measured: tuple[Measured, ...]
    reader: str

    by_game: Mapping[str, Figures] = field(init=False)
    by_folder: Mapping[tuple[str, str], Figures] = field(init=False)
    """(game, folder) → figures."""
    without_board: Mapping[str, Blanks] = field(init=False)

    def __post_init__(self) -> None:
        boards = [photo for photo in self.measured if not photo.case.truth.no_board]
        games = _grouped((photo.case.truth.game, photo) for photo in boards)
        folders = _grouped(((photo.case.truth.game, photo.case.folder), photo) for photo in boards)
        others = _grouped(
            (photo.case.truth.game, photo) for photo in self.measured if photo.case.truth.no_board
        )
        object.__setattr__(self, "without_board", {game: blanks(photos) for game, photos in others.items()})
        object.__setattr__(self, "by_game", {game: figures(photos) for game, photos in games.items()})
        object.__setattr__(self, "by_folder", {key: figures(photos) for key, photos in folders.items()})


def _grouped(pairs: Iterable[tuple[Any, Measured]]) -> dict[Any, list[Measured]]:
    groups: dict[Any, list[Measured]] = {}
    for key, photo in pairs:
        groups.setdefault(key, []).append(photo)
    return groups
