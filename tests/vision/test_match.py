"""A photo of a table that was known before: found again however it lies, and nothing overwritten silently."""

from __future__ import annotations

import pytest

from scoring.registry import GAMES
from vision.match import (
    Known,
    KnownCell,
    Matched,
    Placement,
    known_from,
    known_tiles,
    match,
    turned,
)
from vision.reading import Alternative, Cell, CellReading, Doubt, Reading, Unreadable

BEFORE = GAMES["qwirkle"].from_notation("0,0:RoRsRd;1,1:Gs;2,1:BsBoBt")
TILES = {at: tile.name for at, tile in BEFORE.cells.items()}
NEW = {(0, 3): "red star", (0, 4): "red clover"}
PLACEMENTS = [Placement(turns, shift) for turns in range(4) for shift in ((0, 0), (-3, 7), (12, -5))]


def photo(
    tiles: dict[Cell, str],
    p: float = 0.99,
    weak: dict[Cell, tuple[Alternative, ...]] | None = None,
    game: str = "qwirkle",
) -> Reading:
    """A reading of these tiles, 100 pixels apart; `weak` cells are doubted, with what they may be."""
    weak = weak or {}
    places = {at: square(at) for at in (*tiles, *weak)}
    cells = [
        CellReading(at, tile, p, (Alternative(None, 1 - p),), places[at])
        for at, tile in tiles.items()
        if at not in weak
    ]
    cells += [
        CellReading(at, views[0].tile, views[0].p, views[1:], places[at])
        for at, views in weak.items()
        if views[0].tile is not None
    ]
    doubts = [Doubt(at, views, places[at]) for at, views in weak.items()]
    lattice = ((100.0, 0.0, 5000.0), (0.0, 100.0, 5000.0), (0.0, 0.0, 1.0))
    return Reading(game, tuple(cells), tuple(doubts), homography=lattice, photo_size=(10_000, 10_000))


def square(at: Cell) -> tuple[tuple[float, float], ...]:
    x, y = 5000.0 + 100 * at[1], 5000.0 + 100 * at[0]
    return ((x - 50, y - 50), (x + 50, y - 50), (x + 50, y + 50), (x - 50, y + 50))


def seen_from(tiles: dict[Cell, str], where: Placement) -> dict[Cell, str]:
    """The same table as a photo that lies so would count its cells."""
    return {where.seen(at): tile for at, tile in tiles.items()}


def as_tiles(matched: Matched) -> dict[Cell, str]:
    return {cell.at: cell.tile for cell in matched.reading.cells}


def middle(polygon: tuple[tuple[float, float], ...]) -> tuple[float, float]:
    return sum(x for x, _ in polygon) / len(polygon), sum(y for _, y in polygon) / len(polygon)


def test_four_quarter_turns_are_none() -> None:
    assert [turned((2, 5), quarters) for quarters in range(5)] == [(2, 5), (5, -2), (-2, -5), (-5, 2), (2, 5)]


@pytest.mark.parametrize("where", PLACEMENTS)
def test_a_placement_and_its_way_back(where: Placement) -> None:
    assert all(where.known(where.seen(at)) == at for at in TILES)


@pytest.mark.parametrize("where", PLACEMENTS)
def test_new_tiles_are_found_however_the_photo_lies(where: Placement) -> None:
    found = match(known_tiles("qwirkle", TILES), photo(seen_from(TILES | NEW, where)))
    assert found.placement == where
    assert found.placed == tuple(sorted(NEW))
    assert as_tiles(found) == TILES | NEW
    assert not found.contradictions
    assert not found.reading.doubts
    assert not found.rivals


@pytest.mark.parametrize("where", PLACEMENTS)
def test_the_lattice_turns_along(where: Placement) -> None:
    """Where the homography puts a cell is where its tile was seen."""
    found = match(known_tiles("qwirkle", TILES), photo(seen_from(TILES | NEW, where))).reading
    for cell in found.cells:
        row = [
            sum(a * b for a, b in zip(line, (cell.at[1], cell.at[0], 1), strict=True))
            for line in found.homography
        ]
        assert (row[0] / row[2], row[1] / row[2]) == pytest.approx(middle(cell.polygon))


