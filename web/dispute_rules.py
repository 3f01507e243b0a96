"""The rule that decides a dispute, in the players' language, with the rulebook's section it stands in."""

from __future__ import annotations

from typing import Any, NamedTuple

from flask_babel import lazy_gettext as _l


class Rule(NamedTuple):
    """A rule in our own words, and where the Polish rulebook has it."""

    text: Any
    section: str


ROWS = Rule(
    _l("A row counts when it runs unbroken from edge to edge in one colour: its tiles times their number."),
    "KONIEC GRY: Rzędy punktujące",
)
RAYS = Rule(
    _l("A ray is a complete row with the same symbol on every tile; a tile without it breaks the ray."),
    "WARIANTY PUNKTOWANIA",
)
LINES = Rule(
    _l("Every line the placed tiles belong to counts one point a tile; a line of six counts six more."),
    "PRZEBIEG ROZGRYWKI: A.2 Podliczenie punktów",
)
PLACING = Rule(
    _l("Tiles of a turn share a colour or a symbol, lie in one unbroken line, and no line repeats a tile."),
    "PRZEBIEG ROZGRYWKI: A.1 Dołożenie płytek",
)
LAST = Rule(
    _l("Whoever plays the last tile once the bag is empty gets six more points, and the game ends."),
    "KONIEC GRY",
)
THREES = Rule(
    _l("A point for every three touching tiles in a straight line with one colour or one shape."),
    "ZDOBYWANIE PUNKTÓW",
)
ONE_TILE = Rule(
    _l("A turn places one tile beside another; a fourth may never join three of a kind in line."),
    "PRZEBIEG GRY",
)
AREAS = Rule(
    _l("An area of exactly four cells counts, whatever its shape; corners do not connect."),
    "Karta zadań 1–3",
)
SLIDING = Rule(
    _l("A tile slides straight down until it rests; holes not open from above stay empty."),
    "ZASADY UKŁADANIA KAFELKÓW",
)
STAYING = Rule(
    _l("A placed tile stays where it is, and every called tile must be placed."),
    "ZASADY ROZMIESZCZANIA KAFLI",
)

RULES: dict[str, dict[str, Rule]] = {
    "mipasuje": {"score": ROWS, "move": STAYING, "sun-ray": RAYS, "moon-ray": RAYS},
    "qwirkle": {"score": LINES, "move": PLACING, "last-tile": LAST},
    "trio": {"score": THREES, "move": ONE_TILE},
    "bits": {"score": AREAS, "move": SLIDING},
}


def deciding_rule(game: str, claim: str, item: str | None = None) -> Rule:
    """The rule for a claim of this kind; `item` is the kind of row or bonus it is about."""
    rules = RULES[game]
    if item in rules:
        return rules[item]
    return rules["move" if claim == "illegal" else "score"]
