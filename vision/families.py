"""The tile families a tile net is trained for: their crops and the aspects it tells apart."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Aspect:
    """One thing to know about a tile; `kinds` are the built-in answers."""

    name: str
    kinds: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Family:
    """Tiles that share a net: the crop it sees and what it says."""

    name: str
    crop_px: int
    crop_span: float
    """Side of the crop, in lattice units (square: pitches; hexagonal: sides)."""
    aspects: tuple[Aspect, ...]
    widths: tuple[int, int, int, int] = (16, 24, 48, 96)
    embedding_size: int = 32
    views: tuple[tuple[float, float, float], ...] = ()
    """Crops are also looked at zoomed, turned (degrees) and shifted (in sides) like this, and averaged."""


PRESENT = Aspect("present", ("empty", "tile"))

QWIRKLE = Family(
    "qwirkle",
    crop_px=40,
    crop_span=1.2,
    aspects=(
        PRESENT,
        Aspect("colour", ("red", "orange", "yellow", "green", "blue", "purple", "white")),
        Aspect("shape", ("circle", "square", "diamond", "star", "clover", "cross")),
    ),
)
TRIO = Family(
    "trio",
    crop_px=40,
    crop_span=1.2,
    aspects=(
        PRESENT,
        Aspect("colour", ("red", "orange", "yellow", "green", "blue", "violet")),
        Aspect("shape", ("star", "heart", "flower", "sun", "moon", "drop")),
    ),
)
HEX = Family(
    "mipasuje",
    crop_px=64,
    crop_span=2.1,
    aspects=(
        PRESENT,
        Aspect("turn", ("0", "1", "2", "3", "4", "5")),
        Aspect("vertical", ("1", "5", "9", "*")),
        Aspect("rising", ("2", "6", "7", "*")),
        Aspect("falling", ("3", "4", "8", "*")),
        Aspect("mark", ("none", "sun", "moon")),
    ),
    widths=(24, 32, 64, 128),
    # Small digits, and four things to be sure of: other glances settle what one leaves open.
    views=((1.04, 1.5, 0.01), (0.96, -1.5, -0.01)),
)
BITS = Family(
    "bits",
    crop_px=40,
    crop_span=1.6,
    aspects=(
        PRESENT,
        Aspect(
            "colour",
            ("red", "orange", "yellow", "green", "blue", "purple", "pink", "teal", "white", "grey", "black"),
        ),
    ),
)
RAMP = Family(
    "ramp",
    crop_px=72,
    crop_span=9.0,
    aspects=(Aspect("turn", ("0", "1", "2", "3")),),
    widths=(12, 24, 32, 48),
)
"""Not a tile but a whole Bits ramp, which says by rim, print and fallen tiles which way is up."""

FAMILIES = {family.name: family for family in (QWIRKLE, TRIO, HEX, BITS, RAMP)}
