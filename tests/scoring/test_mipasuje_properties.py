"""What holds for every board of Mi pasuje!, whatever lies on it."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st

from scoring.core import Board, Cell, Player
from scoring.mipasuje import LAYOUTS, TILES, HexTile, MiPasuje, MiPasujeOptions
from scoring.mipasuje.tiles import BASIC, JOKER, VALUES

GAME = MiPasuje()
MAXIMUM = 307
BEST = GAME.from_notation(
    "standard:573.578.524,974.973.928.964,178.174.123.168.164,978.924.963.968,528.564.563"
)
MARKS = st.sampled_from([None, "sun", "moon"])
OPTIONS = st.builds(
    MiPasujeOptions,
    st.sampled_from(["base", "rays", "brightest"]),
    st.sampled_from(["free", "adjacent", "sun-moon"]),
)


@st.composite
def boards(draw: st.DrawFn, layouts: tuple[str, ...] = tuple(LAYOUTS)) -> Board[HexTile]:
    """Anything a file can hold, legal or not; few kinds of tiles now and then, so that rows do score."""
    layout = LAYOUTS[draw(st.sampled_from(layouts))]
    kinds = draw(st.lists(st.sampled_from(list(TILES.values())), min_size=1, max_size=31, unique=True))
    tiles = st.builds(HexTile.marked, st.sampled_from(kinds), MARKS)
    cells = draw(st.lists(st.sampled_from(layout.cells), unique=True))
    if draw(st.booleans()):
        cells = list(layout.cells)
    order = draw(st.permutations(cells))[: draw(st.integers(0, len(cells)))]
    return Board(
        "mipasuje",
        {cell: draw(tiles) for cell in cells},
        layout.name,
        aside=tuple(draw(st.lists(st.sampled_from(kinds), max_size=4))),
        order=tuple(order),
        edition=draw(st.none() | st.text(max_size=8)),
    )


@st.composite
def legal_boards(draw: st.DrawFn) -> Board[HexTile]:
    """19 different basic tiles: thrown down at random, or a board of 307 points with some tiles exchanged."""
    cells = list(BEST.cells)
    if draw(st.booleans()):
        return Board("mipasuje", dict(zip(cells, draw(st.permutations(BASIC)), strict=False)), "standard")
    pool = [*BEST.cells.values(), *(tile for tile in BASIC if tile not in BEST.cells.values())]
    for _ in range(draw(st.integers(0, 4))):
        i, j = draw(st.integers(0, 18)), draw(st.integers(0, 26))
        pool[i], pool[j] = pool[j], pool[i]
    return Board("mipasuje", dict(zip(cells, pool, strict=False)), "standard")


def moved(
    board: Board[HexTile],
    layout: str,
    turn: Callable[[Cell], Cell],
    relabel: Callable[[HexTile], HexTile] = lambda tile: tile,
) -> Board[HexTile]:
    """The same tiles on the turned or mirrored board."""
    return Board(
        "mipasuje",
        {turn(cell): relabel(tile) for cell, tile in board.cells.items()},
        layout,
        aside=tuple(map(relabel, board.aside)),
        order=tuple(map(turn, board.order)),
    )


def half_turn(cell: Cell) -> Cell:
    return (-cell[0], -cell[1])


def mirror(cell: Cell) -> Cell:
    return (-cell[0], cell[0] + cell[1])


def mirrored_tile(tile: HexTile) -> HexTile:
    """In a mirror the rising line falls: exchange the two, lowest value for lowest and so on."""
    falls = dict(zip((JOKER, *VALUES[1]), (JOKER, *VALUES[2]), strict=True))
    rises = {falling: rising for rising, falling in falls.items()}
    return HexTile(tile.vertical, rises[tile.falling], falls[tile.rising], tile.mark)


TURNED = {
    "standard": "standard",
    "valve": "valve-turned",
    "valve-turned": "valve",
    "valve-mirrored": "valve-mirrored-turned",
    "valve-mirrored-turned": "valve-mirrored",
}
MIRRORED = {
    "standard": "standard",
    "valve": "valve-mirrored",
    "valve-mirrored": "valve",
    "valve-turned": "valve-mirrored-turned",
    "valve-mirrored-turned": "valve-turned",
}


def counted_by_hand(board: Board[HexTile]) -> int:
    """The base score written down a second time: group the board's cells by each direction's constant."""
    total = 0
    for line, constant in enumerate((lambda q, r: q, lambda q, r: q + r, lambda q, r: r)):
        rows: dict[int, list[Cell]] = defaultdict(list)
        for q, r in LAYOUTS[board.layout].cells:
            rows[constant(q, r)].append((q, r))
        for cells in rows.values():
            for value in sorted(VALUES[line], reverse=True):
                if all(c in board.cells and board.cells[c][line] in (value, JOKER) for c in cells):
                    total += value * len(cells)
                    break
    return total


@given(boards())
def test_a_second_count_agrees(board: Board[HexTile]) -> None:
    assert GAME.score(board, MiPasujeOptions()).total == counted_by_hand(board)


@given(legal_boards())
def test_nothing_beats_307(board: Board[HexTile]) -> None:
    result = GAME.score(board, MiPasujeOptions())
    assert result.total is not None
    assert 0 <= result.total <= MAXIMUM
    assert result.total not in (1, 2)
    assert result.findings == ()


@given(boards(), OPTIONS)
def test_a_breakdown_adds_up_and_explains_every_nothing(
    board: Board[HexTile], options: MiPasujeOptions
) -> None:
    result = GAME.score(board, options)
    assert result.total == sum(item.points for item in result.items)
    for item in result.items:
        assert (item.points == 0) == (item.reason is not None) == (item.formula == "")
        assert set(item.cells) <= set(LAYOUTS[board.layout].cells)
        if item.reason is not None:
            assert "{" not in item.reason.text


@given(boards())
def test_notation_and_files_round_trip(board: Board[HexTile]) -> None:
    text = GAME.notation(board)
    assert "\n" not in text
    assert "/" not in text
    assert GAME.from_notation(text) == board
    assert GAME.parse_board(json.loads(json.dumps(GAME.board_json(board)))) == board


@given(boards(), OPTIONS)
def test_a_half_turn_changes_no_score_and_no_finding(board: Board[HexTile], options: MiPasujeOptions) -> None:
    before = GAME.score(board, options)
    after = GAME.score(moved(board, TURNED[board.layout], half_turn), options)
    assert before.total == after.total
    assert sorted(f.message.code for f in before.findings) == sorted(f.message.code for f in after.findings)


@given(
    boards(("valve", "valve-turned", "valve-mirrored", "valve-mirrored-turned")),
    st.sampled_from([1, 2, 3, 4]),
)
def test_valve_variants_are_the_same_on_all_four_boards(board: Board[HexTile], valve: int) -> None:
    options = GAME.parse_options({"valve": valve, "placement": "sun-moon"})
    codes = sorted(f.message.code for f in GAME.score(board, options).findings)
    for layouts, turn in ((TURNED, half_turn), (MIRRORED, mirror)):
        other = GAME.score(moved(board, layouts[board.layout], turn), options)
        assert sorted(f.message.code for f in other.findings) == codes


@given(boards())
def test_a_mirrored_board_scores_in_the_mirrored_rows(board: Board[HexTile]) -> None:
    swapped = {"vertical-row": "vertical-row", "rising-row": "falling-row", "falling-row": "rising-row"}
    if any(tile.name in ("*-2-*", "*-*-3") for tile in board.cells.values()):
        board = Board("mipasuje", {c: t for c, t in board.cells.items() if not t.is_joker}, board.layout)
    image = moved(board, MIRRORED[board.layout], mirror, mirrored_tile)
    assert GAME.parse_board(GAME.board_json(image)).cells == image.cells
    here = {
        (swapped[item.kind], frozenset(map(mirror, item.cells)))
        for item in GAME.score(board, MiPasujeOptions()).items
        if item.points
    }
    there = {
        (item.kind, frozenset(item.cells))
        for item in GAME.score(image, MiPasujeOptions()).items
        if item.points
    }
    assert here == there


@given(boards(), st.data())
def test_taking_a_tile_away_never_earns_points(board: Board[HexTile], data: st.DataObject) -> None:
    if not board.cells:
        return
    gone = data.draw(st.sampled_from(list(board.cells)))
    less = Board("mipasuje", {c: t for c, t in board.cells.items() if c != gone}, board.layout)
    before, after = (GAME.score(b, MiPasujeOptions("rays")).total for b in (board, less))
    assert before is not None
    assert after is not None
    assert after <= before


@given(st.lists(boards(("standard",)), min_size=1, max_size=6), OPTIONS)
def test_a_round_agrees_with_its_boards(table: list[Board[HexTile]], options: MiPasujeOptions) -> None:
    players = [Player(f"P{index}", board) for index, board in enumerate(table)]
    result = GAME.score_round(players, options)
    assert [name for name, _ in result.players] == [player.name for player in players]
    bonus = 0
    for (_, breakdown), board in zip(result.players, table, strict=True):
        alone = GAME.score(board, options)
        assert breakdown.findings == alone.findings
        assert breakdown.total is not None
        if options.scoring == "brightest":
            bonus += breakdown.total - counted_by_hand(board)
        else:
            assert breakdown == alone
    assert bonus in (0, 60, 120)
    same = {frozenset(t[:3] for t in (*b.cells.values(), *b.aside)) for b in table}
    assert (len(same) > 1) == any(f.message.code.startswith("tiles-") for f in result.findings)
