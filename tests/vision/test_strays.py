"""What lies beside an open table is left out, taken in or asked about."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from laid import camera, lattice, seen

from vision.geometry import SQUARE
from vision.settings import SETTINGS
from vision.strays import hands, left_out, which_table

TABLE = [(x, y) for x in range(4) for y in range(3)]


def marked(cells: list[tuple[int, int]]) -> list[bool]:
    return hands(np.array(cells), np.ones(len(cells), bool), SETTINGS).tolist()


def test_a_straight_row_far_from_the_table_may_be_a_hand() -> None:
    hand = [(9, 1), (9, 2), (9, 3)]
    assert marked(TABLE + hand) == [False] * len(TABLE) + [True] * len(hand)


def test_rows_of_the_table_and_crooked_groups_are_no_hands() -> None:
    assert not any(marked([*TABLE, (5, 0), (6, 0)]))
    assert not any(marked([*TABLE, (9, 1), (9, 2), (10, 2)]))
    assert not any(marked([(0, 0), (0, 1)]))


def test_a_tile_that_touches_the_table_askew_is_asked_about() -> None:
    view = camera(SQUARE)
    on = lattice(SQUARE, view, TABLE)
    askew = seen(SQUARE, view, [(4, 1)])
    askew = replace(askew, centre=np.add(askew.centre, (15, 20)), fold=askew.fold + 0.5)
    assert left_out(replace(on, askew=askew), SETTINGS).tolist() == [[4, 1]]
    far = replace(askew, centre=np.add(askew.centre, (200, 0)))
    assert not len(left_out(replace(on, askew=far), SETTINGS))
    pale = replace(askew, heat=np.array([0.35]))
    assert not len(left_out(replace(on, askew=pale), SETTINGS))
    assert not len(left_out(on, SETTINGS))


def test_as_many_tiles_elsewhere_could_be_the_table_as_well() -> None:
    two = lattice(SQUARE, camera(SQUARE), [(0, 0), (1, 0)])
    other = seen(SQUARE, camera(SQUARE, azimuth=0.4, aim=(300, 300)), [(x, 0) for x in range(4)])
    assert which_table(replace(two, askew=other), SETTINGS)
    assert not which_table(replace(lattice(SQUARE, camera(SQUARE), TABLE), askew=other), SETTINGS)
    assert not which_table(two, SETTINGS)
