"""Tiles and boards as SVG: the same picture for every game that has no photograph, and for every picker.

Every tile carries its label as text: a colour is never the only sign.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import cos, pi, sin

from markupsafe import Markup, escape

from web.language import COLOUR_SIGNS
from web.looks import LOOKS

PAINT = {
    "red": "#d62839",
    "orange": "#f07c12",
    "yellow": "#f5cf1f",
    "green": "#2f9e44",
    "blue": "#2f6fde",
    "purple": "#8a3ffc",
    "violet": "#8a3ffc",
    "pink": "#f078b4",
    "teal": "#12908e",
    "white": "#f7f7f2",
    "grey": "#868e96",
    "black": "#1f2327",
    "brown": "#784b2d",
    "silver": "#b4b8be",
    "turquoise": "#4bc8c8",
    "cream": "#f5e6be",
    "lime": "#b4d732",
    "mint": "#96e1c3",
    "navy": "#1e2869",
    "olive": "#878c2d",
    "beige": "#d7be96",
    "sky": "#8cc8f0",
}
DARK_TEXT = {"yellow", "white", "pink", "orange"}

LINE_PAINT = {
    "1": "#15191c",
    "2": "#f7f7f2",
    "3": "#f078b4",
    "4": "#3b86e0",
    "5": "#8d959c",
    "6": "#d62839",
    "7": "#7fc41c",
    "8": "#f07c12",
    "9": "#f5cf1f",
    "*": "#b197fc",
}
LINE_ENDS = (((0.0, -0.84), (0.0, 0.84)), ((-0.73, 0.42), (0.73, -0.42)), ((-0.73, -0.42), (0.73, 0.42)))
DIGIT_AT = ((0.0, -0.5), (-0.46, 0.27), (0.46, 0.27))


def tile(game: str, name: str, mark: str | None = None) -> Markup:
    """A tile around (0, 0): a hexagon of side 1, or a square of side 1."""
    if LOOKS[game].hexagonal:
        return Markup(hex_tile(name, mark))
    words = name.split(" ")
    return Markup(shape_tile(game, *words) if len(words) == 2 else colour_tile(name))


def hex_tile(name: str, mark: str | None) -> str:
    lines = name.split("-")
    corners = points((0.95 * cos(k * pi / 3), 0.95 * sin(k * pi / 3)) for k in range(6))
    parts = [f'<polygon points="{corners}" fill="#2b4f5c"/>']
    # The higher number lies on top, as printed.
    for index in sorted(range(3), key=lambda one: lines[one]):
        (x1, y1), (x2, y2) = LINE_ENDS[index]
        place = f'x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}"'
        dash = ' stroke-dasharray=".17 .06"' if lines[index] == "*" else ""
        parts.append(
            f'<line {place} stroke="#0d1b21" stroke-width=".36"/>'
            f'<line {place} stroke="{LINE_PAINT[lines[index]]}" stroke-width=".3"{dash}/>'
        )
    for index, (x, y) in enumerate(DIGIT_AT):
        shown = "✱" if lines[index] == "*" else lines[index]
        parts.append(f'<text class="digit" x="{x}" y="{y + 0.17:.2f}">{shown}</text>')
    if mark:
        parts.append(symbol(mark))
    return "".join(parts)


def symbol(mark: str) -> str:
    """A sun or a moon at the bottom of a tile."""
    ground = '<circle cx="0" cy=".56" r=".23" fill="#0d1b21"/>'
    if mark == "sun":
        return ground + f'<polygon points="{burst(0, 0.56, 0.2, 0.12, 8)}" fill="#ffe066"/>'
    return ground + '<path d="M.06 .38a.19 .19 0 1 0 .1 .3a.16 .16 0 0 1-.1-.3z" fill="#dbe4ff"/>'


def shape_tile(game: str, colour: str, shape: str) -> str:
    ground, ink = ("#17191c", "#fff") if game == "qwirkle" else ("#fbf7ea", "#222")
    paint = PAINT.get(colour, "#868e96")
    edge = ' stroke="#555" stroke-width=".02"' if colour in ("white", "yellow") and game != "qwirkle" else ""
    drawn = SHAPES.get(shape, '<rect x="-.2" y="-.2" width=".4" height=".4"/>')
    return (
        f'<rect x="-.47" y="-.47" width=".94" height=".94" rx=".1" fill="{ground}"'
        ' stroke="#8888" stroke-width=".02"/>'
        f'<g fill="{paint}"{edge} transform="translate(0 -.06)">{drawn}</g>'
        f'<text class="sign" x=".43" y=".42" text-anchor="end" fill="{ink}">{sign(colour)}</text>'
    )


def colour_tile(colour: str) -> str:
    ink = "#1a1a1a" if colour in DARK_TEXT else "#fff"
    return (
        f'<rect x="-.47" y="-.47" width=".94" height=".94" rx=".1" fill="{PAINT.get(colour, "#868e96")}"'
        ' stroke="#0006" stroke-width=".03"/>'
        f'<text class="sign big" x="0" y=".13" text-anchor="middle" fill="{ink}">{sign(colour)}</text>'
    )


def sign(colour: str) -> str:
    return str(escape(str(COLOUR_SIGNS.get(colour, colour[:2].capitalize()))))


def points(corners: Iterable[tuple[float, float]]) -> str:
    return " ".join(f"{x:.3g},{y:.3g}" for x, y in corners)


def burst(x: float, y: float, outer: float, inner: float, rays: int, turn: float = 0.0) -> str:
    """A star's corners: `rays` points at `outer`, notches at `inner`."""
    return points(
        (x + radius * sin(angle), y - radius * cos(angle))
        for k in range(2 * rays)
        for radius, angle in [(outer if k % 2 == 0 else inner, turn + k * pi / rays)]
    )


