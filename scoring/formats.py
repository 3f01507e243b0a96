"""Files to values and results to files: boards, rounds and moves as JSON objects.

Reading is strict about what carries meaning (types, cells, tiles, options) and easy about what does not: keys
nobody knows are ignored, so that the output of `kibic read --json` is itself a board file. Writing is exact.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, cast

from scoring.core import Board, Breakdown, Finding, Item, Malformed, Message, MoveResult, Player, RoundResult
from scoring.game import Game, Json
from scoring.lattice import laid
from scoring.registry import find_game
from scoring.strictjson import excerpt

NAME_LENGTH = 100
"""The longest name a player may have, in characters."""

INHERITED = ("board", "size", "edition")
"""What a round says once for all its players, unless a player says otherwise."""

TURN_OPTIONS = ("last_tile", "hands", "player")
"""Options of a turn that may also stand directly beside `before` and `after`."""


class BoardFile(NamedTuple):
    """One board and the variant it is scored by."""

    game: Game[Any, Any]
    board: Board[Any]
    options: Any


class RoundFile(NamedTuple):
    """Everybody's boards of one round."""

    game: Game[Any, Any]
    players: tuple[Player[Any], ...]
    options: Any


class MoveFile(NamedTuple):
    """The table before and after one turn."""

    game: Game[Any, Any]
    before: Board[Any]
    after: Board[Any]
    options: Any


NOTHING: Json = {}


def parse_file(data: object, overrides: Json = NOTHING) -> BoardFile | RoundFile:
    """A board or, if it has `players`, a round. `overrides` are options that win over the file's own."""
    fields = _object(data, "")
    if "before" in fields or "after" in fields:
        raise Malformed("is-a-move", "this is a move (before and after), not a board", "before")
    if "players" in fields:
        return _round_file(fields, overrides)
    return parse_board_file(fields, overrides)


def parse_board_file(data: object, overrides: Json = NOTHING) -> BoardFile:
    """One board."""
    fields = _object(data, "")
    if "players" in fields:
        raise Malformed(
            "is-a-round", "this is a round of several players; one board is wanted here", "players"
        )
    game = _game(fields)
    return BoardFile(game, game.parse_board(fields), game.parse_options(_options(fields, overrides)))


def _round_file(fields: Json, overrides: Json) -> RoundFile:
    game = _game(fields)
    if "cells" in fields:
        raise Malformed(
            "board-and-round", 'stands beside "players"; each player has cells of their own', "cells"
        )
    entries = fields["players"]
    if not isinstance(entries, list):
        raise Malformed("players-wrong-type", 'must be a list of {"name": NAME, "cells": […]}', "players")
    if len(entries) not in game.players:
        allowed = f"{game.players.start}–{game.players.stop - 1}"
        raise Malformed("players-number", f"{len(entries)} given, {game.title} is for {allowed}", "players")
    shared = {key: fields[key] for key in INHERITED if key in fields}
    players: dict[str, Player[Any]] = {}
    for index, entry in enumerate(entries):
        place = f"players[{index}]"
        own = _object(entry, place)
        _same_game(own, game, place)
        name = _name(own.get("name"), f"{place}.name")
        if name in players:
            raise Malformed("name-twice", f"{excerpt(name)} already has a board", f"{place}.name")
        players[name] = Player(name, game.parse_board({**shared, **own}, place))
    return RoundFile(game, tuple(players.values()), game.parse_options(_options(fields, overrides)))


def parse_move_file(data: object, overrides: Json = NOTHING) -> MoveFile:
    """One turn: the table before it, and the table after it or the tiles that were placed.

    Its game may stand beside `before` and `after` or inside either; all that are given agree.
    """
    fields = _object(data, "")
    if "after" in fields and "placed" in fields:
        raise Malformed("after-and-placed", 'stands beside "after"; one of the two says it all', "placed")
    for key in ("before", "after"):
        if key not in fields and not (key == "after" and "placed" in fields):
            raise Malformed("move-missing", 'is missing: a move is {"before": BOARD, "after": BOARD}', key)
    before, after = _object(fields["before"], "before"), _object(fields.get("after", NOTHING), "after")
    place, named = next(
        (
            found
            for found in (("game", fields), ("after.game", after), ("before.game", before))
            if "game" in found[1]
        ),
        ("game", fields),
    )
    game = find_game(named.get("game"), place)
    _same_game(before, game, "before")
    _same_game(after, game, "after")
    shared = {key: fields[key] for key in INHERITED if key in fields}
    beside = {key: fields[key] for key in TURN_OPTIONS if key in fields}
    options = {**_options(after, NOTHING, "after.options"), **beside, **_options(fields, overrides)}
    start = game.parse_board({"cells": [], **shared, **before}, "before")
    end = (
        _with_placed(game, start, fields["placed"])
        if "placed" in fields
        else game.parse_board({**shared, **after}, "after")
    )
    return MoveFile(game, start, end, game.parse_options(options, edition=end.edition))


