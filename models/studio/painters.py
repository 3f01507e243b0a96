"""Which module paints which game: `plan(rng, edition, pixels_per_unit, simple, exam, lay)` gives a `Plan`."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

GAMES = ("mipasuje", "qwirkle", "trio", "bits")


def painter(game: str) -> ModuleType:
    """The painter module of a game: it has `plan` and `EDITIONS`."""
    if game not in GAMES:
        raise ValueError(f"{game!r} is not one of {', '.join(GAMES)}")
    return import_module(f"models.studio.{game}")
