"""The one list of games."""

from __future__ import annotations

from typing import Any

from scoring.bits import Bits
from scoring.core import Malformed
from scoring.game import Game
from scoring.mipasuje import MiPasuje
from scoring.qwirkle import Qwirkle
from scoring.trio import Trio

GAMES: dict[str, Game[Any, Any]] = {game.id: game for game in (MiPasuje(), Qwirkle(), Trio(), Bits())}


def find_game(name: object, place: str = "game") -> Game[Any, Any]:
    """The game with this id."""
    if isinstance(name, str) and name in GAMES:
        return GAMES[name]
    raise Malformed("unknown-game", f"{name!r:.60} is not one of {', '.join(GAMES)}", place)
