"""Photos read together: what one doubts another sees, and what all players hold one player holds, too."""

from __future__ import annotations

import random

import pytest

from scoring.mipasuje.layouts import LAYOUTS
from scoring.mipasuje.tiles import BASIC
from vision.joining import join, join_round
from vision.match import Placement
from vision.reading import Alternative, Cell, CellReading, Doubt, Reading, Unreadable

CELLS = LAYOUTS["standard"].cells
CALLED = [tile.name for tile in random.Random(5).sample(BASIC, 19)]
NOT_CALLED = next(tile.name for tile in BASIC if tile.name not in CALLED)
SQUARE = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))
Weak = dict[Cell, tuple[Alternative, ...]]


def board(seed: int) -> dict[Cell, str]:
    """The called tiles as this player placed them."""
    order = random.Random(seed).sample(CALLED, 19)
    return dict(zip(CELLS, order, strict=True))


def photo(
    tiles: dict[Cell, str], weak: Weak | None = None, game: str = "mipasuje", **more: object
) -> Reading:
    weak = weak or {}
    cells = [
        CellReading(at, tile, 0.99, (Alternative(None, 0.01),), SQUARE)
        for at, tile in tiles.items()
        if at not in weak
    ]
    cells += [
        CellReading(at, one[0].tile, one[0].p, one[1:], SQUARE, one[0].mark)
        for at, one in weak.items()
        if one[0].tile
    ]
    doubts = tuple(Doubt(at, one, SQUARE) for at, one in weak.items())
    layout = "standard" if game == "mipasuje" else ""
    return Reading(game, tuple(cells), doubts, layout=layout, **more)  # type: ignore[arg-type]


def tiles_of(reading: Reading) -> dict[Cell, str]:
    return {cell.at: cell.tile for cell in reading.cells}


def torn(*names: str) -> tuple[Alternative, ...]:
    """A cell that may as well be any of these."""
    return tuple(Alternative(name, 0.9 / len(names) - 0.01 * index) for index, name in enumerate(names))


def test_what_one_photo_doubts_the_other_settles() -> None:
    tiles = board(1)
    first, second = CELLS[3], CELLS[11]
    one = photo(tiles, {first: torn(NOT_CALLED, tiles[first])})
    two = photo(tiles, {second: torn(NOT_CALLED, tiles[second])})
    found = join([one, two])
    assert tiles_of(found) == tiles
    assert not found.doubts


def test_a_tile_hidden_in_one_photo_is_asked_about_only_if_the_other_is_unsure() -> None:
    tiles = board(1)
    hidden = {at: tile for at, tile in tiles.items() if at != CELLS[0]}
    weak = {CELLS[0]: (Alternative(None, 0.6), Alternative(tiles[CELLS[0]], 0.4))}
    found = join([photo(hidden, weak), photo(tiles)])
    assert tiles_of(found) == tiles
    assert not found.doubts


def test_two_photos_that_hesitate_alike_are_asked_about() -> None:
    tiles = board(1)
    weak = {CELLS[3]: (Alternative(tiles[CELLS[3]], 0.9), Alternative(NOT_CALLED, 0.1))}
    assert [doubt.at for doubt in join([photo(tiles, weak)] * 2).doubts] == [CELLS[3]]


def test_photos_that_plainly_differ_are_asked_about_and_named() -> None:
    tiles = board(1)
    found = join([photo(tiles), photo(tiles | {CELLS[3]: NOT_CALLED})])
    assert [doubt.at for doubt in found.doubts] == [CELLS[3]]
    assert [(one.code, one.cells) for one in found.findings] == [("photos-differ", (CELLS[3],))]


def test_photos_of_two_boards_are_not_joined() -> None:
    with pytest.raises(Unreadable, match="do not show the same board"):
        join([photo(board(1)), photo(board(2))])


def test_an_open_table_is_joined_however_the_second_photo_lies() -> None:
    tiles = {(0, 0): "red circle", (0, 1): "red square", (0, 2): "red star", (1, 1): "blue square"}
    where = Placement(3, (4, -2))
    second = photo({where.seen(at): tile for at, tile in tiles.items()}, game="qwirkle")
    weak = {(0, 2): torn("red clover", "red star")}
    found = join([photo(tiles, weak, game="qwirkle"), second])
    assert tiles_of(found) == tiles
    assert not found.doubts


