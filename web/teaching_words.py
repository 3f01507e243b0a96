"""What a lesson says, in the reader's language."""

from __future__ import annotations

import re

from flask_babel import gettext as _

from vision.lessons import Problem, Question
from web.language import tile_label

PLACE = re.compile(r"row (\d+) column (\d+)")


def places(text: str) -> str:
    """Rows and columns of the layout."""
    return PLACE.sub(lambda found: _("row %(row)s, column %(column)s", row=found[1], column=found[2]), text)


def line(key: str) -> str:
    """row-2 → row 2."""
    what, _dash, number = key.partition("-")
    if what == "row":
        return str(_("row %(number)s", number=number))
    if what == "column":
        return str(_("column %(number)s", number=number))
    if what == "colour":
        return str(_("colour %(number)s", number=number))
    return number or key


def say_lesson_problem(problem: Problem) -> str:
    """One line that says what is wrong with the layout."""
    facts = problem.facts
    count = facts.get("count", 0)
    where = places(str(facts.get("places", "")))
    tile = tile_label(str(facts["tile"])) if "tile" in facts else ""
    words = {
        "no-layout": _("%(count)s tiles were found. Lay all of them out as shown.", count=count),
        "too-many": _("%(count)s tiles lie outside the layout. Take them away.", count=count),
        "dark": _("The photo is too dark to learn colours from. Switch on a light."),
        "glare": _("These tiles cannot be seen well: %(places)s. Shade the lamp.", places=where),
        "foreign": _("The tile in %(places)s does not belong here. Is it of another game?", places=where),
        "double": _("%(tile)s is there twice: %(places)s. Lay out each kind once.", tile=tile, places=where),
        "missing": _("%(tile)s is missing (%(places)s).", tile=tile, places=where)
        if where
        else _("%(tile)s is missing.", tile=tile),
        "bad-word": _("“%(word)s” is not one word. Name it with one.", word=facts.get("word", "")),
        "name-twice": _("Two are called “%(word)s”. Give each its own name.", word=facts.get("word", "")),
        "colours": _("%(count)s colours were seen, not four or five. Use even light.", count=count),
        "no-ramp": _("The empty ramp was not found. Lay it beside the dominoes."),
        "ramp-filled": _("Tiles lie on the ramp. Empty it first."),
        "touching": _("Some tiles touch each other. Lay them apart."),
        "unclear": _("Some tiles cannot be made out: %(places)s. Come closer.", places=where),
    }  # fmt: skip
    return str(words.get(problem.code, problem.message))


def say_question(question: Question) -> str:
    if question.code == "name-shape":
        return str(_("What is the shape in %(line)s called?", line=line(question.key)))
    if question.code == "mark":
        return str(_("Does %(tile)s carry a sun or a moon?", tile=question.key.removeprefix("mark-")))
    return question.message


def say_refusal(code: str, message: str, title: str) -> str:
    """Why a photo, a name or a file is refused."""
    words = {
        "other-game": _("These are tiles of another game, not of %(game)s.", game=title),
        "no-tiles": _("No tiles of %(game)s were found. Lay them out as shown.", game=title),
        "too-far": _("The tiles are too small in the photo. Come closer."),
        "too-oblique": _("The photo is taken from too low. Hold the phone above the tiles."),
        "name-taken": _("An edition with this name is there already. Choose another name."),
        "name-wrong": _("Give the edition a name of up to 60 letters."),
        "not-an-edition": _("This is not an edition file of Kibic."),
        "other-version": _("This edition was taught to another version of Kibic."),
        "damaged": _("This edition file is damaged. Export it again."),
        "too-big": _("This file is too big for an edition."),
        "no-such-edition": _("There is no such edition."),
    }
    return str(words.get(code, message))
