"""Weights at half the size: stored as 16-bit numbers, computed with as 32-bit ones.

`python -m models.training.slim FILE.onnx…` rewrites exported nets in place; one that is slim already stays as
it is. onnxruntime widens the weights once, when it loads the net, so reading a photo costs nothing more.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

WORTH_IT = 256
"""Weights of fewer numbers than this (biases, constants) stay as they are."""


def slimmed(net: onnx.ModelProto) -> onnx.ModelProto:
    """The same net with its large weights stored as 16-bit numbers; each off by 0.05 % at most."""
    slim = onnx.ModelProto()
    slim.CopyFrom(net)
    graph = slim.graph
    widen = []
    for weight in graph.initializer:
        values = numpy_helper.to_array(weight)
        if values.dtype != np.float32 or values.size < WORTH_IT or np.abs(values).max() > 6e4:
            continue
        stored = f"{weight.name}_stored"
        widen.append(helper.make_node("Cast", [stored], [weight.name], to=TensorProto.FLOAT))
        weight.CopyFrom(numpy_helper.from_array(values.astype(np.float16), stored))
    others = list(graph.node)
    del graph.node[:]
    graph.node.extend([*widen, *others])
    return slim


def slim_file(path: Path) -> None:
    """Rewrite one exported net."""
    slim = slimmed(onnx.load(str(path)))
    onnx.checker.check_model(slim)
    temporary = path.with_suffix(".slim")
    temporary.write_bytes(slim.SerializeToString())
    temporary.replace(path)


if __name__ == "__main__":
    for name in sys.argv[1:]:
        slim_file(Path(name))
