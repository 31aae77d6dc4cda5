"""What every operation on a negotiation's directory stands on: the lock held, log and files brought together.

A kill between recording and writing is healed by whoever comes next. While a file cannot be written it lags behind the
log: then nothing in the files is read as anybody's move, and nothing is moved.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from graphbus_core.document.paper import files
from graphbus_core.document.paper.review import Shelf
from graphbus_core.document.paper.speech import Speech
from graphbus_core.document.table import reconcile as reconciling
from graphbus_core.document.table.clock import Watch
from graphbus_core.document.table.lock import LOCK_TIMEOUT_S, locked
from graphbus_core.document.table.log import DirectoryLog
from graphbus_core.errors import UsageError
from graphbus_core.files.whole import put_whole
from graphbus_core.negotiation.core import Event, Json, Session
from graphbus_core.negotiation.document.protocol import DocumentProtocol, Outcome
from graphbus_core.negotiation.document.said import facts
from graphbus_core.negotiation.document.said.state import State
from graphbus_core.negotiation.document.said.vocabulary import Phase, Reason

HIDDEN = ".graphbus"
FOLDERS = (HIDDEN, "issues", "positions", "sources", "analysis", "issues-draft")


FETCH_S = 2.0  # whoever only looks fetches that often; whoever moves, always


def _size(path: Path) -> int:
    found = files.signature(path)
    return found[1] if found is not None else 0


def _age(path: Path) -> float:
    try:
        return max(0.0, time.time() - path.stat().st_mtime)
    except OSError:
        return FETCH_S


class Table:
    """One directory, its log and its files. `now` is wall time for people; `monotonic` decides who is silent."""

    def __init__(
        self,
        root: str | os.PathLike[str],
        now: Callable[[], float] = time.time,
        monotonic: Callable[[], float] = time.monotonic,
        lock_timeout_s: float = LOCK_TIMEOUT_S,
    ) -> None:
        self.root = Path(os.path.abspath(root))
        self.hidden = self.root / HIDDEN
        self._base = str(self.root)
        self.now = now
        self.lock_timeout_s = lock_timeout_s
        self.log = DirectoryLog(self.hidden / "log.jsonl", facts.EVENTS, now)
        self.shelf = Shelf(self.root)
        self.watch = Watch(self.hidden, monotonic)
        self.speech = Speech(self)
        self.token = ""  # of the seat that acts here
        self.warnings: list[str] = []
        self.behind = ""  # why the files lag behind the log
        self.mended: list[Reason] = []  # what was put back, by this process
        self.seen_word: str | None = None  # what turn.md said when it was judged
        self._session: Session[State, Outcome] | None = None
        self._put_back: dict[str, None] = {}

    @property
    def session(self) -> Session[State, Outcome]:
        """The folded log; only inside `held`."""
        assert self._session is not None
        return self._session

    @property
    def state(self) -> State:
        """The state; only inside `held`."""
        return self.session.state

    @property
    def exists(self) -> bool:
        """Whether there is a negotiation. An empty log is what an `init` without room leaves: that is none yet."""
        log = files.signature(self.log.path)
        return (log is not None and log[1] > 0) or files.signature(self.root / "meta.md") is not None

    @contextmanager
    def held(self, moving: bool = True, waiting: Callable[[], None] = lambda: None) -> Iterator[State]:
        """The state, with the lock held and log and files brought together. What is submitted inside is recorded at
        the end, all of it or nothing. `moving`: with files that cannot be written there is nothing to do here.

        Raises UsageError where there is no negotiation, Locked, LogDamaged."""
        if not self.exists:
            raise self.none()
        self._refuse_links()
        self.hidden.mkdir(exist_ok=True)
        with locked(self.hidden / "lock", self.lock_timeout_s, waiting), self._through_git(moving):
            try:
                self._bring_together()
                if self.behind and moving:
                    raise UsageError(f"Nothing was done: {self.behind}")
                yield self.state
                if not self.behind:
                    self.record()
            except BaseException:
                self._forget()
                raise

    @contextmanager
    def _through_git(self, moving: bool) -> Iterator[None]:
        """Where machines share the directory through git: what others pushed first, and what was recorded pushed. A
        push that does not get through leaves everything as it was. Raises Lost, UsageError."""
        if not self.shared:
            yield
            return
        from graphbus_core.document.table.clone import Clone, Lost

        clone = Clone(self.root)
        fetched = self.hidden / "fetched"
        if moving or _age(fetched) >= FETCH_S:
            for told in clone.pull():
                self.warn(told)
            fetched.touch()
        before = clone.copy()
        facts = _size(self.log.path)
        yield
        if _size(self.log.path) == facts:
            return  # nothing was recorded: drafts of a turn are pushed with the turn
        try:
            clone.publish(f"negotiate: {self.root.name}, {len(self.log)} facts")
        except UsageError as e:
            clone.put_back(before)
            self._forget()
            self.log.forget()
            if moving or not isinstance(e, Lost):
                raise  # whoever only looks had nothing of its own to record: it sees the others' the next time

    @property
    def shared(self) -> bool:
        """Whether machines share this negotiation through git."""
        return (self.hidden / "git").exists()

    def _refuse_links(self) -> None:
        """A folder that is a link leads elsewhere: neither read nor written. Raises UsageError."""
        for folder in FOLDERS:
            path = f"{self._base}/{folder}"
            if os.path.islink(path):
                raise UsageError(f"{path} is a symbolic link, and is not followed. Put a plain folder in its place.")

    def none(self) -> UsageError:
        """What to say where there is no negotiation."""
        return UsageError(
            f"There is no negotiation in {self.root}. Open one with `graphbus negotiate init DIR 2`, "
            'or open or join with `graphbus negotiate start DIR "TOPIC"`.'
        )

    def _bring_together(self) -> None:
        """Log and files. Where a file cannot be written, the log alone: a file that lags behind it is nobody's move,
        so it must not be read as one, and `behind` says why nothing can be moved."""
        self.fold()
        self.behind = ""
        if self.state.phase is Phase.UNOPENED and self.text("meta.md") is None:
            raise self.none()  # an `init` that found no room left an empty log
        try:
            self.session.advance()  # a kill may have left the last move without its consequences
            self.log.flush()
            self.speech.catch_up(healing=True)
            self.seen_word = None
            reconciling.reconcile(self)
            self.log.flush()
            self._say_all()
        except OSError as e:
            self._forget()
            self.fold()
            self.behind = (
                f"{self._named(e)} cannot be written ({e.strerror}), so the files do not say what the log says. "
                "Nothing is lost: make room, or give the right to write there, and run the command again."
            )
            self.warn(self.behind)

    def _forget(self) -> None:
        """Whatever was not recorded."""
        self.log.drop()
        self._session = None
        self._put_back.clear()

    def _named(self, e: OSError) -> str:
        return str(e.filename2 or e.filename or self.root)

    def warn(self, text: str) -> None:
        """Something to say beside the result, once."""
        if text not in self.warnings:
            self.warnings.append(text)

    def fold(self) -> None:
        """Fold what is new in the log."""
        if self.log.refresh() or self._session is None:
            self._session = Session(DocumentProtocol(), None, self.log)

    def submit(self, who: str, move: Json) -> list[Event]:
        """A move, whose rules were asked before."""
        return self.session.submit(who, move)

    def record(self) -> None:
        """Make what was submitted durable, then say it in the files."""
        try:
            self.log.flush()
        except OSError as e:
            raise UsageError(
                f"Nothing was recorded: {e.strerror} ({self.log.path}). Make room and try again."
            ) from None
        self._speak(self._say_all)

    def _say_all(self) -> None:
        said = self.speech.catch_up()
        for name in list(self._put_back):
            self.speech.put_back(name)
            del self._put_back[name]
        if not said:
            self.speech.standing(self.seen_word)

    def _speak(self, say: Callable[[], object]) -> None:
        try:
            say()
        except OSError as e:
            self.warn(
                f"It is recorded, but {self._named(e)} could not be written ({e.strerror}). "
                "The next command writes it, once it can."
            )

    def text(self, name: str) -> str | None:
        """A file's text; None where there is none or it cannot be read."""
        try:
            return files.text(f"{self._base}/{name}")
        except files.Unreadable:
            return None

    def word(self) -> str:
        """The word in turn.md, "" where there is none."""
        return (self.text("turn.md") or "").strip()

    def watched(self) -> tuple[float, float]:
        """(seconds since this turn was first seen, or called back; seconds since a sign of life in it)."""
        state = self.state
        again = " again" if state.recalled == state.turn else ""
        return self.watch.look(f"turn {state.turn} {state.holder}{again}", self.shelf.signs())

    def put_back(self, name: str) -> None:
        """Have a file written as the log has it, once everything is recorded."""
        self._put_back[name] = None

    def set_aside(self, name: str, text: str | None = None) -> str:
        """Keep a copy of a file (or `text`) that is about to be put back. Returns where, "" where there is nothing."""
        try:
            data = files.read(self.root / name) if text is None else f"{text}\n".encode()
        except files.Unreadable:
            return ""  # a link, a folder: taken away, there is nothing in it to keep
        if data is None:
            return ""
        folder = self.hidden / "aside"
        folder.mkdir(exist_ok=True)
        number, end = f"{len(self.log) + 1:06d}", name.replace("/", "-")
        kept, again = folder / f"{number}-{end}", 0
        while kept.exists():
            again += 1
            kept = folder / f"{number}-{again}-{end}"
        put_whole(kept, data)
        return str(kept.relative_to(self.root))

    def undone(self, name: str, line: int, what: str, text: str | None, kept: str = "") -> None:
        """Say that something was put back; `text` is what stood there, if it was no file of its own."""
        if text is not None and not kept:
            kept = self.set_aside(name, text)
        self.mended.append(Reason(what, f"Kept in {kept}." if kept else "", name, line, "undone"))
        self.submit("", {"move": "undone", "file": name, "line": line, "what": what[:2000], "kept": kept})
