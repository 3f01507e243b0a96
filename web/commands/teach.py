"""`kibic teach`: one photo of a copy's tiles, laid out, becomes an edition."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scoring.core import Malformed
from scoring.strictjson import excerpt
from web.commands.answering import Exit
from web.terminal import one_line

if TYPE_CHECKING:
    from vision.lessons import Lesson, Question
    from web.commands import Subparsers

HOW = {
    "trio": "Lay out six rows of six: one colour per row, one shape per column (or the other way round).",
    "qwirkle": "Lay out one tile of each kind, six rows of six: one colour per row, one shape per column.",
    "mipasuje": "Lay out one player's 27 tiles (and the 4 special ones) in any order, not touching.",
    "bits": "Lay one player's 14 dominoes beside the empty ramp, not touching each other.",
}


def add_parser(subparsers: Subparsers) -> None:
    parser = subparsers.add_parser(
        "teach",
        help="teach Kibic your copy of a game from one photo",
        description="Learns how a copy of a game looks. "
        + " ".join(f"{game}: {how}" for game, how in HOW.items()),
    )
    parser.add_argument("photos", nargs="+", metavar="PHOTO", help="photos of the tiles, laid out")
    parser.add_argument("--game", required=True, help="mipasuje, qwirkle, trio or bits")
    parser.add_argument("--name", required=True, help="what to call this edition")
    parser.add_argument(
        "--answer",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="an answer to a question, such as column-3=leaf; may be repeated",
    )
    parser.add_argument("--replace", action="store_true", help="teach an edition of this name anew")
    parser.add_argument("--json", action="store_true", help="what was understood, as one JSON object")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    from scoring.registry import find_game
    from vision.edition_files import EditionStore
    from vision.editions import BadEdition
    from vision.reading import Unreadable
    from vision.teach import learn

    game = find_game(args.game, "--game").id
    answers = _answers(args.answer)
    store = EditionStore()
    try:
        if not args.replace and store.has(game, args.name):
            raise BadEdition(
                "name-taken", f"an edition of this game is called {args.name!r} already (--replace)"
            )
        photos = [_read_file(photo) for photo in args.photos]
        lesson = learn(photos, game, args.name, answers)
        while lesson.questions and not args.json and sys.stdin.isatty() and sys.stdout.isatty():
            answers |= {question.key: _asked(question) for question in lesson.questions}
            lesson = learn(photos, game, args.name, answers)
        accepted = lesson.edition is not None and _accepted(args, lesson)
        if accepted and lesson.edition is not None:
            store.keep(lesson.edition, replace=args.replace)
    except (Unreadable, BadEdition) as error:
        return _refused(args.json, error.code, str(error))
    except OSError as error:
        return _refused(args.json, "cannot-write", f"the edition cannot be kept: {error.strerror}")
    if args.json:
        print(json.dumps(lesson_json(lesson, accepted), ensure_ascii=False))
    else:
        print(lesson_text(lesson, args.name, accepted))
    return Exit.OK if accepted else Exit.FOUND_WRONG


def _answers(given: list[str]) -> dict[str, str]:
    found = {}
    for text in given:
        key, equals, value = text.partition("=")
        if not (key and equals):
            raise Malformed("answer-wrong", f"{excerpt(text)} is not KEY=VALUE", "--answer")
        found[key] = value
    return found


def _read_file(photo: str) -> bytes:
    try:
        return Path(photo).read_bytes()
    except (OSError, ValueError) as error:  # ValueError: a name no file can have
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise Malformed("cannot-read", f"{photo}: cannot be opened: {reason}") from None


def _asked(question: Question) -> str:
    offered = f" ({' / '.join(question.choices)})" if question.choices else ""
    fallback = f" [{question.suggestion}]" if question.suggestion else ""
    return input(f"{question.message}{offered}{fallback} ").strip() or question.suggestion


def _accepted(args: argparse.Namespace, lesson: Lesson) -> bool:
    """On a terminal people look at it first; a script that asked for it wants it."""
    if args.json or not (sys.stdin.isatty() and sys.stdout.isatty()):
        return True
    print(lesson_text(lesson, args.name, False))
    return input("Keep this edition? [y/n] ").strip().lower() in ("y", "yes", "t", "tak")


def _refused(as_json: bool, code: str, message: str) -> Exit:
    if as_json:
        print(json.dumps({"error": {"code": code, "message": one_line(message)}}, ensure_ascii=False))
    print(f"kibic: {one_line(message)}", file=sys.stderr)
    return Exit.CANNOT


def lesson_json(lesson: Lesson, kept: bool) -> dict[str, Any]:
    """What `kibic teach --json` prints."""
    return {
        "game": lesson.game,
        "kept": kept,
        "tiles": [
            {
                "at": list(tile.at),
                "tile": tile.tile,
                "mark": tile.mark,
                "note": tile.note or None,
                "polygon": [[round(x, 1), round(y, 1)] for x, y in tile.polygon],
            }
            for tile in lesson.tiles
        ],
        "names": dict(lesson.names),
        "questions": [
            {
                "key": question.key,
                "message": question.message,
                "choices": list(question.choices),
                "suggestion": question.suggestion or None,
            }
            for question in lesson.questions
        ],
        "problems": [
            {
                "code": problem.code,
                "message": problem.message,
                "cells": [list(cell) for cell in problem.cells],
            }
            for problem in lesson.problems
        ],
    }


def lesson_text(lesson: Lesson, name: str, kept: bool) -> str:
    """Tile by tile, then what is asked, then what is wrong."""
    lines = [f"{lesson.game}, {len(lesson.tiles)} tiles seen"]
    rows: dict[int, list[str]] = {}
    for tile in lesson.tiles:
        mark = f" {tile.mark}" if tile.mark else ""
        rows.setdefault(tile.at[0], []).append(f"{tile.tile}{mark}{' (?)' if tile.note else ''}")
    width = max((len(word) for row in rows.values() for word in row), default=0)
    lines += ["  " + "  ".join(word.ljust(width) for word in row).rstrip() for row in rows.values()]
    if lesson.problems:
        lines += [
            "",
            "This photo cannot teach yet:",
            *(f"  ! {one_line(p.message)}" for p in lesson.problems),
        ]
    if lesson.questions:
        lines += ["", "Please answer:"]
        lines += [f"  ? {one_line(q.message)}  --answer {q.key}=…" for q in lesson.questions]
    if kept:
        lines += ["", f"Kept as {name!r}: kibic read --game {lesson.game} --edition {name!r} PHOTO"]
    elif lesson.edition is None:
        lines += ["", "Nothing was kept."]
    return "\n".join(lines)
