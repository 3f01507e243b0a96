"""Copies of the games that training never sees: what a reader has to be taught, and the photos that do.

Trio with a leaf and a cloud in an odd palette, Qwirkle in silver, pink and brown, Mi pasuje! with another
face of digits, other line colours and drawings, Bits in four pastels. Every scene of a copy has the same
tiles; the table, the light and the camera are the exam's.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np

from models.studio import bits, hexes, mipasuje, qwirkle, shapes, trio
from models.studio.boards import Table, qwirkle_table, trio_table
from models.studio.camera import random_stance
from models.studio.hexlooks import LOOKS, TileLook
from models.studio.hextiles import TilePainter
from models.studio.inks import Colour, luma, rgbs
from models.studio.paint import Rgb, circle, hsv, turned
from models.studio.plan import CellPlan, Plan
from models.studio.ramps import DominoLook, RampLook, paint_half, random_domino, random_ramp
from models.studio.scene import Scene, render, taken
from models.studio.shapes import Drawing
from models.studio.tiles import Look, Spread, laid, random_spread

LAYOUT_SIZE = (1600, 1200)
FAULTS = ("missing", "double", "foreign", "glare")


def leaf() -> Drawing:
    """A pointed oval with a stalk, slanted."""
    t = np.linspace(0, np.pi, 40)
    side = np.stack([0.52 * np.sin(t) ** 1.3, -np.cos(t) * 0.82 - 0.12], 1)
    blade = np.concatenate([side, side[::-1] * [-1, 1]])
    stalk = np.array([[-0.06, 0.55], [0.06, 0.55], [0.1, 0.98], [-0.02, 0.98]])
    return [turned(part, 0.5) for part in (blade, stalk)]


def cloud() -> Drawing:
    """Three puffs on a flat base."""
    base = np.array([[-0.62, 0.1], [0.62, 0.1], [0.62, 0.52], [-0.62, 0.52]])
    puffs = [(0.36, -0.6, 0.18), (0.34, 0.62, 0.2), (0.5, -0.12, -0.12), (0.36, 0.36, -0.05)]
    return [base, *(circle(radius, (x, y)) for radius, x, y in puffs)]


@dataclass(frozen=True, slots=True)
class SquareCopy:
    """One copy of Trio or Qwirkle: its look and the names people gave to what they saw."""

    game: str
    look: Look
    colours: tuple[str, ...]
    shapes: tuple[str, ...]
    table: Callable[[np.random.Generator], Table]

    def lesson(self, seed: int, fault: str | None = None) -> Scene:
        """The photo that teaches this copy."""
        return square_lesson(self, seed, ("colours", "shapes")[seed % 2], fault)[0]

    def scene(self, seed: int, size: tuple[int, int] = LAYOUT_SIZE) -> Scene:
        """A table in play, as the exam photographs tables."""
        return square_scene(self, seed, size)


def trio_copy(number: int) -> SquareCopy:
    """Leaf and cloud instead of sun and moon; mint, brown, pink, navy, olive and grey."""
    rng = np.random.default_rng([71, number])
    base = trio.look(rng, "random", exam=number % 2 == 1)
    palette: dict[str, Rgb] = {
        "mint": hsv(158, 0.42, 0.86),
        "brown": hsv(24, 0.62, 0.5),
        "pink": hsv(330, 0.42, 0.98),
        "navy": hsv(228, 0.75, 0.42),
        "olive": hsv(64, 0.72, 0.56),
        "grey": hsv(210, 0.06, 0.58),
    }
    drawings = {name: draw(rng, False) for name, draw in shapes.TRIO.items() if name not in ("sun", "moon")}
    drawings |= {"leaf": leaf(), "cloud": cloud()}
    look = replace(
        base, name="taught", colours=palette, shapes=drawings, wear=min(base.wear, 0.3), outline=None
    )
    colours, names = tuple(palette), tuple(drawings)
    return SquareCopy(
        "trio", look, colours, names, lambda deal: trio_table(deal, colours, names, int(deal.integers(8, 37)))
    )


def qwirkle_copy(number: int) -> SquareCopy:
    """The six shapes in silver, pink, brown, turquoise, violet and lime."""
    rng = np.random.default_rng([72, number])
    base = qwirkle.look(rng, "random", exam=number % 2 == 1)
    palette: dict[str, Rgb] = {
        "silver": hsv(210, 0.05, 0.66),
        "pink": hsv(332, 0.45, 0.98),
        "brown": hsv(22, 0.68, 0.52),
        "turquoise": hsv(178, 0.62, 0.78),
        "violet": hsv(272, 0.55, 0.72),
        "lime": hsv(76, 0.78, 0.86),
    }
    look = replace(base, name="taught", colours=palette, outline=None, frame=None)
    colours, names = tuple(palette), qwirkle.SHAPES
    return SquareCopy(
        "qwirkle",
        look,
        colours,
        names,
        lambda deal: qwirkle_table(deal, colours, names, int(deal.integers(10, 60)), 0.4),
    )


def square_plan(
    rng: np.random.Generator, copy: SquareCopy, table: Table, spread: Spread, pixels_per_unit: int
) -> Plan:
    """These tiles of this copy on a bare table."""
    sprites, cells = laid(rng, copy.look, table, spread, pixels_per_unit)
    every = np.concatenate([cell.polygon for cell in cells])
    origin, basis = qwirkle._lattice(cells)
    truth: dict[str, Any] = {
        "game": copy.game,
        "edition": "taught",
        "cells": [{"at": list(at), "tile": " ".join(table[at])} for at in sorted(table)],
    }
    return Plan(
        copy.game,
        "taught",
        truth,
        tuple(sprites),
        (*cells, *qwirkle._empties(table, cells, origin, basis)),
        (*every.min(0), *every.max(0)),
        (origin, basis),
    )


def square_layout(copy: SquareCopy, rows_are: str, fault: str | None, rng: np.random.Generator) -> Table:
    """Six rows of six: a row per colour (or per shape), the other aspect in the same order in each."""
    table: Table = {}
    colours = [copy.colours[i] for i in rng.permutation(6)]
    names = [copy.shapes[i] for i in rng.permutation(6)]
    for i, colour in enumerate(colours):
        for j, shape in enumerate(names):
            table[(i, j) if rows_are == "colours" else (j, i)] = (colour, shape)
    at = list(table)
    if fault == "missing":
        del table[at[int(rng.integers(6, 30))]]
    elif fault == "double":
        one, other = at[8], at[22]
        table[one] = table[other]
    return table


def square_lesson(
    copy: SquareCopy, seed: int, rows_are: str = "colours", fault: str | None = None
) -> tuple[Scene, Table]:
    """A photo of the layout, taken with some care, and what truly lies where."""
    rng = np.random.default_rng([seed, *copy.game.encode(), *b"layout"])
    table = square_layout(copy, rows_are, fault, rng)
    shown = copy
    if fault == "foreign":
        shown = replace(copy, look=replace(copy.look, shapes=dict(copy.look.shapes) | {"foreign": arrow()}))
        at = list(table)[15]
        table[at] = (table[at][0], "foreign")
    spread = Spread(0.93, 0.012, 0.015, 0.0)
    plan = square_plan(rng, shown, table, spread, 96)
    scene = taken(rng, plan, seed, LAYOUT_SIZE, "calm", things=0)
    return (glared(scene, 2) if fault == "glare" else scene), table


def arrow() -> Drawing:
    """What neither game has."""
    return [
        np.array(
            [[-0.9, -0.18], [0.2, -0.18], [0.2, -0.6], [0.95, 0.0], [0.2, 0.6], [0.2, 0.18], [-0.9, 0.18]]
        )
    ]


def glared(scene: Scene, tiles: int) -> Scene:
    """The same photo with a lamp's reflection over so many neighbouring tiles."""
    image = scene.image.astype(np.float32)
    polygons = [cell.polygon for cell in scene.cells if cell.tile is not None][7 : 7 + tiles]
    centre = np.concatenate(polygons).mean(axis=0)
    size = float(np.ptp(polygons[0], axis=0).max())
    y, x = np.mgrid[: image.shape[0], : image.shape[1]]
    away = np.hypot((x - centre[0]) / (0.75 * tiles), (y - centre[1]) / 0.9) / size
    glow = np.clip(1.6 - 1.5 * away, 0, 1)[..., None] ** 0.7
    image += (255 - image) * np.clip(glow * 1.2, 0, 1)
    _, jpeg = cv2.imencode(".jpg", np.clip(image, 0, 255).astype(np.uint8), [cv2.IMWRITE_JPEG_QUALITY, 92])
    return replace(scene, jpeg=jpeg.tobytes())


