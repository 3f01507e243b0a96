"""The committed weights fit the program that runs them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnxruntime
import pytest

from vision.editions import load_looks
from vision.families import FAMILIES
from vision.heads import DETECTOR_CHANNELS, HEAT, STRIDE, TURNS

MODELS = Path(__file__).parents[2] / "models"
MOST_BYTES = 15_000_000


def session(name: str) -> onnxruntime.InferenceSession:
    return onnxruntime.InferenceSession(str(MODELS / f"{name}.onnx"), providers=["CPUExecutionProvider"])


def test_there_is_a_net_for_every_family_a_detector_and_one_for_inks() -> None:
    assert {path.stem for path in MODELS.glob("*.onnx")} == {*FAMILIES, "detector", "inks"}
    assert {path.name.removesuffix(".looks.json") for path in MODELS.glob("*.looks.json")} == set(FAMILIES)


def test_all_weights_together_stay_small() -> None:
    assert sum(path.stat().st_size for path in MODELS.glob("*.onnx")) <= MOST_BYTES


@pytest.mark.parametrize("name", FAMILIES)
def test_a_tile_net_answers_with_a_unit_vector_per_aspect(name: str) -> None:
    family = FAMILIES[name]
    net = session(name)
    (given,), (said,) = net.get_inputs(), net.get_outputs()
    assert (given.name, said.name) == ("pictures", "answers")
    assert given.shape[1:] == [3, family.crop_px, family.crop_px]
    for count in (1, 7):
        crops = np.random.default_rng(0).random((count, 3, family.crop_px, family.crop_px), np.float32)
        (found,) = net.run(None, {"pictures": crops})
        assert found.shape == (count, len(family.aspects) * family.embedding_size)
        lengths = np.linalg.norm(found.reshape(count, len(family.aspects), -1), axis=2)
        np.testing.assert_allclose(lengths, 1, atol=1e-3)


@pytest.mark.parametrize("name", FAMILIES)
def test_the_looks_name_the_kinds_of_their_family(name: str) -> None:
    family = FAMILIES[name]
    looks = load_looks(MODELS / f"{name}.looks.json")
    assert looks.kinds == {aspect.name: aspect.kinds for aspect in family.aspects}
    for aspect in family.aspects:
        rows = looks.prototypes[aspect.name]
        assert rows.shape == (len(aspect.kinds), family.embedding_size)
        np.testing.assert_allclose(np.linalg.norm(rows, axis=1), 1, atol=2e-3)
        assert looks.sharpness[aspect.name] > 1


@pytest.mark.parametrize("size", [(64, 96), (160, 128)])
def test_the_detector_answers_for_every_fourth_pixel(size: tuple[int, int]) -> None:
    high, wide = size
    picture = np.random.default_rng(0).random((1, 3, high, wide), np.float32)
    (found,) = session("detector").run(None, {"pictures": picture})
    assert found.shape == (1, DETECTOR_CHANNELS.total, high // STRIDE, wide // STRIDE)
    assert set(TURNS) <= set(HEAT)
