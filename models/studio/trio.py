"""Trio: light tiles with coloured shapes. No photograph of it is known, so nearly everything is left open."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from models.studio import shapes
from models.studio.boards import as_table, scattered, trio_table
from models.studio.mats import grid_mat
from models.studio.paint import darker, hsv
from models.studio.plan import Plan, Points, Sprite
from models.studio.qwirkle import _empties, _lattice
from models.studio.qwirkle import palette as qwirkle_palette
from models.studio.tiles import Look, laid, lying_about, random_ground, random_spread

SPARES = 0.22
"""Share of scenes with spare tiles lying about."""
SHAPES = ("star", "heart", "flower", "sun", "moon", "drop")
COLOURS = ("red", "orange", "yellow", "green", "blue", "violet")
EDITIONS = ("card", "framed", "wooden", "cream")


def look(rng: np.random.Generator, edition: str, exam: bool = False) -> Look:
    """A copy of the named edition, or an invented one."""
    colours = qwirkle_palette(rng, exam)
    colours["violet"] = colours.pop("purple")
    ground = random_ground(rng, dark=False, exam=exam)
    chance = 1.0 if exam else float(rng.random())
    if edition == "wooden" or (edition == "random" and chance < 0.2):
        ground = hsv(float(rng.uniform(25, 42)), float(rng.uniform(0.2, 0.42)), float(rng.uniform(0.7, 0.92)))
    elif edition == "cream":
        ground = hsv(45.0, 0.14, 0.95)
    elif edition == "random" and chance < 0.4:
        ground = hsv(
            float(rng.uniform(0, 360)), float(rng.uniform(0.05, 0.3)), float(rng.uniform(0.55, 0.95))
        )
    framed = edition == "framed" or (edition == "random" and rng.random() < 0.3)
    return Look(
        name=edition,
        ground=ground,
        colours=colours,
        shapes={name: draw(rng, exam) for name, draw in shapes.TRIO.items()},
        symbol=float(rng.uniform(0.5, 0.8)),
        corner=float(rng.choice((0.0, 0.05, 0.12, 0.25, 0.4))),
        thickness=float(rng.choice((0.05, 0.08, 0.12, 0.25))),
        side=darker(ground, float(rng.uniform(0.55, 0.9))),
        gloss=float(rng.uniform(0.0, 0.8)),
        bevel=float(rng.choice((0.0, 0.0, 0.04))),
        grain=float(rng.uniform(0.5, 4.0)),
        wear=float(rng.choice((0.0, 0.0, 0.3, 0.8))),
        brush=float(rng.choice((0.0, 0.0, 0.6))),
        frame=hsv(float(rng.uniform(0, 360)), float(rng.uniform(0, 0.7)), float(rng.uniform(0.2, 0.9)))
        if framed
        else None,
        outline=(30, 30, 30) if rng.random() < 0.15 else None,
        centre=(245, 245, 245) if rng.random() < 0.35 else None,
        shade=float(rng.choice((0.0, 0.0, 20.0))),
    )


def plan(
    rng: np.random.Generator,
    edition: str | None = None,
    pixels_per_unit: int = 64,
    simple: bool = False,
    exam: bool = False,
    lay: Mapping[str, Any] | None = None,
) -> Plan:
    """One table. `simple`: any tiles anywhere (marked illegal), quick to make, to learn tiles from.

    `lay`: this table, not any.
    """
    if edition is None:
        edition = "random" if exam or rng.random() < 0.7 else str(rng.choice(EDITIONS))
    whole = look(rng, edition, exam)
    if lay is not None:
        table, illegal = as_table(lay), bool(lay.get("illegal"))
    elif simple:
        rows, columns = (int(side) for side in rng.integers(4, 8, 2))
        table, illegal = scattered(rng, COLOURS, SHAPES, rows, columns, float(rng.uniform(0.4, 0.95))), True
    else:
        tiles = int(rng.integers(1, 37)) if rng.random() < 0.8 else 36
        table, illegal = trio_table(rng, COLOURS, SHAPES, tiles), False
        if rng.random() < 0.06 and len(table) > 2:
            first, second = list(table)[:2]
            table[second], illegal = table[first], True
    sprites: list[Sprite] = []
    positions: Points | None = None
    base = 0.0
    if rng.random() < 0.12:
        mat = grid_mat(rng, table, pixels_per_unit, exam)
        positions, base = mat.positions, mat.thickness
        sprites += mat.sprites
    placed, cells = laid(rng, whole, table, random_spread(rng), pixels_per_unit, base, positions)
    truth: dict[str, Any] = {
        "game": "trio",
        "cells": [{"at": list(at), "tile": " ".join(table[at])} for at in sorted(table)],
    }
    if illegal:
        truth["illegal"] = True
    every = np.concatenate([cell.polygon for cell in cells])
    bounds = (*every.min(0), *every.max(0))
    origin, basis = _lattice(cells)
    spare: list[Sprite] = []
    about: tuple[Points, ...] = ()
    if rng.random() < SPARES:
        kinds = [(str(rng.choice(COLOURS)), str(rng.choice(SHAPES))) for _ in range(int(rng.integers(1, 7)))]
        spare, about = lying_about(rng, whole, kinds, bounds, pixels_per_unit)
    return Plan(
        game="trio",
        edition=edition,
        truth=truth,
        sprites=(*sprites, *placed, *spare),
        cells=(*cells, *_empties(table, cells, origin, basis)),
        bounds=bounds,
        lattice=(origin, basis),
        spares=about,
        inks=tuple(whole.colours[colour] for colour in sorted({colour for colour, _ in table.values()})),
    )
