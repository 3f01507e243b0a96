"""A lesson of Bits: one player's dominoes beside the empty ramp, not touching each other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import combinations_with_replacement

import cv2
import numpy as np
from scipy.cluster.hierarchy import fcluster, linkage

from vision.beliefs import to_full
from vision.decode import Photo, Picture
from vision.detect import Detections, detect
from vision.editions import Edition
from vision.geometry import SQUARE, Floats, rotations, through
from vision.layout import BITS_COLUMNS, BITS_ROWS, Placed, place_ramp
from vision.lessons import WORD, Lesson, Problem, SeenTile, colour_gap, colour_names
from vision.look import look, no_board
from vision.settings import SETTINGS


@dataclass(frozen=True, slots=True)
class BitsLessonSettings:
    """Lengths in cells of the ramp."""

    look_px: int = 1152
    least_heat: float = 0.38
    size_slack: float = 0.35
    pair: tuple[float, float] = (0.72, 1.25)
    """How far apart the halves of a domino are."""
    like_table: float = 10.0
    """Levels from the table's colour within which something is a gap between dominoes."""
    least_dominoes: int = 8
    patch: float = 0.22
    """Around the middle of a half, what is surely its colour."""
    apart: float = 24.0
    """Levels by which a colour differs from the bare ramp at least."""
    small_set: int = 16
    """Up to so many dominoes have four colours, more have five."""


BITS_LESSON = BitsLessonSettings()


