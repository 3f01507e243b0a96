"""Training of the detector: random cuts of rendered scenes, turned and scaled as phones are held."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from models.training.loop import Progress, Run, train
from models.training.nets import Detector
from models.training.shelf import load_scenes, scene_files
from models.training.targets import moved, target_maps
from vision.heads import DETECTOR_CHANNELS, TURNS

CUT_PX = 384
BATCH = 12
FILES_PER_GAME = 60
SCALES = (0.55, 1.6)


class Cuts:
    """Random cuts out of the scenes on the shelf."""

    def __init__(self, seed: int, files: list[Path]) -> None:
        self.rng = np.random.default_rng(seed)
        self.files = files
        self.pool: list = []

    def _refill(self) -> None:
        """Half a dozen files at a time: enough variety for a batch, little enough memory."""
        for index in self.rng.choice(len(self.files), 8, replace=False):
            self.pool += [(picture, targets) for picture, targets in load_scenes(self.files[index])]

    def cut(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """(3, px, px) RGB 0…1, and the maps and weights of `target_maps`."""
        if len(self.pool) < 100:
            self._refill()
        rng = self.rng
        index = int(rng.integers(len(self.pool)))
        picture, targets = self.pool[index]
        if rng.random() < 0.3:
            self.pool[index] = self.pool[-1]
            self.pool.pop()
        scale = float(np.exp(rng.uniform(*np.log(SCALES))))
        angle = float(rng.uniform(0, 2 * np.pi))
        # Mostly look at the board, sometimes at whatever lies around it.
        spots = targets.centre if len(targets.kind) and rng.random() < 0.85 else None
        high, wide = picture.shape[:2]
        aim = spots[rng.integers(len(spots))] if spots is not None else rng.uniform((0, 0), (wide, high))
        aim = aim + rng.normal(0, 60, 2)
        turn = scale * np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        affine = np.concatenate([turn, (CUT_PX / 2 - turn @ aim)[:, None]], axis=1)
        flags = cv2.INTER_AREA if scale < 0.8 else cv2.INTER_LINEAR
        if scale < 0.8:
            picture = cv2.GaussianBlur(picture, (0, 0), 0.45 / scale)
        border = (cv2.BORDER_CONSTANT, cv2.BORDER_REFLECT, cv2.BORDER_REPLICATE)[int(rng.integers(3))]
        cut = cv2.warpAffine(picture, affine, (CUT_PX, CUT_PX), flags=flags & 1, borderMode=border)
        outside = border != cv2.BORDER_CONSTANT
        placed = moved(targets, affine)
        maps, weights = target_maps(placed, CUT_PX, CUT_PX)
        if outside:
            # Mirrored margins show cells nobody counted: nothing is demanded there.
            seen = cv2.warpAffine(np.ones((high, wide), np.uint8), affine, (CUT_PX, CUT_PX))
            weights[: DETECTOR_CHANNELS.heat] *= cv2.resize(
                seen, maps.shape[:0:-1], interpolation=cv2.INTER_NEAREST
            )
        tinted = cut[:, :, ::-1].astype(np.float32) / 255
        tinted = np.clip(tinted * rng.uniform(0.75, 1.25, 3) * rng.uniform(0.7, 1.3), 0, 1) ** rng.uniform(
            0.75, 1.35
        )
        return tinted.transpose(2, 0, 1).astype(np.float32), maps, weights

    def batch(self) -> tuple[Tensor, Tensor, Tensor]:
        cuts = [self.cut() for _ in range(BATCH)]
        return tuple(torch.from_numpy(np.stack(part)) for part in zip(*cuts, strict=True))  # type: ignore[return-value]


def detector_loss(output: Tensor, maps: Tensor, weights: Tensor) -> Tensor:
    """Focal loss on the heat maps, absolute errors at the centres (lengths relative to the tile's size)."""
    heat = DETECTOR_CHANNELS.heat
    logits, truth = output[:, :heat], maps[:, :heat]
    p = torch.sigmoid(logits)
    positive = (truth == 1).float()
    log_p, log_q = functional.logsigmoid(logits), functional.logsigmoid(-logits)
    gain = positive * (1 - p) ** 2 * log_p + (1 - positive) * (1 - truth) ** 4 * p**2 * log_q
    count = positive.sum().clamp(min=1)
    loss = -(gain * weights[:, :heat]).sum() / count
    at = weights[:, heat:]
    here = at.sum().clamp(min=1)
    wrong = (output[:, heat:] - maps[:, heat:]).abs() * at
    root = maps[:, heat + 2 : heat + 5]
    size = (root[:, 0:1] * root[:, 2:3] - root[:, 1:2] ** 2).clamp(min=0.01).sqrt()
    lengths = (wrong[:, :5] / size).sum() / here
    # Which way is up needs more than a tile's surroundings: the tile nets find it, not the detector.
    return loss + 2.0 * lengths + 0.5 * wrong[:, 5:7].sum() / here


def main(progress: Progress) -> None:
    """Train (or go on training) the detector and export it."""
    files = [path for game in TURNS for path in scene_files(game, FILES_PER_GAME)]
    net = Detector()

    def step(number: int) -> Tensor:
        picture, maps, weights = cuts.batch()
        return detector_loss(net(picture), maps, weights)

    cuts = Cuts(progress.seed, files)
    train(Run("detector", net, step, (1, 3, 480, 640), dynamic={2: "height", 3: "width"}), progress)
