"""How the reader bears one difficulty at a time: `python -m models.robustness OUT.png`.

Careful studio photographs are made harder step by step in one respect, everything else kept: the camera's
tilt, blur, the size of a tile in the photo, the colour of the light, a lamp mirrored in the board. The
drawing shows per step how many tiles were right, how many cells were asked about, how many photos were
refused, and every silent error. Seeds are the ones of no other set.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

import cv2
import numpy as np
import numpy.typing as npt
from tqdm import tqdm

from models.measure.calibration import FONT, INK, PALE
from models.measure.cases import Problem, find_cases
from models.measure.figures import Measured
from models.measure.run import measure
from models.studio import camera as cameras
from models.studio.camera import Image
from models.studio.painters import GAMES, painter
from models.studio.scene import Scene, taken
from models.studio.sets import LEAST_VISIBLE, write_photo

FIRST_SEED = 990_000_000
SIZE, LARGE = (1600, 1200), (2400, 1800)
DAYLIGHT_K = 5500.0
WAVELENGTHS_M = np.array([450e-9, 540e-9, 600e-9])
"""What the blue, green and red of a camera see most of."""
GREEN, ORANGE, RED, BLUE = (90, 140, 40), (30, 130, 230), (40, 40, 200), (170, 110, 40)


@dataclass(frozen=True, slots=True)
class Difficulty:
    """Something that makes a photo harder to read, from easy to impossible."""

    name: str
    unit: str
    levels: tuple[float, ...]
    photograph: Callable[[str, int, float], Scene]
    """Game, seed and level to a photo."""

    def label(self, level: float) -> str:
        """A level as it stands on the axis: "45°"."""
        return f"{level:g}{self.unit}"


def posed(game: str, seed: int, tilt: float = 12.0, size: tuple[int, int] = SIZE) -> Scene:
    """A careful photo of a clean table, at this tilt in degrees; tables with hidden tiles are passed over."""
    while True:
        rng = np.random.default_rng([seed, *game.encode()])
        stance = replace(cameras.random_stance(rng, calm=True), tilt=float(np.radians(tilt)))
        plan = painter(game).plan(rng, pixels_per_unit=round(96 * max(size) / 1600))
        scene = taken(rng, plan, seed, size, "calm", stance, things=0)
        tiles = [cell for cell in scene.cells if cell.tile is not None]
        # Low cameras hide tiles behind a ramp's rim whatever the seed: there people see no more either.
        if tilt > 30 or all(cell.visibility >= LEAST_VISIBLE for cell in tiles):
            return scene
        seed += 1


def tilted(game: str, seed: int, degrees: float) -> Scene:
    return posed(game, seed, degrees)


def blurred(game: str, seed: int, percent: float) -> Scene:
    """Out of focus: sigma in percent of a tile."""
    scene = posed(game, seed)
    sigma = percent / 100 * tile_px(scene)
    return scene if sigma < 0.2 else _with(scene, cv2.GaussianBlur(scene.image, (0, 0), sigma))


def small(game: str, seed: int, pixels: float) -> Scene:
    """The whole photo scaled down until a tile is so many pixels wide."""
    scene = posed(game, seed, size=LARGE)
    scale = min(1.0, pixels / tile_px(scene))
    return _with(scene, cv2.resize(scene.image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA))


def lit(game: str, seed: int, kelvin: float) -> Scene:
    """Under a lamp of this colour, which the camera's white balance makes up for by half."""
    scene = posed(game, seed)
    gains = np.sqrt(_planck(kelvin) / _planck(DAYLIGHT_K))
    gains /= gains @ np.array([0.07, 0.72, 0.21])
    linear = (np.arange(256) / 255) ** 2.2
    table = np.clip(linear[:, None] * gains, 0, 1) ** (1 / 2.2) * 255
    return _with(scene, cv2.LUT(scene.image, np.rint(table).astype(np.uint8)[None]))


def glaring(game: str, seed: int, percent: float) -> Scene:
    """A lamp mirrored somewhere in the board, washing out so many percent of its area."""
    scene = posed(game, seed)
    if percent <= 0:
        return scene
    rng = np.random.default_rng([seed, 7])
    tiles = [cell.polygon for cell in scene.cells]
    x, y = tiles[int(rng.integers(len(tiles)))].mean(axis=0)
    area = percent / 100 * sum(abs(cv2.contourArea(tile.astype(np.float32))) for tile in tiles)
    radius, squash = np.sqrt(area / np.pi), float(rng.uniform(0.6, 1.0))
    high, wide = scene.image.shape[:2]
    across = (np.arange(wide)[None] - x) / (radius / np.sqrt(squash))
    down = (np.arange(high)[:, None] - y) / (radius * np.sqrt(squash))
    glow = 255 * np.exp(-0.3 * (across**2 + down**2) ** 3)
    return _with(scene, np.clip(scene.image + glow[..., None], 0, 255).astype(np.uint8))


