"""The same bytes give the same reading, bit for bit, whatever the thread count and whatever ran before."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from sampled import GAMES

READ = """
import hashlib, sys
import cv2
cv2.setNumThreads(int(sys.argv[1]))
from sampled import NAMES, reading
for name in NAMES if sys.argv[2] == "forwards" else reversed(NAMES):
    found = reading(name)
    said = repr(found) if not isinstance(found, Exception) else f"{found.code}: {found}"
    print(name, hashlib.sha256(said.encode()).hexdigest())
"""


def process(threads: int, order: str) -> list[str]:
    """A hash of every sample's reading, from a fresh process."""
    here = Path(__file__).parent
    variables = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
    environment = {
        **os.environ,
        **dict.fromkeys(variables, str(threads)),
        "PYTHONHASHSEED": str(threads),
        "PYTHONPATH": os.pathsep.join([str(here), str(here.parents[1])]),
    }
    ran = subprocess.run(
        [sys.executable, "-c", READ, str(threads), order],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return sorted(ran.stdout.splitlines())


@pytest.mark.slow
def test_thread_counts_and_order_change_nothing() -> None:
    one, four = process(1, "forwards"), process(4, "backwards")
    assert len(one) == 3 * len(GAMES)
    assert one == four
