"""One negotiation's folder as each part of an operation sees it: its folded log, its files, what this visit learned.

The parts (how others' moves are read, how a turn ends, what the files are told) are given a `Folder`, and know nothing
of the lock. `LockedFolder` holds it around them, and says in which order they come.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from graphbus_core.document.paper import files
from graphbus_core.document.paper.review import Shelf
from graphbus_core.document.table.clock import SilenceWatch
from graphbus_core.document.table.directory_log import DirectoryLog
from graphbus_core.files.whole import put_whole
from graphbus_core.negotiation.core import Event, Json, Session
from graphbus_core.negotiation.document.protocol import DocumentProtocol, Outcome
from graphbus_core.negotiation.document.said import facts
from graphbus_core.negotiation.document.said.state import State
from graphbus_core.negotiation.document.said.vocabulary import Reason

HIDDEN = ".graphbus"


@dataclass
class Visit:
    """What one operation learned while it held the lock. Each makes a new one, so nothing of it can outlive the lock.

    judged   what turn.md said when its word was judged: another word there is a move made since. None: not yet judged
    owed     files to be written as the log has them, once everything is recorded
    behind   why the files lag behind the log: then nothing in them is anybody's move
    """

    judged: str | None = None
    owed: dict[str, None] = field(default_factory=dict)
    behind: str = ""


class Folder:
    """One directory, its log and its files. `now` is wall time for people; `monotonic` decides who is silent."""

    def __init__(self, root: str | os.PathLike[str], now: Callable[[], float], monotonic: Callable[[], float]) -> None:
        self.root = Path(os.path.abspath(root))
        self.hidden = self.root / HIDDEN
        self._base = str(self.root)
        self.now = now
        self.log = DirectoryLog(self.hidden / "log.jsonl", facts.EVENTS, now)
        self.shelf = Shelf(self.root)
        self.watch = SilenceWatch(self.hidden, monotonic)
        self.visit = Visit()
        self.warnings: list[str] = []  # for whoever called, beside the result
        self.mended: list[Reason] = []  # what was put back, by this process
        self._folded: tuple[int, Session[State, Outcome]] | None = None  # of which reading of the log, and the fold

    def fold(self) -> None:
        """Fold the log, if it is not what was folded before: others wrote, it was cut, or something was dropped."""
        self.log.refresh()
        if self._folded is None or self._folded[0] != self.log.reading:
            session: Session[State, Outcome] = Session(DocumentProtocol(), None, self.log)
            self._folded = self.log.reading, session

    @property
    def session(self) -> Session[State, Outcome]:
        """The folded log; only while the lock is held."""
        assert self._folded is not None
        return self._folded[1]

    @property
    def state(self) -> State:
        """The state; only while the lock is held."""
        return self.session.state

    def submit(self, who: str, move: Json) -> list[Event]:
        """A move, whose rules were asked before."""
        return self.session.submit(who, move)

    def text(self, name: str) -> str | None:
        """A file's text; None where there is none or it cannot be read."""
        try:
            return files.text(f"{self._base}/{name}")
        except files.UnreadableFile:
            return None

    def word(self) -> str:
        """The word in turn.md, "" where there is none."""
        return (self.text("turn.md") or "").strip()

    def watched(self) -> tuple[float, float]:
        """(seconds since this turn was first seen, or called back; seconds since a sign of life in it)."""
        state = self.state
        again = " again" if state.recalled == state.turn else ""
        return self.watch.look(f"turn {state.turn} {state.holder}{again}", self.shelf.signs())

    def warn(self, text: str) -> None:
        """Something to say beside the result, once."""
        if text not in self.warnings:
            self.warnings.append(text)

    def put_back(self, name: str) -> None:
        """Have a file written as the log has it, once everything is recorded."""
        self.visit.owed[name] = None

    def set_aside(self, name: str, text: str | None = None) -> str:
        """Keep a copy of a file (or `text`) that is about to be put back. Returns where, "" where there is nothing."""
        try:
            data = files.read(self.root / name) if text is None else f"{text}\n".encode()
        except files.UnreadableFile:
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
        """Say that something was put back; `text` is what stood there, if it was not a file of its own."""
        if text is not None and not kept:
            kept = self.set_aside(name, text)
        self.mended.append(Reason(what, f"Kept in {kept}." if kept else "", name, line, "undone"))
        self.submit("", {"move": "undone", "file": name, "line": line, "what": what[:2000], "kept": kept})
