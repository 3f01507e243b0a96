"""One training loop for all nets: seeded, resumable, stopped by the clock or by a number of steps."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import torch
from torch import Tensor, nn
from tqdm import tqdm

from models.training.slim import slim_file
from vision.editions import Looks, load_looks, save_looks
from vision.families import FAMILIES

CHECKPOINTS = Path("checkpoints")
WEIGHTS = Path(__file__).resolve().parents[1]


@dataclass(frozen=True)
class Progress:
    """How long to train and how to start."""

    steps: int
    """Steps of the whole run; the learning rate falls along a cosine to its end."""
    seed: int = 0
    minutes: float = math.inf
    """Stop after this long with a checkpoint; the next run goes on from there."""
    learning_rate: float = 2e-3


@dataclass(frozen=True)
class Run:
    """A net to train; `step` gives the loss of one fresh batch."""

    name: str
    net: nn.Module
    step: Callable[[int], Tensor]
    example: tuple[int, ...]
    dynamic: Mapping[int, str] = field(default_factory=dict)
    """Names of the dimensions (besides the first) that may vary, by number."""


def train(run: Run, progress: Progress, every: int = 200) -> None:
    """Train until the steps or the minutes are over; checkpoint and export every so often."""
    CHECKPOINTS.mkdir(exist_ok=True)
    checkpoint = CHECKPOINTS / f"{run.name}.pt"
    optimiser = torch.optim.AdamW(run.net.parameters(), lr=progress.learning_rate, weight_decay=1e-3)
    average = torch.optim.swa_utils.AveragedModel(
        run.net, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(0.998), use_buffers=True
    )
    first = 0
    if checkpoint.exists():
        kept = torch.load(checkpoint, weights_only=True)
        run.net.load_state_dict(kept["net"])
        average.load_state_dict(kept["average"])
        optimiser.load_state_dict(kept["optimiser"])
        first = kept["steps"]
    start, mean = time.monotonic(), 0.0
    run.net.train()
    bar = tqdm(
        range(first, progress.steps), initial=first, total=progress.steps, desc=run.name, mininterval=10
    )
    for number in bar:
        warm = min(1.0, (number + 1) / 200)
        rate = (
            progress.learning_rate
            * warm
            * (0.02 + 0.98 * 0.5 * (1 + math.cos(math.pi * number / progress.steps)))
        )
        for group in optimiser.param_groups:
            group["lr"] = rate
        loss = run.step(number)
        optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(run.net.parameters(), 5.0)
        optimiser.step()
        average.update_parameters(run.net)
        mean += (float(loss.detach()) - mean) / min(100, number - first + 1)
        bar.set_postfix(loss=f"{mean:.4f}")
        over = time.monotonic() - start > progress.minutes * 60
        if over or (number + 1) % every == 0 or number + 1 == progress.steps:
            _keep(checkpoint, run, average, optimiser, number + 1)
            export(run, average.module)
        if over:
            break


def _keep(path: Path, run: Run, average: nn.Module, optimiser: torch.optim.Optimizer, steps: int) -> None:
    temporary = path.with_suffix(".part")
    torch.save(
        {
            "net": run.net.state_dict(),
            "average": average.state_dict(),
            "optimiser": optimiser.state_dict(),
            "steps": steps,
        },
        temporary,
    )
    temporary.replace(path)


def export(run: Run, net: nn.Module) -> None:
    """The averaged net as ONNX beside the model cards, and its heads' prototypes, where it has any."""
    import warnings

    net.eval()
    axes = {0: "n", **run.dynamic}
    path = WEIGHTS / f"{run.name}.onnx"
    temporary = path.with_suffix(".part")
    with warnings.catch_warnings():
        # The older exporter is asked for on purpose: it writes smaller graphs with a free batch size.
        warnings.simplefilter("ignore")
        torch.onnx.export(
            net,
            (torch.zeros(run.example),),
            str(temporary),
            input_names=["pictures"],
            output_names=["answers"],
            dynamic_axes={"pictures": axes, "answers": axes},
            opset_version=17,
            dynamo=False,
        )
    slim_file(temporary)
    temporary.replace(path)
    heads = getattr(net, "heads", None)
    if heads is not None:
        family = FAMILIES[run.name]
        path = WEIGHTS / f"{run.name}.looks.json"
        known = load_looks(path).sharpness if path.exists() else {}
        rows = {
            name: nn.functional.normalize(head.prototypes.detach(), dim=1).numpy()
            for name, head in heads.items()
        }
        kinds = {aspect.name: aspect.kinds for aspect in family.aspects}
        sharpness = {name: known.get(name, head.scale) for name, head in heads.items()}
        save_looks(path, Looks(kinds, rows, sharpness))