def circles(count: int, distance: float, radius: float, turn: float = 0.0) -> str:
    return "".join(
        f'<circle cx="{distance * cos(turn + k * 2 * pi / count):.3f}" '
        f'cy="{distance * sin(turn + k * 2 * pi / count):.3f}" r="{radius}"/>'
        for k in range(count)
    )


SHAPES = {
    "circle": '<circle r=".3"/>',
    "square": '<rect x="-.27" y="-.27" width=".54" height=".54"/>',
    "diamond": '<polygon points="0,-.36 .36,0 0,.36 -.36,0"/>',
    "star": f'<polygon points="{burst(0, 0, 0.37, 0.2, 8)}"/>',
    "clover": circles(4, 0.2, 0.165) + '<rect x="-.16" y="-.16" width=".32" height=".32"/>',
    "cross": f'<polygon points="{burst(0, 0, 0.42, 0.15, 4, pi / 4)}"/>',
    "heart": (
        '<path d="M0 .33C-.5 0-.36-.34-.15-.32-.06-.31 0-.24 0-.18'
        ' 0-.24 .06-.31 .15-.32 .36-.34 .5 0 0 .33z"/>'
    ),
    "flower": circles(6, 0.21, 0.13) + '<circle r=".16"/>',
    "sun": f'<polygon points="{burst(0, 0, 0.37, 0.24, 12)}"/>',
    "moon": '<path d="M.12-.32a.32 .32 0 1 0 .18 .46a.27 .27 0 0 1-.18-.46z"/>',
    "drop": '<path d="M0-.38C.12-.16 .26 0 .26 .14a.26 .24 0 0 1-.52 0C-.26 0-.12-.16 0-.38z"/>',
}

EMBLEMS = {"mipasuje": ["9-7-3"], "qwirkle": ["red star"], "trio": ["violet heart"], "bits": ["blue"]}


def picture(game: str, name: str | None, mark: str | None = None, label: str = "") -> Markup:
    """A tile as a small picture of its own."""
    box = "-1 -.9 2 1.8" if LOOKS[game].hexagonal else "-.5 -.5 1 1"
    inner = tile(game, name, mark) if name else Markup('<circle r=".3" class="nothing"/>')
    named = f'role="img" aria-label="{escape(label)}"' if label else 'aria-hidden="true"'
    return Markup(f'<svg class="tile" viewBox="{box}" {named}>{inner}</svg>')


def polyomino(drawing: str) -> Markup:
    """A task card's shape."""
    rows = drawing.split("/")
    squares = "".join(
        f'<rect x="{x + 0.05:.2f}" y="{y + 0.05:.2f}" width=".9" height=".9" rx=".1"/>'
        for y, row in enumerate(rows)
        for x, character in enumerate(row)
        if character == "X"
    )
    width = max(len(row) for row in rows)
    return Markup(f'<svg class="poly" viewBox="0 0 {width} {len(rows)}" aria-hidden="true">{squares}</svg>')
