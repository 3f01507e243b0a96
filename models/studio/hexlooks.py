"""What the tiles of a Mi pasuje! edition look like: the known printings, and new ones invented at random."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from models.studio import hexes
from models.studio.digits import Style, random_style
from models.studio.hexes import FALLING, RISING, VERTICAL, LineLook
from models.studio.inks import (
    BACKS,
    BLACK,
    EXAM_BACKS,
    OLDER,
    OLDER_BACKS,
    PLAYERS,
    RAVENSBURGER,
    RAVENSBURGER_BACKS,
    REBEL,
    WHITE,
    Colour,
    jitter,
    luma,
    random_palette,
    rgb,
)


@dataclass(frozen=True, slots=True)
class DigitLook:
    """How digits are set. Lengths in sides."""

    style: Style
    height: float = 0.4
    reach: float = 0.56
    """From the tile's centre towards the end of the line."""
    aside: float = 0.0
    """Across the line: 0 sits on it."""
    upper: bool = False
    """Digits of the slanting lines at their upper ends."""
    both: bool = False
    ink: str = "black"
    """"black", "white", "contrast" with the line, or "line": the line's own colour."""
    rim: float = 0.0
    rim_ink: str = "white"
    plate: str = ""
    """"", "disc" or "box"."""


@dataclass(frozen=True, slots=True)
class MarkLook:
    """Where and how suns and moons are printed."""

    sun: str
    moon: str
    sun_ink: Colour
    moon_ink: Colour
    radius: float
    turn: float
    places: tuple[tuple[float, float], ...]
    on_jokers: bool


@dataclass(frozen=True, slots=True)
class TileLook:
    """One copy of the game: everything but the background is the same on all its tiles."""

    lines: Mapping[int, LineLook]
    order: str
    """"value": the higher number on top; otherwise the directions from bottom to top."""
    digits: DigitLook
    marks: MarkLook | None
    backs: tuple[Colour, ...]
    """Background colours the players of this copy have."""
    shading: float = 0.0
    """Difference of brightness across the background."""
    border: float = 0.0
    border_colour: Colour = BLACK
    bevel: float = 0.0
    linen: float = 0.0
    """Strength of an embossed surface."""
    wear: float = 0.3
    misprint: float = 0.01
    """How far the print may sit off the cut tile."""
    twist: str = "rope"
    twist_pitch: float = 1.1
    gloss: float = 0.25
    thickness: float = 0.1
    side: tuple[int, int, int] = (190, 200, 205)


def _pick(rng: np.random.Generator, options: Sequence[str]) -> str:
    return options[int(rng.integers(len(options)))]


def digit_places(way: str, digits: DigitLook, reach: float | None = None) -> list[tuple[float, float]]:
    """Where the digit of a line stands, in sides from the tile's centre (twice with digits at both ends)."""
    ux, uy = hexes.TOWARDS[way]
    reach = digits.reach if reach is None else reach
    end = -1 if digits.upper and way != VERTICAL else 1
    # Mirrored between the slanting lines, so that both keep clear of the vertical one.
    off = digits.aside * (-1 if way == RISING else 1)
    ends = (end, -end) if digits.both else (end,)
    return [(ux * reach * side - uy * off, uy * reach * side + ux * off) for side in ends]


