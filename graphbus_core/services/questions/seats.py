"""Seat links: one key for each person at a table, and whose question is whose. It knows no HTTP.

A question belongs to the seat of whom it asks, as soon as a link to that seat was given out. From then on only that
key sees it and answers it. What belongs to no seat is the operator's, who opened the server.

A link is spent by whoever sits down with it: its key is exchanged for one that this browser alone holds, so that
whoever copied the link before opens nothing. An invitation opens no seat by itself: whoever has it takes one in which
nobody has sat yet. A new link ends whatever opened the seat before, and the table is told so. A spent link still does
one thing: whoever has it may say that somebody else sat down with it, and the table is told that, too.

Only a digest of each key is kept. A key is shown once. Several processes may share one file: the server of a project,
and the one that serves the links of a run.
"""

from __future__ import annotations

import hashlib
import json
import secrets
import threading
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from typing import Any

from graphbus_core.errors import UsageError
from graphbus_core.services.errors import Conflict, Forbidden, NotFound
from graphbus_core.storage.atomic_files import write_atomic
from graphbus_core.storage.locks import hold_lock

BUILD = "build"
# Tables that have a name: the ids of their questions begin with the kind and the name.
NAMED_TABLES = ("consent", "document", "team")
MAX_SEATS = 1_000
MAX_NAME = 200
MAX_PAST = 50  # keys of a seat that open nothing any more, and still say why
MAX_STORY = 200  # lines of a table
BUSY_S = 10.0  # how long another process may take to write the file


@dataclass(frozen=True)
class Seat:
    """Who sits where. `table`: `build`, or `consent/RUN`, `document/NAME`, `team/NAME`. Without a `name` it is an
    invitation to that table."""

    table: str
    name: str

    @property
    def id(self) -> str:
        """As an address names it."""
        return f"{self.table}/{self.name}"

    @property
    def is_invitation(self) -> bool:
        """Whether its holder has not said yet who it is."""
        return not self.name


class KeyState(StrEnum):
    """What a key is worth."""

    LINK = "link"  # sent to somebody, and not opened yet
    SESSION = "session"  # of whoever sat down
    MOVING = "moving"  # a link by which whoever sits there goes on elsewhere
    INVITATION = "invitation"  # opens nothing by itself; whoever has it may sit down
    SPENT = "spent"  # a link that somebody sat down with
    LEFT = "left"  # whoever sat there went on elsewhere
    ENDED = "ended"  # a new link was made


OPENS = (KeyState.LINK, KeyState.SESSION, KeyState.MOVING)
LIVE = (*OPENS, KeyState.INVITATION)
TAKEN = (
    "{name} has already sat down with this link, and a link is good for one browser. If that was you, go on in that "
    "browser. If it is lost, or if that was not you, ask {opener} for a new link: {how}. It ends the session of "
    "whoever sits there now, and the whole table is told."
)
ENDED = (
    "A new link was made for {name}, and this session ended. If you did not ask for that, ask {opener}: somebody else "
    "may sit in your place now."
)
WHY = {  # what a key that opens nothing any more is told, as code and sentence
    KeyState.SPENT: ("seat_taken", TAKEN),
    KeyState.LEFT: ("seat_left", "{name} went on in another browser, so this one is out."),
    KeyState.ENDED: ("seat_ended", ENDED),
}


class SeatNews(StrEnum):
    """What the whole table is told of a seat."""

    SAT_DOWN = "sat_down"
    MOVED = "moved"
    RENEWED = "renewed"
    DISPUTED = "disputed"
    CLAIMED = "claimed"
    SETTLED = "settled"
    TAKEN_BACK = "taken_back"


NEWS = {
    SeatNews.SAT_DOWN: "{name} has sat down.",
    SeatNews.MOVED: "{name} went on in another browser.",
    SeatNews.RENEWED: "A new link was made for {name}. Whoever sat there until then is out.",
    SeatNews.DISPUTED: (
        "Somebody with the link of {name} says that it was not {name} who sat down. Ask {name}; a new link ends the "
        "session of whoever sits there."
    ),
    SeatNews.CLAIMED: (
        "Somebody with the invitation says: I am {name}, and it was not me who sat down. Ask {name}; a new link ends "
        "the session of whoever sits there."
    ),
    SeatNews.SETTLED: "Whoever opened the table says that it is {name} who sits there.",
    SeatNews.TAKEN_BACK: "The link of {name} was ended. The operator is asked in place of {name} from now on.",
}


