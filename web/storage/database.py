"""Opening the database: SQLite made safe against crashes and many phones, or any other by its URL."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import make_url
from sqlalchemy.orm import Session

MIGRATIONS = Path(__file__).parent / "migrations"


@dataclass(frozen=True, slots=True)
class Database:
    """An open database and what had to be said while opening it."""

    engine: Engine
    set_aside: Path | None = None
    """Where a damaged database file was moved to, if one was found."""

    def session(self, *, writing: bool = True) -> Session:
        """A session; one that writes takes the lock at once and so waits instead of failing half-way."""
        return Session(self.engine.execution_options(writing=writing), expire_on_commit=False)


def open_database(url: str) -> Database:
    """Open, or make, the database at `url` and bring its tables up to date."""
    parsed = make_url(url)
    sqlite = parsed.get_backend_name() == "sqlite"
    set_aside = None
    if sqlite and parsed.database and parsed.database != ":memory:":
        path = Path(parsed.database)
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists() and not is_sound(path):
            set_aside = move_aside(path)
    engine = create_engine(url, connect_args={"timeout": 15} if sqlite else {})
    if sqlite:
        event.listen(engine, "connect", prepare_sqlite)
        event.listen(engine, "begin", begin_sqlite)
    migrate(engine)
    return Database(engine, set_aside)


def is_sound(path: Path) -> bool:
    """Whether SQLite itself finds no damage in the file."""
    connection = sqlite3.connect(path)
    try:
        return [row[0] for row in connection.execute("PRAGMA quick_check")] == ["ok"]
    except sqlite3.DatabaseError:
        return False
    finally:
        connection.close()


def move_aside(path: Path) -> Path:
    """Keep a damaged database under another name: somebody may still want to rescue it."""
    stamp = datetime.now().strftime("%Y%m%d-%H%M%S")
    target = path.with_name(f"{path.name}.damaged-{stamp}")
    count = 1
    while target.exists():
        count += 1
        target = path.with_name(f"{path.name}.damaged-{stamp}-{count}")
    for suffix in ("-wal", "-shm"):
        side = path.with_name(path.name + suffix)
        if side.exists():
            side.rename(target.with_name(target.name + suffix))
    path.rename(target)
    return target


def prepare_sqlite(connection: Any, _record: object) -> None:
    """Survive a power cut, let readers and a writer work at once, wait, keep references whole."""
    connection.isolation_level = None  # the driver must not begin transactions behind our back
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "busy_timeout=15000", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {pragma}")


def begin_sqlite(connection: Connection) -> None:
    # A transaction that reads first and writes later cannot wait for another writer in SQLite; it fails.
    writing = connection.get_execution_options().get("writing", True)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writing else "BEGIN")


def migrate(engine: Engine) -> None:
    """Apply every migration this database has not seen."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
