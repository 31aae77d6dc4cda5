"""`CommitEngine`: from an agreed diff to proven source, or nothing at all (seed 000, "Under the hood"; design §7).

It takes the `about` of a `prepare` or `commit` effect and gives the receipt that the negotiation folds in. The road of
a change: read the diff, apply it in memory, ask the gates (`proof.order`), write all files or none (`land`).

Why running it again is safe: the record of a commit is written in one transaction with its files. Where the files are
as the record says, the effect has happened, and its receipt is given again; where they are not, nothing has.
"""

from __future__ import annotations

import json
import os
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from graphbus_core.build.commit import git, opening, trying
from graphbus_core.build.commit.back.history import PROPOSAL_ID, CommitHistory, known
from graphbus_core.build.commit.back.taking import NotTaken, about_undoing, made_by, take_back
from graphbus_core.build.commit.land.disk import Disk, RealDisk
from graphbus_core.build.commit.land.settling import CUT_OFF, is_cut_off, sentence, settle
from graphbus_core.build.commit.land.transaction import FileChange, Interrupted, Result, commit
from graphbus_core.build.commit.proof import receipt as receipts
from graphbus_core.build.commit.proof.gate_ends import GateEnd, GateStatus
from graphbus_core.build.commit.proof.gates import still_true
from graphbus_core.build.commit.proof.gates.verify import cannot_start
from graphbus_core.build.commit.proof.order import GATES, UNDO_GATES, prove
from graphbus_core.build.commit.proof.outcomes import SuiteOutcome, changed_tests
from graphbus_core.build.commit.proof.receipt import Receipt, Told, failed, superseded
from graphbus_core.build.commit.proof.trial import Gate, Trial
from graphbus_core.build.commit.together import SharedRuns
from graphbus_core.build.confine import sandbox
from graphbus_core.build.confine.door import FileDoor
from graphbus_core.build.confine.outcome import Edited, Refusal, Refused, Unchanged
from graphbus_core.build.confine.scratch import Seen, scratch_copy
from graphbus_core.build.edit.applicator import DiffApplicator
from graphbus_core.build.edit.followed.checker import Checker
from graphbus_core.build.edit.reach import Reach
from graphbus_core.build.evidence import Witnesses
from graphbus_core.build.link import Linked, link_project
from graphbus_core.build.scan import Project
from graphbus_core.config import BuildConfig
from graphbus_core.errors import GraphBusError, ScanError, UsageError
from graphbus_core.files.build_lock import build_lock
from graphbus_core.model.operation import Operation, operations
from graphbus_core.negotiation.proposal.told.projection import DRY_NOTE
from graphbus_core.stores.builds.undone import earlier, marked

APPLIES = GateEnd("applies", GateStatus.PROVED)  # every operation was carried out and followed
ATTEMPTS = 3  # how often a change goes through its gates while somebody edits


class Stopped(Exception):
    """`stop` was called before anything was written: the effect did not happen, and may be run again."""


