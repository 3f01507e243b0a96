"""Rendered material on disk, so that a training run draws each picture once and can be resumed."""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterable, Iterator
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
from tqdm import tqdm

from models.studio.crops import Label, crops
from models.studio.scene import Scene, render
from models.training.ramps import ramp_views
from models.training.targets import Targets, scene_targets
from vision.families import FAMILIES, HEX, RAMP, Family

SHELF = Path("checkpoints") / "shelf"
SCENE_SIZES = ((800, 600), (600, 800))
SCENES_PER_FILE = 50
CROPS_PER_FILE = 2000
CROP_ZOOMS = {"mipasuje": (1.2, 3.6), "qwirkle": (0.9, 2.6), "trio": (0.9, 2.6), "bits": (0.8, 2.2)}
"""Sizes of the photos that crops are cut from: as small as a reader may meet them, and as large."""
TRAINING_SEED = 1_000_000
"""Seeds from here on are for training; the sets that are measured use smaller ones."""


def _scene(game: str, seed: int) -> Scene:
    return render(game, seed, size=SCENE_SIZES[seed % 2])


def _make_scenes(job: tuple[str, int, Path]) -> Path:
    game, number, path = job
    cv2.setNumThreads(1)
    first = TRAINING_SEED + number * SCENES_PER_FILE
    scenes = [_scene(game, first + index) for index in range(SCENES_PER_FILE)]
    targets = [scene_targets(scene) for scene in scenes]
    temporary = path.with_suffix(".part.npz")
    np.savez(
        temporary,
        jpeg=np.array([np.frombuffer(scene.jpeg, np.uint8) for scene in scenes] + [None], dtype=object)[:-1],
        counts=np.array([len(target.kind) for target in targets]),
        centre=np.concatenate([target.centre for target in targets]),
        steps=np.concatenate([target.steps for target in targets]),
        kind=np.concatenate([target.kind for target in targets]),
        visible=np.concatenate([target.visible for target in targets]),
    )
    temporary.rename(path)
    return path


def scene_files(game: str, files: int, processes: int = 1) -> list[Path]:
    """At least `files` files of scenes of this game, rendering those that are missing."""
    return _filled(game, "scenes", files, processes, _make_scenes)


def load_scenes(path: Path) -> Iterator[tuple[npt.NDArray[np.uint8], Targets]]:
    """(picture BGR, targets) of every scene in a file."""
    with np.load(path, allow_pickle=True) as data:
        ends = np.cumsum(data["counts"])
        fields = {name: data[name] for name in ("centre", "steps", "kind", "visible")}
        jpegs = data["jpeg"]
    for index, end in enumerate(ends):
        start = end - (ends[0] if index == 0 else ends[index] - ends[index - 1])
        picture = np.asarray(cv2.imdecode(jpegs[index], cv2.IMREAD_COLOR))
        yield picture, Targets(**{name: value[start:end] for name, value in fields.items()})


def crop_labels(family: Family, labels: Iterable[Label]) -> npt.NDArray[np.int8]:
    """(n, aspects); −1 where an aspect has no answer (an empty cell has no colour)."""
    rows = []
    for tile, mark, turn in labels:
        answers: dict[str, str] = {"present": "empty" if tile is None else "tile"}
        if tile is not None:
            if family.name == "mipasuje":
                vertical, rising, falling = tile.split("-")
                answers |= {"vertical": vertical, "rising": rising, "falling": falling}
                answers |= {"mark": mark or "none", "turn": str(turn)}
            elif family.name == "bits":
                answers["colour"] = tile
            else:
                answers["colour"], answers["shape"] = tile.split(" ")
        rows.append(
            [
                aspect.kinds.index(answers[aspect.name]) if aspect.name in answers else -1
                for aspect in family.aspects
            ]
        )
    return np.array(rows, np.int8)


def _make_crops(job: tuple[str, int, Path]) -> Path:
    game, number, path = job
    cv2.setNumThreads(1)
    family = FAMILIES[game]
    if family is RAMP:
        images, labels = ramp_views(family, TRAINING_SEED + number, CROPS_PER_FILE)
    else:
        seed = TRAINING_SEED + number
        turned = family is not HEX or number % 4 == 0
        cut = crops(game, seed, CROPS_PER_FILE, family.crop_px, turns=turned, zooms=CROP_ZOOMS[game])
        images = cut.images
        labels = crop_labels(family, cut.labels)
        if not turned:
            # Upright hexagons teach the lines; which way a tile stands is learned from the turned ones.
            labels[:, [aspect.name for aspect in family.aspects].index("turn")] = -1
    temporary = path.with_suffix(".part.npz")
    np.savez(temporary, images=images, labels=labels)
    temporary.rename(path)
    return path


def crop_files(game: str, files: int, processes: int = 1) -> list[Path]:
    """At least `files` files of crops of this game, rendering those that are missing."""
    return _filled(game, "crops", files, processes, _make_crops)


def _filled(game: str, what: str, files: int, processes: int, make) -> list[Path]:  # type: ignore[no-untyped-def]
    folder = SHELF / what / game
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / f"{number:04d}.npz" for number in range(files)]
    jobs = [(game, number, path) for number, path in enumerate(paths) if not path.exists()]
    if jobs:
        with multiprocessing.get_context("spawn").Pool(processes) as pool:
            for _ in tqdm(
                pool.imap_unordered(make, jobs), total=len(jobs), desc=f"{what} of {game}", unit="file"
            ):
                pass
    return paths
