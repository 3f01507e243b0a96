"""Playing a record again: the same photographs, corrections and rules must give the same totals."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from scoring.core import Malformed
from scoring.registry import GAMES
from web.play import TableView, view_table
from web.record_chain import Entry, Flaw
from web.storage.models import BoardRow, Call, Correction, Photo, Round, Seat, Table
from web.versions import model_versions, rules_version

LONG_AGO = datetime(2000, 1, 1)

Reread = Callable[[bytes, str, Mapping[str, Any]], Mapping[str, Any]]
"""(JPEG, game, options) → the reading as kept."""


@dataclass
class Replay:
    """A table as it grows entry by entry, beside the database."""

    table: Table | None = None
    seats: dict[int, Seat] = field(default_factory=dict)
    rounds: dict[int, Round] = field(default_factory=dict)
    boards: dict[int, BoardRow] = field(default_factory=dict)
    photos: dict[int, Photo] = field(default_factory=dict)
    corrections: dict[int, Correction] = field(default_factory=dict)

    def play(self, entry: Entry) -> None:
        """What this entry did; raises `Malformed` if it cannot have happened."""
        act = getattr(self, f"_{entry.kind.replace('-', '_')}", None)
        if act is not None and (self.table is not None or entry.kind == "table"):
            act(entry.body)
        elif self.table is None:
            raise Malformed("record-replay", "comes before the table was opened")

    def view(self) -> TableView:
        assert self.table is not None
        return view_table(self.table)

    def _table(self, body: Mapping[str, Any]) -> None:
        chosen = ("game", "layout", "size", "options", "rounds_planned", "finished", "key", "edition")
        self.table = Table(**{name: body.get(name) for name in chosen}, version=1)
        for one in body["players"]:
            seat = Seat(
                id=one["seat"], position=one["position"], name=one["name"], colour="", team=one["team"]
            )
            self.seats[seat.id] = seat
            self.table.seats.append(seat)

    def _table_changed(self, body: Mapping[str, Any]) -> None:
        for name, value in body["to"].items():
            setattr(self.table, name, value)

    def _player(self, body: Mapping[str, Any]) -> None:
        self.seats[body["seat"]].name = body["name"]

    def _round(self, body: Mapping[str, Any]) -> None:
        assert self.table is not None
        made = Round(id=body["round"], number=body["number"], caller_id=body["caller"])
        self.rounds[made.id] = made
        self.table.rounds.append(made)

    def _call(self, body: Mapping[str, Any]) -> None:
        made = Call(number=body["call"], tile=body["tile"], mark=body["mark"], who=body["who"])
        self.rounds[body["round"]].calls.append(made)

    def _call_removed(self, body: Mapping[str, Any]) -> None:
        calls = self.rounds[body["round"]].calls
        calls.remove(next(one for one in calls if one.number == body["call"]))

    def _photo(self, body: Mapping[str, Any]) -> None:
        self.photos[body["photo"]] = Photo(
            id=body["photo"], sha256=body["sha256"], width=body["width"], height=body["height"]
        )

    def _board(self, body: Mapping[str, Any]) -> None:
        row = BoardRow(
            id=body["board"], round_id=body["round"], turn=0, awaiting=False, complete=False, last_tile=False,
            agreed=0,
        )  # fmt: skip
        self.boards[row.id] = row
        self.rounds[body["round"]].boards.append(row)
        self._set(row, {name: value for name, value in body.items() if name not in ("board", "round")})

    def _board_changed(self, body: Mapping[str, Any]) -> None:
        self._set(self.boards[body["board"]], body["to"])

    def _set(self, row: BoardRow, fields: Mapping[str, Any]) -> None:
        for name, value in fields.items():
            setattr(row, name, value)
        row.seat = self.seats[row.seat_id]
        row.photo = self.photos.get(row.photo_id or 0)
        row.round.boards.sort(key=lambda one: one.turn)

    def _board_removed(self, body: Mapping[str, Any]) -> None:
        row = self.boards.pop(body["board"])
        row.round.boards.remove(row)

    def _reading(self, body: Mapping[str, Any]) -> None:
        self.boards[body["board"]].reading = body["reading"]

    def _correction(self, body: Mapping[str, Any]) -> None:
        a, b = body["at"]
        made = Correction(
            id=body["correction"], a=a, b=b, tile=body["tile"], mark=body["mark"], photo_id=body["photo"],
            who=body["who"], undone=None,
        )  # fmt: skip
        self.corrections[made.id] = made
        self.boards[body["board"]].corrections.append(made)

    def _correction_undone(self, body: Mapping[str, Any]) -> None:
        self.corrections[body["correction"]].undone = LONG_AGO

    def _correction_redone(self, body: Mapping[str, Any]) -> None:
        self.corrections[body["correction"]].undone = None


@dataclass(frozen=True, slots=True)
class Verdict:
    """What came of verifying a record."""

    entries: int
    head: str
    flaw: Flaw | None
    totals: Mapping[str, int]
    """Name → total, as the replay has it."""
    photos_read: int = 0
    photos_skipped: int = 0
    """Not there any more, or read by networks this copy does not have."""
    other_rules: bool = False
    """Some scores were made by another version of the rules."""


def verify(
    entries: Sequence[Entry],
    broken: Flaw | None,
    photos: Mapping[str, bytes],
    reread: Reread | None = None,
) -> Verdict:
    """Plays the sound part of a record again and holds every score, and every reading, to what it says."""
    replay = Replay()
    read = skipped = 0
    other_rules = False
    flaw: Flaw | None = None
    for entry in entries:
        try:
            replay.play(entry)
            if entry.kind == "score":
                other_rules |= entry.body.get("rules") != rules_version()
                _check_score(replay, entry)
            elif entry.kind == "reading" and reread is not None and entry.body["reading"] is not None:
                checked = _check_reading(replay, entry, photos, reread)
                read, skipped = read + checked, skipped + (not checked)
        except Malformed as error:
            flaw = Flaw(entry.number, str(error))
            break
        except (KeyError, TypeError, ValueError, AttributeError, StopIteration):
            flaw = Flaw(entry.number, "does not fit what the entries before it say")
            break
    totals: dict[str, int] = {}
    if replay.table is not None and flaw is None:
        shown = replay.view()
        totals = {seat.name: shown.totals[seat.id] for seat in replay.table.seats}
    head = entries[-1].hash if entries else ""
    return Verdict(len(entries), head, flaw or broken, totals, read, skipped, other_rules)


def _check_score(replay: Replay, entry: Entry) -> None:
    shown = replay.view()
    now = {str(seat): total for seat, total in shown.totals.items()}
    if now != entry.body["totals"]:
        names = {str(seat.id): seat.name for seat in shown.table.seats}
        told = ", ".join(f"{names.get(seat, seat)} {total}" for seat, total in entry.body["totals"].items())
        found = ", ".join(f"{names.get(seat, seat)} {total}" for seat, total in now.items())
        raise Malformed("record-score", f"says {told}; played again it is {found}")


def _check_reading(replay: Replay, entry: Entry, photos: Mapping[str, bytes], reread: Reread) -> bool:
    """Reads the photograph again where that can be done; whether it was."""
    assert replay.table is not None
    row = replay.boards[entry.body["board"]]
    photo = replay.photos.get(entry.body["photo"])
    game = replay.table.game
    reading = entry.body["reading"]
    if photo is None or photo.sha256 not in photos or entry.body.get("models") != model_versions(game):
        return False
    if reading.get("joined"):
        return False
    from web.photos import reading_options

    again = reread(photos[photo.sha256], game, reading_options(replay.table, row.round.number, row.corners))
    if _tiles(again) != _tiles(reading):
        raise Malformed("record-reading", "the photo, read again, shows other tiles")
    return True


def _tiles(reading: Mapping[str, Any]) -> list[tuple[Any, ...]]:
    return sorted((*cell["at"], cell["tile"], cell.get("mark") or "") for cell in reading["cells"])


def known_game(entries: Sequence[Entry]) -> str | None:
    game = entries[0].body.get("game") if entries else None
    return game if game in GAMES else None