class CommitEngine:
    """Applies agreed diffs to one project. Use it as a context: it holds the build's lock.

    `notes`: what the user should know of this machine (how code is confined, whether a broken commit was settled).
    `rehearse`: changed methods are tried before they land. With `config.dry_run` everything happens in a copy that is
    thrown away. `limits` bound the code that the gates run.
    """

    def __init__(
        self,
        project: Project,
        config: BuildConfig,
        *,
        limits: sandbox.Limits | None = None,
        disk: Disk | None = None,
        rehearse: bool = False,
    ) -> None:
        self.project, self.config = project, config
        self.rehearse = rehearse
        self.build_id = ""  # whose commits these are; the records say so
        self.witnesses: Witnesses | None = None  # who looks for evidence on what does not fit after a commit
        self._written: set[str] = set()  # files that this build wrote
        self._changed_tests: set[str] = set()
        self._baselines: dict[str, SuiteOutcome] = {}
        self._together = SharedRuns(self._opened, self._trial)
        self.notes: list[str] = []
        self._stop = threading.Event()
        self._trying = threading.Lock()  # tries come from several seats at once, and share the scan
        self._limits = replace(limits or sandbox.Limits(), stop=self._stop)
        self._state = Path(os.path.abspath(config.output_dir))
        self._disk = disk
        self._stack = ExitStack()
        self._linked: tuple[Any, Linked] | None = None
        self._reached: Reach | None = None

    def __enter__(self) -> Self:
        """Take the lock, settle a commit that was cut off. Raises Locked; UsageError for `--git` in a dirty tree."""
        self._stack.enter_context(build_lock(self._state))
        try:
            self._open()
        except BaseException:
            self._stack.close()
            raise
        return self

    def _open(self) -> None:
        if self.config.dry_run:
            if is_cut_off(self._state):
                raise UsageError(f"A dry run changes nothing, and there is something to settle first. {CUT_OFF}")
            self.project, self._state = opening.copy_for_dry_run(self._stack, self.project, self._state)
            self.notes.append("Dry run: commits go to a copy, the sources stay as they are.")
        elif self.config.git_commit:
            opening.check_git(self.project, self.config)
        if self._disk is None:
            self._disk = RealDisk(self.project.root, self._state)
        folders = {f"project/{p}".rpartition("/")[0] for p in self.project.files}
        settled, whose = settle(self._state, self.project.root, [*sorted(folders), "state/undo"], self._disk)
        if (said := sentence(settled, whose)) is not None:
            self.notes.append(said)
        if settled is not Result.NOTHING:
            self.project = self.project.again()
        self.notes.append(opening.confined(self._state, sandbox.describe()))

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Give the lock back."""
        self._stack.close()

    def stop(self) -> None:
        """End what `apply` runs in another thread, at once. It raises Stopped, unless its files are being written."""
        self._stop.set()

    def check_verify(self) -> None:
        """Raises UsageError if the user's own command cannot even be started: said once, not for every proposal."""
        if self.config.verify is None:
            return
        try:
            with self._copy({}) as scratch:
                why = cannot_start(self.config.verify, scratch, self.project)
        except Refusal:
            return  # too large to be copied: every gate will say so
        if why is not None:
            raise UsageError(f"--verify {self.config.verify!r} cannot be run: {why}")

    # ---- an effect

    def apply(self, kind: str, about: Mapping[str, Any]) -> Told:
        """Run the effect `prepare` or `commit`; gives its receipt. Raises GraphBusError only where the disk failed, and
        Stopped after `stop`.
        """
        if kind not in ("prepare", "commit"):
            raise GraphBusError(f"the commit engine knows prepare and commit, not {kind!r}")
        pid = str(about.get("proposal_id", ""))
        try:
            if not PROPOSAL_ID.fullmatch(pid):
                return failed("limits", f"{pid!r} is not the id of a proposal.").to_dict()
            done = self._history().done(pid, about) if kind == "commit" else None
            if done is None:
                done = _until_still(lambda: self._apply(kind, about)).to_dict()
            return self._with_git(done, about)
        except OSError as e:
            raise GraphBusError(f"The machine failed in {pid}: {e}. See to it and run again with --resume.") from e

    def try_diff(self, diff: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
        """What would become of a diff at the gates that need nobody (`trying`). Nothing is written, nobody is asked."""
        with self._trying:
            opened = self._opened({"diff": diff})
            if isinstance(opened, Receipt):
                return trying.of_receipt(opened)
            with ExitStack() as stack:
                found = trying.found_in(self._trial({}, *opened, stack))
            if self._stop.is_set():
                raise Stopped
            return found

    def owed(self) -> str | None:
        """After the last commit: what was tried only with others that did not land, where it does not hold alone."""
        return self._together.owed()

    def _apply(self, kind: str, about: Mapping[str, Any]) -> Receipt:
        opened = self._opened(about)
        return opened if isinstance(opened, Receipt) else self._prove(kind, about, *opened, GATES)

    def _opened(self, about: Mapping[str, Any]) -> Receipt | tuple[Sequence[Operation], Edited, FileDoor]:
        """The diff, carried out in memory; or the receipt that says why it cannot be."""
        try:
            diff = operations(about["diff"])
        except (UsageError, KeyError, TypeError, AttributeError) as e:
            return failed("applies", str(e))
        try:
            self.project = self.project.again()
        except ScanError as e:
            return superseded(f"the sources can no longer be read: {e}")
        if moved := opening.moved(self.project, about.get("base") or {}):
            return superseded(f"{', '.join(moved)} changed since the proposal was made.")
        door = FileDoor(self.project.root, self._paths())
        for agent in self.project.agents:
            if any(op.node == agent.name for op in diff) and (why := door.refuse(agent.source_file)) is not None:
                return failed("path", why)
        reach = self._reach()
        with Checker(reach.whole, reach.prefix) as checker:
            applied = DiffApplicator(
                door.read,
                self.project.agents,
                reach.editable,
                reach=reach,
                allow_external_dependencies=bool(self._limit(about).get("allow_external_dependencies")),
                checker=checker,
            ).apply(diff)
        if isinstance(applied, Refused):
            return failed("applies", str(applied))
        if isinstance(applied, Unchanged):
            said = "; ".join(applied.notes)
            return failed("applies", f"it changes nothing: all is so already{f' ({said})' if said else ''}.")
        return diff, applied, door

    def undo(self, proposal_id: str, *, prepare: bool = False, allow_mismatches: bool = False) -> Told:
        """Take a committed proposal back, through its own list of gates. Raises UsageError where there is no such
        commit. `allow_mismatches`: also where a link no longer fits then, as when the commit had mended it.
        """
        record = self._history().find(proposal_id)
        if record is None or record.get("undone"):
            said = "was taken back already" if record else "is not among the commits here"
            raise UsageError(f"{proposal_id} {said}. {known(self._state)}")
        kind = "prepare" if prepare else "commit"
        receipt = _until_still(lambda: self._undo(kind, record, allow_mismatches)).to_dict()
        return self._with_git(receipt, about_undoing(record))

    def _undo(self, kind: str, record: Mapping[str, Any], allow_mismatches: bool) -> Receipt:
        self.project = self.project.again()
        door = FileDoor(self.project.root, [*self._paths(), *made_by(record)])
        taken = take_back(record, self.project, door, self._history(), self._reach())
        if isinstance(taken, NotTaken):
            return failed(taken.gate, taken.why)
        more = {"known": taken.known, "allow_mismatches": allow_mismatches}
        return self._prove(kind, about_undoing(record), taken.diff, taken.applied, door, UNDO_GATES, record, **more)

    # ---- the proof, and the write

    def _prove(
        self,
        kind: str,
        about: Mapping[str, Any],
        diff: Sequence[Operation],
        applied: Edited,
        door: FileDoor,
        gates: tuple[Gate, ...],
        undoing: Mapping[str, Any] | None = None,
        **more: Any,
    ) -> Receipt:
        with ExitStack() as stack:
            if kind == "commit" and undoing is None and self.config.verify and not self.config.git_commit:
                more["word"] = partial(self._together.said, about)
            trial = self._trial(about, diff, applied, door, stack, rehearse=self.rehearse and undoing is None, **more)
            ends = [APPLIES]
            for ended in prove(gates, trial):
                if self._stop.is_set():  # a gate that was cut off has no say
                    raise Stopped
                ends.append(ended)
            if ends[-1].end is GateStatus.REFUSED:
                return receipts.refused(trial, ends)
            receipt = receipts.prepared(trial, ends, self._heard(trial))
            return receipt if kind == "prepare" else self._write(about, trial, receipt, undoing)

    def _trial(
        self,
        about: Mapping[str, Any],
        diff: Sequence[Operation],
        applied: Edited,
        door: FileDoor,
        stack: ExitStack,
        **more: Any,
    ) -> Trial:
        seen: Seen = {}
        return Trial(
            project=self.project,
            config=self.config,
            diff=diff,
            applied=applied,
            door=door,
            limits=self._limit(about),
            bounds=self._limits,
            copy=partial(self._copy, seen=seen),
            seen=seen,
            stack=stack,
            stood=self._link(),
            baselines=self._baselines,
            changed_tests=frozenset(self._changed_tests),
            **more,
        )

    def _write(
        self, about: Mapping[str, Any], trial: Trial, receipt: Receipt, undoing: Mapping[str, Any] | None
    ) -> Receipt:
        assert self._disk is not None
        notes = (*receipt.notes, DRY_NOTE) if self.config.dry_run else receipt.notes
        receipt = replace(receipt, status="committed", notes=notes)
        applied = trial.applied
        try:
            kept = self._history().file(str(about["proposal_id"]), () if undoing else trial.diff)
            record_path = f"state/undo/{kept.name}"
            had = self._disk.read(record_path)
            record = self._history().record(about, trial.diff, applied, receipt.to_dict(), trial.after)
            if undoing is not None:
                record = marked(undoing, time.time())
            else:
                record |= {"build_id": self.build_id, "undone_before": earlier(had)}
            changes = [_change(applied, path) for path in trial.files]
            # Keys as they come: a receipt that is read back must give the same fact, byte for byte.
            changes.append(FileChange(record_path, had, json.dumps(record).encode()))
            result = commit(self._disk, changes, self._history().root)
        except Interrupted as e:
            raise GraphBusError(
                f"The disk failed in the middle of a commit: {e}. Run again: it will be settled."
            ) from e
        except OSError as e:
            return failed("write", f"the files could not be written, and are as before: {e}", receipt.ends)
        if result is Result.SUPERSEDED:
            edited = f"{', '.join(receipt.files)}: a file was edited in the meantime; the edit stands."
            return superseded(edited, receipt.ends)
        self._written |= set(receipt.files)
        self._changed_tests |= changed_tests(applied.before, applied.after)
        self._together.landed(str(about["proposal_id"]))
        self.project = self.project.again()
        return receipt

    def _heard(self, trial: Trial) -> Linked:
        """The links with the change, and what is known of those that do not fit. The copy is left: code ran in it."""
        if self.witnesses is None:
            return trial.linked
        edited = {*self._written, *trial.files}
        return self.witnesses.hear(trial.after.everyone, trial.linked, trial.applied.after, edited)

    def _with_git(self, receipt: Told, about: Mapping[str, Any]) -> Told:
        if self.config.git_commit and not self.config.dry_run and receipt["status"] == "committed":
            try:
                git.commit(self.project.root, receipt["files"], about)
            except OSError as e:
                receipt = {**receipt, "notes": [*receipt["notes"], f"{git.FAILED}: {e}"]}
        return receipt

    # ---- what stands

    def _history(self) -> CommitHistory:
        return CommitHistory(self._state, self.config, lambda: self.project)

    def _copy(self, changes: Mapping[str, bytes | None], seen: Seen | None = None) -> AbstractContextManager[Path]:
        """A new copy of the project with `changes`: for one run of code. Raises Refusal where none can be made."""
        return scratch_copy(self.project.root, changes, self._state, self.project.files, seen)

    def _paths(self) -> list[str]:
        return list(self._reach().editable)

    def _reach(self) -> Reach:
        """How far a change may be followed, in the project as it was scanned last."""
        if self._reached is None or self._reached.scanned is not self.project:
            self._reached = Reach(self.project)
        return self._reached

    def _link(self) -> Linked:
        key = tuple(sorted(self.project.files.items()))
        if self._linked is None or self._linked[0] != key:
            self._linked = (key, link_project(self.project))
        return self._linked[1]

    def _limit(self, about: Mapping[str, Any]) -> Mapping[str, Any]:
        safety = self.config.safety_config
        own = {
            "max_file_changes_per_commit": safety.max_file_changes_per_commit,
            "max_total_file_changes": safety.max_total_file_changes,
            "allow_external_dependencies": safety.allow_external_dependencies,
            "protected_files": safety.protected_files,
        }
        return {**own, **(about.get("limits") or {})}


def _change(applied: Edited, path: str) -> FileChange:
    """One file of a commit, as the transaction takes it: None stands for a file that is not there."""
    before = None if path in applied.created else applied.before[path]
    return FileChange(f"project/{path}", before, applied.left[path])


def _until_still(attempt: Callable[[], Receipt]) -> Receipt:
    """The receipt of an attempt during which nobody edited what its gates read; after a few, it is superseded."""
    for _ in range(ATTEMPTS):
        receipt = attempt()
        if receipt.gate != still_true.NAME:
            return receipt
    return superseded(f"{receipt.reason} The edits stand; try again when nobody edits.", receipt.ends)
