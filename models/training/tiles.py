"""Training of the tile nets, one per family."""

from __future__ import annotations

import cv2
import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from models.training.loop import Progress, Run, train
from models.training.nets import TileNet
from models.training.shelf import crop_files
from vision.families import FAMILIES

BATCH = 128
FILES = {"qwirkle": 130, "trio": 130, "mipasuje": 100, "bits": 90, "ramp": 20}


def tinted(rng: np.random.Generator, images: np.ndarray, strength: float) -> Tensor:
    """(n, px, px, 3) BGR bytes → (n, 3, px, px) RGB 0…1, each with a light of its own."""
    x = torch.from_numpy(np.ascontiguousarray(images[..., ::-1])).float().div_(255).permute(0, 3, 1, 2)
    n = len(images)
    cast = torch.from_numpy(np.exp(rng.normal(0, strength, (n, 3, 1, 1)))).float()
    gain = torch.from_numpy(rng.uniform(0.7, 1.25, (n, 1, 1, 1))).float()
    # Pale prints and dim rooms: some of the colour, not all of it, may be missing.
    vivid = torch.from_numpy(rng.uniform(0.5, 1.15, (n, 1, 1, 1))).float()
    grey = x.mean(dim=1, keepdim=True)
    x = grey + (x - grey) * vivid
    gamma = torch.from_numpy(rng.uniform(0.8, 1.25, (n, 1, 1, 1))).float()
    return (x * cast * gain).clamp(0, 1) ** gamma


def main(name: str, progress: Progress) -> None:
    """Train (or go on training) one tile net and export it."""
    family = FAMILIES[name]
    cv2.setNumThreads(1)
    rng = np.random.default_rng(progress.seed)
    loaded = [np.load(path) for path in crop_files(name, FILES[name])]
    images = np.concatenate([file["images"] for file in loaded])
    labels = np.concatenate([file["labels"] for file in loaded]).astype(np.int64)
    net = TileNet(family)
    # Colours are what distinguishes Bits and half of Qwirkle: a strong cast would change the answer.
    strength = 0.06

    # Tiles outnumber empty cells in the crops as they do not on a table: both count the same.
    shares = np.bincount(labels[:, 0][labels[:, 0] >= 0], minlength=2).astype(float)
    even = torch.from_numpy(shares.mean() / np.maximum(shares[:2], 1)).float()

    def step(number: int) -> Tensor:
        chosen = rng.integers(0, len(images), BATCH)
        answers = torch.from_numpy(labels[chosen])
        logits = net.logits(net(tinted(rng, images[chosen], strength)))
        loss = torch.zeros(())
        for index, aspect in enumerate(family.aspects):
            wanted = answers[:, index]
            if aspect.name not in ("present", "turn") and "turn" in (a.name for a in family.aspects):
                # A tile that stands on its side is only asked which way it stands.
                turn = answers[:, [a.name for a in family.aspects].index("turn")]
                wanted = torch.where(turn <= 0, wanted, -1)
            if (wanted >= 0).any():
                weight = even if aspect.name == "present" else None
                loss = loss + functional.cross_entropy(
                    logits[index], wanted, weight=weight, ignore_index=-1, label_smoothing=0.02
                )
        return loss

    train(Run(name, net, step, (1, 3, family.crop_px, family.crop_px)), progress)
