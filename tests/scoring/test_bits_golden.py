"""Golden Bits boards: a line `board NOTATION [OPTIONS]`, then indented everything the rules say about it.

`python tests/scoring/test_bits_golden.py` writes the indented lines anew; look at the difference first.
"""

import json
from pathlib import Path

import pytest

from scoring.bits import Bits

GAME = Bits()
FILES = sorted((Path(__file__).parent / "golden" / "bits").glob("*.txt"))


def tell(line):
    notation, _, options = line.removeprefix("board ").partition(" ")
    result = GAME.score(GAME.from_notation(notation), GAME.parse_options(json.loads(options or "{}")))
    yield f"total {result.total}"
    for item in result.items:
        refused = f": {item.reason.text}" if item.reason else ""
        yield f"{item.kind} [{places(item.cells)}] {item.formula} -> {item.points}{refused}"
    for finding in result.findings:
        yield f"! {finding.message.code} [{places(finding.cells)}] {finding.message.text}"


def places(cells):
    return " ".join(f"{row},{column}" for row, column in cells)


def retell(text):
    told = []
    for line in text.splitlines():
        if not line.startswith("    "):
            told.append(line)
        if line.startswith("board "):
            told += [f"    {said}" for said in tell(line)]
    return "\n".join(told) + "\n"


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_golden_boards_are_told_as_before(path):
    text = path.read_text(encoding="utf-8")
    assert "    total " in text
    assert retell(text) == text


def test_there_are_golden_boards():
    assert FILES


if __name__ == "__main__":
    for file in FILES:
        file.write_text(retell(file.read_text(encoding="utf-8")), encoding="utf-8")
