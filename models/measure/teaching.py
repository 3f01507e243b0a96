"""`python -m models.measure.teaching`: copies nobody trained on, read before and after one teaching photo."""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from statistics import median
from time import perf_counter
from typing import Any

import cv2
import numpy as np
from tqdm import tqdm

from models.measure.compare import Comparison, Truth, compare, score
from models.studio.scene import Scene
from models.studio.taught import COPIES
from scoring.formats import parse_board_file
from vision.editions import Edition
from vision.lessons import Lesson
from vision.pipeline import read
from vision.reading import Unreadable
from vision.teach import learn

LESSON_SEED, SCENE_SEED = 990_000_000, 991_000_000
"""Beyond every set that is trained on, tuned on or measured elsewhere."""
LESSONS_TRIED = 4
"""People whose photo cannot teach take another one."""


@dataclass(frozen=True, slots=True)
class Line:
    """One game, before or after teaching."""

    game: str
    when: str
    photos: int
    refused: int
    tiles_right: float
    boards_right: float
    boards_right_or_asked: float
    """Boards without a silent error, refused ones not counted as right."""
    silent_errors: int
    doubts_per_board: float
    read_ms: float


def truth_of(scene: Scene) -> Truth:
    """The scene's truth as the measuring stick wants it."""
    game, board, options = parse_board_file(scene.truth)
    cells = game.board_json(board)["cells"]
    return Truth(
        game.id,
        {tuple(cell["at"]): cell["tile"] for cell in cells},
        {tuple(cell["at"]): cell["mark"] for cell in cells if cell.get("mark")},
        board.layout,
        board.size,
        total=game.score(board, options).total,
    )


def true_tiles(lesson: Lesson, scene: Scene) -> dict[tuple[int, int], tuple[str, str | None]]:
    """What truly lies where the lesson saw a tile."""
    found = {}
    outlines = [(cell.polygon.astype(np.float32), cell) for cell in scene.cells if cell.tile is not None]
    for tile in lesson.tiles:
        x, y = np.mean(tile.polygon, axis=0)
        for outline, cell in outlines:
            if cv2.pointPolygonTest(outline, (float(x), float(y)), False) >= 0:
                found[tile.at] = (str(cell.tile), cell.mark)
    return found


def answers_for(lesson: Lesson, scene: Scene) -> dict[str, str]:
    """What people who know their copy would answer and correct."""
    truth = true_tiles(lesson, scene)
    given = {}
    for key in {*lesson.names, *(question.key for question in lesson.questions)}:
        what, _, rest = key.partition("-")
        if what in ("row", "column"):
            line = [
                tile.split(" ")
                for at, (tile, _) in truth.items()
                if at[0 if what == "row" else 1] == int(rest) - 1
            ]
            by_aspect = [Counter(words[aspect] for words in line).most_common(1)[0] for aspect in (0, 1)]
            given[key] = max(by_aspect, key=lambda pair: pair[1])[0]
        elif what == "mark":
            marks = [mark for tile, mark in truth.values() if tile == rest]
            given[key] = marks[0] or "none" if marks else "none"
        elif what == "colour":
            members = [at for question in lesson.questions if question.key == key for at in question.cells]
            members += [tile.at for tile in lesson.tiles if tile.tile == lesson.names.get(key)]
            words = [truth[at][0] for at in members if at in truth]
            if words:
                given[key] = Counter(words).most_common(1)[0][0]
    return given


def taught(game: str, number: int) -> tuple[Edition | None, float, int]:
    """The edition that one photo gives, the seconds it took, and how many photos had to be taken."""
    copy = COPIES[game](number)
    for attempt in range(LESSONS_TRIED):
        scene = copy.lesson(LESSON_SEED + 100 * number + attempt)
        try:
            lesson = learn([scene.jpeg], game, "taught")
            answers = answers_for(lesson, scene)
            start = perf_counter()
            lesson = learn([scene.jpeg], game, "taught", answers)
            seconds = perf_counter() - start
        except Unreadable:
            continue
        if lesson.edition is not None:
            return lesson.edition, seconds, attempt + 1
    return None, 0.0, LESSONS_TRIED