def random_marks(rng: np.random.Generator, exam: bool, back: Colour, digits: DigitLook) -> MarkLook:
    """Suns and moons between the lines (towards the corners) where no digit hides them, or in the middle."""
    pale = luma(back) < 0.5
    sun_ink = rgb(
        _pick(rng, ("ffe14a", "ffd23f", "ffffff", "ffb703") if pale else ("d98e04", "1a1a1a", "c1121f"))
    )
    moon_ink = rgb(
        _pick(rng, ("ffffff", "f2efdc", "bcd7f2", "ffe14a") if pale else ("1d3557", "1a1a1a", "5a189a"))
    )
    radius = float(rng.uniform(0.07, 0.15))
    reach = float(rng.uniform(0.6, 0.84 - 0.5 * radius))
    taken = np.array([place for way in hexes.DIRECTIONS for place in digit_places(way, digits)])
    free = [
        (x, y)
        for x, y in (reach * hexes.hexagon((0.0, 0.0)))[rng.permutation(6)].tolist()
        if np.hypot(*(taken - (x, y)).T).min() > radius + 0.5 * digits.height + digits.rim
    ]
    places = tuple(free[: 1 if rng.random() < 0.75 else int(rng.integers(2, 4))]) or ((0.0, 0.0),)
    if rng.random() < 0.05:
        places = ((0.0, 0.0),)
    if places == ((0.0, 0.0),):
        radius = float(rng.uniform(0.12, 0.18))
    return MarkLook(
        sun=_pick(rng, hexes.EXAM_SUNS if exam else hexes.SUNS),
        moon=_pick(rng, hexes.EXAM_MOONS if exam else hexes.MOONS),
        sun_ink=sun_ink,
        moon_ink=moon_ink if rng.random() < 0.7 else sun_ink,
        radius=radius,
        turn=float(rng.choice([0.0, -0.5, np.pi, 0.6])),
        places=places,
        on_jokers=bool(rng.random() < 0.4),
    )


def rebel(rng: np.random.Generator, exam: bool) -> TileLook:
    """Pipes, the higher number on top, suns and moons; digit places vary, as no scan is known."""
    half = float(rng.uniform(0.1, 0.17))
    back = jitter(rng, PLAYERS[int(rng.integers(len(PLAYERS)))], 0.03)
    pipe = float(rng.choice([0.0, rng.uniform(0.3, 1.0)]))
    rim = float(rng.choice([0.0, rng.uniform(0.01, 0.03)]))
    rims = _pick(rng, ("all", "dark", "dark"))
    lines = {
        value: LineLook(
            half,
            jitter(rng, colour, 0.03),
            roundness=pipe,
            rim=rim if rims == "all" or luma(colour) < 0.2 else 0.0,
            rim_colour=BLACK if luma(colour) > 0.2 else (0.8, 0.8, 0.8),
            collar=float(rng.uniform(0.08, 0.16)) if pipe > 0.5 else 0.0,
        )
        for value, colour in REBEL.items()
    }
    height = float(rng.uniform(0.18, 0.4))
    on_line = bool(rng.random() < 0.75)
    outlined = height > 1.8 * half or not on_line or bool(rng.random() < 0.3)
    digits = DigitLook(
        random_style(rng, exam),
        height=height,
        reach=float(rng.uniform(0.56, 0.84 - height / 2 - 0.02)),
        aside=0.0 if on_line else float(rng.choice([-1, 1])) * (half + height * 0.42),
        upper=bool(rng.random() < 0.3),
        ink=_pick(rng, ("black", "white")) if outlined else "contrast",
        rim=float(rng.uniform(0.02, 0.05)) if outlined else 0.0,
        rim_ink="contrast",
    )
    return TileLook(
        lines=lines,
        order="value"
        if rng.random() < 0.7
        else _pick(rng, ("rising falling vertical", "falling rising vertical", "vertical rising falling")),
        digits=digits,
        marks=random_marks(rng, exam, back, digits),
        backs=(back,),
        shading=float(rng.uniform(0, 0.3)),
        border=float(rng.choice([0.0, rng.uniform(0.01, 0.05)])),
        border_colour=jitter(rng, (back[0] * 0.5, back[1] * 0.5, back[2] * 0.5), 0.02),
        bevel=float(rng.uniform(0, 0.6)),
        linen=float(rng.choice([0.0, rng.uniform(0.02, 0.06)])),
        twist=_pick(rng, ("rope", "braid", "stripes")),
        twist_pitch=float(rng.uniform(0.8, 1.6)),
        gloss=float(rng.uniform(0.1, 0.6)),
        thickness=float(rng.uniform(0.06, 0.14)),
    )


SERRATED: Mapping[int, tuple[str, str, float, float]] = {
    1: ("flat", "saw", 7.0, 0.07),
    2: ("flat", "scallop", 3.2, 0.1),
    3: ("castle", "flat", 3.0, 0.08),
    4: ("castle", "flat", 4.0, 0.09),
    5: ("saw", "saw", 3.4, 0.05),
    6: ("flat", "castle", 3.0, 0.09),
    7: ("flat", "steps", 3.0, 0.13),
    8: ("slant", "flat", 4.0, 0.1),
    9: ("wave", "wave", 2.6, 0.06),
}
"""value → left edge, right edge, teeth per side, depth, as far as photographs of the printings show them."""


