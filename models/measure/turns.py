"""Turn by turn: how well the tiles placed in each step of a growing table are found.

`python -m models.measure.turns FOLDER…` reads the photos of each folder in the order of their names, lays
each on the table known from the ones before, and compares what is new with the truth files beside the photos.
`sequence.json` in the folder may give the points of each step. `--answered` answers every doubt with the
truth before the next photo comes, as people at a table would; without it, nobody helps.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter
from types import MappingProxyType
from typing import Any

import vision
from models.measure.cases import Case, find_cases
from scoring.core import Board
from scoring.registry import find_game
from vision.match import Known, KnownCell, Matched, Placement, known_from, known_tiles, match, turned
from vision.reading import Alternative, Cell, Reading, Unreadable
from web.turn_choice import board_of, legal_first, open_cells, seen_since

Tiles = Mapping[Cell, str]
NO_TILES: Tiles = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Step:
    """One photo of a growing table against its truth."""

    photo: str
    right: bool
    """Exactly the placed tiles were found, each in its place."""
    silent: bool
    """Something is wrong that is not asked about."""
    asked: int
    """Doubts that people would have to settle."""
    points: int | None
    expected: int | None
    ms: float
    """Matching and scoring, without the reading."""
    problem: str = ""
    wrong: str = ""
    """Cell by cell, what was read and what truly lies there."""

    @property
    def points_right(self) -> bool:
        return self.expected is None or self.points == self.expected


class Follower:
    """Follows one table photo by photo, and compares it with the truth after each."""

    def __init__(self, game: str, answered: bool) -> None:
        self.game = find_game(game)
        self.answered = answered
        self.known = Known(game)
        self.tiles: dict[Cell, str] = {}
        self.truth: dict[Cell, str] = {}
        """The true table before the next photo, in this table's coordinates."""

    def step(self, name: str, reading: Reading, truth: Tiles, expected: int | None, **options: Any) -> Step:
        start = perf_counter()
        matched = match(self.known, reading)
        before = board_of(self.game, self.tiles)
        open_ = open_cells(self.known)
        matched = replace(matched, reading=legal_first(self.game, before, open_, matched.reading))
        after = {cell.at: cell.tile for cell in matched.reading.cells}
        points = self._points(after, options)
        ms = (perf_counter() - start) * 1000
        true_after = self._in_place(truth, after)
        wrong = {at for at in after.keys() | true_after.keys() if after.get(at) != true_after.get(at)}
        asked = {doubt.at for doubt in matched.reading.doubts}
        read = after
        if asked and self.answered:
            after = true_after if wrong <= asked else after
            points = self._points(after, options)
        found = Step(
            name,
            not wrong,
            bool(wrong - asked) or (bool(matched.rivals) and bool(wrong)),
            len(asked),
            points,
            expected,
            ms,
            wrong=", ".join(f"{at}: {read.get(at)} for {true_after.get(at)}" for at in sorted(wrong)),
        )
        self._remember(matched, after, asked)
        self.truth = dict(true_after)
        return found

    def begin(self, tiles: Tiles) -> None:
        """What lies there before the first photo, and everybody knows."""
        self.tiles, self.truth = dict(tiles), dict(tiles)
        self.known = known_tiles(self.game.id, tiles)

    def lost(self, name: str, problem: Unreadable, expected: int | None) -> Step:
        """A photo that could not be read: the next one shows two turns at once."""
        return Step(name, False, False, 1, None, expected, 0.0, f"{problem.code}: {problem}")

    def _points(self, after: Tiles, options: Mapping[str, Any]) -> int:
        before, now = (self._board(tiles) for tiles in (self.tiles, after))
        before = seen_since(before, open_cells(self.known), now)
        return self.game.move(before, now, self.game.parse_options(options)).points

    def _board(self, tiles: Tiles) -> Board[Any]:
        return Board(self.game.id, {at: self.game.parse_tile(tile, "tile") for at, tile in tiles.items()})

    def _remember(self, matched: Matched, after: Tiles, asked: set[Cell]) -> None:
        self.tiles = dict(after)
        if not self.answered:
            self.known = known_from(matched.reading)
            return
        seen = dict(known_from(matched.reading).cells)
        read = {cell.at: cell.tile for cell in matched.reading.cells}
        cells = []
        for at, tile in after.items():
            if at in asked or at not in seen:
                was_read = (read[at],) if at in read and read[at] != tile else ()
                cells.append((at, KnownCell((Alternative(tile, 1.0),), told=True, misread=was_read)))
            else:
                cells.append((at, seen[at]))
        hints = {doubt.at: sum(one.p for one in doubt.alternatives if one.tile)
                 for doubt in matched.reading.doubts}  # fmt: skip
        empties = dict(self.known.empties) | {at: hints[at] for at in asked if at not in after}
        self.known = Known(self.game.id, tuple(cells), tuple(empties.items()))

    def _in_place(self, truth: Tiles, after: Tiles) -> dict[Cell, str]:
        return aligned(truth, after, self.truth)