def test_the_first_photo_is_all_new() -> None:
    found = match(Known("qwirkle"), photo(TILES))
    assert set(found.placed) == set(TILES)


def test_nothing_new_is_an_exchange() -> None:
    found = match(known_from(photo(TILES)), photo(seen_from(TILES, Placement(3, (2, 2)))))
    assert found.placed == ()
    assert as_tiles(found) == TILES


def test_the_old_board_settles_what_the_new_photo_doubts() -> None:
    glare = {(0, 0): (Alternative("orange circle", 0.6), Alternative("red circle", 0.4))}
    found = match(known_from(photo(TILES)), photo(TILES | NEW, weak=glare))
    assert as_tiles(found) == TILES | NEW
    assert not found.reading.doubts
    assert not found.contradictions


def test_the_new_photo_settles_what_the_old_one_doubted() -> None:
    glare = {(0, 0): (Alternative("orange circle", 0.6), Alternative("red circle", 0.4))}
    found = match(known_from(photo(TILES, weak=glare)), photo(TILES | NEW))
    assert as_tiles(found) == TILES | NEW
    assert not found.reading.doubts


def test_two_hesitant_photos_are_still_asked_about() -> None:
    """They mostly hesitate for the same reason: twice unsure is not sure."""
    glare = {(0, 0): (Alternative("orange circle", 0.9), Alternative("red circle", 0.1))}
    found = match(known_from(photo(TILES, weak=glare)), photo(TILES, weak=glare))
    assert [doubt.at for doubt in found.reading.doubts] == [(0, 0)]
    again = match(known_from(found.reading), photo(TILES, weak=glare))
    assert [doubt.at for doubt in again.reading.doubts] == [(0, 0)]


def test_a_changed_tile_is_named_asked_about_and_not_overwritten() -> None:
    changed = TILES | {(1, 1): "yellow clover"}
    found = match(known_from(photo(TILES)), photo(changed | NEW))
    assert [(one.kind, one.at, one.was, one.now) for one in found.contradictions] == [
        ("changed", (1, 1), "green square", "yellow clover")
    ]
    assert as_tiles(found)[1, 1] == "green square"
    (doubt,) = found.reading.doubts
    assert [one.tile for one in doubt.alternatives] == ["green square", "yellow clover"]


def test_a_vanished_tile_is_named_asked_about_and_kept() -> None:
    gone = {at: tile for at, tile in TILES.items() if at != (2, 3)}
    found = match(known_from(photo(TILES)), photo(gone))
    assert [(one.kind, one.at, one.was) for one in found.contradictions] == [
        ("vanished", (2, 3), "blue star")
    ]
    assert as_tiles(found) == TILES
    assert [one.tile for one in found.reading.doubts[0].alternatives] == ["blue star", None]


def test_a_moved_tile_is_called_moved() -> None:
    moved = {at: tile for at, tile in TILES.items() if at != (2, 3)} | {(3, 2): "blue star"}
    (one,) = match(known_from(photo(TILES)), photo(moved)).contradictions
    assert (one.kind, one.at, one.to) == ("moved", (2, 3), (3, 2))


def test_what_a_person_said_is_not_asked_again_when_the_same_misreading_comes_back() -> None:
    cells = tuple(
        (
            at,
            KnownCell(
                (Alternative(tile, 1.0),), told=True, misread=("orange circle",) if at == (0, 0) else ()
            ),
        )
        for at, tile in TILES.items()
    )
    found = match(Known("qwirkle", cells), photo(TILES | {(0, 0): "orange circle"}))
    assert as_tiles(found) == TILES
    assert not found.reading.doubts
    assert not found.contradictions


def test_another_misreading_of_that_cell_is_news() -> None:
    cells = tuple((at, KnownCell((Alternative(tile, 1.0),), told=True)) for at, tile in TILES.items())
    found = match(Known("qwirkle", cells), photo(TILES | {(0, 0): "orange circle"}))
    assert as_tiles(found) == TILES
    assert [doubt.at for doubt in found.reading.doubts] == [(0, 0)]


