"""Solo: the best total this phone has kept for the same game played the same way."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from scoring.bits import solo_title
from scoring.core import Message
from web.play import TableView, view_table
from web.storage.models import Member, Table

LOOKED_AT = 50


class Solo(NamedTuple):
    """How a lone player did."""

    total: int
    best: int | None
    """The best earlier total; None at the first game."""
    title: Message | None


def best_before(db: Session, shown: TableView, device: str) -> Solo | None:
    """None unless one player has finished the whole match."""
    table = shown.table
    if len(table.seats) != 1 or not shown.complete:
        return None
    earlier = db.scalars(
        select(Table)
        .join(Member)
        .where(
            Member.device == device,
            Table.game == table.game,
            Table.id < table.id,
            Table.layout == table.layout,
        )
        .order_by(Table.id.desc())
        .limit(LOOKED_AT)
    )
    totals = [
        next(iter(one.totals.values()))
        for one in map(view_table, (other for other in earlier if len(other.seats) == 1))
        if one.complete and one.table.options == table.options
    ]
    total = next(iter(shown.totals.values()))
    return Solo(total, max(totals, default=None), solo_title(total)() if table.game == "bits" else None)