def aligned(truth: Tiles, tiles: Tiles, before: Tiles = NO_TILES) -> dict[Cell, str]:
    """The truth file's table in the coordinates of `tiles`: where most fall on one of their kind.

    What was true `before` decides first: a table that agrees as a whole but not with its past is wrong.
    """
    best: tuple[int, dict[Cell, str]] = (-1, dict(truth))
    votes: dict[Placement, int] = {}
    for at, tile in tiles.items():
        for cell, true in truth.items():
            if tile == true:
                for turns in range(4):
                    row, column = turned(cell, turns)
                    where = Placement(turns, (at[0] - row, at[1] - column))
                    votes[where] = votes.get(where, 0) + 1
    for where in sorted(votes, key=lambda one: -votes[one])[:8]:
        moved = {where.known(cell): tile for cell, tile in truth.items()}
        agree = sum(2 * (moved.get(at) == tile) for at, tile in before.items())
        agree += sum(tiles.get(at) == tile for at, tile in moved.items())
        if agree > best[0]:
            best = (agree, moved)
    return best[1]


def follow(folder: Path, answered: bool = False) -> list[Step]:
    """Every step of one folder's table."""
    cases, _ = find_cases([folder])
    points = _given_points(folder)
    follower = Follower(cases[0].truth.game, answered)
    steps = []
    for case in sorted(cases, key=lambda one: one.photo.name):
        steps.append(_step(follower, case, points.get(case.photo.name)))
    return steps


def _step(follower: Follower, case: Case, expected: int | None) -> Step:
    try:
        reading = vision.read(case.photo.read_bytes(), case.truth.game)
        return follower.step(case.photo.name, reading, case.truth.tiles, expected)
    except Unreadable as problem:
        return follower.lost(case.photo.name, problem, expected)


def _given_points(folder: Path) -> dict[str, int | None]:
    path = folder / "sequence.json"
    if not path.is_file():
        return {}
    return {step["photo"]: step.get("points") for step in json.loads(path.read_text())["steps"]}


def summary(name: str, steps: Sequence[Step]) -> str:
    """One line of figures."""
    with_points = [step for step in steps if step.expected is not None]
    ms = sorted(step.ms for step in steps)
    return (
        f"{name}: {len(steps)} steps, placed tiles right {sum(step.right for step in steps)}"
        f" ({100 * sum(step.right for step in steps) / len(steps):.1f} %),"
        f" without a question {sum(step.right and not step.asked for step in steps)},"
        f" silently wrong {sum(step.silent for step in steps)},"
        f" doubts {sum(step.asked for step in steps)},"
        f" unread {sum(bool(step.problem) for step in steps)},"
        f" points right {sum(step.points_right for step in with_points)} of {len(with_points)},"
        f" matching and scoring median {ms[len(ms) // 2]:.1f} ms, worst {ms[-1]:.1f} ms"
    )


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m models.measure.turns", description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    parser.add_argument("--answered", action="store_true", help="doubts are answered before the next photo")
    parser.add_argument("--steps", action="store_true", help="one line per step that is not plainly right")
    args = parser.parse_args(argv)
    wrong = 0
    for folder in args.folders:
        steps = follow(folder, args.answered)
        print(summary(folder.name, steps))
        for step in steps:
            wrong += step.silent
            if args.steps and (not step.right or step.asked or not step.points_right):
                print(f"  {step}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
