"""Fixed-seed sets of photographs: `validation` to work with, `exam` to be measured and never tuned on.

`blind` is another `exam` that nobody has looked at: measured when the work is done, so that what was learned
from `exam` after all can be told from what is known.

Smaller ones: `illegal` shows boards that break a rule, `crowded` another player's board beside the one that
is meant, `not-a-board` everything but a readable board of the game that is asked for.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from math import isfinite
from pathlib import Path

from tqdm import tqdm

from models.studio import illegal, notaboard
from models.studio.painters import GAMES
from models.studio.scene import Scene, render

LEAST_VISIBLE = 0.6
SIZES = ((1600, 1200), (1200, 1600), (2040, 1536), (1280, 960), (1536, 2040))


@dataclass(frozen=True, slots=True)
class PhotoSet:
    """A named set: its own range of seeds, its own style."""

    name: str
    style: str | None
    first_seed: int
    photos_per_game: int = 60


SETS = (
    PhotoSet("validation", None, 900_000_000),
    PhotoSet("exam", "exam", 950_000_000),
    PhotoSet("blind", "exam", 960_000_000),
)
"""Training must keep to seeds below 900,000,000."""
ILLEGAL = PhotoSet("illegal", None, 980_000_000, photos_per_game=15)
"""Boards that break a rule; what lies there is to be read all the same."""
CROWDED = PhotoSet("crowded", None, 985_000_000, photos_per_game=15)
"""Another player's board beside the one that is meant."""
CROWDED_GAMES = ("mipasuje", "bits")
NOT_A_BOARD = "not-a-board"
SET_NAMES = (*(which.name for which in SETS), ILLEGAL.name, CROWDED.name, NOT_A_BOARD)


def _is_cut_off(scene: Scene) -> bool:
    """Whether the neighbour's board is in the picture, but plainly not the one that is meant."""
    return all(0.1 < share < 0.75 for share in scene.neighbours)


_TAKE: dict[str, Callable[..., Scene]] = {
    ILLEGAL.name: illegal.photograph,
    CROWDED.name: partial(render, crowded=True),
}


def photographs(which: PhotoSet, game: str) -> Iterator[tuple[str, Scene]]:
    """(name, scene) of every photo of a set; scenes with a tile that people could not see are passed over."""
    for index in range(which.photos_per_game):
        seed = which.first_seed + 1000 * index
        take: Callable[..., Scene] = _TAKE.get(which.name, render)
        while True:
            scene = take(game, seed, style=which.style, size=SIZES[index % len(SIZES)])
            seen = all(cell.visibility >= LEAST_VISIBLE for cell in scene.cells if cell.tile is not None)
            if seen and (which is not CROWDED or _is_cut_off(scene)):
                break
            seed += 1
        yield f"{index:03d}", scene


def details(scene: Scene) -> dict[str, object]:
    """What the truth file does not say but the studio knows: seed, edition, how hard it is, polygons."""
    return {
        "seed": scene.seed,
        "edition": scene.edition,
        "lattice": scene.lattice.round(6).tolist(),
        "apart": round(scene.apart, 2) if isfinite(scene.apart) else None,
        "print_px": round(scene.print_px, 2) if isfinite(scene.print_px) else None,
        "cells": [
            {
                "at": list(cell.at),
                "tile": cell.tile,
                "visibility": round(cell.visibility, 3),
                "polygon": cell.polygon.round(2).tolist(),
            }
            for cell in scene.cells
        ],
    }


def write_photo(scene: Scene, folder: Path, name: str) -> None:
    """NAME.jpg and NAME.truth.json."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.jpg").write_bytes(scene.jpeg)
    (folder / f"{name}.truth.json").write_text(json.dumps(scene.truth, ensure_ascii=False) + "\n", "utf-8")


def write(scene: Scene, folder: Path, name: str) -> None:
    """NAME.jpg, NAME.truth.json and NAME.scene.json."""
    write_photo(scene, folder, name)
    (folder / f"{name}.scene.json").write_text(json.dumps(details(scene)) + "\n", "utf-8")


def write_sets(out: Path, games: tuple[str, ...] = GAMES, names: tuple[str, ...] = SET_NAMES) -> int:
    """These sets below `out`, as SET/GAME/NNN.jpg; the number of photos written."""
    chosen = [
        (which, game)
        for which in (*SETS, ILLEGAL, CROWDED)
        for game in games
        if which.name in names and (which is not CROWDED or game in CROWDED_GAMES)
    ]
    total = sum(which.photos_per_game for which, _ in chosen)
    parts = [(which.name, game, photographs(which, game)) for which, game in chosen]
    if NOT_A_BOARD in names:
        total += sum(len(notaboard.shots(game)) for game in games)
        parts += [(NOT_A_BOARD, game, notaboard.photographs(game)) for game in games]
    with tqdm(total=total, unit="photo", disable=None) as progress:
        for set_name, game, scenes in parts:
            for name, scene in scenes:
                write(scene, out / set_name / game, name)
                progress.update()
    return total
