"""Results as a person likes to read them in a terminal: one table per board, reasons beside the zeros."""

from __future__ import annotations

import shutil
import textwrap
from collections.abc import Mapping, Sequence
from itertools import chain, pairwise

from scoring.core import Breakdown, Cell, Finding, Item, MoveResult, RoundResult, spell

MAX_LINE = 400
"""The longest error line, in characters: enough for a place and a reason, too little for a flood."""

SHORT_PLACE = 20
"""The cells of an item written shorter than this get a column of their own, in characters."""

NO_OBJECTION = "The referee has no objection."


def one_line(text: str, limit: int = MAX_LINE) -> str:
    """Text that cannot break out of its line or move the cursor, cut where it gets too long.

    >>> one_line("a\\nb" + "c" * 20, 8)
    'a\\\\nbccc…'
    """
    printable = "".join(
        letter if letter.isprintable() else ascii(letter)[1:-1] for letter in text[: limit + 1]
    )
    return printable if len(printable) <= limit else printable[: limit - 1] + "…"


def breakdown_text(heading: str, result: Breakdown) -> str:
    """One board: every item, the total, what the referee says."""
    return "\n".join([heading, "", *_scored_lines(result), *_referee_lines(result.findings)])


def round_text(heading: str, result: RoundResult) -> str:
    """Everybody's board, then what concerns several players, then who is ahead."""
    lines = [heading]
    for name, breakdown in result.players:
        lines += [
            "",
            one_line(name),
            *_scored_lines(breakdown),
            *_referee_lines(breakdown.findings, quiet=True),
        ]
    lines += _referee_lines(result.findings, quiet=any(breakdown.findings for _, breakdown in result.players))
    if result.ranking:
        width = max(len(name) for name, _ in result.players)
        lines += [
            "",
            *(f"  {row.place}. {row.name:<{width}}  {spell(row.total):>4}" for row in result.ranking),
        ]
    return "\n".join(lines)


def move_text(heading: str, result: MoveResult) -> str:
    """One turn: the verdict first, then the lines it made, then every rule it breaks."""
    verdict = f"legal, {points_text(result.points)}" if result.legal else "not legal, no points"
    lines = [f"{heading}: {verdict}"]
    if result.items:
        lines += ["", *_item_lines(result.items)]
    return "\n".join([*lines, *_referee_lines(result.findings, quiet=result.legal)])


def best_text(heading: str, total: int | None, best: int, tiles: Mapping[Cell, str]) -> str:
    """What was made, what could have been made, and a board that makes it."""
    verdict = "nothing better was possible" if total == best else f"{best} was possible"
    return "\n".join([f"{heading}: {spell(total)} made, {verdict}", "", *hexagons(tiles)])


def hexagons(tiles: Mapping[Cell, str]) -> list[str]:
    """Tiles where they lie on a hexagonal board: columns side by side, half a tile apart in height."""
    width = max(map(len, tiles.values()), default=0) + 1
    left = min((q for q, _ in tiles), default=0)
    lines: dict[int, str] = {}
    for height, q, tile in sorted((2 * r + q, q, tile) for (q, r), tile in tiles.items()):
        lines[height] = lines.get(height, "").ljust(2 + (q - left) * width) + tile
    return [lines[height] for height in sorted(lines)]


def points_text(points: int) -> str:
    """
    >>> points_text(1), points_text(-2)
    ('1 point', '−2 points')
    """
    return f"{spell(points)} point{'' if abs(points) == 1 else 's'}"


def cells_text(cells: Sequence[Cell]) -> str:
    """Cells one after another; a straight, unbroken row only by its ends.

    >>> cells_text([(0, -1), (0, 0), (0, 1)]), cells_text([(0, 0), (1, 1), (1, 2)])
    ('(0, −1) … (0, 1)', '(0, 0) (1, 1) (1, 2)')
    """
    steps = {(later[0] - cell[0], later[1] - cell[1]) for cell, later in pairwise(cells)}
    if len(cells) > 2 and len(steps) == 1:
        return f"{spell(cells[0])} … {spell(cells[-1])}"
    return " ".join(spell(cell) for cell in cells)


def _scored_lines(result: Breakdown) -> list[str]:
    lines = _item_lines(result.items)
    if result.total is None:
        return [*lines, "  no total: this game is scored turn by turn"]
    total = f"total {spell(result.total)}"
    width = max(_points_column(result.items), len(total) + 2)
    return [*lines, "  " + "─" * (width - 2), total.rjust(width)]


def _points_column(items: Sequence[Item]) -> int:
    """Where the points end, counted from the left edge."""
    return (
        2
        + sum(max((len(row[column]) for row in map(_columns, items)), default=0) + 2 for column in range(3))
        - 2
    )


def _item_lines(items: Sequence[Item]) -> list[str]:
    rows = [_columns(item) for item in items]
    widths = [max((len(row[column]) for row in rows), default=0) for column in range(3)]
    where = [cells_text(item.cells) for item in items]
    # Reasons stand under each other beside short places; a place of many cells takes the room it needs.
    reasons_from = max((len(place) for place in where if len(place) <= SHORT_PLACE), default=0)
    lines = []
    for item, place, (kind, formula, points) in zip(items, where, rows, strict=True):
        start = f"  {kind:<{widths[0]}}  {formula:<{widths[1]}}  {points:>{widths[2]}}  "
        reason = one_line(item.reason.text) if item.reason else ""
        if len(place) <= SHORT_PLACE:
            start += f"{place:<{reasons_from}}  " if reasons_from else ""
            place = ""
        lines += _wrapped(f"{place}  {reason}".strip(), start, " " * len(start))
    return lines


def _columns(item: Item) -> tuple[str, str, str]:
    return (item.kind.replace("-", " "), one_line(item.formula), spell(item.points))


def _wrapped(text: str, start: str, indent: str) -> list[str]:
    """`text` after `start`, its further lines under its first."""
    first, *more = textwrap.wrap(text, max(_width() - len(start), 30)) or [""]
    return [(start + first).rstrip(), *(indent + line for line in more)]


def _referee_lines(findings: Sequence[Finding], quiet: bool = False) -> list[str]:
    if not findings:
        return [] if quiet else ["", NO_OBJECTION]
    lines = (_wrapped(one_line(finding.message.text), "  ! ", "    ") for finding in findings)
    return ["", "The referee objects:", *chain.from_iterable(lines)]


def _width() -> int:
    return min(shutil.get_terminal_size((100, 24)).columns, 120)