def square_shot(copy: SquareCopy, table: Table, seed: int) -> Scene:
    """This very table, taken with some care."""
    rng = np.random.default_rng([seed, *copy.game.encode(), *b"shot"])
    return taken(
        rng,
        square_plan(rng, copy, table, Spread(0.95, 0.01, 0.01, 0.0), 96),
        seed,
        LAYOUT_SIZE,
        "calm",
        things=0,
    )


def square_scene(
    copy: SquareCopy, seed: int, size: tuple[int, int] = (1600, 1200), style: str = "exam"
) -> Scene:
    """A table in play, as the exam photographs tables."""
    while True:
        rng = np.random.default_rng([seed, *copy.game.encode(), *b"taught"])
        plan = square_plan(rng, copy, copy.table(rng), random_spread(rng), 96)
        scene = taken(rng, plan, seed, size, style)
        if all(cell.visibility >= 0.6 for cell in scene.cells if cell.tile is not None):
            return scene
        seed += 1


@dataclass(frozen=True, slots=True)
class HexCopy:
    """One copy of Mi pasuje!: its print, and which tile carries which symbol."""

    name: str
    look: TileLook
    marks: Mapping[str, str]

    def lesson(self, seed: int, fault: str | None = None) -> Scene:
        """27 + 4 tiles on the bare table, apart from each other, in any order."""
        rng = np.random.default_rng([seed, *b"hex layout"])
        tiles = [str(tile) for tile in rng.permutation(mipasuje.BASIC + mipasuje.JOKERS)]
        if fault == "missing":
            tiles.remove("5-6-4")
        elif fault == "double":
            tiles[tiles.index("5-6-4")] = "9-7-8"
        painter = TilePainter(self.look, 96 * 0.95)
        sprites, cells = [], []
        for index, tile in enumerate(tiles):
            row, column = divmod(index, 7)
            x = 2.45 * column + float(rng.uniform(-0.15, 0.15)) + 0.4 * (row % 2)
            y = 2.25 * row + float(rng.uniform(-0.15, 0.15))
            angle = float(np.clip(rng.normal(0, 0.1), -0.25, 0.25))
            picture = painter.paint(tile, self.marks.get(tile), self.look.backs[0], rng)
            sprite = mipasuje._tile_sprite(painter, picture, (x, y), 0.95, angle, 0.0)
            sprites.append(sprite)
            cells.append(
                CellPlan((row, column), tile, sprite.outline, self.look.thickness, self.marks.get(tile))
            )
        every = np.concatenate([cell.polygon for cell in cells])
        truth = {"game": "mipasuje", "board": "standard", "cells": []}
        plan = Plan(
            "mipasuje", self.name, truth, tuple(sprites), tuple(cells), (*every.min(0), *every.max(0))
        )
        stance = replace(random_stance(rng, True), fill=0.9, off=(0.0, 0.0))
        scene = taken(rng, plan, seed, LAYOUT_SIZE, "calm", stance, things=0)
        return glared(scene, 2) if fault == "glare" else scene

    def scene(self, seed: int, size: tuple[int, int] = LAYOUT_SIZE) -> Scene:
        """A finished board, as the exam photographs boards."""
        while True:
            rng = np.random.default_rng([seed, *b"hex scene"])
            board = ("standard", "standard", "valve")[int(rng.integers(3))]
            pool = mipasuje.BASIC + mipasuje.JOKERS if board == "valve" else mipasuje.BASIC
            tiles = [pool[i] for i in rng.permutation(len(pool))]
            listed = []
            for at, tile in zip(hexes.board_cells(board), tiles, strict=False):
                mark = {"mark": self.marks[tile]} if tile in self.marks else {}
                listed.append({"at": list(at), "tile": tile, **mark})
            scene = render(
                "mipasuje",
                seed,
                edition=self.name,
                style="exam",
                size=size,
                lay={"game": "mipasuje", "board": board, "cells": listed},
            )
            if all(cell.visibility >= 0.6 for cell in scene.cells if cell.tile is not None):
                return scene
            seed += 1


