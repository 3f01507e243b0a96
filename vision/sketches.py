"""Pictures of what each stage saw, for whoever wants to watch the pipeline work; free when nobody does.

A stage calls `sketch("lattice", draw)`; `draw` runs only inside `with sketches_to(folder)`, and its picture
becomes `02-lattice.png` there, numbered in the order the stages ran.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

Picture = npt.NDArray[np.uint8]
"""(h, w, 3) BGR or (h, w) grey, uint8."""

_folder: ContextVar[Path | None] = ContextVar("folder of sketches", default=None)


def sketch(stage: str, draw: Callable[[], Picture]) -> None:
    """Keep the picture `draw` makes of this stage, if somebody is watching."""
    folder = _folder.get()
    if folder is None:
        return
    number = 1 + sum(1 for _ in folder.glob("[0-9][0-9]-*.png"))
    done, png = cv2.imencode(".png", draw(), [cv2.IMWRITE_PNG_COMPRESSION, 1])
    if done:
        (folder / f"{number:02}-{stage}.png").write_bytes(png.tobytes())


@contextmanager
def sketches_to(folder: Path) -> Iterator[None]:
    """Write every sketch made inside this block into `folder`, in place of the ones of an earlier run."""
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("[0-9][0-9]-*.png"):
        old.unlink()
    token = _folder.set(folder)
    try:
        yield
    finally:
        _folder.reset(token)
