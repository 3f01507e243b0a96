"""`python -m models.train NET…`: train, resume and export the networks. Needs the `train` extra."""

from __future__ import annotations

import argparse
import math

import torch

from models.training import detector, inks, tiles
from models.training.calibration import calibrate
from models.training.loop import Progress
from vision.families import FAMILIES

STEPS = {
    "detector": 8800,
    "qwirkle": 13000,
    "trio": 18000,
    "mipasuje": 8300,
    "bits": 9000,
    "ramp": 3500,
    "inks": 24000,  # after the tile nets of Qwirkle and Trio: it learns from what they say
}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m models.train", description=__doc__)
    parser.add_argument("nets", nargs="+", choices=["all", *STEPS], metavar="NET")
    parser.add_argument("--steps", type=int, help="steps of the whole run")
    parser.add_argument(
        "--minutes", type=float, default=math.inf, help="stop after this long; go on next time"
    )
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--calibrate", action="store_true", help="only calibrate what is there already")
    chosen = parser.parse_args()
    torch.set_num_threads(chosen.threads)
    for name in STEPS if "all" in chosen.nets else chosen.nets:
        torch.manual_seed(chosen.seed)
        progress = Progress(chosen.steps or STEPS[name], chosen.seed, chosen.minutes)
        if name in FAMILIES:
            if not chosen.calibrate:
                tiles.main(name, progress)
            for aspect, (right, sharpness) in calibrate(FAMILIES[name]).items():
                print(f"{name} {aspect}: {right:.2%} of held-out crops right, sharpness {sharpness:.1f}")
        elif name == "inks":
            inks.main(progress)
        else:
            detector.main(progress)


if __name__ == "__main__":
    main()
