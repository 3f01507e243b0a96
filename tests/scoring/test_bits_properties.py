"""What holds for every Bits board: mirrors, renamed colours, the maximum, notation, gravity."""

from bits_play import mirrored, play
from hypothesis import assume, given
from hypothesis import strategies as st

from scoring.bits import Bits
from scoring.bits.options import CARD3_POINTS, COLOURS, BitsOptions
from scoring.bits.score import most_points
from scoring.bits.shapes import LETTERS, shape_of
from scoring.core import Board

GAME = Bits()
EDITIONS = st.text(min_size=1, max_size=20).filter(str.isprintable)
WORDS = st.from_regex(r"\w[\w-]{0,7}", fullmatch=True)


@st.composite
def boards(draw, longest=6, colours=4):
    """Any board, possible or not, filled from the floor up or with holes."""
    rows, columns = draw(st.integers(1, longest)), draw(st.integers(1, longest))
    names = st.sampled_from([None, *COLOURS[:colours]])
    drawn = draw(st.lists(names, min_size=rows * columns, max_size=rows * columns))
    cells = {divmod(index, columns): tile for index, tile in enumerate(drawn) if tile}
    return Board("bits", cells, size=(rows, columns))


@st.composite
def polyominoes(draw):
    cells = {(0, 0)}
    for _ in range(draw(st.integers(0, 5))):
        row, column = draw(st.sampled_from(sorted(cells)))
        down, right = draw(st.sampled_from([(0, 1), (1, 0), (0, -1), (-1, 0)]))
        cells.add((row + down, column + right))
    return shape_of(cells)


OPTIONS = st.builds(
    BitsOptions,
    round=st.integers(1, 3),
    card2=st.lists(st.sampled_from(sorted(LETTERS.values())), unique=True).map(tuple),
    card3=st.dictionaries(polyominoes(), st.sampled_from(CARD3_POINTS)).map(lambda card: tuple(card.items())),
)
PLAYED = st.builds(
    lambda seed, box, most: play(seed, *box, most=most)[0],
    st.integers(0, 10**9),
    st.sampled_from([(6, 4, 4), (6, 6, 5), (3, 5, 4), (2, 2, 4), (12, 2, 4), (1, 20, 4)]),
    st.integers(1, 99),
)


def codes(board, options=None):
    return {finding.message.code for finding in GAME.score(board, options or BitsOptions()).findings}


@given(boards() | PLAYED, OPTIONS)
def test_a_mirrored_board_scores_the_same_and_is_judged_the_same(board, options):
    mirror = mirrored(board)
    assert GAME.score(board, options).total == GAME.score(mirror, options).total
    assert codes(Board("bits", board.cells, size=board.size)) == codes(mirror)


@given(boards(), OPTIONS, st.permutations(COLOURS))
def test_renamed_colours_score_the_same_and_are_judged_the_same(board, options, names):
    renaming = dict(zip(COLOURS, names, strict=True))
    renamed = Board("bits", {cell: renaming[own] for cell, own in board.cells.items()}, size=board.size)
    assert GAME.same_board(board, renamed)
    assert GAME.score(board, options).total == GAME.score(renamed, options).total
    assert codes(board) == codes(renamed)


@given(boards() | PLAYED, OPTIONS)
def test_the_total_is_the_sum_of_its_items_and_within_its_limits(board, options):
    result = GAME.score(board, options)
    assert result.total == sum(item.points for item in result.items)
    assert result.total <= most_points(board.size[0] * board.size[1])
    assert result.total >= -2 * len(board.cells)
    assert options.round == 3 or result.total >= 0
    assert all(item.points or item.reason for item in result.items)
    assert sorted(cell for item in result.items if item.kind == "area" for cell in item.cells) == sorted(
        board.cells
    )


@given(boards(), OPTIONS)
def test_a_later_round_only_adds_what_its_cards_say(board, options):
    one, two, three = (
        GAME.score(board, BitsOptions(number, options.card2, options.card3)).total for number in (1, 2, 3)
    )
    assert one <= two <= 2 * one
    assert three <= two


def count_areas_of_four(board):
    """A second count, by growing every cell's area for itself."""
    areas = set()
    for cell, colour in board.cells.items():
        area = {cell}
        while True:
            grown = {
                other
                for other, own in board.cells.items()
                if own == colour and any(abs(other[0] - r) + abs(other[1] - c) <= 1 for r, c in area)
            }
            if grown == area:
                break
            area = grown
        areas.add(frozenset(area))
    return sum(len(area) == 4 for area in areas)


@given(boards(colours=2))
def test_round_one_agrees_with_a_second_count(board):
    assert GAME.score(board, BitsOptions()).total == count_areas_of_four(board)


@given(boards(longest=20, colours=11), st.data())
def test_notation_and_files_bring_back_the_same_board(board, data):
    order = data.draw(st.permutations(sorted(board.cells)))[: data.draw(st.integers(0, 10))]
    whole = Board("bits", board.cells, size=board.size, order=tuple(order))
    assert GAME.from_notation(GAME.notation(whole)) == whole
    assert GAME.parse_board(GAME.board_json(whole)) == whole


@given(st.lists(WORDS, min_size=1, max_size=120, unique=True), EDITIONS)
def test_notation_knows_any_words_of_a_taught_edition(words, edition):
    cells = {divmod(index, 20): word for index, word in enumerate(words)}
    board = Board("bits", cells, size=(6, 20), edition=edition)
    assert GAME.from_notation(GAME.notation(board)) == board
    assert GAME.parse_board(GAME.board_json(board)) == board


@given(PLAYED)
def test_boards_that_were_played_pass_the_audit(board):
    assert codes(board) == set()


@given(PLAYED, st.data())
def test_a_lifted_tile_is_always_noticed(board, data):
    """Shift a played board up by some rows: nothing lies on the floor any more."""
    up = data.draw(st.integers(1, 5))
    lifted = {(row, column): own for (row, column), own in board.cells.items()}
    floating = Board("bits", lifted, size=(board.size[0] + up, board.size[1]))
    assert codes(floating) & {"floating", "half-tile", "no-division"}


@given(PLAYED, st.data())
def test_a_board_with_a_cell_taken_out_never_passes(board, data):
    assume(board.cells)
    gone = data.draw(st.sampled_from(sorted(board.cells)))
    rest = {cell: own for cell, own in board.cells.items() if cell != gone}
    assume(rest)
    assert "odd-cells" in codes(Board("bits", rest, size=board.size))
