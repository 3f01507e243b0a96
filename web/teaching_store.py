"""The taught editions of this server, and what a table's edition means for its pages."""

from __future__ import annotations

import os

from flask import current_app

from vision.edition_files import EditionStore
from vision.editions import BadEdition, Edition
from web.settings import Settings
from web.storage.models import Table


def store() -> EditionStore:
    """Where this server keeps them: `KIBIC_EDITIONS`, or beside its tables."""
    settings: Settings = current_app.extensions["kibic_settings"]
    return EditionStore(None if os.environ.get("KIBIC_EDITIONS") else settings.data_folder / "editions")


def edition_of(table: Table) -> Edition | None:
    """The edition this table plays with; None also when somebody has deleted it since."""
    if table.edition is None:
        return None
    try:
        return store().get(table.game, table.edition)
    except BadEdition:
        return None


def taught_tiles(table: Table) -> tuple[str, ...]:
    """What the picker offers at a table with its own edition; nothing: what the game has."""
    edition = edition_of(table)
    if edition is None or not edition.colours or table.game == "mipasuje":
        return ()
    if not edition.shapes:
        return edition.colours
    return tuple(f"{colour} {shape}" for colour in edition.colours for shape in edition.shapes)
