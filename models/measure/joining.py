"""One photo against two joined, and against a round of four players read together, under glare.

`python -m models.measure.joining` lays boards in the looks of the studio's `exam` (`--style` for others) and
photographs them with lamps mirrored in some of the tiles, elsewhere in each photo; prints how many are wrong.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import cv2
import numpy as np

import vision
from models.measure.turns import aligned
from models.studio.painters import painter
from models.studio.plan import Plan
from models.studio.scene import Scene, taken
from scoring.registry import find_game
from vision.joining import join, join_round
from vision.reading import Cell, Reading, Unreadable

SIZE = (1600, 1200)
LAMPS = (1, 3)
"""How many lamps may be mirrored in one photo."""
PLAYERS = 4
AGAIN = 6

Tiles = Mapping[Cell, str]


@dataclass
class Count:
    """Readings of one kind against the truth."""

    tiles: int = 0
    wrong: int = 0
    silent: int = 0
    boards: int = 0
    boards_right: int = 0
    doubts: int = 0

    def add(self, reading: Reading, truth: Tiles) -> None:
        self.boards += 1
        self.tiles += len(truth)
        read = {cell.at: cell.tile for cell in reading.cells}
        true = aligned(truth, read) if reading.game in ("qwirkle", "trio") else truth
        asked = {doubt.at for doubt in reading.doubts}
        wrong = {at for at in read.keys() | true.keys() if read.get(at) != true.get(at)}
        self.wrong += len(wrong)
        self.silent += len(wrong - asked)
        self.boards_right += not wrong
        self.doubts += len(asked)

    def row(self, name: str) -> str:
        return (
            f"| {name} | {self.boards} | {100 * (1 - self.wrong / max(1, self.tiles)):.2f} % | {self.wrong} |"
            f" {self.silent} | {self.boards_right} | {self.doubts / max(1, self.boards):.2f} |"
        )


HEAD = "| read | boards | tiles right | wrong tiles | silently | boards right | doubts a board |"


@dataclass
class Figures:
    """One game's. Photos the reader refuses are counted and left out of both ways alike."""

    counts: dict[str, Count] = field(default_factory=dict)
    refused: int = 0

    def add(self, name: str, reading: Reading, truth: Tiles) -> None:
        self.counts.setdefault(name, Count()).add(reading, truth)


def plan_of(game: str, seed: int, style: str, lay: Mapping[str, Any] | None = None) -> Plan:
    """One copy of the game on one table; photographs of it share its print and its tiles."""
    rng = np.random.default_rng([seed, *game.encode()])
    planned: Plan = painter(game).plan(rng, pixels_per_unit=96, exam=style == "exam", lay=lay)
    return planned


def glary(plan: Plan, seed: int, number: int, style: str) -> Scene:
    """A photograph of this table, from another side for each number, with lamps mirrored in its tiles."""
    rng = np.random.default_rng([seed, number])
    scene = taken(rng, plan, seed, SIZE, style)
    middles = np.array([cell.polygon.mean(0) for cell in scene.cells if cell.tile])
    spans = [np.ptp(cell.polygon, axis=0).max() for cell in scene.cells if cell.tile]
    image = scene.image.astype(np.float32)
    y, x = np.mgrid[: image.shape[0], : image.shape[1]].astype(np.float32)
    for _ in range(int(rng.integers(*LAMPS, endpoint=True))):
        at = middles[int(rng.integers(len(middles)))] + rng.normal(0, 0.3, 2) * np.median(spans)
        across, along = rng.uniform(0.35, 0.8, 2) * np.median(spans)
        spot = np.exp(-(((x - at[0]) / along) ** 2 + ((y - at[1]) / across) ** 2))
        image += 420 * rng.uniform(0.6, 1.0) * spot[..., None]
    _, jpeg = cv2.imencode(".jpg", np.clip(image, 0, 255).astype(np.uint8), [cv2.IMWRITE_JPEG_QUALITY, 90])
    return replace(scene, jpeg=jpeg.tobytes())


