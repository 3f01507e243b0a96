"""`kibic read`: what lies in a photograph, and what it scores."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scoring.core import Malformed
from web.commands.answering import Exit, parse_overrides
from web.terminal import one_line

if TYPE_CHECKING:
    from vision.reading import Reading
    from web.commands import Subparsers
    from web.scored import ScoredReading

    Reader = Callable[[bytes, str, Mapping[str, Any]], Reading]


def add_parser(subparsers: Subparsers) -> None:
    parser = subparsers.add_parser(
        "read",
        help="what lies in a photo, and what it scores",
        description="Reads photographs of finished boards or of the table, and scores what lies there.",
    )
    parser.add_argument("photos", nargs="+", metavar="PHOTO", help="JPEG, PNG, WebP or HEIC")
    parser.add_argument("--game", required=True, help="mipasuje, qwirkle, trio or bits")
    parser.add_argument("--json", action="store_true", help="one object per photo and line")
    parser.add_argument(
        "--overlay", type=Path, metavar="OUT.jpg", help="draw the reading on the photo; a folder for several"
    )
    parser.add_argument("--edition", metavar="NAME", help="the taught edition these tiles are of")
    parser.add_argument("--debug", type=Path, metavar="DIR", help="write a picture of every stage there")
    parser.add_argument(
        "--option",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="a variant, such as scoring=rays; may be repeated",
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    reader = find_reader()
    if reader is None:
        print("kibic: this copy of Kibic has no photo reader", file=sys.stderr)
        return Exit.CANNOT
    return read_photos(args, reader)


def find_reader() -> Reader | None:
    """`vision.read`, where this copy has one."""
    import vision

    return getattr(vision, "read", None)


def read_photos(args: argparse.Namespace, reader: Reader) -> Exit:
    """Reads one photo after another; one that cannot be read costs only its own answer."""
    from scoring.registry import find_game
    from web.scored import score_reading

    options = parse_overrides(args.option)
    find_game(args.game, "--game").parse_options(options, "--option")
    if len(args.photos) > 1 and args.overlay and not args.overlay.is_dir():
        _make_folder(args.overlay, "--overlay")
    worst = Exit.OK
    for number, photo in enumerate(_watched(args.photos)):
        try:
            data = _read_file(photo)
            scored = score_reading(_read(reader, data, args, photo, options), options)
            if args.overlay:
                _write_overlay(_overlay_path(args.overlay, photo), data, scored)
        except (PhotoError, Malformed) as error:
            worst = Exit.CANNOT
            _print_refusal(args.json, photo, error)
            continue
        if scored.breakdown.findings:
            worst = max(worst, Exit.FOUND_WRONG)
        _print_answer(args.json, photo, scored, first=number == 0)
    return worst


class PhotoError(Exception):
    """This photo gets no answer; the message is one line for people."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


def _read_file(photo: str) -> bytes:
    try:
        return Path(photo).read_bytes()
    except (OSError, ValueError) as error:  # ValueError: a name no file can have
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise PhotoError("cannot-read", f"cannot be opened: {reason}") from None


def _read(
    reader: Reader, data: bytes, args: argparse.Namespace, photo: str, options: Mapping[str, Any]
) -> Reading:
    from vision.reading import Unreadable
    from vision.sketches import sketches_to

    if args.edition is not None:
        options = {**options, "edition": args.edition}
    try:
        if not args.debug:
            return reader(data, args.game, options)
        folder = args.debug / Path(photo).stem if len(args.photos) > 1 else args.debug
        with sketches_to(folder):
            return reader(data, args.game, options)
    except Unreadable as error:
        raise PhotoError(error.code, str(error)) from None
    except OSError as error:
        if not args.debug:
            raise
        raise PhotoError("cannot-write", f"{args.debug} cannot be written: {error.strerror}") from None


def _print_refusal(as_json: bool, photo: str, error: PhotoError | Malformed) -> None:
    message = one_line(str(error))
    if as_json:
        from web.scored import error_json

        print(_json_line(error_json(photo, error.code, message)), flush=True)
    print(f"kibic: {one_line(f'{photo}: {message}')}", file=sys.stderr)


def _print_answer(as_json: bool, photo: str, scored: ScoredReading, first: bool) -> None:
    if as_json:
        from web.scored import reading_json

        print(_json_line(reading_json(photo, scored)), flush=True)
        return
    if not first:
        print()
    print(reading_text(photo, scored), flush=True)


def reading_text(photo: str, scored: ScoredReading) -> str:
    """The breakdown, then what people should look at, then what the photo made hard."""
    from scoring.core import spell
    from scoring.registry import find_game
    from web.terminal import breakdown_text

    reading = scored.reading
    title = find_game(reading.game).title
    layout = f", {reading.layout} board" if reading.layout else ""
    lines = [breakdown_text(f"{title}{layout}, {len(reading.cells)} tiles ({photo})", scored.breakdown)]
    if scored.doubts:
        lines += ["", "Please look at:"]
    for doubted in scored.doubts:
        choices = [
            name if total is None else f"{name} (total {spell(total)})"
            for name, total in doubted.score_if.items()
        ]
        lines.append(f"  ? {spell(doubted.doubt.at)}: {one_line(' or '.join(choices))}")
    if reading.findings:
        lines += ["", "About the photo:", *(f"  ! {one_line(f.message)}" for f in reading.findings)]
    return "\n".join(lines)


def _overlay_path(given: Path, photo: str) -> Path:
    return given / f"{Path(photo).stem}.jpg" if given.is_dir() else given


def _write_overlay(path: Path, data: bytes, scored: ScoredReading) -> None:
    import cv2

    from vision.decode import decode
    from vision.overlay import LOOK, draw_reading, fitted

    image = fitted(decode(data, longest=LOOK.longest_px).image, LOOK.longest_px)
    rows = [item.cells for item in scored.breakdown.items if item.points]
    done, picture = cv2.imencode(path.suffix or ".jpg", draw_reading(image, scored.reading, rows))
    if not done:
        raise PhotoError("cannot-write", f"cannot make a {path.suffix} picture")
    try:
        path.write_bytes(picture.tobytes())
    except OSError as error:
        raise PhotoError("cannot-write", f"{path} cannot be written: {error.strerror}") from None


def _make_folder(folder: Path, place: str) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Malformed("cannot-write", f"{folder} cannot be made: {error.strerror}", place) from None


def _watched(photos: list[str]) -> Iterable[str]:
    """With a progress bar, if there are several photos, the answers go elsewhere and a person watches."""
    if len(photos) < 2 or not sys.stderr.isatty() or sys.stdout.isatty():
        return photos
    from tqdm import tqdm

    return tqdm(photos, unit=" photos", leave=False)


def _json_line(value: dict[str, Any]) -> str:
    import json

    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
