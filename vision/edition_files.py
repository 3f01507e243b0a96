"""Taught editions as files: one JSON file each, to keep, to hand on, to take in.

They live in one folder, `KIBIC_EDITIONS` or `editions` beside the tables. A file is written whole or not
at all.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import io
import json
import os
from collections.abc import Mapping
from dataclasses import replace as changed
from functools import lru_cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from PIL import Image

from scoring.core import Malformed
from scoring.mipasuje.tiles import TILES
from scoring.registry import GAMES
from scoring.strictjson import loads
from vision.editions import BadEdition, Edition, Example, checked_name
from vision.families import FAMILIES, HEX
from vision.symbols import STENCIL_PX

FORMAT = "kibic-edition"
VERSION = 1
MOST_BYTES = 1024 * 1024
MOST_KINDS = 16
SUFFIX = ".edition.json"
CROP_SIDES_PX = (32, 128)
"""Tiles as earlier and later versions of Kibic cut them; they are brought to the size of today's net."""
VALVES = ("valve", "valve-turned", "valve-mirrored", "valve-mirrored-turned")


def edition_folder() -> Path:
    """Where taught editions are kept."""
    if chosen := os.environ.get("KIBIC_EDITIONS"):
        return Path(chosen)
    if chosen := os.environ.get("KIBIC_DATA"):
        return Path(chosen) / "editions"
    base = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(base) / "kibic" / "editions"


def written(edition: Edition) -> str:
    """The edition as the text of its file."""
    data: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "game": edition.game,
        "name": edition.name,
        "colours": list(edition.colours),
        "inks": edition.inks.round(1).tolist(),
        "ground": edition.ground.round(1).tolist(),
        "shapes": list(edition.shapes),
        "known_shapes": edition.known_shapes,
        "drawings": {shape: [_packed(one) for one in shown] for shape, shown in edition.drawings.items()},
        "marks": dict(sorted(edition.marks.items())) if edition.marked else None,
        "board": edition.board,
        "size": list(edition.size) if edition.size else None,
        "tiles": list(edition.tiles),
        "cards": dict(edition.cards),
        "examples": [[one.tile, one.mark, _jpeg(one.crop)] for one in edition.examples],
        "corrections": [[colour, [round(x, 1) for x in ink]] for colour, ink in edition.corrections],
    }
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n"


def parsed(text: str | bytes) -> Edition:
    """What `written` wrote; anything else is refused with one clear line."""
    if len(text) > MOST_BYTES:
        raise BadEdition("too-big", f"an edition file has at most {MOST_BYTES // 1024} kB")
    try:
        data = loads(text.decode("utf-8") if isinstance(text, bytes) else text)
    except (UnicodeDecodeError, Malformed, RecursionError):
        raise BadEdition("not-an-edition", "this is not an edition file of Kibic") from None
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise BadEdition("not-an-edition", "this is not an edition file of Kibic")
    version = data.get("version")
    if version != VERSION or isinstance(version, bool):
        newer = isinstance(version, int) and not isinstance(version, bool) and version > VERSION
        raise BadEdition(
            "other-version",
            "this edition was taught to a newer Kibic; update this one first"
            if newer
            else "this edition file says no version that is known",
        )
    try:
        return _edition(data)
    except (
        AttributeError,
        KeyError,
        OSError,
        cv2.error,
        TypeError,
        ValueError,
        OverflowError,
        binascii.Error,
    ):
        raise BadEdition("damaged", "this edition file is damaged; export it again") from None


def _edition(data: Mapping[str, Any]) -> Edition:
    game = data["game"]
    if game not in GAMES:
        raise BadEdition("other-game", "this edition is of a game that is not known here")
    colours, shapes = _words(data["colours"]), _words(data["shapes"])
    inks = np.array(data["inks"], np.float64).reshape(len(colours), 3)
    ground = np.array(data["ground"], np.float64).reshape(3)
    drawings = {
        str(shape): np.stack([_unpacked(one) for one in shown]) for shape, shown in data["drawings"].items()
    }
    marks = data["marks"]
    size = data["size"]
    board = data["board"]
    examples = tuple(_example(*one) for one in data["examples"])
    corrections = tuple((str(colour), tuple(float(x) for x in ink)) for colour, ink in data["corrections"])
    sound = (
        bool(np.isfinite(inks).all() and np.isfinite(ground).all())
        and set(drawings) <= set(shapes)
        and (not drawings or set(drawings) == set(shapes))
        and (marks is None or (set(marks) <= set(TILES) and set(marks.values()) <= {"sun", "moon"}))
        and (board is None or board in VALVES)
        and (size is None or (len(size) == 2 and all(type(n) is int and 1 <= n <= 20 for n in size)))
        and all(isinstance(tile, str) for tile in data["tiles"])
        and isinstance(data["cards"], dict)
        and all(colour in colours and len(ink) == 3 for colour, ink in corrections)
    )
    # Editions used to have no drawings of the shapes that the net knows.
    known_shapes = bool(data.get("known_shapes", bool(shapes) and not drawings))
    if game in ("trio", "qwirkle"):
        built_in = next(aspect.kinds for aspect in FAMILIES[game].aspects if aspect.name == "shape")
        sound = sound and len(colours) == len(shapes) == 6
        sound = sound and (set(shapes) <= set(built_in) if known_shapes else bool(drawings))
    if not sound:
        raise ValueError
    return Edition(
        game,
        checked_name(data["name"]),
        colours,
        inks,
        ground,
        shapes,
        drawings,
        marks or {},
        marks is not None,
        board,
        (size[0], size[1]) if size else None,
        tuple(data["tiles"]),
        data["cards"],
        examples,
        corrections,
        known_shapes,
    )


