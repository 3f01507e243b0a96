"""`kibic measure`: how far the reader can be trusted, over every photo that has a truth file."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scoring.core import Malformed
from web.commands.answering import Exit
from web.terminal import one_line

if TYPE_CHECKING:
    from models.measure.figures import Results
    from web.commands import Subparsers


def add_parser(subparsers: Subparsers) -> None:
    parser = subparsers.add_parser(
        "measure",
        help="how well photos with known truth are read",
        description="Reads every PHOTO.jpg under the folders that has a PHOTO.truth.json beside it.",
    )
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    parser.add_argument("--json", action="store_true", help="figures and photos as one JSON object")
    parser.add_argument("--csv", type=Path, metavar="OUT.csv", help="write one row per photo")
    parser.add_argument(
        "--calibration", type=Path, metavar="OUT.png", help="plot confidence against correctness"
    )
    parser.add_argument(
        "--sheet", type=Path, metavar="OUT.jpg", help="draw the worst photos with their readings"
    )
    parser.add_argument("--reader", choices=("kibic", "baseline"), help="baseline: one that sees nothing")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    from tqdm import tqdm

    from models.measure.cases import find_cases
    from models.measure.figures import Results
    from models.measure.report import results_json, table
    from models.measure.run import find_reader, measure

    name, reader = find_reader(args.reader)
    if name == "baseline" and not args.reader:
        print("kibic: no photo reader here, measuring one that sees nothing", file=sys.stderr)
    cases, problems = find_cases(args.folders)
    watched = tqdm(cases, unit=" photos", disable=not sys.stderr.isatty(), leave=False)
    results = Results(tuple(measure(watched, reader, problems)), name)
    for problem in problems:
        print(f"kibic: {one_line(f'{problem.path}: {problem.message}')}", file=sys.stderr)
    if args.json:
        print(json.dumps(results_json(results), ensure_ascii=False))
    else:
        print(table(results) if results.measured else "No photo was measured.")
    _write_extras(args, results)
    return Exit.FOUND_WRONG if problems else Exit.OK


def _write_extras(args: argparse.Namespace, results: Results) -> None:
    from models.measure.calibration import draw_calibration, judged_tiles
    from models.measure.report import write_csv
    from models.measure.sheet import draw_sheet, worst

    try:
        if args.csv:
            write_csv(args.csv, results.measured)
        if args.calibration:
            _write_picture(args.calibration, draw_calibration(judged_tiles(results.measured)))
        if args.sheet:
            _write_picture(args.sheet, draw_sheet(worst(results.measured)))
    except OSError as error:
        raise Malformed("cannot-write", f"{error.filename} cannot be written: {error.strerror}") from None


def _write_picture(path: Path, picture: Any) -> None:
    import cv2

    kind = path.suffix.lower() if path.suffix.lower() in (".png", ".jpg", ".jpeg", ".webp") else ".png"
    path.write_bytes(cv2.imencode(kind, picture)[1].tobytes())
