"""Golden playthroughs: a text file of tables and turns with everything the rules say about them.

Lines that begin with `table` or `move` are the input, indented lines what follows from it. A rule that
changes shows as a change of text. `python tests/scoring/playthrough.py` writes the indented lines anew.
"""

import json
from pathlib import Path

from scoring.qwirkle import Qwirkle
from scoring.trio import Trio

GOLDEN = Path(__file__).parent / "golden"


def tell(game, line):
    """What the rules say about one line: `table NOTATION [OPTIONS]` or `move BEFORE AFTER [OPTIONS]`."""
    word, _, rest = line.partition(" ")
    notation, _, options = rest.partition(" {")
    chosen = game.parse_options(json.loads("{" + options) if options else {})
    boards = [game.from_notation(text) for text in notation.split(" ")]
    if word == "table":
        result = game.score(*boards, chosen)
        yield f"total {result.total}"
    else:
        result = game.move(*boards, chosen)
        yield f"{'legal' if result.legal else 'illegal'}, {result.points} points"
    for item in result.items:
        where = " ".join(f"{row},{column}" for row, column in item.cells)
        yield f"{item.kind} [{where}] {item.formula} -> {item.points}: {item.reason.text}"
    for finding in result.findings:
        yield f"! {finding.message.code}: {finding.message.text}"


def retell(game, text):
    """The same file with every indented line told anew."""
    told = []
    for line in text.splitlines():
        if not line.startswith("    "):
            told.append(line)
        if line.startswith(("table ", "move ")):
            told += [f"    {said}" for said in tell(game, line)]
    return "\n".join(told) + "\n"


def files(game):
    return sorted((GOLDEN / game).glob("*.txt"))


if __name__ == "__main__":
    for game in (Qwirkle(), Trio()):
        for path in files(game.id):
            path.write_text(retell(game, path.read_text(encoding="utf-8")), encoding="utf-8")
