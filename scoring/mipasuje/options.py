"""The variants of Mi pasuje!: how tiles are placed and what counts besides rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias, cast, get_args

from scoring.core import Malformed

Scoring: TypeAlias = Literal["base", "rays", "brightest"]
Placement: TypeAlias = Literal["free", "adjacent", "sun-moon"]
Valve: TypeAlias = Literal[1, 2, 3, 4]

_CHOICES: Final[dict[str, tuple[Any, ...]]] = {
    "scoring": get_args(Scoring),
    "placement": get_args(Placement),
    "valve": get_args(Valve),
}


@dataclass(frozen=True, slots=True)
class MiPasujeOptions:
    """The variant a round is played by; any scoring goes with any placement."""

    scoring: Scoring = "base"
    placement: Placement = "free"
    valve: Valve | None = None
    """The valve board's variant; None on the standard board, and the same as 1 on the valve board."""


def parse_options(data: object, place: str) -> MiPasujeOptions:
    """Options from a file; unknown keys and values are malformed."""
    if not isinstance(data, Mapping):
        raise Malformed("options-wrong-type", 'must be an object such as {"scoring": "rays"}', place)
    for key, value in data.items():
        where = f"{place}.{key}" if place else str(key)
        if key not in _CHOICES:
            raise Malformed("unknown-option", f"{key!r:.60} is not one of {', '.join(_CHOICES)}", place)
        if isinstance(value, bool) or not isinstance(value, (str, int)) or value not in _CHOICES[key]:
            choices = ", ".join(map(str, _CHOICES[key]))
            raise Malformed("unknown-option-value", f"{value!r:.60} is not one of {choices}", where)
    return MiPasujeOptions(
        cast(Scoring, data.get("scoring", "base")),
        cast(Placement, data.get("placement", "free")),
        cast("Valve | None", data.get("valve")),
    )
