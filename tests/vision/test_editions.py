"""Taught editions as files: what is written comes back, and nothing else is let in."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from vision.edition_files import EditionStore, parsed, written
from vision.editions import BadEdition, Edition, Example
from vision.families import HEX
from vision.reading import Unreadable
from vision.recall import chosen_edition
from vision.symbols import STENCIL_PX

COLOURS = ("mint", "brown", "pink", "navy", "olive", "grey")
SHAPES = ("star", "heart", "flower", "leaf", "cloud", "drop")


def an_edition(name: str = "Babcina", **more: Any) -> Edition:
    rng = np.random.default_rng(3)
    drawn = {shape: rng.random((2, STENCIL_PX, STENCIL_PX)).astype(np.float32) for shape in SHAPES}
    inks, ground = rng.uniform(0, 255, (6, 3)), np.array([230.0, 231, 229])
    return Edition("trio", name, COLOURS, inks, ground, SHAPES, drawn, **more)


@pytest.fixture
def store(tmp_path: Path) -> EditionStore:
    return EditionStore(tmp_path / "editions")


def test_what_is_written_comes_back() -> None:
    edition = an_edition()
    again = parsed(written(edition))
    assert (again.game, again.name, again.colours, again.shapes) == ("trio", "Babcina", COLOURS, SHAPES)
    assert np.abs(again.inks - edition.inks).max() <= 0.06
    for shape in SHAPES:
        assert np.abs(again.drawings[shape] - edition.drawings[shape]).max() < 0.01
    assert written(again) == written(parsed(written(again)))


def test_facts_come_back_too() -> None:
    edition = Edition("mipasuje", "Rebel", marks={"9-7-3": "sun"}, marked=True, board="valve-turned")
    again = parsed(written(edition))
    assert (again.marks, again.marked, again.board) == ({"9-7-3": "sun"}, True, "valve-turned")
    bits = Edition("bits", "Pastele", COLOURS[:4], np.ones((4, 3)), size=(6, 4), tiles=("mint-mint",))
    assert parsed(written(bits)).size == (6, 4)
    assert parsed(written(bits)).tiles == ("mint-mint",)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "not-an-edition"),
        ("{}", "not-an-edition"),
        ("\x00\xff", "not-an-edition"),
        ('{"game": "trio", "cells": []}', "not-an-edition"),
        ("[" * 5000, "not-an-edition"),
        ("x" * 2_000_000, "too-big"),
    ],
)
def test_a_foreign_file_is_refused(text: str, code: str) -> None:
    with pytest.raises(BadEdition) as refused:
        parsed(text.encode("latin-1"))
    assert refused.value.code == code
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"version": 2}, "other-version"),
        ({"version": True}, "other-version"),
        ({"version": None}, "other-version"),
        ({"game": "chess"}, "other-game"),
        ({"name": ""}, "name-wrong"),
        ({"name": "a\nb"}, "name-wrong"),
        ({"colours": ["red"] * 6}, "damaged"),
        ({"colours": COLOURS[:5]}, "damaged"),
        ({"inks": [[1, 2, 3]]}, "damaged"),
        ({"inks": [[1, 2, "x"]] * 6}, "damaged"),
        ({"shapes": ["two words", *SHAPES[1:]]}, "damaged"),
        ({"drawings": {"star": ["AAAA"]}}, "damaged"),
        ({"drawings": {"sun": []}}, "damaged"),
        ({"drawings": 7}, "damaged"),
        ({"marks": {"9-9-9": "sun"}}, "damaged"),
        ({"marks": {"9-7-3": "star"}}, "damaged"),
        ({"board": "round"}, "damaged"),
        ({"size": [0, 4]}, "damaged"),
        ({"size": [6, 4, 1]}, "damaged"),
        ({"tiles": [1]}, "damaged"),
        ({"cards": []}, "damaged"),
        ({"corrections": [["gold", [1, 2, 3]]]}, "damaged"),
    ],
)
def test_a_broken_file_is_refused(change: dict[str, Any], code: str) -> None:
    data = json.loads(written(an_edition())) | change
    with pytest.raises(BadEdition) as refused:
        parsed(json.dumps(data))
    assert refused.value.code == code


def test_a_missing_part_is_damage() -> None:
    for key in json.loads(written(an_edition())).keys() - {"known_shapes"}:  # younger than the format
        data = json.loads(written(an_edition()))
        del data[key]
        with pytest.raises(BadEdition):
            parsed(json.dumps(data))


def test_editions_are_kept_listed_renamed_and_deleted(store: EditionStore) -> None:
    assert store.all() == ()
    store.keep(an_edition("Żółta"))
    store.keep(an_edition("babcina"))
    assert [one.name for one in store.all("trio")] == ["babcina", "Żółta"]
    assert store.all("bits") == ()
    with pytest.raises(BadEdition, match="already"):
        store.keep(an_edition("BABCINA"))
    assert store.rename("trio", "Żółta", "Zielona").name == "Zielona"
    assert not store.has("trio", "Żółta")
    with pytest.raises(BadEdition) as taken:
        store.rename("trio", "Zielona", "babcina")
    assert taken.value.code == "name-taken"
    assert store.rename("trio", "babcina", "Babcina").name == "Babcina"
    store.delete("trio", "Babcina")
    with pytest.raises(BadEdition) as gone:
        store.get("trio", "Babcina")
    assert gone.value.code == "no-such-edition"
    assert [one.name for one in store.all()] == ["Zielona"]


def test_a_damaged_file_in_the_folder_hides_no_other(store: EditionStore) -> None:
    store.keep(an_edition("Dobra"))
    (store.folder / "trio-0000.edition.json").write_text("{", encoding="utf-8")
    assert [one.name for one in store.all()] == ["Dobra"]


def test_a_name_that_nobody_taught_is_one_clear_line(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, store: EditionStore
) -> None:
    monkeypatch.setenv("KIBIC_EDITIONS", str(store.folder))
    store.keep(an_edition())
    found = chosen_edition("trio", {"edition": "Babcina"})
    assert found is not None
    assert found.name == "Babcina"
    with pytest.raises(Unreadable, match="no edition"):
        chosen_edition("trio", {"edition": "Dziadkowa"})
    with pytest.raises(Unreadable, match="another game"):
        chosen_edition("qwirkle", {"edition": an_edition()})
    assert chosen_edition("trio", {}) is None


def tiles_cut_at(px: int) -> str:
    """The file of a Mi pasuje! edition whose tiles were cut at another size."""
    grey = np.full((px, px, 3), (40, 120, 200), np.uint8)
    edition = Edition("mipasuje", "Stara", examples=(Example("9-7-3", "sun", grey),))
    return written(edition)


@pytest.mark.parametrize("px", [32, 64, 96, 128])
def test_tiles_that_another_version_cut_are_brought_to_size(px: int) -> None:
    (example,) = parsed(tiles_cut_at(px)).examples
    assert example.crop.shape == (HEX.crop_px, HEX.crop_px, 3)
    assert np.abs(example.crop.astype(int) - (40, 120, 200)).max() < 8


@pytest.mark.parametrize("px", [8, 31, 129, 2000])
def test_tiles_of_no_sensible_size_are_damage(px: int) -> None:
    with pytest.raises(BadEdition) as refused:
        parsed(tiles_cut_at(px))
    assert refused.value.code == "damaged"


def test_editions_without_drawings_are_of_shapes_the_net_knows() -> None:
    data = json.loads(written(an_edition()))
    del data["known_shapes"]
    assert not parsed(json.dumps(data)).known_shapes
    built_in = {"shapes": ["star", "heart", "flower", "sun", "moon", "drop"], "drawings": {}}
    assert parsed(json.dumps(data | built_in)).known_shapes
    with pytest.raises(BadEdition):  # a leaf that nobody drew
        parsed(json.dumps(data | {"drawings": {}}))
