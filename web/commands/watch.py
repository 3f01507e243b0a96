"""`kibic watch`: score every photo of a table as it arrives in a folder (a tripod, a tablet)."""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from scoring.core import Malformed
from web.commands.answering import Exit
from web.terminal import one_line

if TYPE_CHECKING:
    from web.commands import Subparsers
    from web.watching import Watched

PICTURES = frozenset({".jpg", ".jpeg", ".png", ".webp", ".heic", ".heif"})
EVERY_SECONDS = 1.0
STILL_SECONDS = 0.5
"""A file that has not grown for this long is written to its end."""


def add_parser(subparsers: Subparsers) -> None:
    parser = subparsers.add_parser(
        "watch",
        help="score the photos of a growing table as they arrive in a folder",
        description="Qwirkle and Trio turn by turn: each new photo is one more turn. Ctrl-C ends it.",
    )
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    parser.add_argument("--game", required=True, choices=("qwirkle", "trio"))
    parser.add_argument("--players", default="", help="names in the order they play, with commas")
    parser.add_argument("--json", action="store_true", help="one result per line, as JSON")
    parser.add_argument("--once", action="store_true", help="score what is there and stop")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    from web.watching import Watcher

    if not args.folder.is_dir():
        raise Malformed("no-folder", f"{args.folder} is not a folder")
    names = [name.strip() for name in args.players.split(",") if name.strip()]
    watcher = Watcher(args.game, names or ["1", "2"])
    worst = Exit.OK
    for path in arriving(args.folder, args.once):
        seen = watcher.photo(path.name, path.read_bytes())
        print(json.dumps(seen.as_json(), ensure_ascii=False) if args.json else text(seen), flush=True)
        if seen.error is not None:
            worst = max(worst, Exit.CANNOT)
        elif not seen.legal or seen.asked:
            worst = max(worst, Exit.FOUND_WRONG)
    return worst


def arriving(folder: Path, once: bool) -> Iterator[Path]:
    """Photos in the order of their names, each once; new ones as soon as they are written to their end."""
    done: set[str] = set()
    sizes: dict[str, int] = {}
    while True:
        found = sorted(path for path in folder.iterdir() if path.suffix.lower() in PICTURES)
        for path in found:
            if path.name in done:
                continue
            if not once and sizes.get(path.name) != (size := path.stat().st_size):
                sizes[path.name] = size
                time.sleep(STILL_SECONDS)
                break  # look again before anything that comes after it
            done.add(path.name)
            yield path
        else:
            if once:
                return
            time.sleep(EVERY_SECONDS)


def text(seen: Watched) -> str:
    if seen.error is not None:
        return one_line(f"{seen.photo}: {seen.error[1]}")
    placed = ", ".join(f"{tile} {at}" for at, tile in seen.placed) or "nothing placed"
    verdict = "" if seen.legal else f" NOT LEGAL: {'; '.join(seen.findings)}."
    asked = f" To check: {', '.join(str(at) for at in seen.asked)}." if seen.asked else ""
    totals = ", ".join(f"{name} {total}" for name, total in seen.totals.items())
    return one_line(
        f"{seen.photo}: {seen.player} +{seen.points} ({placed}).{verdict}{asked} Totals: {totals}"
    )