def test_a_hint_people_called_empty_is_not_asked_about_again() -> None:
    hint = {(1, 2): (Alternative(None, 0.8), Alternative("red cross", 0.2))}
    known = Known("qwirkle", known_from(photo(TILES)).cells, (((1, 2), 0.2),))
    assert not match(known, photo(TILES, weak=hint)).reading.doubts
    # Much more than a hint is a tile after all.
    sure = match(known, photo(TILES | {(1, 2): "red cross"}))
    assert sure.placed == ((1, 2),)


def test_tiles_beside_the_table_are_asked_about_and_no_part_of_it() -> None:
    spare = {(6, 0): "green star", (6, 1): "yellow circle"}
    found = match(known_from(photo(TILES)), photo(TILES | NEW | spare))
    assert found.placed == tuple(sorted(NEW))
    assert [doubt.at for doubt in found.reading.doubts] == [(6, 0), (6, 1)]
    # Once somebody has said that nothing of the table lies there, they are left alone.
    told = Known("qwirkle", known_from(found.reading).cells, (((6, 0), 0.5), ((6, 1), 0.5)))
    assert not match(told, photo(TILES | NEW | spare)).reading.doubts


def test_a_tile_that_touches_only_a_corner_is_placed_and_left_to_the_rules() -> None:
    found = match(known_from(photo(TILES)), photo(TILES | {(3, 0): "red cross"}))
    assert found.placed == ((3, 0),)
    assert not found.reading.doubts


def test_a_hint_of_a_new_tile_is_asked_about_but_not_taken_for_one() -> None:
    hint = {(1, 2): (Alternative("red cross", 0.6), Alternative(None, 0.4))}
    found = match(known_from(photo(TILES)), photo(TILES, weak=hint))
    assert found.placed == ()
    assert [doubt.at for doubt in found.reading.doubts] == [(1, 2)]


def test_a_fourth_copy_is_less_likely_than_its_rival() -> None:
    before = {(0, 0): "red circle", (1, 1): "red circle", (2, 2): "red circle", (0, 1): "red star"}
    close = {(0, 2): (Alternative("red circle", 0.6), Alternative("red square", 0.4))}
    found = match(known_tiles("qwirkle", before), photo(before, weak=close))
    assert as_tiles(found)[0, 2] == "red square"
    assert [doubt.at for doubt in found.reading.doubts] == [(0, 2)]


def test_tiles_outside_the_picture_stay_and_are_named() -> None:
    reading = photo({at: tile for at, tile in (TILES | NEW).items() if at[0] < 2})
    cut = Reading("qwirkle", reading.cells, homography=reading.homography, photo_size=(6000, 5120))
    found = match(known_from(photo(TILES)), cut)
    assert set(found.unseen) == {(2, 1), (2, 2), (2, 3)}
    assert as_tiles(found) == TILES | NEW
    assert not found.contradictions


def test_another_table_is_refused() -> None:
    other = {(0, 0): "green cross", (0, 1): "green star", (0, 2): "green circle", (1, 0): "blue cross"}
    with pytest.raises(Unreadable, match="does not show the table") as refused:
        match(known_tiles("qwirkle", TILES), photo(other))
    assert refused.value.code == "another-table"


def test_a_line_that_continues_itself_has_two_explanations() -> None:
    """Red circle and red square before; now the pair lies there twice: which one was it?"""
    before = {(0, 0): "red circle", (0, 1): "red square"}
    after = before | {(1, 0): "red circle", (1, 1): "red square"}
    found = match(known_tiles("qwirkle", before), photo(after))
    assert len(found.rivals) == 1
    assert len(found.placed) == 2


def test_a_lone_tile_has_one_explanation_though_it_may_be_turned() -> None:
    after = {(4, 4): "red heart", (4, 5): "blue heart"}
    found = match(known_tiles("trio", {(0, 0): "red heart"}), photo(after, game="trio"))
    assert not found.rivals
    assert found.placed == ((0, 1),)
