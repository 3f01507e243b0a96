"""Boards and rounds of Mi pasuje! with their full breakdowns: a changed rule shows as a text diff.

`python tests/scoring/test_mipasuje_golden.py` writes the breakdowns anew; read the diff before you keep it.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from scoring.formats import RoundFile, breakdown_json, parse_file, round_json

GOLDEN = Path(__file__).parent / "golden" / "mipasuje"
FILES = sorted(path for path in GOLDEN.glob("*.json") if not path.name.endswith(".result.json"))


def scored(path: Path) -> dict[str, Any]:
    file = parse_file(json.loads(path.read_text("utf-8")))
    if isinstance(file, RoundFile):
        return round_json(file.game.score_round(file.players, file.options))
    return breakdown_json(file.game.score(file.board, file.options))


def lines(value: Any, indent: str = "") -> str:
    """JSON with one item, finding or cell to a line."""
    if isinstance(value, dict) and any(
        isinstance(part, list) and part and isinstance(part[0], dict) for part in value.values()
    ):
        inner = ",\n".join(
            f"{indent} {json.dumps(key)}: {lines(part, indent + ' ')}" for key, part in value.items()
        )
        return f"{{\n{inner}\n{indent}}}"
    if isinstance(value, list) and value and isinstance(value[0], dict):
        inner = ",\n".join(f"{indent} {lines(part, indent + ' ')}" for part in value)
        return f"[\n{inner}\n{indent}]"
    return json.dumps(value, ensure_ascii=False)


def result_of(path: Path) -> Path:
    return path.with_name(f"{path.stem}.result.json")


def test_there_are_golden_boards() -> None:
    assert len(FILES) >= 10


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_breakdown_is_as_it_was(path: Path) -> None:
    assert lines(scored(path)) + "\n" == result_of(path).read_text("utf-8")


if __name__ == "__main__":
    for each in FILES:
        result_of(each).write_text(lines(scored(each)) + "\n", "utf-8")
