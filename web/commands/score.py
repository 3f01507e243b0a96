"""`kibic score`: the breakdown of a board or a round."""

from __future__ import annotations

import argparse
from functools import partial
from typing import TYPE_CHECKING, Any

from web.commands.answering import Answer, add_input_arguments, answer_files

if TYPE_CHECKING:
    from web.commands import Subparsers


def add_parser(subparsers: Subparsers) -> None:
    parser = subparsers.add_parser("score", help="every point of a board or a round, and why")
    add_input_arguments(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    return answer_files(args, answer)


def answer(value: Any, overrides: dict[str, Any]) -> Answer:
    """The breakdown of one board or round object."""
    from scoring.formats import RoundFile, breakdown_json, parse_file, round_json
    from web.terminal import breakdown_text, round_text

    parsed = parse_file(value, overrides)
    title = parsed.game.title
    if isinstance(parsed, RoundFile):
        everybody = parsed.game.score_round(parsed.players, parsed.options)
        wrong = bool(everybody.findings) or any(result.findings for _, result in everybody.players)
        return Answer(
            partial(round_json, everybody),
            lambda source: round_text(f"{title}, {len(parsed.players)} players ({source})", everybody),
            wrong,
        )
    result = parsed.game.score(parsed.board, parsed.options)
    return Answer(
        partial(breakdown_json, result),
        lambda source: breakdown_text(f"{title} ({source})", result),
        bool(result.findings),
    )
