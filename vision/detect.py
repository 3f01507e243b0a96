"""Stage 2: where the cells of a board are, each with the lattice steps the network sees there.

Runs on its own: `python -m vision.detect PHOTO GAME OUT.png`.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from vision.decode import Picture, decode
from vision.heads import DETECTOR_CHANNELS, HEAT, LENGTH_UNIT, STRIDE, TURNS
from vision.networks import run
from vision.settings import SETTINGS, ReaderSettings
from vision.sketches import sketch

Floats = npt.NDArray[np.float64]
NET_MULTIPLE = 16


@dataclass(frozen=True, slots=True, eq=False)
class Detections:
    """Cells of one game, in pixels of the picture that was given."""

    centre: Floats
    """(n, 2)."""
    root: Floats
    """(n, 2, 2) symmetric S: with the lattice's direction φ the local steps are S · rotation(φ)."""
    fold: Floats
    """(n,) φ up to the lattice's symmetry."""
    up: Floats
    """(n,) φ as the tile's own print tells it; meaningless for tiles without an upright."""
    heat: Floats
    """(n,) 0 … 1."""
    empty: npt.NDArray[np.bool_]
    """(n,) a printed cell with nothing on it."""
    rivals: Floats
    """(n,) the warmest other game here: a tile that is rather another game's."""

    def __len__(self) -> int:
        return len(self.centre)

    def only(self, chosen: npt.NDArray[np.bool_] | npt.NDArray[np.intp]) -> Detections:
        return Detections(*(getattr(self, name)[chosen] for name in self.__slots__))

    @property
    def size(self) -> Floats:
        """(n,) px per lattice unit."""
        return np.sqrt(np.abs(np.linalg.det(self.root)))


@dataclass(frozen=True, slots=True, eq=False)
class HeatMap:
    """How warm a game's tiles (and empty cells) are, anywhere in the picture."""

    tile: npt.NDArray[np.float32]
    empty: npt.NDArray[np.float32]
    knows_empty: bool
    """Whether the game has a board whose empty cells the detector knows."""
    per_px: float
    origin: tuple[float, float]

    def at(self, points: Floats, empty: bool = False) -> Floats:
        """The warmest of the surrounding 3 × 3 at (n, 2) picture points; 0 outside."""
        found = self.empty if empty else self.tile
        warmest = cv2.dilate(found, np.ones((3, 3), np.uint8))
        place = ((points - np.array(self.origin) + 0.5) * self.per_px - 0.5).astype(np.float32)
        return cv2.remap(
            warmest, place[:, None, 0], place[:, None, 1], cv2.INTER_LINEAR, borderValue=0
        ).astype(np.float64)[:, 0]