def _with_placed(game: Game[Any, Any], before: Board[Any], placed: object) -> Board[Any]:
    """The table after these tiles were placed, each `{"at", "tile"}`."""
    if not game.by_turns:
        raise Malformed("no-turns", f"{game.title} is scored by finished boards, not by turns", "game")
    try:
        tiles = game.parse_board({"cells": placed, "edition": before.edition}, "placed")
    except Malformed as problem:
        what = str(problem).removeprefix(f"{problem.place}: ")
        raise Malformed(problem.code, what, problem.place.replace(".cells", "", 1)) from None
    return laid(before, tiles.cells)


def _object(data: object, place: str) -> Json:
    if isinstance(data, dict):
        return data
    raise Malformed("not-an-object", f"must be an object {{…}}, not {excerpt(data)}", place)


def _game(fields: Json) -> Game[Any, Any]:
    if "game" not in fields:
        raise Malformed("game-missing", "is missing: which game is this?", "game")
    return find_game(fields["game"])


def _same_game(fields: Json, game: Game[Any, Any], place: str) -> None:
    if "game" in fields and fields["game"] != game.id:
        raise Malformed(
            "other-game", f"{excerpt(fields['game'])}, but the rest is {game.id}", f"{place}.game"
        )


def _options(fields: Json, overrides: Json, place: str = "options") -> dict[str, Any]:
    options = fields.get("options", {})
    if not isinstance(options, dict):
        raise Malformed("options-wrong-type", 'must be an object {"key": value}', place)
    return {**options, **overrides}


def _name(name: object, place: str) -> str:
    if isinstance(name, str) and name.strip() and len(name) <= NAME_LENGTH and name.isprintable():
        return name
    raise Malformed("name-wrong", f"must be a name of 1–{NAME_LENGTH} printable characters", place)


def breakdown_json(result: Breakdown) -> dict[str, Any]:
    """`{"game", "total", "items", "findings"}`."""
    return {"game": result.game, **_scored_json(result)}


def round_json(result: RoundResult) -> dict[str, Any]:
    """`{"game", "players", "findings", "ranking"}`, players in the order they were given."""
    return {
        "game": result.game,
        "players": [{"name": name, **_scored_json(breakdown)} for name, breakdown in result.players],
        "findings": findings_json(result.findings),
        "ranking": [{"place": row.place, "name": row.name, "total": row.total} for row in result.ranking],
    }


def move_json(result: MoveResult) -> dict[str, Any]:
    """`{"legal", "points", "items", "findings"}`."""
    return {
        "legal": result.legal,
        "points": result.points,
        "items": items_json(result.items),
        "findings": findings_json(result.findings),
    }


def _scored_json(result: Breakdown) -> dict[str, Any]:
    return {
        "total": result.total,
        "items": items_json(result.items),
        "findings": findings_json(result.findings),
    }


def items_json(items: Sequence[Item]) -> list[dict[str, Any]]:
    """Items as objects; one that was refused points also says why."""
    return [_item_json(item) for item in items]


def _item_json(item: Item) -> dict[str, Any]:
    found = {
        "kind": item.kind,
        "cells": [list(cell) for cell in item.cells],
        "formula": item.formula,
        "value": item.value,
        "points": item.points,
    }
    if item.reason is not None:
        found["reason"] = item.reason.text
        found["reason_code"] = item.reason.code
        found["reason_params"] = plain(item.reason.params)
    return found


def findings_json(findings: Sequence[Finding]) -> list[dict[str, Any]]:
    """Findings as objects; `players` only where a finding is about somebody."""
    return [_finding_json(finding) for finding in findings]


def _finding_json(finding: Finding) -> dict[str, Any]:
    found: dict[str, Any] = {
        "code": finding.message.code,
        "message": finding.message.text,
        "cells": [list(cell) for cell in finding.cells],
        "params": plain(finding.message.params),
    }
    if finding.players:
        found["players"] = list(finding.players)
    return found


_PLAIN = frozenset({str, int, float, bool, type(None)})


def plain(value: object) -> Any:
    """A message parameter as JSON: cells become pairs, sets sorted lists, anything else its text."""
    # Most parameters are plain already or pairs of numbers, and there are many: asked first, by exact type.
    kind = type(value)
    if kind in _PLAIN:
        return value
    if kind is tuple or kind is list:
        return [part if type(part) in _PLAIN else plain(part) for part in cast("Sequence[object]", value)]
    match value:
        case str() | int() | float():
            return value
        case Message():
            return value.text
        case Mapping():
            return {str(key): plain(part) for key, part in value.items()}
        case list() | tuple():
            return [plain(part) for part in value]
        case set() | frozenset():
            return [plain(part) for part in sorted(value)]
        case _:
            return str(value)
