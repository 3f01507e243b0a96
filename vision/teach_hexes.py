"""A lesson of Mi pasuje!: one player's 27 + 4 tiles lying apart, in any order and any way round.

Every digit is shown on nine tiles or more and every tile is there once, so that the whole set says what no
single tile could: which value is which in this print, and which tile carries a sun or a moon.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from scoring.mipasuje.tiles import TILES
from vision.beliefs import to_full
from vision.classify import Evidence, classify, log_softmax
from vision.decode import Photo, Picture
from vision.detect import Detections, detect
from vision.editions import Edition, Example
from vision.families import HEX
from vision.geometry import HEXAGONAL, Floats, rotations
from vision.hexlines import VALUES, grounds, line_inks
from vision.joint import settle
from vision.lessons import Lesson, Problem, Question, SeenTile
from vision.look import no_board
from vision.reading import Cell
from vision.settings import SETTINGS
from vision.tiles import hex_kinds

BASIC = tuple(tile for tile in TILES if "*" not in tile)
JOKERS = tuple(tile for tile in TILES if "*" in tile)


@dataclass(frozen=True, slots=True)
class HexLessonSettings:
    """How tiles that lie about are found and told apart."""

    look_px: int = 1152
    least_heat: float = 0.2
    size_slack: float = 0.35
    """Largest difference of a tile's size from the usual one, as a logarithm."""
    least_tiles: int = 20
    second_copy_cost: float = 14.0
    """What it takes, in nats, to believe that a tile is there twice."""
    ink_noise: float = 20.0
    """Levels by which the colour of one value differs within one photo."""
    most_ink: float = 10.0
    joker_ink: float = 5.0
    """Nats against a line whose colour is far from a value's, and against any joker."""
    few_unsure: int = 3
    very_sure_mark: float = 0.995
    sure_mark: float = 0.9
    """Probability from which on a symbol needs no question."""
    touching: float = 1.55
    """Closer than so many sides two tiles touch."""


HEX_LESSON = HexLessonSettings()


def hex_lesson(photo: Photo, name: str, answers: Mapping[str, str]) -> Lesson:
    """What the photo of the spread-out set shows."""
    found = _loose_tiles(photo.image)
    if not len(found):
        raise no_board()
    if float(np.median(found.rivals - found.heat)) > SETTINGS.rival_lead:
        raise no_board()
    if len(found) < HEX_LESSON.least_tiles:
        count = len(found)
        problem = Problem(
            "no-layout",
            f"{count} tiles were found; lay all 27 and the 4 special ones out and photograph them from above",
            facts={"count": count},
        )
        return Lesson("mipasuje", (), (), (problem,), None)
    crops, steps = upright_crops(photo.image, found)
    evidence = classify(crops, HEX)
    named = _named(evidence, line_inks(crops))
    order = _reading_order(found.centre)
    marks, unsure = _marks(evidence, named, answers)
    counts = Counter(named)
    problems = _set_problems(counts, named, order, crops, found)
    questions = [
        Question(
            f"mark-{named[index]}",
            "mark",
            f"does {named[index]} carry a sun or a moon?",
            (order[index],),
            ("sun", "moon", "none"),
            marks[index] or "none",
        )
        for index in unsure
    ]
    outline = HEXAGONAL.outline * 0.95
    tiles = []
    for index in sorted(range(len(named)), key=lambda one: order[one]):
        corners = to_full(photo, outline @ steps[index].T + found.centre[index])
        polygon = tuple((round(float(x), 1), round(float(y), 1)) for x, y in corners)
        note = "double" if counts[named[index]] > 1 else ""
        tiles.append(SeenTile(order[index], named[index], polygon, marks[index], note))
    edition = None
    if not problems and not questions:
        edition = Edition(
            "mipasuje",
            name,
            marks={tile: mark for tile, mark in zip(named, marks, strict=True) if mark},
            marked=True,
            colours=VALUES,
            inks=_value_inks(line_inks(crops), named),
            ground=np.median(grounds(crops), axis=0),
            examples=tuple(
                Example(tile, mark, crop) for tile, mark, crop in zip(named, marks, crops, strict=True)
            ),
        )
    names = {f"mark-{tile}": mark or "none" for tile, mark in zip(named, marks, strict=True)}
    return Lesson("mipasuje", tuple(tiles), tuple(questions), tuple(problems), edition, names)