def detect(
    image: Picture, game: str, settings: ReaderSettings = SETTINGS, longest: int | None = None
) -> tuple[Detections, HeatMap]:
    """Every cell of `game` in the picture, looked at with its longest side at `longest` pixels."""
    high, wide = image.shape[:2]
    zoom = min(1.0, (longest or settings.detect_px) / max(high, wide))
    small = (
        cv2.resize(
            image, (max(1, round(wide * zoom)), max(1, round(high * zoom))), interpolation=cv2.INTER_AREA
        )
        if zoom < 1
        else image
    )
    zoom_x, zoom_y = small.shape[1] / wide, small.shape[0] / high
    output = run("detector", _net_input(small))[0]
    rows, columns = -(-small.shape[0] // STRIDE), -(-small.shape[1] // STRIDE)
    output = output[:, :rows, :columns]
    heat = 1 / (1 + np.exp(-np.clip(output[: DETECTOR_CHANNELS.heat], -30, 30)))
    own = heat[HEAT.index(game)]
    others = [name for name in TURNS if name != game]
    rivals = np.max([heat[HEAT.index(name)] for name in others], axis=0)
    found = [_peaks(own, settings.least_heat)]
    empty_heat = heat[HEAT.index(f"{game}-empty")] if f"{game}-empty" in HEAT else np.zeros_like(own)
    found.append(_peaks(np.where(empty_heat > own, empty_heat, 0), settings.least_heat))
    y, x = np.concatenate(found, axis=1)
    empty = np.arange(len(y)) >= found[0].shape[1]
    regressed = output[DETECTOR_CHANNELS.heat :, y, x].astype(np.float64)
    scale = np.array([zoom_x, zoom_y])
    net_px = (np.stack([x, y], axis=1) + 0.5) * STRIDE - 0.5 + regressed[:2].T * LENGTH_UNIT
    centre = (net_px + 0.5) / scale - 0.5
    xx, xy, yy = regressed[2:5] * LENGTH_UNIT / zoom
    root = np.stack([np.stack([xx, xy], -1), np.stack([xy, yy], -1)], -2)
    found_cells = Detections(
        centre=centre,
        root=root,
        fold=np.arctan2(regressed[6], regressed[5]) / TURNS[game],
        up=np.arctan2(regressed[8], regressed[7]),
        heat=np.where(empty, empty_heat[y, x], own[y, x]).astype(np.float64),
        empty=empty,
        rivals=_around(rivals)[y, x].astype(np.float64),
    )
    found_cells = _distinct(found_cells)
    sketch("detections", lambda: drawn(image, found_cells))
    return found_cells, HeatMap(own, empty_heat, f"{game}-empty" in HEAT, zoom / STRIDE, (0.0, 0.0))


def _net_input(small: Picture) -> npt.NDArray[np.float32]:
    high, wide = small.shape[:2]
    padded = cv2.copyMakeBorder(
        small, 0, -high % NET_MULTIPLE, 0, -wide % NET_MULTIPLE, cv2.BORDER_CONSTANT, value=(0, 0, 0)
    )
    return cv2.dnn.blobFromImage(padded, 1 / 255, swapRB=True)


def _around(heat: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    return cv2.dilate(heat, np.ones((3, 3), np.uint8))


def _peaks(heat: npt.NDArray[np.float32], least: float) -> npt.NDArray[np.intp]:
    """(2, n) rows and columns of local maxima."""
    return np.stack(np.nonzero((heat >= _around(heat)) & (heat >= least)))


def _distinct(found: Detections) -> Detections:
    """One detection per place: of two closer than half a tile the warmer one stays."""
    good = found.size > 4
    found = found.only(good)
    order = np.argsort(-found.heat, kind="stable")
    found = found.only(order)
    if not len(found):
        return found
    gap = np.linalg.norm(found.centre[:, None] - found.centre[None], axis=2)
    near = gap < 0.5 * np.minimum(found.size[:, None], found.size[None])
    keep = np.ones(len(found), bool)
    for index in range(len(found)):
        if keep[index]:
            keep[index + 1 :] &= ~near[index, index + 1 :]
    return found.only(keep)


def drawn(image: Picture, found: Detections) -> Picture:
    """Each detection as a small cross of its lattice steps."""
    picture = image.copy()
    width = max(1, max(image.shape) // 600)
    for index in range(len(found)):
        c, s = np.cos(found.fold[index]), np.sin(found.fold[index])
        steps = found.root[index] @ np.array([[c, -s], [s, c]])
        colour = (255, 160, 0) if found.empty[index] else (0, 255, 0)
        for step in steps.T:
            a, b = found.centre[index] - 0.4 * step, found.centre[index] + 0.4 * step
            cv2.line(picture, _px(a), _px(b), colour, width, cv2.LINE_AA)
        cv2.circle(picture, _px(found.centre[index]), 2 * width, (0, 0, 255), -1, cv2.LINE_AA)
    return picture


def _px(point: Floats) -> tuple[int, int]:
    return round(float(point[0])), round(float(point[1]))


if __name__ == "__main__":
    photo = decode(Path(sys.argv[1]).read_bytes(), longest=SETTINGS.decode_px)
    cells, _ = detect(photo.image, sys.argv[2])
    print(f"{len(cells)} cells, {int(cells.empty.sum())} of them empty")
    cv2.imwrite(sys.argv[3], drawn(photo.image, cells))
