"""Photographs on disk: written, synced, renamed, and only then spoken of in the database."""

from __future__ import annotations

import hashlib
import os
import re
import secrets
import time
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

NAME = re.compile(r"[0-9a-f]{32}\.jpg")
ORPHAN_SECONDS = 3600
"""A file younger than this may belong to an upload whose row is being written right now."""


class Kept(NamedTuple):
    file: str
    sha256: str


def keep(folder: Path, jpeg: bytes) -> Kept:
    """Store a photograph so that a crash leaves the whole file or none."""
    folder.mkdir(parents=True, exist_ok=True)
    name = f"{secrets.token_hex(16)}.jpg"
    draft = folder / f"{name}.part"
    with draft.open("wb") as file:
        file.write(jpeg)
        file.flush()
        os.fsync(file.fileno())
    draft.rename(folder / name)
    sync_folder(folder)
    return Kept(name, hashlib.sha256(jpeg).hexdigest())


def sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def path_of(folder: Path, name: str) -> Path:
    """The file of a kept photograph; only names this module made are paths."""
    if not NAME.fullmatch(name):
        raise ValueError("not the name of a kept photograph")
    return folder / name


def remove(folder: Path, names: Iterable[str]) -> None:
    for name in names:
        path_of(folder, name).unlink(missing_ok=True)


def sweep(folder: Path, known: Iterable[str]) -> int:
    """Remove what a crash left behind: drafts, and photographs no row speaks of. Returns how many."""
    if not folder.is_dir():
        return 0
    keep_names = set(known)
    removed = 0
    for path in folder.iterdir():
        mine = NAME.fullmatch(path.name.removesuffix(".part"))
        if mine and path.name not in keep_names and time.time() - path.stat().st_mtime > ORPHAN_SECONDS:
            path.unlink(missing_ok=True)
            removed += 1
    return removed
