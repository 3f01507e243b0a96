"""A photograph becomes a reading: decoded once, then every stage of its game in order, top to bottom."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from vision.decode import decode
from vision.families import QWIRKLE, TRIO
from vision.read_hexes import read_hexes
from vision.read_ramps import read_ramp
from vision.read_tables import read_open
from vision.reading import Reading
from vision.recall import chosen_edition
from vision.settings import SETTINGS
from vision.stages import Clock


def read(data: bytes, game: str, options: Mapping[str, Any] | None = None) -> Reading:
    """What lies on the board of `game` in this photo; raises `Unreadable` where that cannot be told.

    `options` may name the `board` (Mi pasuje!) or `size` (Bits) where people know it, and `corners` in the
    full photo where they pointed at the board. `edition`: a taught `Edition` or an installed one's name.
    """
    clock = Clock()
    given = dict(options or {})
    given["edition"] = chosen_edition(game, given)
    photo = decode(data, longest=SETTINGS.decode_px)
    clock.lap("decode")
    return _READERS[game](photo, given, SETTINGS, clock)


_READERS: dict[str, Callable[..., Reading]] = {
    "mipasuje": read_hexes,
    "qwirkle": read_open("qwirkle", QWIRKLE, copies=3),
    "trio": read_open("trio", TRIO, copies=1),
    "bits": read_ramp,
}
