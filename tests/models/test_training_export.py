"""Training and what it exports: it resumes where it stopped, and ONNX says what PyTorch says."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import onnxruntime
import pytest

from vision.editions import load_looks
from vision.families import FAMILIES, HEX, TRIO, Family
from vision.heads import DETECTOR_CHANNELS
from vision.inks import TOKEN_WIDTH

torch = pytest.importorskip("torch", reason="needs the train extra: make train-setup")
onnx = pytest.importorskip("onnx", reason="needs the train extra: make train-setup")

from models.training import loop  # noqa: E402
from models.training.nets import Detector, InkNet, TileNet  # noqa: E402
from models.training.slim import slimmed  # noqa: E402

HALF_PRECISION = 4e-3
"""Weights are stored with 11 bits."""
MODELS = Path(__file__).parents[2] / "models"
SMALL = (6, 8, 10, 12)


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Checkpoints and weights of the tests stay away from the real ones."""
    monkeypatch.setattr(loop, "WEIGHTS", tmp_path)
    monkeypatch.setattr(loop, "CHECKPOINTS", tmp_path / "checkpoints")
    torch.manual_seed(0)


def lively(net: torch.nn.Module) -> torch.nn.Module:
    """A fresh net whose batch norms have something to fold away."""
    for part in net.modules():
        if isinstance(part, torch.nn.BatchNorm2d):
            part.running_mean.normal_(0, 0.2)
            part.running_var.uniform_(0.5, 2)
            torch.nn.init.uniform_(part.weight, 0.5, 1.5)
            torch.nn.init.normal_(part.bias, 0, 0.2)
    return net.eval()


def answers(path: Path, pictures: np.ndarray) -> np.ndarray:
    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    return session.run(None, {"pictures": pictures})[0]


def pictures(*shape: int) -> np.ndarray:
    return np.random.default_rng(1).random(shape, np.float32)


@pytest.mark.parametrize("family", [HEX, TRIO], ids=lambda family: family.name)
def test_an_exported_tile_net_says_what_it_said_in_pytorch(family: Family, tmp_path: Path) -> None:
    small = replace(family, widths=SMALL)
    net = lively(TileNet(small))
    px = small.crop_px
    loop.export(loop.Run(small.name, net, lambda _: torch.zeros(()), (1, 3, px, px)), net)
    crops = pictures(5, 3, px, px)
    with torch.no_grad():
        expected = net(torch.from_numpy(crops)).numpy()
    np.testing.assert_allclose(answers(tmp_path / f"{small.name}.onnx", crops), expected, atol=HALF_PRECISION)


def test_the_looks_beside_a_tile_net_are_its_own_prototypes(tmp_path: Path) -> None:
    net = lively(TileNet(replace(TRIO, widths=SMALL)))
    px = TRIO.crop_px
    loop.export(loop.Run("trio", net, lambda _: torch.zeros(()), (1, 3, px, px)), net)
    looks = load_looks(tmp_path / "trio.looks.json")
    with torch.no_grad():
        embedding = net(torch.from_numpy(pictures(4, 3, px, px)))
        logits = net.logits(embedding)
    size = TRIO.embedding_size
    for index, aspect in enumerate(TRIO.aspects):
        own = embedding.numpy()[:, index * size : (index + 1) * size]
        cosine = looks.sharpness[aspect.name] * own @ looks.prototypes[aspect.name].T
        np.testing.assert_allclose(cosine, logits[index].numpy(), atol=0.02)


def test_a_sharpness_that_was_found_by_calibration_survives_the_next_export(tmp_path: Path) -> None:
    net = lively(TileNet(replace(TRIO, widths=SMALL)))
    run = loop.Run("trio", net, lambda _: torch.zeros(()), (1, 3, TRIO.crop_px, TRIO.crop_px))
    loop.export(run, net)
    path = tmp_path / "trio.looks.json"
    path.write_text(path.read_text().replace('"sharpness": 16.0', '"sharpness": 23.5'))
    loop.export(run, net)
    assert set(load_looks(path).sharpness.values()) == {23.5}


