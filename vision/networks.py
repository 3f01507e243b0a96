"""The committed weights as onnxruntime sessions, each loaded once per process.

One thread per session: the same bytes give the same numbers whatever the machine, and two busy cores are not
made to wait for each other.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import as_file, files
from typing import Any

import numpy as np
import numpy.typing as npt
import onnxruntime

from vision.editions import Looks, load_looks

Floats = npt.NDArray[np.float32]


@cache
def _session(name: str) -> Any:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    # Working memory goes back after each photo instead of growing to the largest one ever seen.
    options.enable_cpu_mem_arena = False
    with as_file(files("models") / f"{name}.onnx") as path:
        return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])


def run(name: str, batch: Floats) -> Floats:
    """What the net of this name says about a batch."""
    session = _session(name)
    (output,) = session.run(None, {session.get_inputs()[0].name: batch})
    found: Floats = output
    return found


@cache
def built_in_looks(name: str) -> Looks:
    """The looks that training found."""
    with as_file(files("models") / f"{name}.looks.json") as path:
        return load_looks(path)
