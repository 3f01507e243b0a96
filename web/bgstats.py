"""A finished table as a play for the BG Stats app: one link that opens it there."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import quote

from web.play import TableView

IMPORT = "bgstats://app.bgstatsapp.com/createPlay.html?data="
BGG_IDS = {"mipasuje": 128, "qwirkle": 25669}
"""BoardGameGeek's numbers (Mi pasuje! is Take It Easy!); the other two are matched by name in the app."""


def bgstats_link(shown: TableView) -> str:
    return IMPORT + quote(json.dumps(play(shown), ensure_ascii=False, separators=(",", ":")), safe="")


def play(shown: TableView) -> dict[str, Any]:
    """The play as BG Stats imports it: who sat there, what everybody scored, who won."""
    table = shown.table
    places = {seat.id: line.place for line in shown.standings for seat in line.seats}
    return {
        "sourceName": "Kibic",
        "sourcePlayId": table.key,
        "playDate": f"{table.created:%Y-%m-%d %H:%M:%S}",
        "game": {
            "name": shown.game.title,
            "sourceGameId": table.game,
            "bggId": BGG_IDS.get(table.game, 0),
            "highestWins": True,
            "noPoints": False,
        },
        "board": table.layout,
        "players": [
            {
                "name": seat.name,
                "sourcePlayerId": seat.name.casefold(),
                "startPlayer": seat.position == 0,
                "rank": places[seat.id],
                "role": "",
                "score": shown.totals[seat.id],
                "winner": shown.complete and places[seat.id] == 1,
                **({"team": str(seat.team)} if seat.team else {}),
            }
            for seat in table.seats
        ],
    }
