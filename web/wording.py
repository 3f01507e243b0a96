"""Breakdowns and findings in the reader's language, with the cells' names as the board shows them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from flask_babel import gettext as _

from scoring.core import Breakdown, Cell, Finding, Item, Message
from web.language import WORDS, colour_name, kind_name, say, tile_label
from web.looks import cell_name
from web.play import Sheet, TableView

__all__ = ["Wording"]


@dataclass(frozen=True, slots=True)
class Wording:
    """Words for one table."""

    view: TableView

    def cell(self, cell: Cell, sheet: Sheet) -> str:
        return cell_name(self.view.look, cell, self.view.look.cells(sheet.layout, sheet.size, sheet.cells))

    def message(self, message: Message, sheet: Sheet | None = None) -> str:
        return say(message, partial(self.cell, sheet=sheet) if sheet is not None else str)

    def finding(self, finding: Finding, sheet: Sheet | None = None) -> str:
        text = self.message(finding.message, sheet)
        return text[:1].upper() + text[1:] + ("" if text.endswith((".", "!", "?")) else ".")

    def reason(self, item: Item, sheet: Sheet) -> str:
        return self.message(item.reason, sheet) if item.reason is not None else ""

    def kind(self, item: Item) -> str:
        return kind_name(item.kind)

    def formula(self, item: Item) -> str:
        """A formula is numbers and signs; where it names a colour, in the reader's language."""
        return " ".join(colour_name(word) if word in WORDS else word for word in item.formula.split(" "))

    def tile(self, tile: str | None, mark: str | None = None) -> str:
        return tile_label(tile, mark)

    def pair(self, tile: str) -> str:
        """The two colours of a called Bits tile."""
        return " + ".join(colour_name(colour) for colour in tile.split("-"))

    def who(self, name: str) -> str:
        """Whoever made a correction: a player by name, or the phone's part at the table."""
        return {"host": str(_("host")), "onlooker": str(_("onlooker"))}.get(name, name)

    def rows(self, breakdown: Breakdown) -> tuple[list[Item], list[Item]]:
        """What earned or cost points, best first, and what earned nothing."""
        paid = sorted((item for item in breakdown.items if item.points), key=lambda item: -item.points)
        return paid, [item for item in breakdown.items if not item.points]