def line(game: str, when: str, rows: list[tuple[Comparison | None, int, float]]) -> Line:
    compared = [comparison for comparison, _, _ in rows if comparison is not None]
    cells = sum(len(one.cells) for one in compared)
    return Line(
        game,
        when,
        len(rows),
        len(rows) - len(compared),
        sum(one.right for one in compared) / max(cells, 1),
        sum(one.board_right for one in compared) / len(rows),
        sum(not one.silent_error for one in compared) / len(rows),
        sum(one.silent_error for one in compared),
        sum(doubts for comparison, doubts, _ in rows if comparison) / max(len(compared), 1),
        median(ms for _, _, ms in rows),
    )


def measured(
    game: str, copies: Iterable[int], photos: int, bar: Any = None
) -> tuple[list[Line], list[dict[str, Any]]]:
    """Before and after, over `photos` scenes of each copy; and one row per photo."""
    before: list[tuple[Comparison | None, int, float]] = []
    after: list[tuple[Comparison | None, int, float]] = []
    rows: list[dict[str, Any]] = []
    for number in copies:
        edition, seconds, tries = taught(game, number)
        copy = COPIES[game](number)
        for index in range(photos):
            scene = copy.scene(SCENE_SEED + 1000 * index)
            truth = truth_of(scene)
            row: dict[str, Any] = {
                "game": game,
                "copy": number,
                "photo": index,
                "lesson_s": seconds,
                "lessons": tries,
            }
            for when, options, into in (("before", {}, before), ("after", {"edition": edition}, after)):
                start = perf_counter()
                try:
                    if when == "after" and edition is None:
                        raise Unreadable("not-taught", "no lesson succeeded")
                    reading = read(scene.jpeg, game, options)
                except Unreadable as error:
                    into.append((None, 0, (perf_counter() - start) * 1000))
                    row[when] = error.code
                    continue
                ms = (perf_counter() - start) * 1000
                _, _, parsed = parse_board_file(scene.truth)
                compared = compare(reading, truth, score(reading, parsed))
                into.append((compared, len(reading.doubts), ms))
                row[when] = [cell.text for cell in compared.wrong] + ["silent"] * compared.silent_error
            rows.append(row)
            if bar is not None:
                bar.update()
    return [line(game, "before", before), line(game, "after", after)], rows


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m models.measure.teaching", description=__doc__)
    parser.add_argument("--game", action="append", choices=tuple(COPIES))
    parser.add_argument("--copies", type=int, default=3)
    parser.add_argument("--photos", type=int, default=10, help="scenes per copy")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--rows", action="store_true", help="also one line per photo")
    given = parser.parse_args()
    cv2.setNumThreads(1)
    games = given.game or list(COPIES)
    lines, rows = [], []
    with tqdm(total=len(games) * given.copies * given.photos, unit="photo", disable=None) as bar:
        for game in games:
            found, each = measured(game, range(given.copies), given.photos, bar)
            lines += found
            rows += each
    if given.json:
        print(json.dumps({"lines": [asdict(one) for one in lines], "photos": rows}))
        return
    print("game      teaching  photos  refused  tiles right  boards right  silent  doubts  ms")
    for one in lines:
        print(
            f"{one.game:<9} {one.when:<8} {one.photos:>7} {one.refused:>8} {one.tiles_right:>12.2%}"
            f" {one.boards_right:>13.2%} {one.silent_errors:>7} {one.doubts_per_board:>7.2f}"
            f" {one.read_ms:>4.0f}"
        )
    for game in games:
        own = {(row["copy"], row["lesson_s"], row["lessons"]) for row in rows if row["game"] == game}
        print(f"{game}: lessons of {', '.join(f'{s:.2f} s (photo {n})' for _, s, n in sorted(own))}")
    if given.rows:
        for row in rows:
            print(row)


if __name__ == "__main__":
    main()
