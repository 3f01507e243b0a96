"""Whole games, photographed turn by turn: every turn's points and every total, with and without bad photos.

`python -m models.measure.games` plays a game of Qwirkle and one of Trio, renders the table after every turn
from another side, in other light and framing, reads each photo on the table known before, and compares.
`--spoiled 0.05` blurs or overexposes that share of the photos.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace

import cv2
import numpy as np

import vision
from models.measure.playing import Played, whole_game
from models.measure.turns import Follower, Step, summary
from models.studio.painters import painter
from models.studio.scene import taken
from scoring.registry import find_game
from vision.reading import Unreadable

SIZE = (1600, 1200)
PLAYERS = {"qwirkle": 2, "trio": 2}
AGAIN = 3
"""So often somebody takes a photo that could not be read again, from elsewhere."""


def photograph(game: str, edition: str, seed: int, played: Played, shot: int, spoiled: bool) -> bytes:
    """The table after a turn: always the same copy of the game, each time from another side."""
    rules = find_game(game)
    lay = {
        "game": game,
        "cells": [
            {"at": list(at), "tile": rules.tile_name(tile)} for at, tile in sorted(played.table.items())
        ],
    }
    plan = painter(game).plan(np.random.default_rng(seed), edition=edition, pixels_per_unit=96, lay=lay)
    plan = replace(plan, spares=(), sprites=tuple(plan.sprites))
    rng = np.random.default_rng([seed, shot])
    scene = taken(rng, plan, seed, SIZE, "calm")
    return _spoiled(scene.jpeg, rng) if spoiled else scene.jpeg


def _spoiled(jpeg: bytes, rng: np.random.Generator) -> bytes:
    """A shaken photo, or one with a lamp in it."""
    image = np.asarray(cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR), np.float32)
    if rng.random() < 0.5:
        image = cv2.GaussianBlur(image, (0, 0), float(rng.uniform(2.5, 5)))
    else:
        y, x = np.mgrid[: image.shape[0], : image.shape[1]].astype(np.float32)
        at = rng.uniform(0.3, 0.7, 2) * SIZE
        wide = rng.uniform(50, 110)
        image += 420 * np.exp(-(((x - at[0]) / wide) ** 2 + ((y - at[1]) / wide) ** 2))[..., None]
    _, packed = cv2.imencode(".jpg", np.clip(image, 0, 255).astype(np.uint8))
    return bytes(packed)


def follow_game(
    game: str, edition: str, seed: int, turns: int, spoiled: float, answered: bool
) -> Iterator[Step]:
    """Every turn as it is read; a photo that is refused is taken again."""
    follower = Follower(game, answered)
    rules = find_game(game)
    rng = np.random.default_rng([seed, 1])
    for number, played in enumerate(whole_game(game, seed, PLAYERS[game], edition)):
        if number == turns:
            return
        truth = {at: rules.tile_name(tile) for at, tile in played.table.items()}
        options = {"last_tile": True} if played.last and game == "qwirkle" else {}
        if game == "trio" and number == 0:
            # The start tile lay there before the first turn.
            start = next(iter(played.table))
            follower.begin({start: truth[start]})
        refused: Unreadable | None = None
        for attempt in range(AGAIN):
            bad = attempt == 0 and rng.random() < spoiled
            try:
                jpeg = photograph(game, edition, seed, played, 10 * number + attempt, bad)
                reading = vision.read(jpeg, game)
                yield follower.step(f"{number + 1:03d}", reading, truth, played.points, **options)
                break
            except Unreadable as problem:
                refused = problem
        else:
            assert refused is not None
            yield follower.lost(f"{number + 1:03d}", refused, played.points)


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m models.measure.games", description=__doc__)
    parser.add_argument("games", nargs="*", default=["qwirkle", "trio"], metavar="GAME")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--turns", type=int, default=30, help="stop after so many turns")
    parser.add_argument("--spoiled", type=float, default=0.0, help="share of photos blurred or glary")
    parser.add_argument("--answered", action="store_true", help="doubts are answered before the next photo")
    args = parser.parse_args(argv)
    wrong = 0
    for game in args.games:
        edition = {"qwirkle": "purple", "trio": "cream"}[game]
        steps = []
        for step in follow_game(game, edition, args.seed, args.turns, args.spoiled, args.answered):
            steps.append(step)
            wrong += step.silent
            if not step.right or step.asked or not step.points_right:
                print(f"  {step}", flush=True)
        print(summary(game, steps), flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