def _serrated(rng: np.random.Generator, palette: Mapping[int, Colour]) -> dict[int, LineLook]:
    half, deep = float(rng.uniform(0.1, 0.14)), float(rng.uniform(0.8, 1.2))
    lines = {}
    for value, (left, right, teeth, depth) in SERRATED.items():
        lines[value] = LineLook(
            half,
            jitter(rng, palette[value], 0.03),
            left=left,
            right=right,
            teeth=teeth * float(rng.uniform(0.9, 1.1)),
            depth=depth * deep,
            phase=float(rng.uniform(0, 1)),
        )
    return lines


def _ravensburger_digits(rng: np.random.Generator, exam: bool) -> DigitLook:
    style = (
        random_style(rng, exam)
        if exam or rng.random() < 0.3
        else Style(
            weight=float(rng.uniform(0.17, 0.23)),
            width=float(rng.uniform(0.52, 0.66)),
            slant=float(rng.uniform(0, 0.15)),
            cap="round",
            wobble=float(rng.uniform(0, 0.02)),
            seed=int(rng.integers(1 << 16)),
        )
    )
    return DigitLook(
        style,
        height=float(rng.uniform(0.36, 0.46)),
        reach=float(rng.uniform(0.52, 0.6)),
        aside=float(rng.uniform(-0.05, 0.05)),
        ink="black",
        rim=float(rng.uniform(0.035, 0.06)),
        rim_ink="white",
    )


def ravensburger(rng: np.random.Generator, exam: bool) -> TileLook:
    """2005: a serrated edge of its own per value, vertical on top, big outlined digits, no marks."""
    return TileLook(
        lines=_serrated(rng, RAVENSBURGER),
        order=_pick(rng, ("falling rising vertical", "falling rising vertical", "rising falling vertical")),
        digits=_ravensburger_digits(rng, exam),
        marks=None,
        backs=tuple(
            jitter(rng, RAVENSBURGER_BACKS[i], 0.02) for i in rng.permutation(len(RAVENSBURGER_BACKS))[:2]
        ),
        bevel=float(rng.uniform(0.1, 0.7)),
        linen=float(rng.uniform(0.03, 0.1)),
        wear=float(rng.uniform(0.2, 1.0)),
        misprint=0.03,
        gloss=float(rng.uniform(0.2, 0.7)),
        thickness=float(rng.uniform(0.08, 0.16)),
    )


def older(rng: np.random.Generator, exam: bool) -> TileLook:
    """F.X. Schmid and early Ravensburger: dark petrol, the same fringes, worn."""
    return TileLook(
        lines=_serrated(rng, OLDER),
        order=_pick(rng, ("falling rising vertical", "rising falling vertical")),
        digits=_ravensburger_digits(rng, exam),
        marks=None,
        backs=tuple(jitter(rng, back, 0.02) for back in OLDER_BACKS[:2]),
        bevel=float(rng.uniform(0, 0.5)),
        linen=float(rng.uniform(0.02, 0.08)),
        wear=float(rng.uniform(0.5, 1.5)),
        misprint=0.04,
        gloss=float(rng.uniform(0.1, 0.5)),
        thickness=float(rng.uniform(0.08, 0.16)),
    )


