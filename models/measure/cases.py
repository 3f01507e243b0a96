"""The photographs to measure, every picture that has its truth beside it, and what is wrong with the rest."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from models.measure.compare import Truth
from scoring.core import Malformed
from scoring.formats import parse_board_file
from scoring.registry import find_game
from scoring.strictjson import loads

PICTURES = frozenset({".jpg", ".jpeg", ".png", ".webp", ".heic", ".heif"})
TRUTH = ".truth.json"


@dataclass(frozen=True, slots=True)
class Case:
    """One photo and what lies in it."""

    photo: Path
    truth: Truth
    options: Any
    """The game's own options, from the truth file."""
    given: dict[str, Any]
    """The same as the file writes them, for the reader."""

    @property
    def folder(self) -> str:
        return str(self.photo.parent)


class Problem(NamedTuple):
    """Something that keeps a file from being measured."""

    path: Path
    message: str


def find_cases(folders: Iterable[Path]) -> tuple[list[Case], list[Problem]]:
    """Every measurable photo under `folders` (a photo itself will do), each once, in the order of names."""
    cases: dict[Path, Case] = {}
    problems: list[Problem] = []
    for path in dict.fromkeys(path for folder in folders for path in _pictures(folder, problems)):
        if path.resolve() in cases:
            continue
        try:
            cases[path.resolve()] = _case(path)
        except (Malformed, OSError, UnicodeDecodeError) as error:
            truth = truth_path(path)
            reason = "has no truth file" if isinstance(error, FileNotFoundError) else None
            problems.append(Problem(path, reason) if reason else Problem(truth, _reason(error)))
    return list(cases.values()), problems


def truth_path(photo: Path) -> Path:
    """`table.truth.json` beside `table.jpg`."""
    return photo.with_name(photo.stem + TRUTH)


def _pictures(folder: Path, problems: list[Problem]) -> Iterator[Path]:
    if folder.is_file():
        yield folder
        return
    if not folder.is_dir():
        problems.append(Problem(folder, "no such folder"))
        return
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    pictures = [path for path in files if path.suffix.lower() in PICTURES]
    with_photo = {truth_path(path) for path in pictures}
    problems += [
        Problem(path, "has no photo beside it")
        for path in files
        if path.name.endswith(TRUTH) and path not in with_photo
    ]
    if not pictures:
        problems.append(Problem(folder, "holds no photos"))
    yield from pictures


def _case(photo: Path) -> Case:
    fields = loads(truth_path(photo).read_text(encoding="utf-8"))
    if isinstance(fields, dict) and "game" in fields and fields.get("cells", ()) is None:
        nothing = Truth(find_game(fields["game"]).id, {}, {}, no_board=True)
        return Case(photo, nothing, None, {})
    game, board, options = parse_board_file(fields)
    written = game.board_json(board)["cells"]
    truth = Truth(
        game.id,
        {tuple(cell["at"]): cell["tile"] for cell in written},
        {tuple(cell["at"]): cell["mark"] for cell in written if cell.get("mark")},
        board.layout,
        board.size,
        tuple(game.tile_name(tile) for tile in board.aside),
        game.score(board, options).total,
    )
    return Case(photo, truth, options, fields.get("options", {}))


def _reason(error: Malformed | OSError | UnicodeDecodeError) -> str:
    if isinstance(error, OSError):
        return f"cannot be read: {error.strerror}"
    return (
        "is not a truth file: not UTF-8 text"
        if isinstance(error, UnicodeDecodeError)
        else f"is not a truth file: {error}"
    )
