"""`kibic editions`: the taught editions, listed, renamed, handed on, taken in, deleted."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from web.commands.answering import Exit
from web.terminal import one_line

if TYPE_CHECKING:
    from vision.editions import Edition
    from web.commands import Subparsers


def add_parser(subparsers: Subparsers) -> None:
    parser = subparsers.add_parser(
        "editions",
        help="list, rename, export, import and delete taught editions",
        description="Without a verb: lists the taught editions.",
    )
    verbs = parser.add_subparsers(dest="verb", metavar="VERB")
    parser.add_argument("--json", action="store_true", help="the list as JSON")
    rename = verbs.add_parser("rename", help="give an edition another name")
    rename.add_argument("game")
    rename.add_argument("name")
    rename.add_argument("new")
    export = verbs.add_parser("export", help="write an edition to one file")
    export.add_argument("game")
    export.add_argument("name")
    export.add_argument("file", type=Path)
    taken = verbs.add_parser("import", help="take in an edition that somebody exported")
    taken.add_argument("file", type=Path)
    taken.add_argument("--replace", action="store_true", help="also if the name is taken")
    delete = verbs.add_parser("delete", help="forget an edition")
    delete.add_argument("game")
    delete.add_argument("name")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    from vision.edition_files import EditionStore, parsed, written
    from vision.editions import BadEdition

    store = EditionStore()
    try:
        match args.verb:
            case None:
                _list(store.all(), args.json)
            case "rename":
                store.rename(args.game, args.name, args.new)
            case "export":
                args.file.write_text(written(store.get(args.game, args.name)), encoding="utf-8")
            case "import":
                edition = parsed(args.file.read_bytes())
                store.keep(edition, replace=args.replace)
                print(f"{edition.game}: {edition.name}")
            case "delete":
                store.delete(args.game, args.name)
    except BadEdition as error:
        print(f"kibic: {one_line(str(error))}", file=sys.stderr)
        return Exit.CANNOT
    except OSError as error:
        print(f"kibic: {one_line(f'{error.filename}: {error.strerror}')}", file=sys.stderr)
        return Exit.CANNOT
    return Exit.OK


def _list(editions: tuple[Edition, ...], as_json: bool) -> None:
    if as_json:
        listed = [
            {"game": one.game, "name": one.name, "colours": list(one.colours), "shapes": list(one.shapes)}
            for one in editions
        ]
        print(json.dumps(listed, ensure_ascii=False))
        return
    for one in editions:
        print(one_line(f"{one.game:<9} {one.name}  {' '.join((*one.colours, *one.shapes))}"))
    if not editions:
        print("No edition has been taught yet: kibic teach --help")
