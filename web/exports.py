"""Take it away: the whole table as JSON or CSV, and one page to print."""

from __future__ import annotations

import csv
import io
from typing import Any

from flask import Blueprint, Response, jsonify, render_template

from scoring.core import Breakdown, Finding, Item
from web.auth import access
from web.play import RoundView, Sheet, TableView, view_table
from web.storage.current import db
from web.wording import Wording

pages = Blueprint("exports", __name__, url_prefix="/tables/<key>")

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


@pages.get("/export.json")
def as_json(key: str) -> Response:
    there = access(db(), key, whole=True)
    answer = jsonify(table_json(view_table(there.table)))
    answer.headers["Content-Disposition"] = f'attachment; filename="kibic-{there.table.game}.json"'
    return answer


@pages.get("/export.csv")
def as_csv(key: str) -> Response:
    """One line per item of every breakdown: what a spreadsheet wants."""
    there = access(db(), key, whole=True)
    shown = view_table(there.table)
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(["round", "turn", "player", "kind", "cells", "formula", "points", "reason"])
    for one in shown.rounds:
        for sheet in one.sheets:
            for item in breakdown_of(one, sheet).items:
                writer.writerow(
                    [
                        one.row.number,
                        sheet.row.turn if sheet.row else "",
                        harmless(sheet.seat.name),
                        item.kind,
                        " ".join(f"{a},{b}" for a, b in item.cells),
                        harmless(item.formula),
                        item.points,
                        harmless(item.reason.text) if item.reason else "",
                    ]
                )
    # The byte order mark tells spreadsheets that Polish letters follow.
    answer = Response("\ufeff" + out.getvalue(), mimetype="text/csv")
    answer.headers["Content-Disposition"] = f'attachment; filename="kibic-{there.table.game}.csv"'
    return answer


@pages.get("/print")
def printable(key: str) -> str:
    there = access(db(), key, whole=True)
    shown = view_table(there.table)
    return render_template("print.html", there=there, table=there.table, view=shown, wording=Wording(shown))


def harmless(text: str) -> str:
    """A name that a spreadsheet would run as a formula is kept as text."""
    return f"'{text}" if text.startswith(FORMULA_STARTS) else text


def breakdown_of(one: RoundView, sheet: Sheet) -> Breakdown:
    return one.breakdowns.get(sheet.seat.id, sheet.breakdown)


def table_json(shown: TableView) -> dict[str, Any]:
    """The match: every round in the format `kibic score` reads, with its results."""
    table = shown.table
    return {
        "game": table.game,
        "table": table.key,
        "finished": table.finished or shown.complete,
        "options": table.options,
        "seats": [
            {
                "id": seat.id,
                "name": seat.name,
                "colour": seat.colour,
                "team": seat.team or None,
                "total": shown.totals[seat.id],
            }
            for seat in table.seats
        ],
        "rounds": [round_json(shown, one) for one in shown.rounds],
        "ranking": [{"place": one.place, "name": one.name, "total": one.total} for one in shown.standings],
    }


def round_json(shown: TableView, one: RoundView) -> dict[str, Any]:
    return {
        "round": one.row.number,
        "complete": one.complete,
        "caller": one.row.caller.name if one.row.caller else None,
        "players": [sheet_json(shown, one, sheet) for sheet in one.sheets],
        "findings": [finding_json(finding) for finding in one.findings],
    }


def sheet_json(shown: TableView, one: RoundView, sheet: Sheet) -> dict[str, Any]:
    breakdown = breakdown_of(one, sheet)
    return {
        "name": sheet.seat.name,
        "seat": sheet.seat.id,
        "id": sheet.row.id if sheet.row else None,
        "turn": sheet.row.turn if sheet.row and sheet.row.turn else None,
        "state": sheet.state,
        **shown.game.board_json(sheet.board),
        "doubts": [
            {"at": list(doubt.at), "alternatives": [one._asdict() for one in doubt.alternatives]}
            for doubt in sheet.doubts
        ],
        "total": breakdown.total if sheet.row else None,
        "items": [item_json(item) for item in breakdown.items] if sheet.row else [],
        "findings": [finding_json(finding) for finding in breakdown.findings] if sheet.row else [],
    }


def item_json(item: Item) -> dict[str, Any]:
    return {
        "kind": item.kind,
        "cells": [list(cell) for cell in item.cells],
        "formula": item.formula,
        "value": item.value,
        "points": item.points,
        **({"reason": item.reason.text} if item.reason else {}),
    }


def finding_json(finding: Finding) -> dict[str, Any]:
    return {
        "code": finding.message.code,
        "message": finding.message.text,
        "cells": [list(cell) for cell in finding.cells],
        **({"players": list(finding.players)} if finding.players else {}),
    }
