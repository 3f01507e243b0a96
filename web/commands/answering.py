"""What `score`, `move` and `best` share: objects in, one answer each out, and an exit code at the end."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterable, Iterator
from enum import IntEnum
from typing import Any, NamedTuple

from scoring.core import Malformed
from scoring.strictjson import NotJson, excerpt, loads
from web.documents import Document, read_documents
from web.terminal import one_line


class Exit(IntEnum):
    """How a command ends; over many inputs, the worst of them counts."""

    OK = 0
    FOUND_WRONG = 1
    """A referee would object: a finding, or a move that is not legal."""
    CANNOT = 2


class Answer(NamedTuple):
    """One result, in both shapes; only the one that is wanted is made."""

    as_json: Callable[[], dict[str, Any]]
    as_text: Callable[[str], str]
    """Given a heading that names the input."""
    wrong: bool


def add_input_arguments(parser: argparse.ArgumentParser, files: str = "FILE") -> None:
    """FILE…, --json and --option, the same for every command that works on objects."""
    parser.add_argument(
        "files", nargs="+", metavar=files, help='one JSON object, or one per line; "-": standard input'
    )
    parser.add_argument("--json", action="store_true", help="one result per line, as JSON")
    parser.add_argument(
        "--option",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="a variant, such as scoring=rays; wins over the file's own; may be repeated",
    )


def parse_overrides(given: Iterable[str]) -> dict[str, Any]:
    """The `--option` arguments; a value that is JSON is taken as JSON, anything else as a word."""
    overrides = {}
    for text in given:
        key, equals, value = text.partition("=")
        if not (key and equals):
            raise Malformed("option-wrong", f"{excerpt(text)} is not KEY=VALUE", "--option")
        try:
            overrides[key] = loads(value)
        except NotJson:
            overrides[key] = value
    return overrides


def answer_files(args: argparse.Namespace, answer: Callable[[Any, dict[str, Any]], Answer]) -> Exit:
    """Answers every object of every file in turn."""
    documents = (document for path in args.files for document in read_documents(path))
    return answer_documents(args, documents, answer)


def answer_documents(
    args: argparse.Namespace,
    documents: Iterator[Document],
    answer: Callable[[Any, dict[str, Any]], Answer],
) -> Exit:
    """Answers objects as they come: nothing is held back, and a bad one costs only its own answer."""
    overrides = parse_overrides(args.option)
    worst = Exit.OK
    for number, document in enumerate(watched(documents)):
        try:
            answered = answer(_value(document), overrides)
            written = _json_line(answered.as_json()) if args.json else answered.as_text(document.heading)
        except (Malformed, RecursionError) as error:
            worst = Exit.CANNOT
            refuse(args.json, document.source, error)
            continue
        if answered.wrong:
            worst = max(worst, Exit.FOUND_WRONG)
        if number and not args.json:
            print()
        print(written, flush=True)
    return worst


def _value(document: Document) -> Any:
    if document.problem is not None:
        raise document.problem
    return document.value


def refuse(as_json: bool, source: str, error: Malformed | RecursionError) -> None:
    """One line that says why there is no answer: on standard error, with --json in the answer's place too."""
    code, reason = (
        (error.code, str(error)) if isinstance(error, Malformed) else ("too-deep", "nested too deeply")
    )
    message = one_line(f"{source}: {reason}")
    if as_json:
        print(_json_line({"error": {"code": code, "message": message}}), flush=True)
    print(f"kibic: {message}", file=sys.stderr)


def watched(documents: Iterator[Document]) -> Iterator[Document]:
    """With a progress bar, if the work is long, the answers go elsewhere and a person watches."""
    if not sys.stderr.isatty() or sys.stdout.isatty():
        return documents
    from tqdm import tqdm

    return iter(tqdm(documents, unit=" boards", delay=1, leave=False))


_json_line = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
