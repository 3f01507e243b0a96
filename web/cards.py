"""Task cards of Bits, entered once and kept by name on this phone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from web.storage.models import Cards, now

MOST = 30
"""Kept sets of cards per phone; the one unused for longest gives way."""


def kept(db: Session, device: str | None) -> Sequence[Cards]:
    """This phone's sets of cards, the last used first."""
    if device is None:
        return []
    return db.scalars(select(Cards).where(Cards.device == device).order_by(Cards.changed.desc())).all()


def keep(db: Session, device: str, name: str, options: Mapping[str, Any]) -> None:
    """Keep the cards of these options under a name; the same name is written over."""
    there = list(kept(db, device))
    found = next((one for one in there if one.name == name), None)
    if found is None:
        for old in there[MOST - 1 :]:
            db.delete(old)
        found = Cards(device=device, name=name)
        db.add(found)
    found.card2, found.card3, found.changed = list(options["card2"]), dict(options["card3"]), now()