def bits_lesson(photo: Photo, name: str, answers: Mapping[str, str]) -> Lesson:
    """What the photo of dominoes and ramp shows."""
    placed = _ramp(photo.image)
    halves = _halves(photo.image)
    pairs = _pairs(halves)
    if not pairs:
        raise no_board()
    if len(pairs) < BITS_LESSON.least_dominoes:
        problem = Problem(
            "no-layout",
            f"{len(pairs)} dominoes were found; lay all 14 beside the empty ramp, not touching each other",
            facts={"count": len(pairs)},
        )
        return Lesson("bits", (), (), (problem,), None)
    members = [index for pair in pairs for index in pair]
    inks = np.stack([_patch(photo.image, halves.centre[i], float(halves.size[i])) for i in members])
    ground = np.median(
        [
            _patch(photo.image, middle, float(np.median(halves.size)))
            for middle in through(placed.lattice.homography, placed.cells)
        ],
        axis=0,
    )
    # Bare ramp beyond the cells that were found is no domino.
    own = [i for i in range(len(pairs)) if not _bare(inks[2 * i : 2 * i + 2], ground)]
    pairs = [pairs[i] for i in own]
    members = [index for pair in pairs for index in pair]
    inks = inks[[k for i in own for k in (2 * i, 2 * i + 1)]]
    group = _colours(inks, 4 if len(pairs) <= BITS_LESSON.small_set else 5)
    count = int(group.max()) + 1
    palette = np.stack([np.median(inks[group == k], axis=0) for k in range(count)])
    words, problems = _words(colour_names(palette, np.full(3, 255.0)), answers)
    dominoes = [tuple(sorted((int(group[2 * i]), int(group[2 * i + 1])))) for i in range(len(pairs))]
    problems += _set_problems(dominoes, words, count)
    washed = np.flatnonzero(inks.min(axis=1) >= SETTINGS.washed_out)
    if len(washed):
        cells = tuple((int(i) // 2, int(i) % 2) for i in washed)
        where = ", ".join(f"row {row + 1} column {column + 1}" for row, column in cells)
        problems.append(
            Problem(
                "glare",
                f"{len(cells)} halves cannot be seen well ({where}); shade the lamp or tilt",
                cells,
                {"count": len(cells), "places": where},
            )
        )
    if placed.seen < SETTINGS.least_seen:
        problems.append(Problem("no-ramp", "the empty ramp was not found; lay it beside the dominoes"))
    outline = SQUARE.outline * 0.96
    tiles = []
    for number, index in enumerate(members):
        steps = halves.root[index] @ rotations(halves.fold[index])
        corners = to_full(photo, outline @ steps.T + halves.centre[index])
        polygon = tuple((round(float(x), 1), round(float(y), 1)) for x, y in corners)
        tiles.append(SeenTile((number // 2, number % 2), words[int(group[number])], polygon))
    edition = None
    if not problems:
        edition = Edition(
            "bits",
            name,
            colours=words,
            inks=palette,
            ground=ground,
            size=placed.size,
            tiles=tuple(sorted("-".join(sorted((words[a], words[b]))) for a, b in dominoes)),
        )
    names = {f"colour-{k + 1}": word for k, word in enumerate(words)}
    return Lesson("bits", tuple(tiles), (), tuple(problems), edition, names)


def _ramp(image: Picture) -> Placed:
    """The empty ramp; which way is up does not matter here."""
    seen = look(image, "bits", SQUARE, SETTINGS)
    sizes = [(BITS_ROWS, columns) for columns in BITS_COLUMNS]
    return place_ramp(seen.lattice, sizes, np.zeros(4), SETTINGS)


def _halves(image: Picture) -> Detections:
    """Domino halves: what is seen as one and has not the colour of the table."""
    settings = replace(SETTINGS, least_heat=BITS_LESSON.least_heat)
    found, _ = detect(image, "bits", settings, BITS_LESSON.look_px)
    found = found.only(~found.empty)
    if not len(found):
        return found
    usual = float(np.median(found.size[found.heat >= np.median(found.heat)]))
    table = np.median(image[::8, ::8].reshape(-1, 3), axis=0).astype(np.float64)
    inks = np.stack([_patch(image, middle, usual) for middle in found.centre])
    fits = np.abs(np.log(found.size / usual)) < BITS_LESSON.size_slack
    return found.only(fits & (colour_gap(inks, table) > BITS_LESSON.like_table))


def _pairs(halves: Detections) -> list[tuple[int, int]]:
    """Two halves a cell apart are a domino; the warmest first."""
    if len(halves) < 2:
        return []
    gap = np.linalg.norm(halves.centre[:, None] - halves.centre[None], axis=2) / float(np.median(halves.size))
    low, top = BITS_LESSON.pair
    candidates = [
        (float(halves.heat[a] + halves.heat[b]) - 2 * abs(float(gap[a, b]) - 1), a, b)
        for a in range(len(halves))
        for b in range(a + 1, len(halves))
        if low < gap[a, b] < top
    ]
    free = np.ones(len(halves), bool)
    found = []
    for _, a, b in sorted(candidates, reverse=True):
        if free[a] and free[b]:
            found.append((a, b))
            # What else was seen on this very domino is no half of another.
            middle = (halves.centre[a] + halves.centre[b]) / 2
            near = np.linalg.norm(halves.centre - middle, axis=1) < 0.75 * float(np.median(halves.size))
            free &= ~near
            free[[a, b]] = False
    return found


def _patch(image: Picture, middle: Floats, size: float) -> Floats:
    reach = max(2, round(BITS_LESSON.patch * size))
    x, y = round(float(middle[0])), round(float(middle[1]))
    part = image[max(0, y - reach) : y + reach + 1, max(0, x - reach) : x + reach + 1]
    return np.median(cv2.blur(part, (3, 3)).reshape(-1, 3), axis=0).astype(np.float64)


def _bare(inks: Floats, ground: Floats) -> bool:
    return bool((np.linalg.norm(inks - ground, axis=1) < BITS_LESSON.apart).all())


def _colours(inks: Floats, count: int) -> np.ndarray:
    """(n,) which of `count` colours each half has; lighter and darker counts little."""
    total = inks.sum(axis=1, keepdims=True)
    features = np.concatenate([1000 * inks / np.maximum(total, 1), 0.12 * total], axis=1)
    found: np.ndarray = fcluster(linkage(features, "ward"), count, "maxclust") - 1
    return found


def _words(told: tuple[str, ...], answers: Mapping[str, str]) -> tuple[tuple[str, ...], list[Problem]]:
    words, problems = [], []
    for number, word in enumerate(told):
        given = answers.get(f"colour-{number + 1}", "").strip().lower() or word
        if not WORD.fullmatch(given):
            problems.append(
                Problem("bad-word", f"{given!r:.60} is not one word; name it with one", facts={"word": given})
            )
        words.append(given)
    for word in sorted({word for word in words if words.count(word) > 1}):
        problems.append(
            Problem(
                "name-twice", f"{word} is the name of two colours; give each its own", facts={"word": word}
            )
        )
    return tuple(words), problems


def _set_problems(dominoes: list[tuple[int, ...]], words: tuple[str, ...], count: int) -> list[Problem]:
    """Every double twice, every mixed pair once."""
    if count not in (4, 5):
        return [
            Problem(
                "colours",
                f"{count} colours were seen, not four or five; take the photo in even light",
                facts={"count": count},
            )
        ]
    have = Counter(dominoes)
    problems = []
    for pair in combinations_with_replacement(range(count), 2):
        wanted = 2 if pair[0] == pair[1] else 1
        label = f"{words[pair[0]]}-{words[pair[1]]}"
        if have[pair] < wanted:
            problems.append(Problem("missing", f"{label} is missing", facts={"tile": label}))
        elif have[pair] > wanted:
            where = f"{have[pair]} times"
            problems.append(
                Problem(
                    "double",
                    f"{label} is there {where}; the set has {wanted}",
                    facts={"tile": label, "places": where},
                )
            )
    return problems
