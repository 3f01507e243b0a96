"""Tables for people: totals under the points, reasons under each other, nothing that breaks a line."""

from __future__ import annotations

import doctest

import pytest

from scoring import strictjson
from scoring.core import Breakdown, Finding, Item, Place, RoundResult, Text
from web import terminal
from web.terminal import breakdown_text, hexagons, one_line, round_text

WHY = Text("why", "because of {cell}")
ROW = Item("vertical-row", ((0, 0), (0, 1), (0, 2)), "3 × 9", 9, 27)
NOTHING = Item("ray", ((0, 0), (2, 5)), "", None, 0, WHY(cell=(0, -1)))
COST = Item("card3", ((1, 1),), "L", None, -2)


def test_the_total_stands_under_the_points() -> None:
    lines = breakdown_text("Bits", Breakdown("bits", 25, (ROW, NOTHING, COST), ())).splitlines()
    row, nothing, cost, _, total = lines[2:7]
    end = len(total)
    assert total.endswith("total 25")
    assert row[:end].endswith(" 27")
    assert nothing[:end].endswith("  0")
    assert cost[:end].endswith(" −2")
    assert "because of (0, −1)" in nothing


def test_a_total_wider_than_any_item_still_fits() -> None:
    text = breakdown_text("Bits", Breakdown("bits", -1_000_000, (COST,), ()))
    assert "total −1000000" in text
    assert breakdown_text("Bits", Breakdown("bits", 0, (), ())).splitlines()[-3].strip() == "total 0"


def test_findings_are_wrapped_and_cannot_break_out() -> None:
    nasty = Text("nasty", "{tile} " + "lies " * 60)(tile="\x1b[2J\nred")
    text = breakdown_text("Qwirkle", Breakdown("qwirkle", None, (), (Finding(nasty),)))
    assert "\x1b" not in text
    assert "! \\x1b[2J\\nred" in text
    assert max(map(len, text.splitlines())) <= 120


def test_a_round_ends_with_the_ranking() -> None:
    scored = Breakdown("bits", 3, (), ())
    result = RoundResult(
        "bits",
        (("Ola", scored), ("Łucja", scored)),
        (Finding(WHY(cell=(1, 1)), players=("Ola",)),),
        (Place(1, "Ola", 3), Place(1, "Łucja", 3)),
    )
    lines = round_text("Bits", result).splitlines()
    assert lines[-2:] == ["  1. Ola       3", "  1. Łucja     3"]
    assert sum("referee" in line for line in lines) == 1


def test_hexagons_stand_where_they_lie() -> None:
    assert hexagons({(0, 0): "9-7-3", (1, -1): "1-2-3", (1, 0): "5-6-8", (0, 1): "*-*-3"}) == [
        "        1-2-3",
        "  9-7-3",
        "        5-6-8",
        "  *-*-3",
    ]
    assert hexagons({}) == []


def test_error_lines_are_short() -> None:
    assert len(one_line("\x00" * 10_000_000)) <= terminal.MAX_LINE


@pytest.mark.parametrize("module", [terminal, strictjson])
def test_the_examples_in_the_docstrings(module: object) -> None:
    failed, tried = doctest.testmod(module)  # type: ignore[arg-type]
    assert (failed, tried > 0) == (0, True)
