"""`kibic move`: legality and points of a turn."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any

from scoring.core import Malformed
from web.commands.answering import Answer, add_input_arguments, answer_documents
from web.documents import Document, read_documents

if TYPE_CHECKING:
    from web.commands import Subparsers


def add_parser(subparsers: Subparsers) -> None:
    parser = subparsers.add_parser(
        "move",
        help="whether a turn is legal, and its points",
        description='Judges turns, each {"before": BOARD, "after": BOARD}, or one turn in two board files.',
    )
    add_input_arguments(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    return answer_documents(args, moves(args.files), answer)


def moves(files: list[str]) -> Iterator[Document]:
    """The moves in the files; two files that hold a board each are one move, before and after."""
    documents = [read_documents(path) for path in files]
    if len(files) == 2:
        first = next(documents[0])
        if _is_board(first.value):
            yield _joined(first, documents)
            return
        documents[0] = chain([first], documents[0])
    yield from chain.from_iterable(documents)


def _is_board(value: object) -> bool:
    return isinstance(value, dict) and "cells" in value and "before" not in value and "after" not in value


def _joined(before: Document, documents: list[Iterator[Document]]) -> Document:
    """One move out of BEFORE and AFTER; each file must hold exactly one board."""
    after = next(documents[1])
    if after.problem is not None:
        return after
    extra = next(chain.from_iterable(documents), None)
    if extra is not None:
        problem = Malformed(
            "one-board-wanted", "BEFORE and AFTER hold one board each; here is another object"
        )
        return Document(extra.file, extra.line, problem=problem)
    return Document(f"{before.file} → {after.file}", 0, {"before": before.value, "after": after.value})


def answer(value: Any, overrides: dict[str, Any]) -> Answer:
    """The verdict on one move object."""
    from scoring.formats import move_json, parse_move_file
    from web.terminal import move_text

    game, before, after, options = parse_move_file(value, overrides)
    result = game.move(before, after, options)
    return Answer(
        partial(move_json, result),
        lambda source: move_text(f"{game.title} ({source})", result),
        not result.legal or bool(result.findings),
    )