def hex_copy(number: int) -> HexCopy:
    """Digits, lines and drawings that no training picture has."""
    rng = np.random.default_rng([73, number])
    look = LOOKS["random"](rng, True)
    while look.marks is None:
        look = LOOKS["random"](rng, True)
    look = replace(look, wear=min(look.wear, 0.4))
    on_jokers = look.marks is not None and look.marks.on_jokers
    tiles = mipasuje.BASIC + (mipasuje.JOKERS if on_jokers else ())
    marks = {tile: ("sun", "moon")[int(rng.integers(2))] for tile in tiles}
    name = f"taught-{number}"
    # The painter finds looks by name; this one is in no list that training draws from.
    LOOKS[name] = lambda rng, exam: look
    return HexCopy(name, look, marks)


@dataclass(frozen=True, slots=True)
class BitsCopy:
    """One copy of Bits: its ramp, its dominoes' make, and four colours with the names people gave them."""

    ramp: RampLook
    domino: DominoLook
    colours: Mapping[str, Colour]

    def _plan(
        self, rng: np.random.Generator, drops: list[bits.Drop], loose: list[bits.Drop], px: int
    ) -> Plan:
        """`drops` lie on the ramp, `loose` ones beside it, in the ramp's own cells."""
        ramp = bits.whole_pixels(self.ramp, px)
        names = list(self.colours)
        faces = [paint_half(shade, self.domino, px, rng) for shade in self.colours.values()]
        sprites = [bits._back_sprite(ramp, 4, px, rng), *bits._rim_sprites(ramp, 4, px, 0)]
        cells, tiles = [], {}
        for drop in (*drops, *loose):
            sprite, halves = bits._domino_sprite(drop, faces, self.domino, ramp, px, rng)
            base = ramp.thickness if drop in drops else 0.0
            sprites.append(replace(sprite, base=base))
            for cell, kind, half in zip(drop.cells, drop.colours, halves, strict=True):
                cells.append(CellPlan(cell, names[kind], half, base + self.domino.thickness))
                tiles[cell] = names[kind]
        sprites += bits._rim_sprites(ramp, 4, px, 1)
        for cell in ((row, column) for row in range(bits.ROWS) for column in range(4)):
            if cell not in tiles:
                cells.append(CellPlan(cell, None, bits.box(cell[1], cell[0], 1.0, 1.0), ramp.thickness))
        listed = [{"at": list(cell), "tile": tiles[cell]} for cell in sorted(tiles)]
        truth = {"game": "bits", "size": [6, 4], "edition": "taught", "cells": listed if not loose else []}
        every = np.concatenate([sprite.outline for sprite in sprites])
        lattice = (np.zeros(2), np.array([[0.0, 1.0], [1.0, 0.0]]))
        return Plan(
            "bits", "taught", truth, tuple(sprites), tuple(cells), (*every.min(0), *every.max(0)), lattice
        )

    def lesson(self, seed: int, fault: str | None = None) -> Scene:
        """One player's 14 dominoes beside the empty ramp."""
        rng = np.random.default_rng([seed, *b"bits layout"])
        pairs = list(bits.domino_set(4).elements())
        pairs = [pairs[i] for i in rng.permutation(len(pairs))]
        if fault == "missing":
            pairs.pop()
        elif fault == "double":
            pairs[pairs.index((0, 1))] = (2, 3)
        loose = []
        for index, pair in enumerate(pairs):
            row, column = divmod(index, 2)
            at = (row * 2 - 3, 7 + column * 4)
            loose.append(bits.Drop((at, (at[0], at[1] + 1)), pair))
        plan = self._plan(rng, [], loose, 96)
        stance = replace(random_stance(rng, True), fill=0.9, off=(0.0, 0.0))
        scene = taken(rng, plan, seed, LAYOUT_SIZE, "calm", stance, things=0)
        return glared(scene, 2) if fault == "glare" else scene

    def scene(self, seed: int, size: tuple[int, int] = LAYOUT_SIZE) -> Scene:
        """A ramp at the end of a round, as the exam photographs ramps."""
        while True:
            rng = np.random.default_rng([seed, *b"bits scene"])
            drops = bits.drop_dominoes(rng, 4, 4, int(rng.integers(6, 16)))
            scene = taken(rng, self._plan(rng, drops, [], 96), seed, size, "exam")
            if all(cell.visibility >= 0.6 for cell in scene.cells if cell.tile is not None):
                return scene
            seed += 1


def bits_copy(number: int) -> BitsCopy:
    """Peach, mint, lilac and lemon."""
    rng = np.random.default_rng([74, number])
    pastel = dict(zip(("peach", "mint", "lilac", "lemon"), rgbs("f7c4a5 b4e2c8 cdb9e8 f5eda8"), strict=True))
    ramp = random_ramp(rng, True, False)
    while luma(ramp.print_colour) > 0.6:  # pastels on a pale print are hard to see for anybody
        ramp = random_ramp(rng, True, False)
    return BitsCopy(ramp, random_domino(rng, True), pastel)


COPIES: dict[str, Callable[[int], Any]] = {
    "trio": trio_copy,
    "qwirkle": qwirkle_copy,
    "mipasuje": hex_copy,
    "bits": bits_copy,
}
"""Per game the copies that were never trained on, by number."""