DIFFICULTIES = (
    Difficulty("tilt of the camera", "°", (0, 15, 25, 35, 45, 52, 60), tilted),
    Difficulty("blur, of a tile", " %", (0, 2, 4, 6, 8, 11, 15), blurred),
    Difficulty("size of a tile", " px", (48, 36, 28, 22, 17, 13, 10), small),
    Difficulty("colour of the light", " K", (2000, 2700, 3500, 4500, 5500, 7500, 12000), lit),
    Difficulty("glare, of the board", " %", (0, 2, 5, 10, 18, 30, 45), glaring),
)


def _planck(kelvin: float) -> npt.NDArray[np.float64]:
    """(3,) how bright a black body is in blue, green and red, up to a factor."""
    return np.asarray(WAVELENGTHS_M**-5 / np.expm1(1.4388e-2 / (WAVELENGTHS_M * kelvin)))


def tile_px(scene: Scene) -> float:
    """Side of a square as large as a tile is in the middle of the crowd."""
    return float(
        np.sqrt(np.median([abs(cv2.contourArea(cell.polygon.astype(np.float32))) for cell in scene.cells]))
    )


def _with(scene: Scene, image: Image | npt.NDArray[np.uint8]) -> Scene:
    """The scene with another picture; only the truth stays what it was."""
    jpeg = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 92])[1].tobytes()
    return replace(scene, jpeg=jpeg)


@dataclass(frozen=True, slots=True)
class Step:
    """What became of the photos of one level."""

    level: float
    photos: int
    refused: int
    silent: int
    cells: int
    right: int
    doubted: int

    @property
    def refused_share(self) -> float:
        return self.refused / self.photos

    @property
    def right_share(self) -> float | None:
        return self.right / self.cells if self.cells else None

    @property
    def doubted_share(self) -> float | None:
        return self.doubted / self.cells if self.cells else None


def step(level: float, measured: Sequence[Measured]) -> Step:
    """The figures of one level, all games together."""
    read = [one for one in measured if one.comparison is not None and one.reading is not None]
    cells = sum(len(one.comparison.cells) for one in read if one.comparison)
    return Step(
        level,
        photos=len(measured),
        refused=len(measured) - len(read),
        silent=sum(one.comparison.silent_error for one in read if one.comparison),
        cells=cells,
        right=sum(one.comparison.right for one in read if one.comparison),
        doubted=sum(len(one.reading.doubts) for one in read if one.reading),
    )


def curve(difficulty: Difficulty, games: Iterable[str], photos: int) -> Iterator[Step]:
    """Level after level, `photos` per game."""
    from vision import read

    for level in difficulty.levels:
        with TemporaryDirectory() as folder:
            for game in games:
                for index in range(photos):
                    scene = difficulty.photograph(game, FIRST_SEED + 100 * index, level)
                    write_photo(scene, Path(folder), f"{game}-{index:02d}")
            problems: list[Problem] = []
            cases, _ = find_cases([Path(folder)])
            yield step(level, list(measure(cases, read, problems)))


PANEL, GAP, TOP, HIGH = 300, 46, 74, 230


def draw(curves: Sequence[tuple[Difficulty, Sequence[Step]]], subtitle: str) -> npt.NDArray[np.uint8]:
    """One panel per difficulty, BGR."""
    wide = GAP + len(curves) * (PANEL + GAP)
    picture = np.full((TOP + HIGH + 62, wide, 3), 255, np.uint8)
    legend = (
        ("tiles right, of photos read", GREEN), ("cells asked about", BLUE),
        ("photos refused", ORANGE), ("silent errors (photos)", RED),
    )  # fmt: skip
    x = GAP
    for text, colour in legend:
        cv2.line(picture, (x, 22), (x + 22, 22), colour, 3, cv2.LINE_AA)
        cv2.putText(picture, text, (x + 30, 27), FONT, 0.48, INK, 1, cv2.LINE_AA)
        x += 60 + 9 * len(text)
    cv2.putText(picture, subtitle, (x, 27), FONT, 0.48, (130, 130, 130), 1, cv2.LINE_AA)
    for index, (difficulty, steps) in enumerate(curves):
        _panel(picture, GAP + index * (PANEL + GAP), difficulty, steps)
    return picture


