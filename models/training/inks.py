"""Training of the ink net: which colour each tile of a photo is painted in, seen beside all its other tiles.

A pale red in warm light is an orange until one sees the orange beside it. The net therefore looks at whole
tables: the ink and the ground of every tile and what the tile net thinks of its colour.
"""

from __future__ import annotations

import multiprocessing
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor
from torch.nn import functional
from tqdm import tqdm

from models.studio.crops import SMALL, cells_of
from models.studio.scene import render
from models.training.loop import Progress, Run, train
from models.training.nets import InkNet
from models.training.shelf import CROP_ZOOMS, SHELF, TRAINING_SEED
from vision.classify import classify
from vision.families import FAMILIES
from vision.inks import COLOURS, PLAINLY_NOT, TOKEN_WIDTH, tokens
from vision.symbols import taken_apart

GAMES = ("qwirkle", "trio")
SCENES_PER_FILE = 200
FILES = 110
BATCH = 64
MOST = 56
KINDS = len(COLOURS)
Crops = npt.NDArray[np.uint8]


def developed(rng: np.random.Generator, crops: Crops) -> Crops:
    """The crops of one photo as a paler copy, another lamp and another camera would have shown them."""
    x = crops.astype(np.float32) / 255
    if rng.random() < 0.5:
        grey = x.mean(axis=3, keepdims=True)
        x = grey + (x - grey) * rng.uniform(0.45, 1.15)
    if rng.random() < 0.6:
        x = x * np.exp(rng.normal(0, 0.1, 3)).astype(np.float32)
    if rng.random() < 0.6:
        x = x * np.float32(np.exp(rng.normal(0.05, 0.3)))
    x = np.clip(x, 0, 1) ** np.float32(np.exp(rng.normal(0, 0.12)))
    return np.rint(x * 255).astype(np.uint8)


def _make(job: tuple[str, int, Path]) -> Path:
    game, number, path = job
    cv2.setNumThreads(1)
    family = FAMILIES[game]
    seen, answers, counts = [], [], []
    for index in range(SCENES_PER_FILE):
        seed = TRAINING_SEED + number * SCENES_PER_FILE + index
        rng = np.random.default_rng([seed, *game.encode()])
        zoom = float(rng.uniform(*CROP_ZOOMS[game]))
        size = (round(SMALL[0] * zoom), round(SMALL[1] * zoom))
        scene = render(game, seed, style="crops", size=size, simple=True)
        cut, labels = cells_of(rng, scene, family.crop_px, per_cell=1)
        tiles = [i for i, label in enumerate(labels) if label.tile is not None]
        if not tiles:
            continue
        names = [str(labels[i].tile).split(" ")[0] for i in tiles]
        answer = [COLOURS.index("purple" if name == "violet" else name) for name in names]
        for _ in range(2):
            crops = developed(rng, cut[tiles])
            parts = taken_apart(crops, family.crop_span)
            seen.append(tokens(parts.ink, parts.ground, classify(crops, family).log_p("colour")))
            answers += answer
            counts.append(len(tiles))
    temporary = path.with_suffix(".part.npz")
    np.savez(
        temporary,
        tokens=np.concatenate(seen).astype(np.float32),
        colour=np.array(answers, np.int64),
        counts=counts,
    )
    temporary.rename(path)
    return path


def tables(first: int, files: int, processes: int = 2) -> list[tuple[Tensor, Tensor]]:
    """(tokens, colours) of every table in these files, rendering those that are missing."""
    folder = SHELF / "inks"
    folder.mkdir(parents=True, exist_ok=True)
    jobs = [
        (game, number, folder / f"{game}-{number:06d}.npz")
        for number in range(first, first + files)
        for game in GAMES
    ]
    missing = [job for job in jobs if not job[2].exists()]
    if missing:
        with multiprocessing.get_context("spawn").Pool(processes) as pool:
            for _ in tqdm(pool.imap_unordered(_make, missing), total=len(missing), desc="inks", unit="file"):
                pass
    found: list[tuple[Tensor, Tensor]] = []
    for _, _, path in jobs:
        with np.load(path) as data:
            ends = np.cumsum(data["counts"])[:-1]
            seen, colour = torch.from_numpy(data["tokens"]), torch.from_numpy(data["colour"])
        found += zip(
            torch.tensor_split(seen, ends.tolist()), torch.tensor_split(colour, ends.tolist()), strict=True
        )
    return found


def less_sure(rng: np.random.Generator, seen: Tensor) -> Tensor:
    """The same tables where the tile net has less to say, now and then nothing: the inks must do."""
    share = np.where(rng.random(len(seen)) < 0.5, 1.0, rng.uniform(0, 1, len(seen)))
    share[rng.random(len(seen)) < 0.15] = 0.0
    levels, nats = seen[..., :-KINDS], 5 * (seen[..., -KINDS:] - 1)
    # What a game does not have stays ruled out.
    possible = (nats > 0.99 * PLAINLY_NOT).any(dim=1, keepdim=True)
    weaker = torch.from_numpy(share).float()[:, None, None] * nats
    weaker = torch.where(possible, weaker, torch.tensor(PLAINLY_NOT))
    weaker = torch.log_softmax(weaker, dim=2).clamp(min=PLAINLY_NOT)
    return torch.cat([levels, weaker / 5 + 1], dim=2)


def main(progress: Progress) -> None:
    """Train (or go on training) the ink net and export it."""
    rng = np.random.default_rng(progress.seed)
    known = sorted(tables(0, FILES), key=lambda table: len(table[0]))
    sizes = np.array([len(seen) for seen, _ in known])
    net = InkNet()

    def step(number: int) -> Tensor:
        # Large tables say most about the light; small ones must not be guessed at.
        n = int(np.exp(rng.uniform(0, np.log(MOST))))
        chosen = rng.integers(np.searchsorted(sizes, min(n, int(sizes[-1 - BATCH]))), len(known), BATCH)
        some = [(torch.from_numpy(rng.permutation(sizes[i])[:n]), known[i]) for i in chosen]
        least = min(len(order) for order, _ in some)
        seen = torch.stack([table[0][order[:least]] for order, table in some])
        colour = torch.stack([table[1][order[:least]] for order, table in some])
        logits = net(less_sure(rng, seen))
        return functional.cross_entropy(logits.flatten(0, 1), colour.flatten(), label_smoothing=0.01)

    train(Run("inks", net, step, (1, 12, TOKEN_WIDTH), dynamic={1: "tiles"}), progress)
