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

from graphbus_core.errors import UsageError
from graphbus_core.negotiation.document.model import Phase
from graphbus_core.negotiation.document.state import State
from graphbus_core.sessions.document import files, reconciliation as reconciling
from graphbus_core.sessions.document.folder import HIDDEN, Folder, Visit
from graphbus_core.sessions.document.render import DirectoryRenderer
from graphbus_core.storage import locks

# One command at a time in a negotiation's directory.
#
# The kernel holds the lock for a process and drops it when the process dies, however it dies: there is no stale lock
# to break and no guess about whether its owner lives.


LOCK_TIMEOUT_S = 30.0


@contextmanager
def hold_lock(
    path: Path, timeout_s: float = LOCK_TIMEOUT_S, waiting: Callable[[], None] = lambda: None
) -> Iterator[None]:
    """Hold the lock file at `path`. Raises Locked, naming the owner, when another holds it longer than `timeout_s`.

    `waiting` is called again and again while others hold it: whoever waits is alive.
    """

    def explain_busy(owner: str) -> str:
        return (
            f"Process {owner or '?'} has held {path} for {timeout_s:g} s. Wait for it, or end that process "
            "if it hangs; the lock goes with it."
        )

    with locks.hold_lock(path, explain_busy, wait_s=timeout_s, waiting=waiting) as fd:
        locks.write_holder(fd, str(os.getpid()))
        yield


# Theory of operation
# -------------------
#
# Several parties write into one directory at the same time: our commands, other agents' scripts (seed 004 gives some),
# people with an editor. Only our commands take our lock. So the directory is never trusted: it is a conversation, and
# the log in `.graphbus/log.jsonl` is the record of what was heard.
#
#     lock ──> fold the log ──> heal ──> reconcile the files ──> judge and record ──> say it in the files ──> unlock
#              (what we know)   (a kill)  (what others did)      (our own move)       (so that others can go on)
#
# Log first, files second. A fact is durable before any file is written. After a kill between the two the files lag
# behind, and whoever comes next writes them (`DirectoryRenderer.catch_up`, `healing`). The other order would leave
# words in files that no rule has judged.
#
# A difference is a move or a mistake. `reconcile` compares files with the state. What the rules allow becomes a fact
# in its author's name: a seat in agents.md, an entry of the holder, a turn handed over in turn.md. What they do not
# allow is put back as the log has it, and a copy is kept in `.graphbus/aside/` first. Nothing that anybody wrote is
# lost, and nothing is undone in silence.
#
# Why lagging files are dangerous. A file that could not be written (a full disk, a right that is missing) looks as if
# somebody had deleted what it should hold. Reading it as a move would take words back that everybody relies on. So
# while any file lags, `visit.behind` says which, the log alone is believed, and no move is taken: neither ours nor one
# that stands in the files.
#
# Why one visit. Everything of one operation (what was judged, what is owed to files, why we are behind) belongs to the
# time in which the lock is held. A `Visit` is made with the lock; the next operation begins with a new one.
#
# Why signs of life come first. A holder that is silent for long enough loses its turn. Whoever runs a command is
# alive, so that is noted (`waiting`) before anybody is judged silent, also by the command itself: an agent that thinks
# for an hour and then polls must not be skipped by its own poll.
#
# Through git the same holds with one step more on each side: what others pushed is pulled before the fold, and what
# was recorded is pushed after. A push that is refused means that another machine was first. Then everything is put
# back as it was before (`clone.copy`, `log.forget`) and the move has not happened; its author tries again on the newer
# state. So there is one order of facts for all machines, and it is git's.
#
# Links are refused before anything is read: in a directory that others write, a folder that is a link could be any
# place of this machine.


FOLDERS = (HIDDEN, "issues", "positions", "sources", "analysis", "issues-draft")
# A fetch takes a second over a network. Two looks in a row see the same; who moves must see the newest.
FETCH_S = 2.0  # whoever only looks fetches that often; whoever moves, always


def _read_size(path: Path) -> int:
    file_signature = files.read_signature(path)
    return file_signature[1] if file_signature is not None else 0


def _compute_age_s(path: Path) -> float:
    """Seconds since a file was written; infinite where there is none."""
    try:
        return max(0.0, time.time() - path.stat().st_mtime)
    except OSError:
        return float("inf")


