"""Whole Bits ramps as the reader rectifies them, turned at random: which way is up?"""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from models.studio.scene import render
from vision.families import Family
from vision.geometry import rotations, through

VIEWS = 4
"""Differently placed views of each rendered ramp."""


def ramp_views(family: Family, seed: int, count: int) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int8]]:
    """`count` pictures (px, px, 3) BGR and, as (count, 1), the clockwise quarter turns of each."""
    rng = np.random.default_rng([seed, count, 77])
    px = family.crop_px
    images = np.empty((count, px, px, 3), np.uint8)
    labels = np.empty((count, 1), np.int8)
    ticks = ((np.arange(px) + 0.5) / px * 2 - 1) * family.crop_span / 2
    plane = np.stack(np.meshgrid(ticks, ticks), axis=-1)
    done = 0
    while done < count:
        zoom = float(rng.uniform(0.8, 1.6))
        size = (round(400 * zoom), round(300 * zoom))
        scene = render("bits", int(rng.integers(2**31)), style="crops", size=size, simple=True)
        rows, columns = (max(cell.at[axis] for cell in scene.cells) + 1 for axis in (0, 1))
        middle = np.array([(columns - 1) / 2, (rows - 1) / 2])
        for _ in range(min(VIEWS, count - done)):
            turn = int(rng.integers(4))
            jitter = rotations(-turn * np.pi / 2 + rng.normal(0, 0.02)) * np.exp(rng.normal(0, 0.03))
            lattice = middle + plane @ jitter.T + rng.normal(0, 0.08, 2)
            places = through(scene.lattice, lattice).astype(np.float32)
            images[done] = cv2.remap(
                scene.image,
                places[..., 0],
                places[..., 1],
                cv2.INTER_LINEAR,
                borderMode=cv2.BORDER_REPLICATE,
            )
            labels[done] = turn
            done += 1
    return images, labels