def _value_inks(inks: Floats, named: list[str]) -> Floats:
    """(9, 3) the colour of each value's line."""
    lines = [tile.split("-") for tile in named]
    found = []
    for number, value in enumerate(VALUES):
        way = number // 3
        shown = np.array([values[way] == value for values in lines])
        found.append(np.median(inks[shown, way], axis=0))
    return np.stack(found)


def _loose_tiles(image: Picture) -> Detections:
    settings = replace(SETTINGS, least_heat=HEX_LESSON.least_heat)
    found, _ = detect(image, "mipasuje", settings, HEX_LESSON.look_px)
    found = found.only(~found.empty)
    if not len(found):
        return found
    size = np.log(found.size)
    return found.only(np.abs(size - np.median(size)) < HEX_LESSON.size_slack)


def upright_crops(image: Picture, found: Detections) -> tuple[npt.NDArray[np.uint8], Floats]:
    """(n, px, px, 3) crops with digits upright, and (n, 2, 2) the steps of each tile's own plane."""
    steps = found.root @ rotations(found.fold)
    turn = classify(_crops(image, found.centre, steps), HEX).log_p("turn").argmax(axis=1)
    steps = steps @ rotations(turn * np.pi / 3)
    return _crops(image, found.centre, steps), steps


def _crops(image: Picture, centre: Floats, steps: Floats, px: int = HEX.crop_px) -> npt.NDArray[np.uint8]:
    ticks = ((np.arange(px) + 0.5) / px * 2 - 1) * HEX.crop_span / 2
    plane = np.stack(np.meshgrid(ticks, ticks), axis=-1)
    crops = []
    for middle, step in zip(centre, steps, strict=True):
        places = (plane @ step.T + middle).astype(np.float32)
        zoom = float(np.sqrt(abs(np.linalg.det(step)))) * HEX.crop_span / px
        soft = cv2.GaussianBlur(image, (0, 0), 0.4 * zoom) if zoom > 2.5 else image
        crops.append(
            cv2.remap(soft, places[..., 0], places[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        )
    return np.stack(crops).astype(np.uint8)


def _named(evidence: Evidence, inks: Floats) -> list[str]:
    """Which tile each one is: in a whole set each is there once, and only plain sight says otherwise.

    What the whole set agrees on is learnt as the print's own look, and every tile is looked at again.
    """
    kinds = hex_kinds(HEX)
    log_p = kinds.log_p({aspect: evidence.log_p(aspect) for aspect in kinds.aspects})
    for _ in range(3):
        best = settle(log_softmax(log_p), 1, HEX_LESSON.second_copy_cost).argmax(axis=1)
        aspects = {}
        for position, aspect in enumerate(kinds.aspects):
            own = np.array([kinds.answers[int(tile)][position] for tile in best])
            features = evidence.features[aspect]
            prototypes = evidence.looks.prototypes[aspect].astype(np.float64).copy()
            for kind in range(len(prototypes)):
                if (own == kind).any():
                    prototypes[kind] += 2 * features[own == kind].mean(axis=0)
            prototypes /= np.linalg.norm(prototypes, axis=1, keepdims=True)
            aspects[aspect] = log_softmax(evidence.looks.sharpness[aspect] * features @ prototypes.T)
            aspects[aspect] = aspects[aspect] + _ink_nats(inks[:, position], own, len(prototypes) - 1)
        log_p = kinds.log_p(aspects)
    return [kinds.names[int(tile)] for tile in best]


def _ink_nats(ink: Floats, own: npt.NDArray[np.intp], values: int) -> Floats:
    """(n, values + joker) nats: one value has one colour in one photo, a joker has any."""
    found = np.full((len(ink), values + 1), -HEX_LESSON.joker_ink)
    for value in range(values):
        if (own == value).sum() > 1:
            away = np.linalg.norm(ink - np.median(ink[own == value], axis=0), axis=1) / HEX_LESSON.ink_noise
            found[:, value] = -np.minimum(0.5 * away**2, HEX_LESSON.most_ink)
    return found


def _reading_order(centre: Floats) -> dict[int, Cell]:
    """Tiles that lie about, counted in lines from the top."""
    if not len(centre):
        return {}
    gap = 0.6 * float(
        np.median(np.sort(np.linalg.norm(centre[:, None] - centre[None], axis=2), axis=1)[:, 1])
    )
    lines: list[list[int]] = []
    for index in np.argsort(centre[:, 1], kind="stable").tolist():
        if lines and centre[index, 1] - np.mean([centre[i, 1] for i in lines[-1]]) < gap:
            lines[-1].append(index)
        else:
            lines.append([index])
    return {
        index: (row, column)
        for row, line in enumerate(lines)
        for column, index in enumerate(sorted(line, key=lambda i: float(centre[i, 0])))
    }


def _marks(
    evidence: Evidence, named: list[str], answers: Mapping[str, str]
) -> tuple[list[str | None], list[int]]:
    """Sun, moon or neither for each tile, and which of them have to be asked about."""
    kinds = ("none", "sun", "moon")
    features = evidence.features["mark"]
    log_p = evidence.log_p("mark")
    for _ in range(3):
        own = log_p.argmax(axis=1)
        prototypes = evidence.looks.prototypes["mark"].astype(np.float64).copy()
        for kind in range(len(kinds)):
            if (own == kind).sum() > 2:
                prototypes[kind] += 2 * features[own == kind].mean(axis=0)
        prototypes /= np.linalg.norm(prototypes, axis=1, keepdims=True)
        log_p = log_softmax(evidence.looks.sharpness["mark"] * features @ prototypes.T)
    p = np.exp(log_p)
    marks: list[str | None] = []
    unsure = []
    for index, tile in enumerate(named):
        given = answers.get(f"mark-{tile}", "")
        if given in kinds:
            marks.append(None if given == "none" else given)
            continue
        best = int(p[index].argmax())
        marks.append(None if best == 0 else kinds[best])
        if p[index, best] < HEX_LESSON.sure_mark:
            unsure.append(index)
    if len(unsure) > HEX_LESSON.few_unsure:
        # Drawings the net cannot tell apart: then nearly every symbol is a question.
        asked = [f"mark-{tile}" not in answers for tile in named]
        unsure = [i for i in range(len(named)) if asked[i] and p[i].max() < HEX_LESSON.very_sure_mark]
    return marks, unsure


def _set_problems(
    counts: Counter[str],
    named: list[str],
    order: Mapping[int, Cell],
    crops: npt.NDArray[np.uint8],
    found: Detections,
) -> list[Problem]:
    problems = []
    washed = (crops.min(axis=3) >= SETTINGS.washed_out).mean(axis=(1, 2))
    hidden = np.flatnonzero(washed > float(np.median(washed)) + SETTINGS.glare_share)
    if len(hidden):
        cells = tuple(order[int(i)] for i in hidden)
        where = ", ".join(f"row {row + 1} column {column + 1}" for row, column in cells)
        problems.append(
            Problem(
                "glare",
                f"{len(cells)} tiles cannot be seen well ({where}); shade the lamp or tilt",
                cells,
                {"count": len(cells), "places": where},
            )
        )
    gap = np.linalg.norm(found.centre[:, None] - found.centre[None], axis=2) + 1e6 * np.eye(len(found))
    if float((gap.min(axis=1) / found.size).min()) < HEX_LESSON.touching:
        problems.append(Problem("touching", "some tiles touch each other; lay them apart"))
    for tile, count in counts.items():
        if count > 1:
            cells = tuple(order[i] for i, name in enumerate(named) if name == tile)
            where = ", ".join(f"row {row + 1} column {column + 1}" for row, column in cells)
            problems.append(
                Problem(
                    "double",
                    f"{tile} is there twice, in {where}; lay out one player's set",
                    cells,
                    {"tile": tile, "places": where},
                )
            )
    jokers = [tile for tile in JOKERS if counts[tile]]
    wanted = BASIC + (JOKERS if jokers else ())
    if not len(hidden):
        for tile in wanted:
            if not counts[tile]:
                problems.append(Problem("missing", f"{tile} is missing", facts={"tile": tile}))
    return problems