@dataclass(frozen=True)
class SeatLine:
    """A line of a table's story. `at`: seconds since 1970."""

    table: str
    name: str
    news: str
    at: float

    @property
    def says(self) -> str:
        """In words."""
        return self.tell(self.name)

    def tell(self, called: str) -> str:
        """In words, of somebody who is called so."""
        return NEWS[SeatNews(self.news)].format(name=called)


@dataclass(frozen=True)
class _Key:
    """What a digest stands for."""

    seat: Seat
    state: KeyState


@dataclass(frozen=True)
class _Kept:
    """All that is kept, by digest in the order in which it was made. `sat`: seats in which somebody sat once.
    `openers`: by table, who of its people opened it. `called`: by seat, a person's name where the seat's is another."""

    keys: Mapping[str, _Key] = field(default_factory=dict)
    sat: frozenset[Seat] = frozenset()
    story: tuple[SeatLine, ...] = ()
    openers: Mapping[str, str] = field(default_factory=dict)
    called: Mapping[str, str] = field(default_factory=dict)


# Whoever holds the server's own token.
OPERATOR: Seat | None = None


def name_table(question_id: str) -> str:
    """The table at which a question is asked."""
    kind, _, rest = question_id.partition("/")
    return f"{kind}/{rest.partition('/')[0]}" if kind in NAMED_TABLES and rest else BUILD


