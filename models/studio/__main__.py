"""`python -m models.studio sets | samples | sheet | crops`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import cv2

from models.studio.painters import GAMES
from models.studio.samples import write_samples
from models.studio.scene import STYLES
from models.studio.sets import SET_NAMES, write_sets
from models.studio.sheet import crops_sheet, scenes_sheet


def main(arguments: list[str] | None = None) -> int:
    """The studio's own small command line."""
    parser = argparse.ArgumentParser(prog="python -m models.studio", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    sets = commands.add_parser("sets", help="render the fixed-seed photo sets")
    sets.add_argument("--out", type=Path, default=Path("photos"))
    sets.add_argument("--game", choices=GAMES, action="append", help="only this game (may be repeated)")
    sets.add_argument("--set", choices=SET_NAMES, action="append", help="only this set")
    samples = commands.add_parser("samples", help="render the dozen photographs that the project shows")
    samples.add_argument("--out", type=Path, default=Path("samples"))
    sheet = commands.add_parser("sheet", help="a contact sheet of scenes")
    sheet.add_argument("game", choices=GAMES)
    sheet.add_argument("out", type=Path)
    sheet.add_argument("--seed", type=int, default=0)
    sheet.add_argument("--count", type=int, default=16)
    sheet.add_argument("--style", choices=STYLES)
    sheet.add_argument("--beside", type=Path, help="show the photographs of this folder first, to compare")
    sheet.add_argument("--outlines", action="store_true", help="draw the true outlines")
    cells = commands.add_parser("crops", help="a contact sheet of single cells")
    cells.add_argument("game", choices=GAMES)
    cells.add_argument("out", type=Path)
    cells.add_argument("--seed", type=int, default=0)
    cells.add_argument("--count", type=int, default=384)
    cells.add_argument("--pixels", type=int, default=48)
    given = parser.parse_args(arguments)
    match given.command:
        case "sets":
            written = write_sets(given.out, tuple(given.game or GAMES), tuple(given.set or SET_NAMES))
            print(f"{written} photos in {given.out}")
        case "samples":
            print(f"{write_samples(given.out)} photos in {given.out}")
        case "sheet":
            how = (given.style, given.outlines, given.beside)
            _save(given.out, scenes_sheet(given.game, given.seed, given.count, *how))
        case "crops":
            _save(given.out, crops_sheet(given.game, given.seed, given.count, given.pixels))
    return 0


def _save(out: Path, image: object) -> None:
    if not cv2.imwrite(str(out), image):
        sys.exit(f"{out}: cannot be written")
    print(out)


if __name__ == "__main__":
    sys.exit(main())