class LockedFolder(Folder):
    """A folder, its lock, and the order in which the parts of an operation come."""

    def __init__(
        self,
        root: str | os.PathLike[str],
        now: Callable[[], float] = time.time,
        monotonic: Callable[[], float] = time.monotonic,
        lock_timeout_s: float = LOCK_TIMEOUT_S,
    ) -> None:
        super().__init__(root, now, monotonic)
        self.lock_timeout_s = lock_timeout_s
        self.speech = DirectoryRenderer(self)
        self.token = ""  # of the seat that acts here

    @property
    def exists(self) -> bool:
        """Whether there is a negotiation. An empty log is what an `init` without room leaves: that is not one yet."""
        # Size as well: a full disk leaves a log with no header, and that is not a negotiation.
        log = files.read_signature(self.log.path)
        return (log is not None and log[1] > 0) or files.read_signature(self.root / "meta.md") is not None

    @contextmanager
    def hold(self, moving: bool = True, waiting: Callable[[], None] = lambda: None) -> Iterator[State]:
        """The state, with the lock held and log and files brought together. What is submitted inside is recorded at
        the end, all of it or nothing. `moving`: with files that cannot be written there is nothing to do here.

        Raises UsageError where there is no negotiation, Locked, LogDamaged."""
        if not self.exists:
            raise self.build_missing_error()
        # Before anything is read, because a folder that is a link could be any folder of the machine.
        self._refuse_links()
        self.hidden.mkdir(exist_ok=True)
        with self._open_visit(moving, waiting):
            self._bring_together()
            if self.visit.behind and moving:
                raise UsageError(f"Nothing was done: {self.visit.behind}")
            yield self.state
            # Behind, nothing was submitted that could be recorded; the state was folded for who only looks.
            if not self.visit.behind:
                self.record()

    @contextmanager
    def _open_visit(self, moving: bool, waiting: Callable[[], None] = lambda: None) -> Iterator[None]:
        """The lock, and a visit of its own. Whatever was not recorded when it fails has not happened."""
        # The lock around git, too: two commands of one machine must not pull into each other's working tree.
        with hold_lock(self.hidden / "lock", self.lock_timeout_s, waiting), self._sync_with_git(moving):
            self.visit = Visit()
            try:
                yield
            # Also on Ctrl-C: what was submitted and not recorded must not be recorded by the next command.
            except BaseException:
                self.log.drop()
                raise

    @contextmanager
    def _sync_with_git(self, moving: bool) -> Iterator[None]:
        """Where machines share the directory through git: what others pushed first, and what was recorded pushed. A
        push that does not get through leaves everything as it was. Raises Lost, UsageError."""
        if not self.is_shared:
            yield
            return
        from graphbus_core.sessions.document.git_sync import Clone, PushRejected

        clone = Clone(self.root)
        fetched = self.hidden / "fetched"
        if moving or _compute_age_s(fetched) >= FETCH_S:
            for warning in clone.pull():
                self.warn(warning)
            fetched.touch()
        # What stands here goes back if the push is lost: the other machine's facts come first, and ours were judged
        # without them.
        before = clone.take_snapshot()
        facts = _read_size(self.log.path)
        yield
        if _read_size(self.log.path) == facts:
            return  # nothing was recorded: drafts of a turn are pushed with the turn
        try:
            clone.publish(f"negotiate: {self.root.name}, {len(self.log)} facts")
        except UsageError as e:
            clone.restore(before)
            self.log.forget()
            if moving or not isinstance(e, PushRejected):
                raise  # whoever only looks had nothing of its own to record: it sees the others' the next time

    @property
    def is_shared(self) -> bool:
        """Whether machines share this negotiation through git."""
        return (self.hidden / "git").exists()

    def _refuse_links(self) -> None:
        """A folder that is a link leads elsewhere: neither read nor written. Raises UsageError."""
        for folder in FOLDERS:
            path = f"{self._base}/{folder}"
            if os.path.islink(path):
                raise UsageError(f"{path} is a symbolic link, and is not followed. Put a plain folder in its place.")

    def build_missing_error(self) -> UsageError:
        """What to say where there is no negotiation."""
        return UsageError(
            f"There is no negotiation in {self.root}. Open one with `graphbus negotiate init DIR 2`, "
            'or open or join with `graphbus negotiate start DIR "TOPIC"`.'
        )

    def _bring_together(self) -> None:
        """Log and files. Where a file cannot be written, the log alone: a file that lags behind it is nobody's move,
        so it must not be read as one, and `visit.behind` says why nothing can be moved."""
        self.fold()
        if self.state.phase is Phase.UNOPENED and self.read_text("meta.md") is None:
            raise self.build_missing_error()  # an `init` that found no room left an empty log
        try:
            # The consequences of a recorded move are computed, not stored. A kill between the two leaves them to be
            # drawn now.
            self.session.advance()  # a kill may have left the last move without its consequences
            self.log.flush()
            # Healed before it is read: a file that lags behind the log would be read as somebody having deleted
            # words.
            self.speech.catch_up(healing=True)
            reconciling.reconcile(self, self.speech)
            self.log.flush()
            self._write_files()
        except OSError as e:
            # Nothing of this pass is kept. The facts of before are folded again, since a half-reconciled state is
            # none.
            self.log.drop()
            self.fold()
            self.visit = Visit(
                behind=f"{self._name_file(e)} cannot be written ({e.strerror}), "
                "so the files do not say what the log says. "
                "Nothing is lost: make room, or give the right to write there, and run the command again."
            )
            self.warn(self.visit.behind)

    def _name_file(self, e: OSError) -> str:
        return str(e.filename2 or e.filename or self.root)

    def record(self) -> None:
        """Make what was submitted durable, then say it in the files."""
        try:
            self.log.flush()
        except OSError as e:
            raise UsageError(
                f"Nothing was recorded: {e.strerror} ({self.log.path}). Make room and try again."
            ) from None
        self._write_or_warn(self._write_files)

    def _write_files(self) -> None:
        # Said first, then put back: the order in which a reader would have seen them.
        caught_up = self.speech.catch_up()
        for name in self.visit.owed:
            self.speech.restore_file(name)
        self.visit.owed.clear()
        if not caught_up:
            self.speech.render_turn_files(self.visit.judged)

    def _write_or_warn(self, say: Callable[[], object]) -> None:
        try:
            say()
        # It is recorded: that is what a caller is told. An error here would make a script repeat a move that counts.
        except OSError as e:
            self.warn(
                f"It is recorded, but {self._name_file(e)} could not be written ({e.strerror}). "
                "The next command writes it, once it can."
            )
