"""Which rules and which networks made a score: short digests of what is installed."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import scoring

FAMILIES = {
    "mipasuje": ("mipasuje",),
    "qwirkle": ("qwirkle", "inks"),
    "trio": ("trio", "inks"),
    "bits": ("bits", "ramp"),
}
MODELS = Path(scoring.__file__).parent.parent / "models"
LENGTH = 16


@lru_cache(maxsize=1)
def rules_version() -> str:
    """Changes whenever a line of the rules does."""
    folder = Path(scoring.__file__).parent
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*.py")):
        digest.update(path.relative_to(folder).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:LENGTH]


def model_versions(game: str) -> dict[str, str]:
    """The networks a photo of this game is read with."""
    return {name: _file_digest(MODELS / f"{name}.onnx") for name in ("detector", *FAMILIES.get(game, ()))}


def _file_digest(path: Path) -> str:
    try:
        changed = path.stat().st_mtime_ns
    except OSError:
        return ""
    return _digest(path, changed)


@lru_cache(maxsize=16)
def _digest(path: Path, _changed: int) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()[:LENGTH]


@lru_cache(maxsize=1)
def program_version() -> str:
    try:
        return version("kibic")
    except PackageNotFoundError:
        return "unknown"