class SeatLinks:
    """The seats of one workspace that have a link, kept in one file. Safe to use from any thread and any process."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._lock = threading.Lock()
        self._read_at: tuple[int, int, int] | None = None
        self._held = _Kept()
        self._look_again()

    @property
    def _kept(self) -> _Kept:
        """What the file holds now: another process may have written it."""
        self._look_again()
        return self._held

    def _look_again(self) -> None:
        try:
            status = self._file.stat()
            read_at = (status.st_mtime_ns, status.st_ino, status.st_size)
        except OSError:
            read_at = None
        if read_at != self._read_at:
            self._held, self._read_at = _load(self._file), read_at

    @contextmanager
    def _change(self) -> Iterator[None]:
        """Nobody else changes the seats meanwhile, in any thread or process."""
        self._file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        lock = self._file.with_suffix(".lock")
        with self._lock, hold_lock(lock, lambda _: f"{self._file} is being written.", mode=0o600, wait_s=BUSY_S):
            yield

    def issue(self, table: str, name: str, is_opener: bool = False, called: str = "") -> str:
        """A new link to a seat; what opened it before opens nothing any more. `is_opener`: of whoever opens the table,
        whom the others ask. Raises UsageError where that is not a seat."""
        _check_table(table)
        if not name.strip() or len(name) > MAX_NAME:
            raise UsageError(f"name: a seat has a name of 1 to {MAX_NAME} characters.")
        seat = Seat(table, name)
        with self._change():
            if len({*self._list_seats(), seat}) > MAX_SEATS:
                raise UsageError(f"{MAX_SEATS} seats have links already; take some back first.")
            had_session = self._has(seat, KeyState.SESSION)
            kept = self._end_keys(seat, KeyState.ENDED)
            if is_opener:
                kept = replace(kept, openers={**kept.openers, table: name})
            if called.strip():
                kept = replace(kept, called={**kept.called, seat.id: called.strip()})
            return self._add(_tell(kept, seat, SeatNews.RENEWED) if had_session else kept, seat, KeyState.LINK)

    def register(self, table: str, name: str, key: str) -> None:
        """A link that was sent before anybody served it. Once the seat has a link, this changes nothing: neither does
        a spent link open it again, nor one in whose place another was made."""
        _check_table(table)
        seat = Seat(table, name)
        with self._change():
            kept = self._kept
            if seat not in kept.sat and all(record.seat != seat for record in kept.keys.values()):
                self._save(replace(kept, keys={**kept.keys, _digest(key): _Key(seat, KeyState.LINK)}))

    def dispute(self, key: str, name: str = "") -> Seat:
        """Tell the table that somebody else sat down with this link, or by an invitation under this `name`. Raises
        Conflict where nobody did."""
        with self._change():
            record = self._kept.keys.get(_digest(key))
            seat = record.seat if record is not None and record.state is KeyState.SPENT else None
            is_invited = record is not None and record.state is KeyState.INVITATION
            if record is not None and is_invited:
                seat = next((known for known in self._kept.sat if known == Seat(record.seat.table, name)), None)
            if seat is None:
                raise Conflict("Nobody sat down with this link; there is nothing to dispute.")
            # A link is its person's, an invitation the whole group's: what is said with that one weighs less, and once
            # it was settled nobody says it again of the same session.
            news = SeatNews.CLAIMED if is_invited else SeatNews.DISPUTED
            known_news = (SeatNews.DISPUTED, SeatNews.CLAIMED, SeatNews.SETTLED) if is_invited else (news,)
            if not any(line.news in known_news for line in self._list_open_lines(seat, with_settled=is_invited)):
                self._save(_tell(self._kept, seat, news))
            return seat

    def settle(self, seat_id: str) -> Seat:
        """Tell the table that the right person sits there, after somebody said otherwise. Raises NotFound where nobody
        did."""
        with self._change():
            seat = next((known for known in self._kept.sat if known.id == seat_id), None)
            said = (SeatNews.DISPUTED, SeatNews.CLAIMED)
            if seat is None or not any(line.news in said for line in self._list_open_lines(seat)):
                raise NotFound(f"Nobody says of {seat_id!r} that somebody else sits there.")
            self._save(_tell(self._kept, seat, SeatNews.SETTLED))
            return seat

    def _list_open_lines(self, seat: Seat, with_settled: bool = False) -> list[SeatLine]:
        """What was said of a seat since somebody sat down there or was put out, and since the last doubt was settled;
        `with_settled`: what was said before that, too."""
        lines = [line for line in self.list_story(seat.table) if line.name == seat.name]
        ends = (SeatNews.SAT_DOWN, SeatNews.RENEWED, *(() if with_settled else (SeatNews.SETTLED,)))
        last = max((number for number, line in enumerate(lines) if line.news in ends), default=-1)
        return lines[last + 1 :]

    def find_spent(self, key: str) -> Seat | None:
        """The seat of a link that somebody sat down with; None for any other key."""
        record = self._kept.keys.get(_digest(key))
        return record.seat if record is not None and record.state is KeyState.SPENT else None

    def invite(self, table: str) -> str:
        """The key of an invitation: whoever has it takes a seat in which nobody has sat. A new one ends the one
        before."""
        _check_table(table)
        invitation = Seat(table, "")
        with self._change():
            return self._add(self._end_keys(invitation, KeyState.ENDED), invitation, KeyState.INVITATION)

    def sit_down(self, key: str, name: str = "") -> tuple[Seat, str]:
        """Exchange a link, or an invitation and a free name, for the key of whoever sits there from now on.

        Of two at once one wins. Raises Conflict where it was exchanged already, UsageError for a name that is none of
        the table's.
        """
        with self._change():
            record = self._kept.keys.get(_digest(key))
            if record is None or record.state not in LIVE:
                raise Conflict(self.explain(key)[1])
            if record.state is KeyState.SESSION:
                raise Conflict(f"You sit down as {record.seat.name} already; this key is your own.")
            seat = self._choose_seat(record.seat.table, name) if record.seat.is_invitation else record.seat
            moves = record.state is KeyState.MOVING
            kept = self._end_keys(seat, KeyState.LEFT)
            kept = _tell(kept, seat, SeatNews.MOVED if moves else SeatNews.SAT_DOWN)
            return seat, self._add(replace(kept, sat=kept.sat | {seat}), seat, KeyState.SESSION)

    def make_moving_link(self, seat: Seat) -> str:
        """A link by which whoever sits there goes on in another browser. Until it is opened this one goes on."""
        with self._change():
            keys = {
                digest: replace(record, state=KeyState.ENDED)
                if record.seat == seat and record.state is KeyState.MOVING
                else record
                for digest, record in self._kept.keys.items()
            }
            return self._add(replace(self._kept, keys=keys), seat, KeyState.MOVING)

    def end_by_id(self, seat_id: str) -> Seat:
        """End a link: its questions are the operator's again. Raises NotFound."""
        with self._change():
            seat = next((known for known in self._list_seats() if known.id == seat_id), None)
            if seat is None:
                raise NotFound(f"There is no link to a seat {seat_id!r}.")
            was_seated = self._has(seat, KeyState.SESSION)
            kept = self._end_keys(seat, KeyState.ENDED)
            self._save(_tell(kept, seat, SeatNews.TAKEN_BACK) if was_seated else kept)
            return seat

    def find(self, key: str) -> Seat | None:
        """The seat that a key opens, or the invitation that it is; None for no key."""
        # By digest: the time that this takes says nothing of how near a guess was.
        record = self._kept.keys.get(_digest(key))
        return record.seat if record is not None and record.state in LIVE else None

    def is_session(self, key: str) -> bool:
        """Whether it is the key of somebody who sat down; a link is not, though it opens its seat."""
        record = self._kept.keys.get(_digest(key))
        return record is not None and record.state is KeyState.SESSION

    def explain(self, key: str) -> tuple[str, str]:
        """Why a key opens nothing: code and sentence. Empty where it never opened anything."""
        record = self._kept.keys.get(_digest(key))
        if record is None or record.state in LIVE:
            return "", ""
        if record.seat.is_invitation:
            return "seat_ended", "A new invitation was made for this table. Ask whoever sent this one for it."
        code, sentence = WHY[record.state]
        how = "the button “Make a new link” on the page of the table makes it"
        if record.seat.table.startswith("consent/"):  # their pages may be served without the project's own
            how += f", or `graphbus consent serve --new-link {record.seat.name}`"
        opener = self._name_opener(record.seat)
        return code, sentence.format(name=self.call(record.seat), opener=opener, how=how)

    def call(self, seat: Seat) -> str:
        """What whoever sits there is called: as it was given with the link, else the seat's own name."""
        return self._kept.called.get(seat.id, seat.name)

    def _name_opener(self, asking: Seat) -> str:
        """Whom somebody asks who cannot sit down."""
        opener = self._kept.openers.get(asking.table, "")
        if opener in ("", asking.name):
            return "whoever sent you the link"
        return f"{self.call(Seat(asking.table, opener))}, who opened the table,"

    def list_seats(self) -> list[Seat]:
        """All that have a link, or somebody who sits there."""
        return self._list_seats()

    def is_seated(self, seat: Seat) -> bool:
        """Whether somebody sits there now, by a link that was opened."""
        return self._has(seat, KeyState.SESSION)

    def has_sat(self, seat: Seat) -> bool:
        """Whether somebody has ever sat there: an invitation does not offer it again."""
        return seat in self._kept.sat

    def list_story(self, table: str) -> list[SeatLine]:
        """What a table is told of its seats, oldest first."""
        return [line for line in self._kept.story if line.table == table]

    def find_owner(self, table: str, name: str) -> Seat | None:
        """Whose a question to `name` at `table` is: a seat, or the operator."""
        seat = Seat(table, name)
        return seat if any(self._has(seat, state) for state in OPENS) else OPERATOR

    def select_own(self, seat: Seat | None, questions: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
        """Those of these questions that belong to a seat, or to the operator."""
        return [one for one in questions if self.find_owner(name_table(one["id"]), one["to"]) == seat]

    def check_own(self, seat: Seat | None, table: str, name: str) -> None:
        """Raises Forbidden where what `name` says at `table` is not this caller's to say."""
        owner = self.find_owner(table, name)
        if owner == seat:
            return
        if seat is None:
            raise Forbidden(f"This is {name}'s to answer, from {name}'s own link alone.")
        raise Forbidden(f"This is not yours to answer: you sit there as {seat.name}.")

    def check_free(self, table: str, name: str) -> None:
        """Raises Conflict where a seat is somebody's by a link: nobody else takes it without their knowledge."""
        if (owner := self.find_owner(table, name)) is not None:
            called = self.call(owner)
            is_here = "sits there" if self.is_seated(owner) else "has a link to it"
            raise Conflict(
                f"This seat is {called}'s, who {is_here}; nothing was changed. If {called} lost the way back, “Make a "
                "new link” on the page of the table makes one, and the table is told."
            )

    def _choose_seat(self, table: str, name: str) -> Seat:
        """The seat that an invitation is used for. Raises UsageError, Conflict."""
        seat = Seat(table, name)
        if not name or seat not in self._list_seats():
            raise UsageError(f"name: {name!r} is not a name of this table.")
        if seat in self._kept.sat:
            raise Conflict(f"{name} has already sat down. If that was not you, ask whoever opened the table.")
        return seat

    def _list_seats(self) -> list[Seat]:
        return list(dict.fromkeys(record.seat for record in self._kept.keys.values() if record.state in OPENS))

    def _has(self, seat: Seat, state: KeyState) -> bool:
        return any(record.seat == seat and record.state is state for record in self._kept.keys.values())

    def _end_keys(self, seat: Seat, session_becomes: KeyState) -> _Kept:
        """What is kept, without any key that opens this seat. Links are spent where somebody sits down, else ended."""
        link_becomes = KeyState.SPENT if session_becomes is KeyState.LEFT else KeyState.ENDED
        becomes = {KeyState.SESSION: session_becomes, KeyState.LINK: link_becomes, KeyState.MOVING: link_becomes}
        ended = {**becomes, KeyState.INVITATION: KeyState.ENDED}
        keys = {
            digest: replace(record, state=ended.get(record.state, record.state)) if record.seat == seat else record
            for digest, record in self._kept.keys.items()
        }
        past = [digest for digest, record in keys.items() if record.seat == seat and record.state not in LIVE]
        for digest in past[:-MAX_PAST]:
            del keys[digest]
        return replace(self._kept, keys=keys)

    def _add(self, kept: _Kept, seat: Seat, state: KeyState) -> str:
        key = secrets.token_urlsafe(24)
        self._save(replace(kept, keys={**kept.keys, _digest(key): _Key(seat, state)}))
        return key

    def _save(self, kept: _Kept) -> None:
        stored = {
            "keys": {
                digest: {"table": record.seat.table, "name": record.seat.name, "state": record.state.value}
                for digest, record in kept.keys.items()
            },
            "sat": [{"table": seat.table, "name": seat.name} for seat in sorted(kept.sat, key=lambda seat: seat.id)],
            "story": [asdict(line) for line in kept.story],
            "openers": dict(kept.openers),
            "called": dict(kept.called),
        }
        write_atomic(self._file, json.dumps(stored).encode(), durable=True)
        self._file.chmod(0o600)
        self._look_again()


def _tell(kept: _Kept, seat: Seat, news: SeatNews) -> _Kept:
    line = SeatLine(seat.table, seat.name, news.value, time.time())
    others = [known for known in kept.story if known.table != seat.table]
    same = [known for known in kept.story if known.table == seat.table]
    return replace(kept, story=(*others, *same[-MAX_STORY + 1 :], line))


def _check_table(table: str) -> None:
    kind, _, where = table.partition("/")
    if table != BUILD and (kind not in NAMED_TABLES or not where or "/" in where):
        raise UsageError(f"table: {table!r} is not a table. Say build, consent/RUN, document/NAME or team/NAME.")


def _load(file: Path) -> _Kept:
    try:
        stored = json.loads(file.read_bytes())
        # A file of an earlier version holds links alone, by digest.
        keys = stored.get("keys", stored)
        return _Kept(
            {
                str(digest): _Key(_read_seat(about), KeyState(about.get("state", "link")))
                for digest, about in keys.items()
            },
            frozenset(_read_seat(about) for about in stored.get("sat", ())),
            tuple(
                SeatLine(str(about["table"]), str(about["name"]), SeatNews(about["news"]).value, float(about["at"]))
                for about in stored.get("story", ())
            ),
            {str(table): str(name) for table, name in stored.get("openers", {}).items()},
            {str(seat): str(name) for seat, name in stored.get("called", {}).items()},
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        # No file, or a damaged one: no link opens anything, and new ones can be given out.
        return _Kept()


def _read_seat(about: Mapping[str, Any]) -> Seat:
    return Seat(str(about["table"]), str(about["name"]))


def _digest(key: str) -> str:
    return hashlib.sha256(key.encode(errors="replace")).hexdigest()
