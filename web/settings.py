"""Every number and place the table page depends on, in one typed object."""

from __future__ import annotations

import os
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

LANGUAGES = {"pl": "Polski", "en": "English"}


def default_data_folder() -> Path:
    """Where tables and photographs live unless `KIBIC_DATA` says otherwise."""
    if chosen := os.environ.get("KIBIC_DATA"):
        return Path(chosen)
    base = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(base) / "kibic"


@dataclass(frozen=True, slots=True)
class Settings:
    """One running copy of the page."""

    data_folder: Path = field(default_factory=default_data_folder)
    database_url: str = ""
    """Empty: a SQLite file in the data folder."""
    hosts: tuple[str, ...] = ()
    """Names this server answers to besides localhost, IP addresses and the machine's own name."""
    secure_cookies: bool = False
    """True behind HTTPS; a plain home network has none."""

    upload_bytes: int = 25 * 1024 * 1024
    form_bytes: int = 64 * 1024
    form_memory_bytes: int = 512 * 1024
    """What the fields beside a photo may take; the parser also counts the chunk it is working on."""
    form_fields: int = 200
    name_characters: int = 40
    rounds: int = 12
    corrections_per_board: int = 2000
    boards_per_round: int = 120
    cell_reach: int = 200
    """How far from the origin a tile of an open game may lie."""

    reading_workers: int = 1
    reading_queue: int = 8
    reading_seconds: float = 30.0
    retry_after_seconds: int = 5

    wrong_codes_free: int = 5
    wrong_code_seconds: float = 1.0
    wrong_code_most_seconds: float = 30.0

    @property
    def photo_folder(self) -> Path:
        return self.data_folder / "photos"

    @property
    def database(self) -> str:
        return self.database_url or f"sqlite:///{self.data_folder / 'kibic.sqlite3'}"


def settings_from(config: Mapping[str, Any] | None) -> Settings:
    """The settings named in `config`; the environment (`KIBIC_DATABASE_URL`, `KIBIC_HOSTS`) fills in."""
    known = {one.name for one in fields(Settings)}
    chosen = {key: value for key, value in (config or {}).items() if key in known}
    chosen.setdefault("database_url", os.environ.get("KIBIC_DATABASE_URL", ""))
    names = os.environ.get("KIBIC_HOSTS", "")
    chosen.setdefault("hosts", tuple(name.strip().lower() for name in names.split(",") if name.strip()))
    return Settings(**chosen)


def secret_key(folder: Path) -> str:
    """The key that signs cookies: made at the first start, kept readable for its owner only."""
    path = folder / "secret"
    folder.mkdir(parents=True, exist_ok=True)
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        if len(kept := path.read_text().strip()) >= 32:
            return kept
        # A crash between creating and writing leaves a short file; nobody has a cookie signed with it.
        path.unlink()
        return secret_key(folder)
    made = secrets.token_hex(32)
    with os.fdopen(handle, "w") as file:
        file.write(made)
        file.flush()
        os.fsync(file.fileno())
    return made