def test_ramps_are_joined_whatever_the_second_photo_calls_its_colours() -> None:
    tiles = {
        (row, column): "red" if (row + column) % 3 else "blue" for row in range(6) for column in range(4)
    }
    names = {"red": "orange", "blue": "purple"}
    weak = {(2, 2): torn("blue", "red")}
    second = photo({at: names[tile] for at, tile in tiles.items()}, game="bits", size=(6, 4))
    found = join([photo(tiles, weak, game="bits", size=(6, 4)), second])
    assert tiles_of(found) == tiles
    assert not found.doubts


def test_a_round_reads_a_washed_out_tile_from_what_the_others_hold() -> None:
    """Four players; one has three tiles washed out, of which the likeliest guess is wrong each time."""
    boards = [board(seed) for seed in range(4)]
    spots = CELLS[2], CELLS[8], CELLS[15]
    weak = {
        at: (Alternative(NOT_CALLED, 0.4), Alternative(boards[0][at], 0.35), Alternative(CALLED[0], 0.2))
        for at in spots
    }
    alone = photo(boards[0], weak)
    assert tiles_of(alone) != boards[0]
    found = join_round([alone, *(photo(one) for one in boards[1:])])
    assert tiles_of(found[0]) == boards[0]
    assert [tiles_of(one) for one in found[1:]] == boards[1:]


def test_a_tile_that_was_not_even_named_is_found_by_elimination() -> None:
    boards = [board(seed) for seed in range(4)]
    weak = {CELLS[8]: (Alternative(NOT_CALLED, 0.3), Alternative(boards[0][CELLS[0]], 0.2))}
    found = join_round([photo(boards[0], weak), *(photo(one) for one in boards[1:])])
    assert tiles_of(found[0]) == boards[0]


def test_a_tile_that_is_plainly_seen_is_not_argued_away() -> None:
    """One player misheard a call: their board differs, and must go on differing."""
    boards = [board(seed) for seed in range(4)]
    misheard = boards[0] | {CELLS[5]: NOT_CALLED}
    found = join_round([photo(misheard), *(photo(one) for one in boards[1:])])
    assert tiles_of(found[0]) == misheard


def test_a_symbol_is_printed_alike_on_everybodys_tile() -> None:
    boards = [board(seed) for seed in range(3)]
    tile = boards[0][CELLS[0]]

    def with_mark(tiles: dict[Cell, str], p: float) -> Reading:
        at = next(cell for cell, name in tiles.items() if name == tile)
        weak = {at: (Alternative(tile, p, "sun"), Alternative(tile, 0.99 - p, "moon"))}
        return photo(tiles, weak)

    found = join_round([with_mark(boards[0], 0.45), with_mark(boards[1], 0.97), with_mark(boards[2], 0.97)])
    (cell,) = (cell for cell in found[0].cells if cell.tile == tile)
    assert cell.mark == "sun"


def test_a_tile_washed_out_in_one_photo_is_believed_where_it_is_plainly_seen() -> None:
    tiles = board(1)
    at = CELLS[7]
    weak = {at: (Alternative(None, 0.97), Alternative(NOT_CALLED, 0.03))}
    hidden = {cell: tile for cell, tile in tiles.items() if cell != at}
    assert tiles_of(join([photo(hidden, weak), photo(tiles)])) == tiles


def test_a_cell_that_seems_empty_is_filled_where_everybody_else_has_a_tile_more() -> None:
    boards = [board(seed) for seed in range(4)]
    at = CELLS[7]
    weak = {at: (Alternative(None, 0.8), Alternative(NOT_CALLED, 0.1))}
    hidden = {cell: tile for cell, tile in boards[0].items() if cell != at}
    found = join_round([photo(hidden, weak), *(photo(one) for one in boards[1:])])
    assert tiles_of(found[0]) == boards[0]
    assert [doubt.at for doubt in found[0].doubts] == [at]
