"""Reads every case once, timed in a warm process, and compares."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from statistics import median
from time import perf_counter
from typing import Any, TypeAlias

import cv2
import numpy as np

from models.measure import baseline
from models.measure.cases import Case, Problem
from models.measure.compare import compare, score
from models.measure.figures import Measured
from scoring.core import Malformed
from vision.header import read_header
from vision.reading import Reading, Unreadable

Reader: TypeAlias = Callable[[bytes, str, Mapping[str, Any]], Reading]

DECODES = 3
"""Full decodes per photo; their median is the yardstick for the time to read."""


def find_reader(name: str | None) -> tuple[str, Reader]:
    """The reader of this name; without a name the real one, or the baseline in a copy that has none."""
    import vision

    real: Reader | None = getattr(vision, "read", None)
    if name == "baseline" or (name is None and real is None):
        return "baseline", baseline.read
    if real is None:
        raise Malformed("no-reader", "this copy of Kibic has no photo reader", "--reader")
    return "kibic", real


def measure(cases: Iterable[Case], reader: Reader, problems: list[Problem]) -> Iterator[Measured]:
    """One result per photo, as they come; files that cannot be opened at all also go to `problems`."""
    warm: set[str] = set()
    for case in cases:
        try:
            data = case.photo.read_bytes()
        except OSError as error:
            problems.append(Problem(case.photo, f"cannot be read: {error.strerror}"))
            continue
        if case.truth.game not in warm:
            # The first read of a game also loads its networks, which is not the photo's fault.
            warm.add(case.truth.game)
            _timed(reader, case, data)
        found = _timed(reader, case, data)
        if found.error is not None and found.broken_file:
            problems.append(Problem(case.photo, found.error[1]))
        yield found


def _timed(reader: Reader, case: Case, data: bytes) -> Measured:
    start = perf_counter()
    try:
        reading = reader(data, case.truth.game, case.given)
    except Unreadable as error:
        refused = (error.code, str(error))
        return Measured(case, _ms_since(start), error=refused, decode_ms=_decode_ms(data))
    ms = _ms_since(start)
    if case.truth.no_board:
        return Measured(case, ms, reading, decode_ms=_decode_ms(data))
    compared = compare(reading, case.truth, score(reading, case.options))
    return Measured(case, ms, reading, compared, decode_ms=_decode_ms(data))


def _decode_ms(data: bytes) -> float | None:
    """How long OpenCV takes to decode these bytes at full size."""
    try:
        read_header(data)
    except Unreadable:
        return None
    packed = np.frombuffer(data, np.uint8)
    times = []
    for _ in range(DECODES):
        start = perf_counter()
        if cv2.imdecode(packed, cv2.IMREAD_COLOR) is None:
            return None
        times.append(_ms_since(start))
    return median(times)


def _ms_since(start: float) -> float:
    return (perf_counter() - start) * 1000
