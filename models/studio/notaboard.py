"""Pictures that show no readable board of the game that is asked for: whatever is read from them is made up.

A truth file with `"cells": null` says so; `"shows"` names what is there instead.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import cv2
import numpy as np

from models.studio import tables
from models.studio.boards import Table
from models.studio.camera import Matrix
from models.studio.mats import connect_mat, grid_mat
from models.studio.otherthings import THINGS, noise_picture, plan_of
from models.studio.painters import GAMES, painter
from models.studio.scene import Scene, render, taken

FIRST_SEED = 990_000_000
SIZES = ((1600, 1200), (1200, 1600), (1280, 960))
LEFT_OF_A_BOARD = (0.3, 0.5)
"""Share of a fixed board's cells that a cut leaves in the picture."""
SLIVER = 0.6
"""Share of the outermost tile of an open table that a cut takes away."""
LEAST_PX = 260
NOWHERE: Matrix = np.eye(3)

Shot = tuple[str, Callable[[int], Scene]]


def shots(game: str) -> list[Shot]:
    """(what it shows, picture of a seed) for every picture of the set, for one game."""
    others = [other for other in GAMES if other != game]
    kinds = (*tables.KINDS, *tables.EXAM_KINDS)
    found: list[Shot] = [
        (f"a board of {other}", _other_game(game, other)) for other in others for _ in range(5)
    ]
    found += [(f"an empty table: {kind}", _empty_table(game, kind)) for kind in kinds]
    found += [("an empty board", _empty_board(game)) for _ in range(6)]
    found += [("a part of a board", _part(game)) for _ in range(8)]
    found += [(name, _thing(game, name)) for name in THINGS for _ in range(2)]
    found += [("noise", _noise(game)) for _ in range(4)]
    return found


def photographs(game: str) -> Iterator[tuple[str, Scene]]:
    """(name, scene) of every picture of the set; the same bytes every time."""
    for index, (_, shot) in enumerate(shots(game)):
        yield f"{index:03d}", shot(FIRST_SEED + 10_000 * GAMES.index(game) + 100 * index)


def _rng(game: str, seed: int) -> np.random.Generator:
    return np.random.default_rng([seed, *b"not-a-board", *game.encode()])


def _nothing(game: str, shows: str) -> dict[str, object]:
    return {"game": game, "cells": None, "shows": shows}


def _other_game(game: str, other: str) -> Callable[[int], Scene]:
    def shot(seed: int) -> Scene:
        scene = render(other, seed, size=SIZES[seed // 100 % len(SIZES)])
        return replace(
            scene, game=game, truth=_nothing(game, f"a board of {other}"), cells=(), lattice=NOWHERE
        )

    return shot


def _empty_table(game: str, kind: str) -> Callable[[int], Scene]:
    def shot(seed: int) -> Scene:
        rng = _rng(game, seed)
        plan = plan_of(game, "an empty table", [])
        size = SIZES[seed // 100 % len(SIZES)]
        return taken(rng, plan, seed, size, table_kind=kind, things=int(rng.integers(0, 7)))

    return shot


def _empty_board(game: str) -> Callable[[int], Scene]:
    def shot(seed: int) -> Scene:
        rng = _rng(game, seed)
        if game in ("mipasuje", "bits"):
            layouts = ("standard", "standard", "valve", "valve-mirrored")
            empty = {"game": game, "cells": [], "board": str(rng.choice(layouts)), "size": [6, 4]}
            plan = painter(game).plan(rng, pixels_per_unit=96, lay=empty)
            plan = replace(plan, truth=_nothing(game, "an empty board"), cells=())
        else:
            table: Table = {(row, column): ("red", "star") for row in (0, 7) for column in (0, 7)}
            boards = (int(rng.integers(1, 3)), int(rng.integers(1, 3)))
            mat = connect_mat(rng, table, boards, 72) if rng.random() < 0.5 else grid_mat(rng, table, 72)
            plan = plan_of(game, "an empty board", list(mat.sprites))
        return taken(rng, plan, seed, SIZES[seed // 100 % len(SIZES)])

    return shot


def _part(game: str) -> Callable[[int], Scene]:
    def shot(seed: int) -> Scene:
        rng = _rng(game, seed)
        for attempt in range(100):
            scene = render(game, seed + attempt, size=SIZES[seed // 100 % len(SIZES)])
            image = _cut(rng, scene, fixed=game in ("mipasuje", "bits"))
            if min(image.shape[:2]) >= LEAST_PX:
                break
        return _picture(game, seed, "a part of a board", image)

    return shot


def _cut(rng: np.random.Generator, scene: Scene, fixed: bool) -> np.ndarray:
    """What is left of the photo beyond a straight cut: less than half of a fixed board, no whole tile of an
    open table, but parts of some."""
    axis, low_side = int(rng.integers(2)), bool(rng.integers(2))
    side = scene.image.shape[1 - axis]
    spans = [
        (float(cell.polygon[:, axis].min()), float(cell.polygon[:, axis].max()))
        for cell in scene.cells
        if fixed or cell.tile is not None
    ]
    if not low_side:
        spans = [(side - high, side - low) for low, high in spans]
    if fixed:
        at = float(np.quantile([(low + high) / 2 for low, high in spans], rng.uniform(*LEFT_OF_A_BOARD)))
    else:
        low, high = min(spans, key=lambda span: span[1])
        at = high - SLIVER * (high - low)
    keep = slice(0, max(1, round(at))) if low_side else slice(side - max(1, round(at)), side)
    return scene.image[:, keep] if axis == 0 else scene.image[keep]


def _thing(game: str, name: str) -> Callable[[int], Scene]:
    def shot(seed: int) -> Scene:
        rng = _rng(game, seed)
        plan = plan_of(game, name, THINGS[name](rng, 72))
        return taken(rng, plan, seed, SIZES[seed // 100 % len(SIZES)])

    return shot


def _noise(game: str) -> Callable[[int], Scene]:
    def shot(seed: int) -> Scene:
        return _picture(game, seed, "noise", noise_picture(_rng(game, seed), SIZES[2]))

    return shot


def _picture(game: str, seed: int, shows: str, image: np.ndarray) -> Scene:
    _, jpeg = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 88])
    return Scene(game, seed, "", _nothing(game, shows), (), NOWHERE, jpeg.tobytes())
