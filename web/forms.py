"""What people type when they open a table, checked and limited."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import Any, TypeAlias

from flask_babel import gettext as _
from werkzeug.datastructures import MultiDict

from scoring.core import Malformed
from scoring.game import Game
from scoring.match import BITS_ROUNDS
from web.looks import CARD2_SHAPES, LOOKS, SEAT_COLOURS
from web.settings import Settings

Form: TypeAlias = MultiDict[str, str]


@dataclass(frozen=True, slots=True)
class Setup:
    """A table about to be opened."""

    layout: str
    size: list[int] | None
    options: dict[str, Any]
    rounds: int
    players: list[tuple[str, str]]
    cards_name: str = ""
    """Bits: what these task cards are called, if they shall be kept."""


def clean_name(text: str, settings: Settings) -> str:
    """A player's name: any letters of the world, no control characters, one line, not too long."""
    if len(text) > 10 * settings.name_characters:
        raise Malformed(
            "name-too-long", _("A name may have up to %(most)d characters.", most=settings.name_characters)
        )
    tidy = " ".join(
        "".join(
            character if unicodedata.category(character)[0] != "C" else " "
            for character in unicodedata.normalize("NFC", text)
        ).split()
    )
    if len(tidy) > settings.name_characters:
        raise Malformed(
            "name-too-long", _("A name may have up to %(most)d characters.", most=settings.name_characters)
        )
    return tidy


def read_setup(game: Game[Any, Any], form: Form, settings: Settings) -> Setup:
    """The whole form; `Malformed` says in one line what to change."""
    players = read_players(game, form, settings)
    look = LOOKS[game.id]
    layout = ""
    size = None
    options: dict[str, Any] = {}
    rounds = 1
    if game.id == "mipasuje":
        layout = form.get("layout", "standard")
        if layout not in [choice.value for choice in look.layouts]:
            raise Malformed("unknown-board", _("Choose one of the boards."))
        options = {key: form.get(key, choices[0].value) for key, choices in (look.options or {}).items()}
        if layout == "valve":
            options["valve"] = number(form.get("valve", "1"), 1, 4)
        rounds = number(form.get("rounds", "1"), 1, settings.rounds)
    elif game.id == "bits":
        size = [number(form.get("rows", "6"), 1, 20), number(form.get("columns", "4"), 1, 20)]
        options = {
            "card2": [shape for shape in CARD2_SHAPES if shape in form.getlist("card2")],
            "card3": read_card3(form),
        }
        rounds = BITS_ROUNDS
    game.parse_options(options)
    named = clean_name(form.get("cards-name", ""), settings)
    return Setup(layout, size, options, rounds, players, named)


def read_players(game: Game[Any, Any], form: Form, settings: Settings) -> list[tuple[str, str]]:
    names = form.getlist("name")[:20]
    colours = form.getlist("colour")[:20]
    players: list[tuple[str, str]] = []
    free = [colour for colour in SEAT_COLOURS if colour not in colours[: len(names)]]
    for index, text in enumerate(names):
        name = clean_name(text, settings)
        if not name:
            continue
        if name.casefold() in (other.casefold() for other, _colour in players):
            raise Malformed(
                "name-twice", _("Two players are called %(name)s. Give them different names.", name=name)
            )
        colour = colours[index] if index < len(colours) else ""
        taken = {one for _name, one in players}
        if colour not in SEAT_COLOURS or colour in taken:
            colour = next((one for one in [*free, *SEAT_COLOURS] if one not in taken), "red")
        players.append((name, colour))
    if len(players) not in game.players:
        least, most = min(game.players), max(game.players)
        raise Malformed(
            "wrong-number-of-players",
            _(
                "%(game)s is for %(least)d to %(most)d players. Enter their names.",
                game=game.title,
                least=least,
                most=most,
            ),
        )
    return players


def read_card3(form: Form) -> dict[str, int]:
    """Penalty shapes: the offered ones by their own fields, one more as a drawing."""
    chosen: dict[str, int] = {}
    for shape, points in zip(
        form.getlist("card3-shape")[:20], form.getlist("card3-points")[:20], strict=False
    ):
        if points in ("-1", "-2") and shape.strip():
            chosen[shape.strip()[:60]] = int(points)
    return chosen


def number(text: str, least: int, most: int) -> int:
    if text.isdecimal() and len(text) < 6 and least <= int(text) <= most:
        return int(text)
    raise Malformed("not-a-number", _("Enter a number from %(least)d to %(most)d.", least=least, most=most))