def invented(rng: np.random.Generator, exam: bool) -> TileLook:
    """A printing nobody has seen."""
    backs = EXAM_BACKS if exam else BACKS
    back = jitter(rng, backs[int(rng.integers(len(backs)))], 0.04)
    known = (REBEL, RAVENSBURGER, OLDER)[int(rng.integers(3))]
    palette = (
        {value: jitter(rng, colour, 0.05) for value, colour in known.items()}
        if not exam and rng.random() < 0.35
        else random_palette(rng, exam, back)
    )
    half = float(rng.uniform(0.075, 0.225))
    edges = tuple(hexes.EXAM_PROFILES if exam else hexes.PROFILES)
    kind = _pick(rng, ("plain", "plain", "pipes", "serrated", "same-serrated"))
    pipe = float(rng.uniform(0.4, 1)) if kind == "pipes" else float(rng.choice([0, 0, 0.3]))
    rim = float(rng.choice([0.0, 0.0, rng.uniform(0.01, 0.035)]))
    rim_ink = (BLACK, WHITE, back)[int(rng.integers(3))]
    short = float(rng.choice([0.0, 0.0, 0.0, rng.uniform(0.02, 0.09)]))
    one_edge, one_teeth, one_depth = (
        _pick(rng, edges),
        float(rng.uniform(2, 7)),
        float(rng.uniform(0.03, 0.09)),
    )
    lines = {}
    for value in range(1, 10):
        fringed = kind in ("serrated", "same-serrated")
        edge = one_edge if kind == "same-serrated" else _pick(rng, edges)
        other = edge if rng.random() < 0.5 else "flat"
        lines[value] = LineLook(
            half * float(rng.uniform(0.9, 1.1) if kind == "serrated" else 1.0),
            palette[value],
            left=other if fringed else "flat",
            right=edge if fringed else "flat",
            teeth=one_teeth if kind == "same-serrated" else float(rng.uniform(2, 7)),
            depth=(one_depth if kind == "same-serrated" else float(rng.uniform(0.03, 0.11)))
            if fringed
            else 0.0,
            phase=float(rng.uniform(0, 1)),
            rim=rim,
            rim_colour=rim_ink,
            roundness=pipe,
            short=short,
            collar=float(rng.uniform(0.06, 0.16)) if kind == "pipes" and rim else 0.0,
        )
    plated = _pick(rng, ("", "", "", "disc", "box"))
    height = float(rng.uniform(0.17, 0.32 if plated else 0.5))
    on_line = bool(rng.random() < 0.7)
    ink = _pick(rng, ("black", "white", "contrast", "contrast", "line"))
    needs_rim = not plated and (ink != "contrast" or not on_line or height > 2.2 * half)
    if plated and ink == "line":
        ink = "contrast"
    tall = height * (1.35 if plated else 1.0)
    aside = 0.0 if on_line else float(rng.choice([-1, 1])) * (half + height * 0.4)
    digits = DigitLook(
        random_style(rng, exam),
        height=height,
        reach=float(rng.uniform(min(0.5, 0.82 - tall / 2), 0.84 - tall / 2)),
        aside=aside,
        upper=bool(rng.random() < 0.25),
        both=bool(rng.random() < 0.06) and height < 0.32,
        ink=ink,
        rim=float(rng.uniform(0.025, 0.06)) if needs_rim or rng.random() < 0.15 else 0.0,
        rim_ink=_pick(rng, ("contrast", "white", "contrast")) if ink != "white" else "contrast",
        plate=plated,
    )
    return TileLook(
        lines=lines,
        order="value" if rng.random() < 0.35 else " ".join(rng.permutation([VERTICAL, RISING, FALLING])),
        digits=digits,
        marks=random_marks(rng, exam, back, digits) if rng.random() < 0.7 else None,
        backs=(back,),
        shading=float(rng.choice([0.0, rng.uniform(0, 0.5)])),
        border=float(rng.choice([0.0, rng.uniform(0.01, 0.07)])),
        border_colour=(BLACK, WHITE, jitter(rng, back, 0.2))[int(rng.integers(3))],
        bevel=float(rng.choice([0.0, rng.uniform(0, 1.0)])),
        linen=float(rng.choice([0.0, rng.uniform(0.02, 0.1)])),
        wear=float(rng.uniform(0, 1.0)),
        misprint=float(rng.uniform(0, 0.035)),
        twist=_pick(rng, ("rope", "braid", "stripes")),
        twist_pitch=float(rng.uniform(0.7, 1.8)),
        gloss=float(rng.uniform(0.05, 0.8)),
        thickness=float(rng.uniform(0.04, 0.2)),
        side=tuple(int(v) for v in rng.integers(30, 220, 3)) if rng.random() < 0.4 else (190, 200, 205),  # type: ignore[arg-type]
    )


LOOKS = {"rebel": rebel, "ravensburger-2005": ravensburger, "older": older, "random": invented}