def _words(given: Any) -> tuple[str, ...]:
    words = tuple(given)
    plain = all(isinstance(word, str) and word and len(word) <= 40 and " " not in word for word in words)
    if isinstance(given, str) or not plain or len(set(words)) < len(words) or len(words) > MOST_KINDS:
        raise ValueError
    return words


def _jpeg(crop: np.ndarray) -> str:
    return base64.b64encode(cv2.imencode(".jpg", crop, [cv2.IMWRITE_JPEG_QUALITY, 95])[1].tobytes()).decode(
        "ascii"
    )


def _example(tile: object, mark: object, picture: str) -> Example:
    data = np.frombuffer(base64.b64decode(picture, validate=True), np.uint8)
    # The header is looked at first: a small file can unpack to a huge picture.
    with Image.open(io.BytesIO(data.tobytes()), formats=["JPEG"]) as header:
        wide, high = header.size
    least, most = CROP_SIDES_PX
    if tile not in TILES or mark not in (None, "sun", "moon") or wide != high or not least <= wide <= most:
        raise ValueError
    crop = cv2.imdecode(data, cv2.IMREAD_COLOR)
    if crop is None:
        raise ValueError
    if wide != HEX.crop_px:
        how = cv2.INTER_AREA if wide > HEX.crop_px else cv2.INTER_CUBIC
        crop = cv2.resize(crop, (HEX.crop_px, HEX.crop_px), interpolation=how)
    return Example(str(tile), str(mark) if mark else None, np.asarray(crop, np.uint8))


def _packed(stencil: np.ndarray) -> str:
    levels = np.clip((stencil + 0.25) * 170, 0, 255).round().astype(np.uint8)
    return base64.b64encode(levels.tobytes()).decode("ascii")


def _unpacked(text: str) -> np.ndarray:
    levels = np.frombuffer(base64.b64decode(text, validate=True), np.uint8)
    return levels.reshape(STENCIL_PX, STENCIL_PX).astype(np.float32) / 170 - np.float32(0.25)


@lru_cache(maxsize=64)
def _loaded(path: Path, changed_ns: int, size: int) -> Edition:
    """Read once and again only after a change, so that what is worked out from an edition can be kept."""
    return parsed(path.read_bytes())


class EditionStore:
    """The editions in one folder, by game and name."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder or edition_folder()

    def path(self, game: str, name: str) -> Path:
        digest = hashlib.sha256(f"{game}/{name.casefold()}".encode()).hexdigest()[:16]
        return self.folder / f"{game}-{digest}{SUFFIX}"

    def all(self, game: str | None = None) -> tuple[Edition, ...]:
        """Every edition that can be read, by game and name; damaged files are passed over."""
        found = []
        for path in sorted(self.folder.glob(f"{game or '*'}-*{SUFFIX}")):
            try:
                known = path.stat()
                found.append(_loaded(path, known.st_mtime_ns, known.st_size))
            except (BadEdition, OSError):
                continue
        return tuple(sorted(found, key=lambda one: (one.game, one.name.casefold())))

    def get(self, game: str, name: str) -> Edition:
        """The edition of this name."""
        path = self.path(game, checked_name(name))
        try:
            known = path.stat()
            return _loaded(path, known.st_mtime_ns, known.st_size)
        except FileNotFoundError:
            raise BadEdition("no-such-edition", f"no edition of this game is called {name!r:.80}") from None

    def has(self, game: str, name: str) -> bool:
        return self.path(game, checked_name(name)).exists()

    def keep(self, edition: Edition, replace: bool = False) -> None:
        """Write it down; a name that is taken is refused unless it is to be replaced."""
        path = self.path(edition.game, edition.name)
        if path.exists() and not replace:
            raise BadEdition("name-taken", f"an edition of this game is called {edition.name!r} already")
        self.folder.mkdir(parents=True, exist_ok=True)
        temporary = path.with_suffix(f".{os.getpid()}.part")
        with temporary.open("w", encoding="utf-8") as file:
            file.write(written(edition))
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)

    def rename(self, game: str, name: str, new: str) -> Edition:
        edition = changed(self.get(game, name), name=checked_name(new))
        old = self.path(game, name)
        if self.path(game, edition.name) != old:
            self.keep(edition)
            old.unlink()
        else:
            self.keep(edition, replace=True)
        return edition

    def delete(self, game: str, name: str) -> None:
        self.get(game, name)
        self.path(game, name).unlink()
