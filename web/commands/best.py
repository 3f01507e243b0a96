"""`kibic best`: the highest score the tiles on a finished board could have made."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from web.commands.answering import Answer, add_input_arguments, answer_files

if TYPE_CHECKING:
    from web.commands import Subparsers

BASE = {"scoring": "base"}
"""The rays variants pay for symbols, which the search does not place."""


def add_parser(subparsers: Subparsers) -> None:
    parser = subparsers.add_parser(
        "best",
        help="the best score those tiles could have made",
        description="The proven best for the tiles of a finished standard Mi pasuje! board, base scoring.",
    )
    add_input_arguments(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    return answer_files(args, answer)


def answer(value: Any, overrides: dict[str, Any]) -> Answer:
    """`{"total", "best", "board"}`: what was made, what could have been, and how; all in base scoring."""
    from scoring.core import Malformed
    from scoring.formats import parse_board_file
    from web.terminal import best_text

    game, board, _ = parse_board_file(value, overrides)
    if game.id != "mipasuje":
        raise Malformed(
            "no-best", f"the best board is known for Mi pasuje! only, not for {game.title}", "game"
        )
    from scoring.mipasuje.best import best_of_board

    best, best_board = best_of_board(board)
    total = game.score(board, game.parse_options(BASE)).total
    names = {cell: game.tile_name(tile) for cell, tile in best_board.cells.items()}
    return Answer(
        lambda: {"total": total, "best": best, "board": game.board_json(best_board)},
        lambda source: best_text(f"{game.title} ({source})", total, best, names),
        wrong=False,
    )
