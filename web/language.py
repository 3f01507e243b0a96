"""Polish and English: which one this browser gets, and the rules' sentences in it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flask import Flask, request, session
from flask_babel import Babel, get_locale, gettext
from flask_babel import lazy_gettext as _l

from scoring.core import Cell, Message, spell
from web.settings import LANGUAGES

COLOUR_NAMES: dict[str, Any] = {
    "red": _l("red"),
    "orange": _l("orange"),
    "yellow": _l("yellow"),
    "green": _l("green"),
    "blue": _l("blue"),
    "purple": _l("purple"),
    "violet": _l("violet"),
    "pink": _l("pink"),
    "teal": _l("teal"),
    "white": _l("white"),
    "grey": _l("grey"),
    "black": _l("black"),
    "brown": _l("brown"),
    "silver": _l("silver"),
    "turquoise": _l("turquoise"),
    "cream": _l("cream"),
    "lime": _l("lime"),
    "mint": _l("mint"),
    "navy": _l("navy"),
    "olive": _l("olive"),
    "beige": _l("beige"),
    "sky": _l("sky blue"),
}
COLOUR_SIGNS: dict[str, Any] = {
    "red": _l("Re"),
    "orange": _l("Or"),
    "yellow": _l("Ye"),
    "green": _l("Gr"),
    "blue": _l("Bl"),
    "purple": _l("Pu"),
    "violet": _l("Vi"),
    "pink": _l("Pi"),
    "teal": _l("Te"),
    "white": _l("Wh"),
    "grey": _l("Gy"),
    "black": _l("Bk"),
}
SHAPE_NAMES: dict[str, Any] = {
    "circle": _l("circle"),
    "square": _l("square"),
    "diamond": _l("diamond"),
    "star": _l("star"),
    "clover": _l("clover"),
    "cross": _l("cross"),
    "heart": _l("heart"),
    "flower": _l("flower"),
    "sun": _l("sun"),
    "moon": _l("moon"),
    "drop": _l("drop"),
}
KIND_NAMES: dict[str, Any] = {
    "vertical-row": _l("Column"),
    "rising-row": _l("Rising row /"),
    "falling-row": _l("Falling row \\"),
    "sun-ray": _l("Sun ray"),
    "moon-ray": _l("Moonbeam"),
    "line": _l("Line"),
    "single": _l("Single tile"),
    "last-tile": _l("Last tile"),
    "exchange": _l("Exchange"),
    "run": _l("Three in a row"),
    "tile": _l("Tile"),
    "area": _l("Area"),
    "card1": _l("Card 1: area of four"),
    "card2": _l("Card 2: shown shape"),
    "card3": _l("Card 3: penalty shape"),
    "ruling": _l("Ruling of the table"),
}

WORDS = COLOUR_NAMES | SHAPE_NAMES


def speak(app: Flask) -> None:
    Babel(app, locale_selector=choose, default_translation_directories="translations")
    app.jinja_env.globals.update(
        languages=LANGUAGES,
        language=language,
        short_label=short_label,
        tile_label=tile_label,
        kind_name=kind_name,
        colour_name=colour_name,
    )


def choose() -> str:
    """What the person picked, else what the browser prefers."""
    if (picked := session.get("language")) in LANGUAGES:
        return str(picked)
    return request.accept_languages.best_match(list(LANGUAGES)) or "en"


def language() -> str:
    return str(get_locale() or "en")


def tile_label(tile: str | None, mark: str | None = None) -> str:
    """A tile's name as people say it."""
    if tile is None:
        return str(gettext("empty"))
    words = tile.split(" ")
    if len(words) == 2:
        colour, shape = (str(WORDS.get(word, word)) for word in words)
        named = gettext("{colour} {shape}").format(colour=colour, shape=shape)
    else:
        named = str(WORDS.get(tile, tile))
    return f"{named} ({WORDS[mark]})" if mark in WORDS else named


def short_label(tile: str | None) -> str:
    """A label that fits on a tile in a photograph."""
    if tile is None:
        return "–"
    first, _space, shape = tile.partition(" ")
    if first not in COLOUR_SIGNS:
        return tile
    return f"{COLOUR_SIGNS[first]} {str(WORDS.get(shape, shape))[:3]}" if shape else str(COLOUR_SIGNS[first])


def colour_name(colour: str) -> str:
    return str(COLOUR_NAMES.get(colour, colour))


def kind_name(kind: str) -> str:
    return str(KIND_NAMES.get(kind, kind.replace("-", " ").capitalize()))


def say(message: Message, name_cell: Callable[[Cell], str]) -> str:
    """A sentence of the rules in this browser's language, cells by the names the board shows."""
    template = str(gettext(message.template))
    conjunction = gettext("and")
    params = {key: spelled(value, name_cell, conjunction) for key, value in message.params.items()}
    return template.format_map(params)


def spelled(value: object, name_cell: Callable[[Cell], str], conjunction: str) -> str:
    match value:
        case bool():
            return spell(value)
        case (int() as a, int() as b) if isinstance(value, tuple):
            return name_cell((a, b))
        case Message():
            return say(value, name_cell)
        case list() | tuple() | set() | frozenset():
            return spell([spelled(part, name_cell, conjunction) for part in value], conjunction)
        case str() if all(word in WORDS for word in value.split(" ")):
            return tile_label(value)
        case _:
            return spell(value, conjunction)
