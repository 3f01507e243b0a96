"""A lesson of Trio or Qwirkle: six rows of six, where each row and each column shares a colour or a shape."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vision.beliefs import polygons
from vision.cellwise import sigmoid, tile_odds
from vision.classify import classify
from vision.decode import Photo
from vision.editions import Edition
from vision.families import QWIRKLE, TRIO, Family
from vision.findings import refuse_far, refuse_oblique, refuse_other_game
from vision.geometry import SQUARE, Floats
from vision.lessons import WORD, Lesson, Problem, Question, SeenTile, colour_gap, colour_names
from vision.look import look
from vision.reading import Cell
from vision.rectify import rectify
from vision.settings import SETTINGS, ReaderSettings
from vision.square_layout import LESSON, SIDE, Layout, lines, sorted_lines, upright, window
from vision.symbols import in_even_light, stencils, typical

FAMILIES: Mapping[str, Family] = {"trio": TRIO, "qwirkle": QWIRKLE}


def square_lesson(
    photo: Photo, game: str, name: str, answers: Mapping[str, str], settings: ReaderSettings = SETTINGS
) -> Lesson:
    """What the layout photo shows."""
    family = FAMILIES[game]
    seen = look(photo.image, game, SQUARE, settings)
    refuse_other_game(seen.lattice, settings)
    refuse_far(photo, seen.lattice, settings)
    refuse_oblique(seen.lattice, settings)
    places, inside, besides = window(upright(seen.lattice))
    if inside < LESSON.least_tiles:
        count = int((~seen.lattice.found.empty).sum())
        problem = Problem(
            "no-layout",
            f"{count} tiles were found; lay all 36 out in six rows of six and photograph them from above",
            facts={"count": count},
        )
        return Lesson(game, (), (), (problem,), None)
    crops = rectify(photo.image, places, family)
    evidence = classify(crops, family)
    there = (sigmoid(tile_odds(seen, places, evidence, settings)) > 0.5) | (places.detected >= 0)
    parts = in_even_light(crops, family.crop_span)
    layout = sorted_lines(Layout(places, crops, evidence, there, parts, *lines(), False, besides))
    return _Teacher(game, family, photo, layout, answers, settings).lesson(name)


@dataclass(frozen=True, slots=True, eq=False)
class _Teacher:
    """Looks the layout over, line by line."""

    game: str
    family: Family
    photo: Photo
    layout: Layout
    answers: Mapping[str, str]
    settings: ReaderSettings

    def lesson(self, name: str) -> Lesson:
        layout = self.layout
        hidden = self._hidden()
        good = layout.there & ~hidden
        inks = self._line_inks(good)
        ink_of, ink_foreign = self._ink_line(inks, good)
        shape_of, shape_foreign = self._shape_line(good)
        foreign = good & (ink_foreign | shape_foreign)
        # Beside a reflection a tile is rather half washed out than of another game.
        beside = np.array([_touches(index, hidden) for index in range(SIDE * SIDE)], bool)
        odd = foreign | (good & ((ink_of != layout.row) | (shape_of != layout.column)))
        hidden, foreign = hidden | (odd & beside), foreign & ~beside
        names, questions, problems = self._named(inks, good & ~foreign)
        notes = {int(i): "glare" for i in np.flatnonzero(hidden)}
        notes |= {int(i): "foreign" for i in np.flatnonzero(foreign)}
        tiles, labels = self._tiles(names, ink_of, shape_of, notes)
        if not problems:
            # Tiles are only compared by name once every line has one of its own.
            problems += self._faults(labels, hidden, foreign)
        known = self._net_knows(names)
        edition = None
        if not questions and not problems:
            kept = good & (ink_of == layout.row) & (shape_of == layout.column)
            edition = Edition(
                self.game,
                name,
                colours=tuple(names[layout.key("colour", k)] for k in range(SIDE)),
                inks=inks,
                ground=np.median(layout.parts.ground[good], axis=0),
                shapes=tuple(names[layout.key("shape", k)] for k in range(SIDE)),
                drawings={
                    names[layout.key("shape", k)]: typical(layout.parts.stencil[kept & (layout.column == k)])
                    for k in range(SIDE)
                },
                known_shapes=known,
            )
        return Lesson(self.game, tiles, tuple(questions), tuple(problems), edition, names)

    def _hidden(self) -> npt.NDArray[np.bool_]:
        """(36,) places under a reflection, or too faint to learn from."""
        layout = self.layout
        washed = (layout.crops.min(axis=3) >= self.settings.washed_out).mean(axis=(1, 2))
        usual_wash = float(np.median(washed[layout.there]))
        contrast, ink = layout.parts.contrast, layout.parts.ink
        lines = [layout.there & (layout.row == k) for k in range(SIDE)]
        usual = np.array([np.median(contrast[line]) if line.any() else 0.0 for line in lines])
        inks = np.stack([np.median(ink[line], axis=0) if line.any() else np.zeros(3) for line in lines])
        # A tile in the wrong line has that other ink's contrast.
        like = np.linalg.norm(ink[:, None] - inks[None], axis=2).argmin(axis=1)
        expected = np.minimum(usual[layout.row], usual[like])
        faint = layout.there & (contrast < LESSON.faint * expected)
        found: npt.NDArray[np.bool_] = (washed > usual_wash + LESSON.washed) | faint
        return found

    def _line_inks(self, good: npt.NDArray[np.bool_]) -> Floats:
        """(6, 3) the ink of each line of one colour."""
        ink, row = self.layout.parts.ink, self.layout.row
        return np.stack([np.median(ink[good & (row == k)], axis=0) for k in range(SIDE)])

    def _ink_line(
        self, inks: Floats, good: npt.NDArray[np.bool_]
    ) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.bool_]]:
        """Which line's ink each tile shows, and whether it is nobody's."""
        row = self.layout.row
        away = colour_gap(self.layout.parts.ink[:, None], inks[None])
        own = away[np.arange(len(row)), row]
        gaps = colour_gap(inks[:, None], inks[None]) + 1e3 * np.eye(SIDE)
        other = away.argmin(axis=1)
        wrong = good & (own > LESSON.least_ink) & (away.min(axis=1) < own - LESSON.wrong_ink)
        line = np.where(wrong, other, row)
        nearest = away[np.arange(len(row)), line]
        room = np.maximum(LESSON.foreign_ink * gaps.min(axis=1)[line], 2 * LESSON.least_ink)
        return line, good & (nearest > room)

    def _shape_line(self, good: npt.NDArray[np.bool_]) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.bool_]]:
        """Which line's drawing each tile shows, and whether it is nobody's; no tile speaks for itself."""
        column, stencil = self.layout.column, self.layout.parts.stencil
        every = stencils([stencil[i : i + 1] for i in range(len(stencil))])
        pair = every.likeness(stencil)
        pair = np.minimum(pair, pair.T)
        np.fill_diagonal(pair, -1.0)
        alike = np.full((len(column), SIDE), -1.0)
        for k in range(SIDE):
            members = np.flatnonzero(good & (column == k))
            best = np.sort(pair[:, members], axis=1)[:, ::-1]
            alike[:, k] = best[:, : max(1, min(3, len(members) - 1))].mean(axis=1)
        own = alike[np.arange(len(column)), column]
        wrong = good & (alike.max(axis=1) > own + LESSON.wrong_shape)
        line = np.where(wrong, alike.argmax(axis=1), column)
        usual = np.array(
            [
                np.median(own[good & (column == k)]) if (good & (column == k)).any() else 1.0
                for k in range(SIDE)
            ]
        )
        short = usual[line] - alike[np.arange(len(column)), line]
        foreign = good & (short > np.where(wrong, LESSON.stray_shape, LESSON.foreign_shape))
        return line, foreign

    def _named(
        self, inks: Floats, good: npt.NDArray[np.bool_]
    ) -> tuple[dict[str, str], list[Question], list[Problem]]:
        """The name of every line: as answered, as recognised, or asked for."""
        layout = self.layout
        aspects = {aspect.name: aspect.kinds for aspect in self.family.aspects}
        names: dict[str, str] = {}
        questions: list[Question] = []
        problems: list[Problem] = []
        ground = np.median(layout.parts.ground[good], axis=0) if good.any() else np.zeros(3)
        colours = colour_names(inks, ground, aspects["colour"])
        for k, name in enumerate(colours):
            names[layout.key("colour", k)] = name
        told, suggested = self._shape_names(good)
        for k in range(SIDE):
            key = layout.key("shape", k)
            if k in told:
                names[key] = told[k]
            elif not self.answers.get(key):
                cells = layout.cells(np.flatnonzero(layout.column == k))
                where = key.replace("-", " ")
                questions.append(
                    Question(
                        key, "name-shape", f"what is the shape in {where} called?", cells, (), suggested[k]
                    )
                )
                names[key] = f"shape{k + 1}"
        for key, given in self.answers.items():
            if key not in names and key not in {layout.key("shape", k) for k in range(SIDE)}:
                continue
            word = given.strip().lower()
            if WORD.fullmatch(word):
                names[key] = word
            else:
                problems.append(
                    Problem(
                        "bad-word", f"{given!r:.60} is not one word; name it with one", facts={"word": given}
                    )
                )
        for aspect in ("colour", "shape"):
            keys = [layout.key(aspect, k) for k in range(SIDE)]
            used = [names[key] for key in keys if key in names]
            for word in sorted({word for word in used if used.count(word) > 1}):
                lines = ", ".join(key.replace("-", " ") for key in keys if names.get(key) == word)
                problems.append(
                    Problem(
                        "name-twice",
                        f"{word} is the name of {lines}; give each its own",
                        facts={"word": word, "lines": lines},
                    )
                )
        return names, questions, problems

    def _shape_names(self, good: npt.NDArray[np.bool_]) -> tuple[dict[int, str], list[str]]:
        """Lines whose shape the tile net knows well, and what it would call the others."""
        kinds = next(aspect.kinds for aspect in self.family.aspects if aspect.name == "shape")
        p = np.exp(self.layout.evidence.log_p("shape"))
        mean = np.stack(
            [
                p[good & (self.layout.column == k)].mean(axis=0)
                if (good & (self.layout.column == k)).any()
                else np.zeros(len(kinds))
                for k in range(SIDE)
            ]
        )
        best = mean.argmax(axis=1)
        told: dict[int, str] = {}
        for k in range(SIDE):
            rivals = [mean[j, best[k]] for j in range(SIDE) if j != k]
            if mean[k, best[k]] >= LESSON.sure_name and max(rivals) < 0.5:
                told[k] = kinds[int(best[k])]
        suggested = [
            kinds[int(best[k])] if kinds[int(best[k])] not in told.values() else "" for k in range(SIDE)
        ]
        return told, suggested

    def _net_knows(self, names: Mapping[str, str]) -> bool:
        """Whether all six shapes are built-in ones that the tile net reads without a mistake here."""
        layout = self.layout
        kinds = next(aspect.kinds for aspect in self.family.aspects if aspect.name == "shape")
        wanted = [names.get(layout.key("shape", k), "") for k in range(SIDE)]
        if any(word not in kinds for word in wanted):
            return False
        p = np.exp(layout.evidence.log_p("shape"))
        right = np.array([kinds.index(wanted[k]) for k in layout.column])
        mine = p[np.arange(len(p)), right]
        return bool((p.argmax(axis=1) == right)[layout.there].all() and mine[layout.there].mean() > 0.9)

    def _tiles(
        self,
        names: Mapping[str, str],
        ink_of: npt.NDArray[np.intp],
        shape_of: npt.NDArray[np.intp],
        notes: Mapping[int, str],
    ) -> tuple[tuple[SeenTile, ...], dict[int, str]]:
        layout = self.layout
        outlines = polygons(self.photo, layout.placed)
        tiles, labels = [], {}
        for index in np.flatnonzero(layout.there).tolist():
            colour = names[layout.key("colour", int(ink_of[index]))]
            shape = names[layout.key("shape", int(shape_of[index]))]
            label = f"{colour} {shape}"
            if index not in notes:
                labels[index] = label
            (at,) = layout.cells([index])
            tiles.append(SeenTile(at, label, outlines[index], note=notes.get(index, "")))
        return tuple(tiles), labels

    def _faults(
        self, labels: Mapping[int, str], hidden: npt.NDArray[np.bool_], foreign: npt.NDArray[np.bool_]
    ) -> list[Problem]:
        """Everything that keeps this from being one tile of each kind."""
        layout = self.layout
        found: list[Problem] = []
        if layout.besides > 0:
            found.append(
                Problem(
                    "too-many",
                    f"{layout.besides} tiles lie outside the six rows of six; take them away",
                    facts={"count": layout.besides},
                )
            )
        bright = max(float(layout.parts.ground.max(axis=1).mean()), float(layout.parts.ink.max(axis=1).max()))
        if bright < LESSON.dark:
            found.append(Problem("dark", "the photo is too dark to learn colours from; switch on a light"))
        if hidden.any():
            cells = layout.cells(np.flatnonzero(hidden))
            found.append(
                Problem(
                    "glare",
                    f"{len(cells)} tiles cannot be seen well ({_places(cells)}); shade the lamp or tilt",
                    cells,
                    {"count": len(cells), "places": _places(cells)},
                )
            )
        for index in np.flatnonzero(foreign).tolist():
            cells = layout.cells([index])
            found.append(
                Problem(
                    "foreign",
                    f"the tile in {_places(cells)} belongs to no row and column; is it of another game?",
                    cells,
                    {"places": _places(cells)},
                )
            )
        twice: dict[str, list[int]] = {}
        for index, label in labels.items():
            twice.setdefault(label, []).append(index)
        for label, where in twice.items():
            if len(where) > 1:
                cells = layout.cells(where)
                found.append(
                    Problem(
                        "double",
                        f"{label} is there twice, in {_places(cells)}; lay out each kind once",
                        cells,
                        {"tile": label, "places": _places(cells)},
                    )
                )
        for index in range(SIDE * SIDE):
            (cell,) = layout.cells([index])
            if not layout.there[index] and not hidden[index]:
                label = self._expected(labels, index)
                found.append(
                    Problem(
                        "missing",
                        f"{label} is missing in {_places((cell,))}",
                        (cell,),
                        {"tile": label, "places": _places((cell,))},
                    )
                )
        return found

    def _expected(self, labels: Mapping[int, str], index: int) -> str:
        """What should lie in a hole: the colour and the shape its lines share."""
        layout = self.layout
        colours = [label.split()[0] for i, label in labels.items() if layout.row[i] == layout.row[index]]
        shapes = [label.split()[1] for i, label in labels.items() if layout.column[i] == layout.column[index]]
        commonest = [
            max(sorted(set(words)), key=words.count) if words else "?" for words in (colours, shapes)
        ]
        return " ".join(commonest)


def _touches(index: int, marked: npt.NDArray[np.bool_]) -> bool:
    """Whether a marked place lies right beside this one, or at its corner."""
    row, column = divmod(index, SIDE)
    return any(
        marked[r * SIDE + c]
        for r in range(max(0, row - 1), min(SIDE, row + 2))
        for c in range(max(0, column - 1), min(SIDE, column + 2))
    )


def _places(cells: Sequence[Cell]) -> str:
    return ", ".join(f"row {row + 1} column {column + 1}" for row, column in cells)
