"""What makes a photo hard or impossible to read, one constructed case each."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from laid import camera, lattice, photo, placed, seen

from scoring.mipasuje.layouts import LAYOUTS
from vision.decode import Photo
from vision.findings import (
    cut_off,
    displaced,
    empty_board,
    flatness,
    glaring,
    half_outside,
    hidden_by_glare,
    photo_findings,
    refuse_cut_board,
    refuse_cut_table,
    refuse_far,
    refuse_misfit,
    refuse_oblique,
    refuse_other_game,
    refuse_thin,
    refuse_thin_table,
    refuse_unclear,
    second_board,
    sharpness,
)
from vision.geometry import HEXAGONAL, SQUARE, through
from vision.lattice import Lattice
from vision.layout import place_hex
from vision.look import no_board
from vision.reading import Unreadable
from vision.settings import SETTINGS

TABLE = np.array([(x, y) for x in range(-2, 3) for y in range(-2, 3)])
NO_DOUBT = np.zeros(len(TABLE), bool)
ALL_DOUBT = np.ones(len(TABLE), bool)
NAMES = [(int(y), int(x)) for x, y in TABLE]


def table(**view: float) -> Lattice:
    return lattice(SQUARE, camera(SQUARE, **view), TABLE)  # type: ignore[arg-type]


def crops(sharp: bool = True) -> np.ndarray:
    """Checkered crops, as crisp or as soft as asked."""
    one = np.full((40, 40, 3), 60, np.uint8)
    one[::4] = 180
    one[:, ::5] = 20
    soft = one if sharp else cv2.GaussianBlur(one, (0, 0), 6)
    return np.stack([soft] * len(TABLE))


def codes(lattice: Lattice, doubted: np.ndarray, pictures: np.ndarray | None = None) -> list[str]:
    found = photo_findings(
        photo(), placed(lattice), NAMES, crops() if pictures is None else pictures, doubted, SETTINGS
    )
    for finding in found:
        assert finding.message[0].islower()
        assert ";" in finding.message, "one thing that is wrong, one piece of advice"
    return [finding.code for finding in found]


def refusal(caught: pytest.ExceptionInfo[Unreadable]) -> str:
    message = str(caught.value)
    assert "\n" not in message
    assert 10 < len(message) < 120
    assert ";" in message, "one thing that is wrong, one piece of advice"
    return caught.value.code


@pytest.mark.parametrize("why", [no_board, empty_board])
def test_refusals_are_one_clear_line(why: object) -> None:
    with pytest.raises(Unreadable) as caught:
        raise why()  # type: ignore[operator]
    assert refusal(caught) in {"no-board", "empty-board"}


@pytest.mark.parametrize(
    ("aim", "side"),
    [((40, 600), "left"), ((1560, 600), "right"), ((800, 40), "top"), ((800, 1160), "bottom")],
)
def test_a_board_over_the_edge_is_cut_off_at_that_side(aim: tuple[int, int], side: str) -> None:
    on = lattice(SQUARE, camera(SQUARE, aim=aim), TABLE)
    with pytest.raises(Unreadable, match=f"cut off at the {side}") as caught:
        refuse_cut_board(photo(), placed(on))
    assert refusal(caught) == "cut-off"
    with pytest.raises(Unreadable, match=f"cut off at the {side}"):
        refuse_cut_table(photo(), placed(on), np.ones(len(TABLE), bool), SETTINGS)


def test_a_board_inside_the_photo_is_not_cut_off() -> None:
    refuse_cut_board(photo(), placed(table()))
    assert cut_off(photo(), np.array([[0.0, 0.0], [1599.0, 1199.0]])) is None


def test_only_cells_where_something_lies_can_be_cut_off() -> None:
    on = lattice(SQUARE, camera(SQUARE, aim=(40, 600)), TABLE)
    right_half = TABLE[:, 0] >= 0
    refuse_cut_table(photo(), placed(on), right_half, SETTINGS)


def test_cells_of_which_the_photo_shows_a_part_are_looked_at() -> None:
    on = lattice(SQUARE, camera(SQUARE, aim=(40, 600)), [(0, 0), (0, 1)])
    beside, below, far = (-1, 0), (0, 2), (-1, 9)
    cells = np.array([beside, below, far])
    assert half_outside(photo(), on, cells).tolist() == [True, False, False]


def test_tiles_of_another_game_are_not_read() -> None:
    on = table()
    on.found.rivals[:] = on.found.heat + SETTINGS.rival_lead + 0.05
    with pytest.raises(Unreadable) as caught:
        refuse_other_game(on, SETTINGS)
    assert refusal(caught) == "other-game"


def test_a_few_tiles_that_resemble_another_game_are_no_reason() -> None:
    on = table()
    on.found.rivals[:10] = 1.0
    refuse_other_game(on, SETTINGS)


def test_empty_cells_have_no_say_in_which_game_it_is() -> None:
    cells = {(int(x), int(y)) for x, y in TABLE[:20]}
    on = lattice(SQUARE, camera(SQUARE), TABLE, empty=cells)
    on.found.rivals[:20] = 1.0
    refuse_other_game(on, SETTINGS)


@pytest.mark.parametrize("kept", [3, 8, 11])
def test_a_few_cells_by_chance_are_no_board(kept: int) -> None:
    cells = np.array(LAYOUTS["standard"].cells)[:kept]
    found = place_hex(lattice(HEXAGONAL, camera(HEXAGONAL), cells), list(LAYOUTS), SETTINGS)
    with pytest.raises(Unreadable) as caught:
        refuse_thin(found, SETTINGS)
    assert refusal(caught) == "no-board"


def test_a_board_that_is_lukewarm_everywhere_is_none() -> None:
    cells = np.array(LAYOUTS["standard"].cells)
    cold = lattice(HEXAGONAL, camera(HEXAGONAL), cells, heat=SETTINGS.least_warmth - 0.05)
    with pytest.raises(Unreadable):
        refuse_thin(place_hex(cold, list(LAYOUTS), SETTINGS), SETTINGS)
    warm = lattice(HEXAGONAL, camera(HEXAGONAL), cells, heat=0.9)
    refuse_thin(place_hex(warm, list(LAYOUTS), SETTINGS), SETTINGS)


def test_tiles_of_a_few_pixels_are_too_far_away() -> None:
    small = table(pitch_px=SETTINGS.smallest_tile_px - 2)
    with pytest.raises(Unreadable, match=rf"{SETTINGS.smallest_tile_px - 2:.0f} pixels") as caught:
        refuse_far(photo(), small, SETTINGS)
    assert refusal(caught) == "too-far"
    # The same tiles in a picture that was decoded at half its size are twice as large.
    refuse_far(photo(scale=2), small, SETTINGS)


def test_a_photo_along_the_table_is_too_oblique() -> None:
    with pytest.raises(Unreadable) as caught:
        refuse_oblique(table(tilt=np.radians(75)), SETTINGS)
    assert refusal(caught) == "too-oblique"
    refuse_oblique(table(tilt=np.radians(45)), SETTINGS)


@pytest.mark.parametrize("tilt", [0, 20, 45, 60])
def test_flatness_is_the_squeeze_of_the_tilt(tilt: float) -> None:
    assert flatness(table(tilt=np.radians(tilt), azimuth=0.7)) == pytest.approx(
        np.cos(np.radians(tilt)), abs=0.02
    )


def test_a_photo_full_of_questions_is_none() -> None:
    with pytest.raises(Unreadable) as caught:
        refuse_unclear(ALL_DOUBT, SETTINGS)
    assert refusal(caught) == "too-unclear"
    refuse_unclear(np.arange(20) < 20 * SETTINGS.unclear_share, SETTINGS)


def test_a_single_doubted_tile_is_a_question_not_a_refusal() -> None:
    refuse_unclear(np.ones(1, bool), SETTINGS)


def test_a_good_photo_has_no_findings() -> None:
    assert codes(table(), NO_DOUBT) == []


def test_glare_is_named_with_the_cells_it_makes_doubtful() -> None:
    pictures = crops()
    pictures[3:5, :20] = 255
    doubted = NO_DOUBT.copy()
    doubted[[3, 7]] = True
    assert glaring(pictures, SETTINGS).nonzero()[0].tolist() == [3, 4]
    (finding,) = photo_findings(photo(), placed(table()), NAMES, pictures, doubted, SETTINGS)
    assert (finding.code, finding.cells) == ("glare", (NAMES[3],))


def test_where_most_cells_are_white_it_is_no_lamp() -> None:
    pictures = crops()
    pictures[:20] = 255
    assert not glaring(pictures, SETTINGS).any()


def test_a_white_table_around_a_tile_is_no_glare_on_it() -> None:
    pictures = crops()
    pictures[3, :4] = pictures[3, -4:] = 255
    pictures[3, :, :4] = pictures[3, :, -4:] = 255
    assert not glaring(pictures, SETTINGS).any()


def with_lamp(cells: np.ndarray, radius: float) -> Photo:
    """A grey photo of a table, with a white spot around the middle of these cells."""
    shown = photo()
    for x, y in through(camera(SQUARE), cells):
        cv2.circle(shown.image, (round(float(x)), round(float(y))), round(radius), (255, 255, 255), -1)
    return shown


def test_a_lamp_mirrored_in_a_gap_of_the_table_may_hide_a_tile() -> None:
    gap = (1, 0)
    on = lattice(SQUARE, camera(SQUARE), [(int(x), int(y)) for x, y in TABLE if (x, y) != gap])
    assert hidden_by_glare(with_lamp(np.array([gap]), 30), on, SETTINGS).tolist() == [list(gap)]
    assert not len(hidden_by_glare(photo(), on, SETTINGS))


def test_a_lamp_mirrored_far_from_every_tile_hides_none() -> None:
    assert not len(hidden_by_glare(with_lamp(np.array([(6, 0)]), 60), table(), SETTINGS))


def test_a_white_table_hides_nothing() -> None:
    white = photo()
    white.image[:] = 255
    assert not len(hidden_by_glare(white, table(), SETTINGS))


def test_tiles_that_mostly_lie_beside_their_cells_are_on_the_wrong_lattice() -> None:
    on = table()
    refuse_misfit(placed(on), SETTINGS)
    on.found.centre[:2] += 60 * 0.4
    refuse_misfit(placed(on), SETTINGS)
    on.found.centre[: len(TABLE) // 3] += 60 * 0.4
    with pytest.raises(Unreadable) as caught:
        refuse_misfit(placed(on), SETTINGS)
    assert refusal(caught) == "too-oblique"


def test_an_open_table_needs_at_least_one_warm_tile() -> None:
    refuse_thin_table(np.array([0.9, 0.4]), SETTINGS)
    for heats in ([SETTINGS.least_few_heat - 0.1], [SETTINGS.least_table_heat - 0.1] * 9):
        with pytest.raises(Unreadable) as caught:
            refuse_thin_table(np.array(heats), SETTINGS)
        assert refusal(caught) == "no-board"


def test_white_that_is_not_washed_out_is_no_glare() -> None:
    pictures = np.full((2, 40, 40, 3), 235, np.uint8)
    assert not glaring(pictures, SETTINGS).any()


def test_small_tiles_are_named_where_they_cost_certainty() -> None:
    far = table(pitch_px=SETTINGS.good_tile_px - 10)
    assert codes(far, NO_DOUBT) == []
    assert codes(far, np.arange(len(TABLE)) == 0) == ["far"]


def test_blur_is_named_where_it_costs_certainty() -> None:
    assert sharpness(crops()) > SETTINGS.blurred > sharpness(crops(sharp=False))
    assert codes(table(), ALL_DOUBT, crops(sharp=False)) == ["blurred"]
    assert codes(table(), NO_DOUBT, crops(sharp=False)) == []
    assert codes(table(), ALL_DOUBT) == []


def test_a_low_camera_is_named_where_it_costs_certainty() -> None:
    low = table(tilt=np.arccos(SETTINGS.oblique) + 0.05, pitch_px=90.0)
    assert codes(low, NO_DOUBT) == []
    assert codes(low, np.arange(len(TABLE)) == 0) == ["oblique"]


def test_displaced_tiles_are_named_one_by_one() -> None:
    on = table()
    on.found.centre[4] += 60 * (SETTINGS.displaced + 0.08)
    on.found.centre[9] += 60 * (SETTINGS.displaced - 0.12) * np.array([1, 0])
    assert displaced(placed(on), SETTINGS.displaced).nonzero()[0].tolist() == [4]
    (finding,) = photo_findings(photo(), placed(on), NAMES, crops(), NO_DOUBT, SETTINGS)
    assert (finding.code, finding.cells) == ("displaced", (NAMES[4],))


def test_an_empty_cell_is_never_displaced() -> None:
    on = lattice(SQUARE, camera(SQUARE), TABLE, empty={(int(x), int(y)) for x, y in TABLE})
    on.found.centre[4] += 25
    assert not displaced(placed(on), SETTINGS.displaced).any()


def test_a_fixed_board_beside_another_is_told_so_and_an_open_table_is_not() -> None:
    other = seen(SQUARE, camera(SQUARE, azimuth=0.5, aim=(300, 300)), TABLE)
    on = replace(table(), askew=other)
    fixed = replace(placed(on), size=(6, 4))
    (finding,) = photo_findings(photo(), fixed, NAMES, crops(), NO_DOUBT, SETTINGS)
    assert finding.code == "several-boards"
    assert photo_findings(photo(), replace(fixed, size=None), NAMES, crops(), NO_DOUBT, SETTINGS) == ()


def test_many_tiles_elsewhere_are_another_board() -> None:
    other = seen(SQUARE, camera(SQUARE, azimuth=0.5, aim=(300, 300)), TABLE)
    found = second_board(placed(table()), other, SETTINGS)
    assert found is not None
    assert found.code == "several-boards"
    assert second_board(placed(table()), other.only(np.arange(5)), SETTINGS) is None
    empty = replace(other, empty=np.ones(len(other), bool))
    assert second_board(placed(table()), empty, SETTINGS) is None