@pytest.mark.parametrize("size", [(1, 96, 128), (2, 64, 48)])
def test_an_exported_detector_takes_pictures_of_any_size(size: tuple[int, int, int], tmp_path: Path) -> None:
    net = lively(Detector(SMALL))
    run = loop.Run(
        "detector", net, lambda _: torch.zeros(()), (1, 3, 64, 64), dynamic={2: "height", 3: "width"}
    )
    loop.export(run, net)
    count, high, wide = size
    shown = pictures(count, 3, high, wide)
    with torch.no_grad():
        expected = net(torch.from_numpy(shown)).numpy()
    found = answers(tmp_path / "detector.onnx", shown)
    assert found.shape == (count, DETECTOR_CHANNELS.total, high // 4, wide // 4)
    np.testing.assert_allclose(found, expected, atol=0.02)


def poured_back(net: torch.nn.Module, path: Path) -> torch.nn.Module:
    """The net with an ONNX file's weights; its batch norms only add what was folded into the convolutions."""
    graph = onnx.load(str(path)).graph
    stored = {weight.name: onnx.numpy_helper.to_array(weight) for weight in graph.initializer}
    for node in graph.node:
        if node.op_type == "Cast" and node.input[0] in stored:
            stored[node.output[0]] = stored[node.input[0]].astype(np.float32)
    layers = [node for node in graph.node if node.op_type in ("Conv", "Gemm")]
    used: list[torch.nn.Module] = []
    hooks = [
        part.register_forward_hook(lambda part, *_: used.append(part))
        for part in net.modules()
        if isinstance(part, torch.nn.Conv2d | torch.nn.Linear)
    ]
    side = next((family.crop_px for family in FAMILIES.values() if family.name == path.stem), 64)
    net.eval()
    with torch.no_grad():
        net(torch.zeros(1, 3, side, side))
    for hook in hooks:
        hook.remove()
    assert len(used) == len(layers)
    parts = list(net.modules())
    for part, layer in zip(used, layers, strict=True):
        weight, bias = (torch.from_numpy(stored[name].copy()) for name in layer.input[1:3])
        assert part.weight.shape == weight.shape
        part.weight.data = weight
        after = parts[parts.index(part) + 1] if part is not parts[-1] else None
        if isinstance(after, torch.nn.BatchNorm2d):
            after.running_mean.zero_()
            after.running_var.fill_(1 - after.eps)
            torch.nn.init.ones_(after.weight)
            after.bias.data = bias
        else:
            part.bias.data = bias
    return net


NETS: dict[str, Callable[[], torch.nn.Module]] = {
    "detector": Detector,
    **{name: (lambda family=family: TileNet(family)) for name, family in FAMILIES.items()},
}


@pytest.mark.parametrize("name", NETS)
def test_the_committed_weights_are_those_of_the_pytorch_net(name: str) -> None:
    """The ONNX graph and `models.training.nets`, given the same weights, say the same of any picture."""
    path = MODELS / f"{name}.onnx"
    net = poured_back(NETS[name](), path)
    px = FAMILIES[name].crop_px if name in FAMILIES else 128
    shown = pictures(3, 3, px, px)
    with torch.no_grad():
        expected = net(torch.from_numpy(shown)).numpy()
    np.testing.assert_allclose(answers(path, shown), expected, atol=2e-4)


def test_slim_weights_stay_slim(tmp_path: Path) -> None:
    net = lively(TileNet(TRIO))
    loop.export(loop.Run("trio", net, lambda _: torch.zeros(()), (1, 3, TRIO.crop_px, TRIO.crop_px)), net)
    once = onnx.load(str(tmp_path / "trio.onnx"))
    assert slimmed(once) == once
    weights = sum(part.numel() for part in net.parameters())
    assert (tmp_path / "trio.onnx").stat().st_size < 2.2 * weights


def toy() -> tuple[loop.Run, TileNet]:
    """A small net and a task whose batches depend on the number of the step alone."""
    torch.manual_seed(4)
    family = replace(TRIO, crop_px=16, widths=SMALL)
    net = TileNet(family)

    def step(number: int) -> torch.Tensor:
        draw = torch.Generator().manual_seed(number)
        crops = torch.rand(8, 3, 16, 16, generator=draw)
        wanted = (crops.mean((1, 2, 3)) > 0.5).long()
        return torch.nn.functional.cross_entropy(net.logits(net(crops))[0], wanted)

    return loop.Run("trio", net, step, (1, 3, 16, 16)), net


@pytest.mark.slow
def test_training_that_was_interrupted_ends_like_training_that_was_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run, whole = toy()
    loop.train(run, loop.Progress(steps=4))
    monkeypatch.setattr(loop, "CHECKPOINTS", tmp_path / "interrupted")
    for _ in range(4):
        run, net = toy()
        loop.train(run, loop.Progress(steps=4, minutes=0))
    for name, value in whole.state_dict().items():
        torch.testing.assert_close(net.state_dict()[name], value, rtol=0, atol=0)


@pytest.mark.parametrize("tiles", [1, 7, 108])
def test_an_exported_ink_net_takes_tables_of_any_size(tiles: int, tmp_path: Path) -> None:
    net = InkNet().eval()
    loop.export(
        loop.Run("inks", net, lambda _: torch.zeros(()), (1, 12, TOKEN_WIDTH), dynamic={1: "tiles"}), net
    )
    shown = pictures(1, tiles, TOKEN_WIDTH)
    with torch.no_grad():
        expected = net(torch.from_numpy(shown)).numpy()
    np.testing.assert_allclose(answers(tmp_path / "inks.onnx", shown), expected, atol=HALF_PRECISION)
