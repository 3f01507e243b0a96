"""Hypothesis strategies for open tables, right and wrong ones, and the ways a table may be seen."""

from hypothesis import strategies as st

from scoring.core import Board

MOVES = {
    "shift": lambda cell: (cell[0] - 7, cell[1] + 40),
    "quarter turn": lambda cell: (cell[1], -cell[0]),
    "half turn": lambda cell: (-cell[0], -cell[1]),
    "mirror": lambda cell: (cell[0], -cell[1]),
    "diagonal mirror": lambda cell: (cell[1], cell[0]),
}
"""Ways to see a table that no rule can tell apart."""


def views():
    return st.sampled_from(sorted(MOVES)).map(MOVES.__getitem__)


def seen(board, view):
    return Board(board.game, {view(cell): tile for cell, tile in board.cells.items()})


def tables(game, side=5, kinds=None):
    """Tables of up to side × side cells; few kinds make lines, repeats and runs likely."""
    cells = st.tuples(st.integers(0, side - 1), st.integers(0, side - 1))
    tiles = st.sampled_from(sorted(kinds or game.kinds()))
    return st.dictionaries(cells, tiles, max_size=side * side).map(lambda found: Board(game.id, found))


@st.composite
def turns(draw, game, kinds):
    """A table and the same table with a few tiles more: mostly illegal turns, sometimes a legal one."""
    after = draw(tables(game, 4, kinds))
    placed = draw(st.sets(st.sampled_from(sorted(after.cells)), max_size=3)) if after.cells else set()
    before = {cell: tile for cell, tile in after.cells.items() if cell not in placed}
    return Board(game.id, before), after


def told(result, view):
    """Items and findings in any order, with their cells as `view` sees them."""
    items = sorted(
        (item.kind, sorted(map(view, item.cells)), item.formula, item.points, _aimless(item.reason.code))
        for item in result.items
    )
    findings = sorted((finding.message.code, _where(finding, view)) for finding in result.findings)
    return items, findings


def _aimless(code):
    """A code without its direction: a row turns into a column."""
    return code.removesuffix("-row").removesuffix("-column")


def _where(finding, view):
    # Of several largest groups the topmost is kept, which a turn of the table changes: compare their number.
    if finding.message.code == "not-connected":
        return [(finding.message.params["count"], 0)]
    return sorted(map(view, finding.cells))
