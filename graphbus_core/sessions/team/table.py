"""The table of a team in a repository: its folder in git's common directory, its lock, its log, and what a seat knows.

Nothing stands in a working tree. Whoever calls brings everything up to date first: what the working trees show, what
landed by any road, whose lease is over. So no process has to run for the table to work.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from graphbus_core.commit.landing.advance import open_state
from graphbus_core.commit.landing.repository import Repository
from graphbus_core.errors import Unavailable, UsageError
from graphbus_core.logs.jsonl import JsonlLog, LogReader
from graphbus_core.negotiation.core import Event
from graphbus_core.negotiation.core.session import Session
from graphbus_core.negotiation.team import events as facts
from graphbus_core.negotiation.team.plan import ADD, USE, Change
from graphbus_core.negotiation.team.protocol import TeamProtocol
from graphbus_core.negotiation.team.state import Seat, State
from graphbus_core.sessions.team.breaks import add_breaks
from graphbus_core.sessions.team.usage import Place, Usage
from graphbus_core.sessions.team.worktrees import (
    Diff,
    describe_diff,
    find_tip,
    read_diff,
    read_python_files,
    read_tree_files,
)
from graphbus_core.storage.atomic_files import write_atomic
from graphbus_core.storage.locks import hold_lock

FOLDER, LOG = "team", "log.jsonl"
LEASE_S = 1_800.0
LOCK_WAIT_S = 60.0
MAX_LINE = 5_000  # commits that are looked back through
NO_TEAM = "There is no team in this repository. `graphbus team start` begins one."


@dataclass
class Mark:
    """What a seat was shown, when it was last heard of, and which state of its files was last read."""

    facts: int = 0
    seen_at: float = 0.0
    digest: str = ""


class TeamTable:
    """The team of the repository that a folder belongs to. `clock` gives the time that leases are held against."""

    def __init__(self, folder: Path, clock: Callable[[], float] = time.time) -> None:
        try:
            self.repository = Repository(folder)
        except UsageError:
            raise Unavailable(f"{folder} is not in a working tree of git. A team works in one repository.") from None
        self.folder = self.repository.common / "graphbus" / FOLDER
        self.clock = clock
        self._session: Session[State, str] | None = None

    @property
    def log_path(self) -> Path:
        """The log of the team."""
        return self.folder / LOG

    @property
    def exists(self) -> bool:
        """Whether there is a team."""
        return self.log_path.exists()

    # ---- the log

    @contextmanager
    def hold(self, *, make: bool = False) -> Iterator[State]:
        """The state under the lock; moves may be made meanwhile. Raises UsageError where there is no team, Locked."""
        if not make and not self.exists:
            raise UsageError(NO_TEAM)
        open_state(self.repository)
        self.folder.mkdir(mode=0o700, exist_ok=True)
        busy = "Another command of this team is at work; try again in a moment."
        with (
            hold_lock(self.folder / "lock", lambda holder: busy, mode=0o600, wait_s=LOCK_WAIT_S),
            JsonlLog(self.log_path, TeamProtocol.events, protocol=TeamProtocol.name, clock=self.clock) as log,
        ):
            self._session = Session(TeamProtocol(), None, log)
            try:
                if self._session.state.is_open:
                    self._session.advance()
                yield self._session.state
            finally:
                self._session = None

    def read_state(self) -> State:
        """The state as it stands, without a lock. Raises UsageError where there is no team, LogDamaged."""
        if not self.exists:
            raise UsageError(NO_TEAM)
        protocol = TeamProtocol()
        state = protocol.open()
        for entry in LogReader(self.log_path, TeamProtocol.events):
            state = protocol.evolve(state, entry.event)
        if not state.is_open:
            raise UsageError(NO_TEAM)
        return state

    def submit(self, who: str, move: str, **about: Any) -> list[Event]:
        """Make a move under `hold`; gives the facts. Raises UsageError with the reasons where it is refused."""
        assert self._session is not None, "a move needs the lock"
        events = self._session.submit(who, {"move": move, **about})
        if isinstance(events[0], facts.TeamMoveRefused):
            raise UsageError(" ".join(events[0].reasons))
        return events

    def check(self, who: str, kind: str, words: list[str], text: str) -> tuple[str, ...]:
        """Why a move would be refused; nothing where it would be taken. A plan is looked up when it is taken."""
        assert self._session is not None, "a move needs the lock"
        if kind == "plan":
            return ()
        to = "" if words[:1] == ["all"] else "".join(words[:1])
        about = {"question": "".join(words[:1]), "hash": "".join(words[1:2]), "to": to, "text": text, "why": text}
        fact = self._session.protocol.submit(self._session.state, who, {"move": kind, **about})
        return fact.reasons if isinstance(fact, facts.TeamMoveRefused) else ()

    def count_facts(self) -> int:
        """How many facts there are; under `hold`."""
        assert self._session is not None
        return self._session.seq

    def list_facts(self, name: str, after: int) -> list[Event]:
        """What a seat may see of what happened after the n-th fact; under `hold`."""
        assert self._session is not None, "the feed belongs to the session"
        return [event for number, event in self._session.feed.view(name) if number > after]

    # ---- marks

    def read_mark(self, name: str) -> Mark:
        """The mark of a seat; an empty one where there is none."""
        try:
            data = json.loads((self.folder / f"mark-{name}.json").read_bytes())
            return Mark(int(data["facts"]), float(data["seen_at"]), str(data["digest"]))
        except (OSError, ValueError, KeyError, TypeError):
            return Mark()

    def write_mark(self, name: str, **values: Any) -> None:
        """Change a mark. It may be lost: then a seat is shown something twice."""
        mark = replace(self.read_mark(name), **values)
        with suppress(OSError):
            write_atomic(self.folder / f"mark-{name}.json", json.dumps(mark.__dict__).encode())

    # ---- seats

    def find_seat(self, state: State, name: str = "") -> Seat:
        """The seat of a name, or of the working tree that this is. Raises UsageError."""
        here = str(self.repository.root)
        if name:
            seat = state.seats.get(name)
            if seat is None:
                raise UsageError(f"There is no seat {name!r}. There are: {', '.join(state.seats) or 'none'}.")
            return seat
        seat = next((s for s in state.seats.values() if s.worktree == here and s.status != "left"), None)
        if seat is None:
            seats = "; ".join(f"{s.name} in {s.worktree}" for s in state.seats.values()) or "nobody yet"
            raise UsageError(
                f"Nobody sits in {here}. `graphbus team join NAME --worktree` takes a seat. Seated are: {seats}."
            )
        return seat

    # ---- bringing up to date

    def refresh(self, state: State, who: str = "") -> dict[str, Diff]:
        """Record what landed by any road, what the working trees show, and whose lease is over; gives the diffs."""
        now = self.clock()
        onto = find_tip(self.repository, state.base)
        if onto is None:
            raise UsageError(
                f"The branch {state.base}, which all land on, is gone. Bring it back, or start a new team."
            )
        if who:
            self.write_mark(who, seen_at=now)
        diffs: dict[str, Diff] = {}
        for seat in state.list_active():
            self._record_landing(seat, onto)
            diff = read_diff(self.repository, Path(seat.worktree), seat.branch, onto, seat.tip)
            if diff is None:
                self.submit(seat.name, "lapse", why=f"its branch {seat.branch} is gone")
                continue
            diffs[seat.name] = diff
            self._observe(seat, diff)
            self._check_lease(state, seat, now)
        return diffs

    def _record_landing(self, seat: Seat, onto: str) -> None:
        """What landed by another road, or before a crash: what the branch has beyond its start was merged."""
        tip = find_tip(self.repository, seat.branch)
        if tip is None or tip in (seat.start, onto) or tip not in self.repository.merge_bases(tip, onto):
            return
        # A branch that was merely brought forward stands on the first parents of what all land on.
        line = self.repository.run("rev-list", "--first-parent", f"--max-count={MAX_LINE}", onto).split()
        if tip not in line:
            changes = [change.to_dict() for change in seat.observed]
            self.submit(seat.name, "land", commit=onto, tip=tip, changes=changes)
            self.write_mark(seat.name, digest="")

    def _observe(self, seat: Seat, diff: Diff) -> None:
        mark = self.read_mark(seat.name)
        if mark.digest == diff.digest:
            return
        worktree = Path(seat.worktree)
        files = read_python_files(worktree) if worktree.is_dir() else read_tree_files(self.repository, diff.tip)
        known: dict[str, tuple[Change, ...]] = {}
        for change in seat.observed:
            known[change.file] = (*known.get(change.file, ()), change)
        changes, uses = describe_diff(diff, files, known, worktree if worktree.is_dir() else None)
        before = ([c.to_dict() for c in seat.observed], dict(seat.observed_uses), seat.tip, seat.note)
        told = [c.to_dict() for c in changes]
        if before != (told, uses, diff.tip, diff.note):
            self.submit(seat.name, "observe", tip=diff.tip, changes=told, uses=uses, note=diff.note)
        # Whoever works is not silent: files that move are a sign of life.
        self.write_mark(seat.name, digest=diff.digest, seen_at=max(mark.seen_at, self.clock()))

    def _check_lease(self, state: State, seat: Seat, now: float) -> None:
        mark = self.read_mark(seat.name)
        if mark.seen_at and now - mark.seen_at > state.lease_s:
            minutes = round((now - mark.seen_at) / 60)
            self.submit(seat.name, "lapse", why=f"nothing was heard of it for {minutes} minutes")

    # ---- plans

    def plan(self, state: State, seat: Seat, changes: list[Change]) -> list[tuple[Change, list[Place]]]:
        """Take a plan; gives each change as it was looked up, with who uses it. Raises UsageError."""
        worktree = Path(seat.worktree)
        if not worktree.is_dir():
            raise UsageError(f"The working tree {worktree} of {seat.name} is gone. `git worktree add` brings it back.")
        answers, uses = [], dict[str, str]()
        with Usage(read_python_files(worktree), worktree) as usage:
            looked_up = look_up_changes(usage, changes)
            for change in looked_up:
                path, _, name = change.symbol.rpartition("::")
                places = usage.find_uses(path, name) if change.is_contract else []
                answers.append((add_breaks(usage, change, places), places))
                if change.kind not in (ADD, USE):
                    for symbol, place in usage.find_reliance(path, name):
                        uses.setdefault(symbol, place)
        own = {change.symbol for change in looked_up}
        uses = {symbol: place for symbol, place in uses.items() if symbol not in own}
        self.submit(seat.name, "plan", changes=[change.to_dict() for change, _ in answers], uses=uses)
        return answers


def look_up_changes(usage: Usage, changes: list[Change]) -> list[Change]:
    """The changes with the file of each symbol. Raises UsageError that names every one that cannot be."""
    looked_up, faults = [], []
    for change in changes:
        found = _look_up(usage, change)
        if isinstance(found, str):
            faults.append(found)
        else:
            looked_up.append(found)
    if faults:
        raise UsageError("Nothing of this plan was taken. " + " ".join(faults))
    return looked_up


def _look_up(usage: Usage, change: Change) -> Change | str:
    path, _, name = change.symbol.rpartition("::")
    target = usage.find_symbol(path, name) if path else None
    if change.kind == ADD:
        if not path:
            return f"`{change.symbol}: add` needs its file: `FILE.py::{change.symbol}: add`."
        if target is not None:
            return f"{change.symbol} is there already ({path}:{target.line}). Say what changes of it."
        return change.with_symbol(change.symbol)
    if target is not None:
        return change.with_symbol(change.symbol, f"{path}:{target.line}")
    candidates = usage.find_candidates(name)
    if not path and len(candidates) == 1:
        file, _, found = candidates[0].rpartition("::")
        definition = usage.find_symbol(file, found)
        return change.with_symbol(candidates[0], f"{file}:{definition.line if definition else 1}")
    if candidates and not path:
        return f"{name} may be {_join_some(candidates)}. Say which."
    hint = f" There is {_join_some(candidates)}." if candidates else _suggest(usage, path, name)
    return f"There is no {change.symbol}.{hint} A new one is `{change.symbol}: add`."


def _suggest(usage: Usage, path: str, name: str) -> str:
    from graphbus_core.suggestions import suggest_names

    symbols = list(usage.read_symbols(path))
    near = suggest_names(name, symbols) if symbols else suggest_names(path, list(usage.files))
    return f" Did you mean {near[0]}?" if near else ""


def _join_some(names: list[str]) -> str:
    return ", ".join(names[:4]) + (f" and {len(names) - 4} more" if len(names) > 4 else "")