def _panel(picture: npt.NDArray[np.uint8], left: int, difficulty: Difficulty, steps: Sequence[Step]) -> None:
    def at(index: int, share: float) -> tuple[int, int]:
        return left + round(PANEL * index / max(1, len(steps) - 1)), TOP + round(HIGH * (1 - share))

    cv2.putText(picture, difficulty.name, (left, TOP - 14), FONT, 0.55, INK, 1, cv2.LINE_AA)
    for percent in (0, 25, 50, 75, 100):
        y = at(0, percent / 100)[1]
        cv2.line(picture, (left, y), (left + PANEL, y), PALE, 1)
        cv2.putText(picture, f"{percent}", (left - 32, y + 4), FONT, 0.38, INK, 1, cv2.LINE_AA)
    begins = next((index for index, one in enumerate(steps) if one.refused_share > 0.1), None)
    if begins is not None:
        x = at(begins, 0)[0]
        for y in range(TOP, TOP + HIGH, 8):
            cv2.line(picture, (x, y), (x, y + 4), ORANGE, 1)
    for shares, colour in (
        ([one.right_share for one in steps], GREEN),
        ([one.doubted_share for one in steps], BLUE),
        ([one.refused_share for one in steps], ORANGE),
    ):
        points = [at(index, share) for index, share in enumerate(shares) if share is not None]
        cv2.polylines(picture, [np.array(points, np.int32)], False, colour, 2, cv2.LINE_AA)
        for point in points:
            cv2.circle(picture, point, 3, colour, -1, cv2.LINE_AA)
    for index, one in enumerate(steps):
        # OpenCV's letters know no degree sign.
        label = difficulty.label(one.level).replace("°", "")
        x = at(index, 0)[0]
        cv2.putText(picture, label.split()[0], (x - 10, TOP + HIGH + 20), FONT, 0.4, INK, 1, cv2.LINE_AA)
        if one.silent:
            cv2.circle(picture, at(index, one.silent / one.photos), 5, RED, -1, cv2.LINE_AA)
    unit = {"°": "degrees"}.get(difficulty.unit, difficulty.unit.strip())
    cv2.putText(picture, unit, (left + PANEL - 50, TOP + HIGH + 42), FONT, 0.42, INK, 1, cv2.LINE_AA)


def table(curves: Sequence[tuple[Difficulty, Sequence[Step]]]) -> str:
    """The same as Markdown."""
    rows = [
        "| difficulty | level | photos | refused | tiles right | doubts per board | silent |",
        "|---|" + "---:|" * 6,
    ]
    for difficulty, steps in curves:
        for one in steps:
            read = one.photos - one.refused
            # Rounded down: nearly all is not all.
            right = f"{int(1000 * one.right_share) / 10:.1f} %" if one.right_share is not None else "–"
            doubts = f"{one.doubted / read:.1f}" if read else "–"
            said = (one.photos, one.refused, right, doubts, one.silent)
            rows.append(
                "| " + " | ".join(map(str, (difficulty.name, difficulty.label(one.level), *said))) + " |"
            )
    return "\n".join(rows)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m models.robustness", description=__doc__)
    parser.add_argument("out", type=Path, nargs="?", default=Path("docs/robustness.png"), metavar="OUT.png")
    parser.add_argument("--photos", type=int, default=8, help="per game and level (default 8)")
    parser.add_argument("--games", nargs="+", choices=GAMES, default=list(GAMES))
    chosen = parser.parse_args()
    curves: list[tuple[Difficulty, Sequence[Step]]] = []
    bar = tqdm(total=sum(len(one.levels) for one in DIFFICULTIES), disable=not sys.stderr.isatty())
    for difficulty in DIFFICULTIES:
        steps = []
        for one in curve(difficulty, chosen.games, chosen.photos):
            steps.append(one)
            bar.update()
        curves.append((difficulty, steps))
    bar.close()
    per_level = chosen.photos * len(chosen.games)
    cv2.imwrite(str(chosen.out), draw(curves, f"percent; {per_level} photos per level"))
    print(table(curves))


if __name__ == "__main__":
    main()
