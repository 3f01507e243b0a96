"""Board files, options and the one-line notation of Mi pasuje!: what is accepted and what is refused."""

from __future__ import annotations

import json
from typing import Any

import pytest

from scoring.core import Malformed
from scoring.mipasuje import LAYOUTS, MiPasuje, MiPasujeOptions

GAME = MiPasuje()


def cell(q: Any = 0, r: Any = 0, tile: Any = "9-7-3", **more: Any) -> dict[str, Any]:
    return {"at": [q, r], "tile": tile, **more}


def test_a_board_file() -> None:
    board = GAME.parse_board(
        {
            "game": "mipasuje",
            "board": "valve",
            "cells": [cell(0, -1, "5-2-8", mark="sun"), cell(0, 0, "*-*-3", mark=None, p=0.9)],
            "aside": ["9-2-4", "*-*-*"],
            "order": [[0, 0], [0, -1]],
            "edition": "Babcia",
            "doubts": [],
        }
    )
    assert board.layout == "valve"
    assert [(at, tile.name, tile.mark) for at, tile in board.cells.items()] == [
        ((0, -1), "5-2-8", "sun"),
        ((0, 0), "*-*-3", None),
    ]
    assert [tile.name for tile in board.aside] == ["9-2-4", "*-*-*"]
    assert board.order == ((0, 0), (0, -1))
    assert board.edition == "Babcia"
    assert GAME.parse_board(json.loads(json.dumps(GAME.board_json(board)))) == board


def test_without_a_board_it_is_the_standard_one() -> None:
    assert GAME.parse_board({"cells": []}).layout == "standard"


@pytest.mark.parametrize(
    ("data", "code", "message"),
    [
        ({"cells": [cell(3, 0)]}, "off-board", "cells[0].at: [3, 0] is not on the standard board"),
        (
            {"board": "valve-turned", "cells": [cell(), cell(2, 1)]},
            "off-board",
            "cells[1].at: [2, 1] is not on the valve-turned board",
        ),
        (
            {"cells": [cell(tile="9-7-9")]},
            "unknown-tile",
            "cells[0].tile: '9-7-9' is not a tile such as 9-7-3 or *-*-3",
        ),
        (
            {"cells": [cell(tile="9-*-3")]},
            "unknown-tile",
            "cells[0].tile: '9-*-3' is not a tile such as 9-7-3 or *-*-3",
        ),
        (
            {"cells": [cell(tile=["9-7-3"])]},
            "unknown-tile",
            "cells[0].tile: ['9-7-3'] is not a tile such as 9-7-3 or *-*-3",
        ),
        ({"cells": [cell(mark="star")]}, "unknown-mark", "cells[0].mark: 'star' is neither sun nor moon"),
        ({"cells": [cell(mark=["sun"])]}, "unknown-mark", "cells[0].mark: ['sun'] is neither sun nor moon"),
        ({"cells": [cell(), cell()]}, "cell-twice", "cells[1].at: [0, 0] already has a tile (cells[0])"),
        (
            {"board": "round", "cells": []},
            "unknown-board",
            f"board: 'round' is not one of {', '.join(LAYOUTS)}",
        ),
        ({"cells": [], "aside": "9-7-3"}, "aside-wrong-type", "aside: must be a list of tile names"),
        (
            {"cells": [], "aside": ["9-7-3", 7]},
            "unknown-tile",
            "aside[1]: 7 is not a tile such as 9-7-3 or *-*-3",
        ),
        ({"cells": [], "edition": 7}, "edition-wrong-type", "edition: must be the name of an edition"),
        ({"cells": [], "order": [[0, 0]]}, "order-empty-cell", "order[0]: [0, 0] holds no tile"),
        ({"cells": [cell()], "order": [[0, 0], [0, 0]]}, "order-twice", "order[1]: [0, 0] comes twice"),
    ],
)
def test_a_malformed_board_names_the_place(data: dict[str, Any], code: str, message: str) -> None:
    with pytest.raises(Malformed) as caught:
        GAME.parse_board(data)
    assert (caught.value.code, str(caught.value)) == (code, message)


@pytest.mark.parametrize("board", [None, 1, float("nan"), ["valve"], {"valve": 1}])
def test_a_board_that_is_no_name_is_malformed(board: object) -> None:
    with pytest.raises(Malformed, match=r"^players\[2\]\.board: "):
        GAME.parse_board({"board": board, "cells": []}, "players[2]")


def test_options() -> None:
    assert GAME.parse_options({}) == MiPasujeOptions("base", "free", None)
    assert GAME.parse_options({"scoring": "rays", "placement": "sun-moon", "valve": 3}) == MiPasujeOptions(
        "rays", "sun-moon", 3
    )


@pytest.mark.parametrize(
    ("data", "place"),
    [
        ({"scoring": "double"}, "options.scoring"),
        ({"scoring": None}, "options.scoring"),
        ({"placement": ["free"]}, "options.placement"),
        ({"valve": 5}, "options.valve"),
        ({"valve": True}, "options.valve"),
        ({"valve": "2"}, "options.valve"),
        ({"valve": 2.5}, "options.valve"),
        ({"round": 1}, "options"),
        ([], "options"),
    ],
)
def test_unknown_options_are_malformed(data: Any, place: str) -> None:
    with pytest.raises(Malformed) as caught:
        GAME.parse_options(data)
    assert caught.value.place == place


def test_notation() -> None:
    text = "standard:528s.973.-,-.-.-.-,-.-.123m.-.-,-.-.-.-,-.-.-@9.0!Rebel%202024"
    board = GAME.from_notation(text)
    assert {at: tile.name for at, tile in board.cells.items()} == {
        (-2, 0): "5-2-8",
        (-2, 1): "9-7-3",
        (0, 0): "1-2-3",
    }
    assert board.order == ((0, 0), (-2, 0))
    assert board.edition == "Rebel 2024"
    assert GAME.notation(board) == text


EMPTY = "standard:-.-.-,-.-.-.-,-.-.-.-.-,-.-.-.-,-.-.-"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "standard",
        "round:-",
        EMPTY + ".-",
        EMPTY.replace(",", "."),
        EMPTY.replace("-.-.-,", "979.-.-,", 1),
        EMPTY.replace("-.-.-,", "973x.-.-,", 1),
        EMPTY.replace("-.-.-,", "9-7-3.-.-,", 1),
        EMPTY.replace("-.-.-,", "9.-.-,", 1),
        EMPTY + "@0",
        EMPTY.replace("-.-.-,", "973.-.-,", 1) + "@0.0",
        EMPTY + "@",
        EMPTY + "@٣",
        EMPTY + "@19",
        EMPTY + "+",
        EMPTY + "!a b",
        EMPTY + "\n",
    ],
)
def test_anything_else_is_not_notation(text: str) -> None:
    GAME.from_notation(EMPTY)
    with pytest.raises(Malformed):
        GAME.from_notation(text)
