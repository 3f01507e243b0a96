"""Could these cells have been filled by dominoes sliding down the ramp?"""

from __future__ import annotations

from collections.abc import Sequence

from scoring.bits.options import BitsOptions
from scoring.core import Board, Finding, Player


def audit(board: Board[str], options: BitsOptions) -> tuple[Finding, ...]:
    return ()


def audit_round(players: Sequence[Player[str]], options: BitsOptions) -> tuple[Finding, ...]:
    return ()
