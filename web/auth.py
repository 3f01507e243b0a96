"""Who may do what: a code or a QR token lets a phone in at one table as host, player or onlooker."""

from __future__ import annotations

import secrets
import threading
import time
from collections import OrderedDict
from dataclasses import dataclass
from math import ceil

from flask import abort, current_app, request, session
from itsdangerous import BadSignature, URLSafeSerializer
from sqlalchemy import select
from sqlalchemy.orm import Session, selectinload

from web.settings import Settings
from web.storage.current import READING
from web.storage.models import BoardRow, Member, Round, Seat, Table

ALPHABET = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
"""No look-alikes: no I and 1, no L, no O and 0."""
CODE_LENGTH = 6


def new_code(db: Session) -> str:
    """A join code no other table has."""
    while True:
        code = "".join(secrets.choice(ALPHABET) for _ in range(CODE_LENGTH))
        if db.scalar(select(Table.id).where(Table.code == code)) is None:
            return code


def tidy_code(text: str) -> str:
    """A code as typed by hand: case, spaces and dashes don't matter."""
    return "".join(character for character in text.upper() if character.isalnum())[:CODE_LENGTH]


@dataclass(frozen=True, slots=True)
class Access:
    """This phone at one table."""

    table: Table
    member: Member

    @property
    def host(self) -> bool:
        return self.member.host

    @property
    def who(self) -> str:
        """The name kept with corrections."""
        return self.member.seat.name if self.member.seat else ("host" if self.host else "onlooker")

    def may_act_for(self, seat: Seat) -> bool:
        """The host acts for everybody, a player for their own seat (and partner), an onlooker for nobody."""
        mine = self.member.seat
        return self.host or (
            mine is not None and (mine.id == seat.id or (mine.team > 0 and mine.team == seat.team))
        )

    def need_host(self) -> None:
        if not self.host:
            abort(403)

    def need_seat(self, seat: Seat) -> None:
        if not self.may_act_for(seat):
            abort(403)


def bearer_signer() -> URLSafeSerializer:
    return URLSafeSerializer(str(current_app.secret_key), salt="kibic-bearer")


def device() -> str | None:
    """This phone's identity: from its signed cookie, or from a signed bearer key."""
    header = request.headers.get("Authorization", "")
    if header.startswith("Bearer "):
        try:
            return str(bearer_signer().loads(header.removeprefix("Bearer ").strip()))
        except BadSignature:
            abort(401)
    found = session.get("device")
    return str(found) if found else None


def device_made() -> str:
    """The same, made when this phone has none yet."""
    known = device()
    if known is None:
        known = secrets.token_urlsafe(24)
        session["device"] = known
        session.permanent = True
    return known


WHOLE = (
    selectinload(Table.seats),
    selectinload(Table.rounds).selectinload(Round.boards).selectinload(BoardRow.corrections),
)


def access(db: Session, key: str, *, whole: bool = False) -> Access:
    """This phone's rights at a table; a stranger cannot tell a wrong address from a closed door.

    `whole` brings every round, board and correction along, in a handful of queries.
    """
    who = device()
    if who is not None:
        query = select(Table, Member).join(Member).where(Table.key == key, Member.device == who)
        if request.method not in READING:
            # One change at a time per table, on databases that let several in at once.
            query = query.with_for_update(of=Table)
        found = db.execute(query.options(*WHOLE) if whole else query).one_or_none()
        if found is not None:
            return Access(found[0], found[1])
    abort(404)


def board_of(there: Access, board_id: int) -> BoardRow:
    """A board of this very table."""
    for round_ in there.table.rounds:
        for board in round_.boards:
            if board.id == board_id:
                return board
    abort(404)


def seat_of(there: Access, seat_id: int) -> Seat:
    for seat in there.table.seats:
        if seat.id == seat_id:
            return seat
    abort(404)


def join(db: Session, table: Table, seat: Seat | None, *, host: bool = False) -> Member:
    """Let this phone in, or change where it sits; nobody loses the host's rights by joining again."""
    who = device_made()
    member = db.scalar(select(Member).where(Member.device == who, Member.table_id == table.id))
    if member is None:
        member = Member(device=who, table=table, host=host)
        db.add(member)
    member.seat = seat
    member.host = member.host or host
    table.touch()
    return member


class WrongCodes:
    """Slows guessing down without shutting anybody out: each wrong code makes the next try wait longer."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._tries: OrderedDict[str, tuple[int, float]] = OrderedDict()
        self._lock = threading.Lock()

    def wait(self, address: str) -> int:
        """Whole seconds this address has to wait before its next try; 0: go ahead."""
        with self._lock:
            _count, until = self._tries.get(address, (0, 0.0))
        return max(0, ceil(until - time.monotonic()))

    def wrong(self, address: str) -> None:
        with self._lock:
            count = self._tries.pop(address, (0, 0.0))[0] + 1
            over = count - self._settings.wrong_codes_free
            pause = self._settings.wrong_code_seconds * 2.0 ** min(over, 10) if over >= 0 else 0.0
            until = time.monotonic() + min(pause, self._settings.wrong_code_most_seconds)
            self._tries[address] = (count, until)
            while len(self._tries) > 10_000:
                self._tries.popitem(last=False)

    def right(self, address: str) -> None:
        with self._lock:
            self._tries.pop(address, None)