def truth_of(plan: Plan) -> dict[Cell, str]:
    return {(cell["at"][0], cell["at"][1]): cell["tile"] for cell in plan.truth["cells"]}


def read(scene: Scene) -> Reading | None:
    try:
        return vision.read(scene.jpeg, scene.game)
    except Unreadable:
        return None


def joined(readings: Sequence[Reading]) -> Reading:
    """The join; of photos that do not agree, the first."""
    try:
        return join(readings)
    except Unreadable:
        return readings[0]


def measure_two(game: str, boards: int, first_seed: int, style: str) -> Figures:
    """One photo, and two joined."""
    found = Figures()
    seed = first_seed
    while found.counts.get("one photo", Count()).boards < boards:
        seed += 1
        plan = plan_of(game, seed, style)
        if plan.truth.get("illegal"):
            continue
        scenes = [glary(plan, seed, number, style) for number in range(2)]
        readings = [one for one in map(read, scenes) if one is not None]
        found.refused += 2 - len(readings)
        if len(readings) < 2:
            continue
        found.add("one photo", readings[0], truth_of(plan))
        found.add("two joined", joined(readings), truth_of(plan))
    return found


def measure_round(rounds: int, first_seed: int, style: str) -> Figures:
    """Mi pasuje!: each player's photo alone, and the four of a round together."""
    found = Figures()
    seed, done = first_seed, 0
    while done < rounds:
        seed += 1
        first = plan_of("mipasuje", seed, style)
        if first.truth.get("illegal") or first.truth.get("board") != "standard" or first.truth.get("aside"):
            continue
        plans = [
            plan_of("mipasuje", 1000 * seed + seat, style, dealt(first.truth, seed, seat))
            for seat in range(PLAYERS)
        ]
        readable = []
        for seat, plan in enumerate(plans):
            # A photo that is refused is taken again, from elsewhere.
            for number in range(AGAIN):
                one = read(glary(plan, seed, PLAYERS * number + seat, style))
                if one is not None and one.layout == "standard":
                    readable.append((plan, one))
                    break
                found.refused += 1
        if len(readable) < PLAYERS:
            continue
        done += 1
        better = join_round([one for _, one in readable])
        for (plan, reading), light in zip(readable, better, strict=True):
            found.add("each alone", reading, truth_of(plan))
            found.add("four together", light, truth_of(plan))
    return found


def dealt(truth: Mapping[str, Any], seed: int, seat: int) -> dict[str, Any]:
    """The same tiles placed by another player."""
    cells = truth["cells"]
    order = np.random.default_rng([seed, seat]).permutation(len(cells))
    tiles = [{key: value for key, value in cell.items() if key != "at"} for cell in cells]
    return {
        **truth,
        "cells": [{"at": cell["at"], **tiles[index]} for cell, index in zip(cells, order, strict=True)],
    }


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m models.measure.joining", description=__doc__)
    parser.add_argument("--boards", type=int, default=20, help="boards per game, and half as many rounds")
    parser.add_argument("--seed", type=int, default=50_000)
    parser.add_argument("--style", default="exam", choices=("any", "calm", "exam"))
    parser.add_argument("games", nargs="*", default=["mipasuje", "qwirkle"], metavar="GAME")
    args = parser.parse_args(argv)
    for game in args.games:
        print(f"\n{find_game(game).title}, studio {args.style} with glare\n\n{HEAD}\n{'|---' * 7}|")
        measured = [measure_two(game, args.boards, args.seed, args.style)]
        if game == "mipasuje":
            measured.append(measure_round(max(1, args.boards // 2), args.seed, args.style))
        for one in measured:
            for name, count in one.counts.items():
                print(count.row(name), flush=True)
        print(f"\n{sum(one.refused for one in measured)} photos were refused and are not in the table.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
