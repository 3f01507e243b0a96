"""An entry of the record as one sentence."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from flask_babel import gettext as _

from web.record_chain import Entry


def said(entry: Entry, names: Mapping[int, str], tile: Callable[[str | None, str | None], str]) -> str:
    """What happened, in the reader's language; `names` by seat."""
    body: Mapping[str, Any] = entry.body
    match entry.kind:
        case "table":
            players = ", ".join(one["name"] for one in body["players"])
            return str(_("table opened: %(players)s", players=players))
        case "round":
            return str(_("round %(number)d begins", number=body["number"]))
        case "photo":
            return str(_("photo %(hash)s…", hash=body["sha256"][:12]))
        case "board":
            name = names.get(body.get("seat_id", 0), "–")
            return str(_("%(name)s: a new board", name=name))
        case "reading" if body["reading"] is not None:
            count, asked = len(body["reading"]["cells"]), len(body["reading"]["doubts"])
            return str(_("photo read: %(count)d tiles, %(asked)d doubts", count=count, asked=asked))
        case "correction":
            return str(_("%(who)s: %(tile)s", who=body["who"], tile=tile(body["tile"], body["mark"])))
        case "correction-undone":
            return str(_("%(who)s takes a correction back", who=body["who"]))
        case "board-removed":
            return str(_("board taken back"))
        case "call":
            return str(_("called: %(tile)s", tile=tile(body["tile"], body["mark"])))
        case "claim":
            return str(_("%(who)s disagrees", who=body["who"]))
        case "ruling":
            verdicts = {
                "accepted": _("claim accepted"),
                "rejected": _("claim rejected"),
                "photo": _("another photo will decide"),
            }
            return str(verdicts.get(body["ruling"], body["ruling"]))
        case "score":
            totals = ", ".join(f"{names.get(int(seat), '–')} {n}" for seat, n in body["totals"].items())
            return str(_("score: %(totals)s", totals=totals))
        case _:
            return str(_("changed"))
