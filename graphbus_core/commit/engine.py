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
from contextlib import AbstractContextManager, ExitStack, suppress
from dataclasses import replace
from functools import partial
from hashlib import sha256
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from graphbus_core.analysis.evidence import EvidenceSources
from graphbus_core.analysis.links import LinkResult, link_project
from graphbus_core.analysis.scan import Project, scan
from graphbus_core.commit import git, preflight
from graphbus_core.commit.batching import SharedRuns
from graphbus_core.commit.disk import Disk, RealDisk
from graphbus_core.commit.gates import freshness, mismatches, parses, receipt as receipts, rehearsal
from graphbus_core.commit.gates.order import GATES, UNDO_GATES, run_gates
from graphbus_core.commit.gates.pytest_suite import SuiteOutcome, find_changed_tests
from graphbus_core.commit.gates.receipt import Receipt, ReceiptJson, build_failed, build_superseded
from graphbus_core.commit.gates.trial import Gate, GateAnswer, GateResult, GateStatus, Trial, report_not_run
from graphbus_core.commit.gates.verify import explain_cannot_start
from graphbus_core.commit.history import PROPOSAL_ID, CommitHistory, describe_undoable, find_undo_target
from graphbus_core.commit.reversal import ReversalRefused, build_undo_about, list_created_files, plan_reversal
from graphbus_core.commit.transaction import (
    CUT_OFF,
    FileChange,
    TransactionInterrupted,
    TransactionResult,
    commit_changes,
    describe_settlement,
    is_cut_off,
    settle,
    settle_output_folder,
)
from graphbus_core.config import BuildConfig
from graphbus_core.editing.applicator import DiffApplicator
from graphbus_core.editing.scope import EditScope
from graphbus_core.editing.worktree import TypeCheckerClient
from graphbus_core.errors import GraphBusError, ScanError, UnknownCommit, UsageError
from graphbus_core.logs.build_history import list_earlier, mark_undone
from graphbus_core.model.edit_outcome import Edited, Refusal, Refused, Unchanged
from graphbus_core.model.operation import Operation, parse_operations
from graphbus_core.negotiation.proposal.link_faults import FaultChanges
from graphbus_core.negotiation.proposal.negotiation_log import DRY_NOTE
from graphbus_core.negotiation.proposal.project_view import ABSENT, compute_symbol_digest
from graphbus_core.sandbox import runner
from graphbus_core.sandbox.path_guard import PathGuard
from graphbus_core.sandbox.runner import Protection
from graphbus_core.sandbox.scratch import FileDigests, copy_tree, create_scratch_copy
from graphbus_core.storage.atomic_files import write_atomic
from graphbus_core.storage.locks import hold_build_lock
from graphbus_core.storage.private_folders import open_private_folder

# What must be so before the first commit: a settled folder, a clean working tree for `--git`, a copy for a dry run.


def copy_for_dry_run(stack: ExitStack, project: Project, state: Path) -> tuple[Project, Path]:
    """A copy of the project that lives as long as `stack`, and the output folder beside it. Raises UsageError."""
    try:
        folder = stack.enter_context(open_private_folder("dry-run"))
        copy_tree(project.root, folder / "project", state, project.files)
    except Refusal as e:
        raise UsageError(f"A dry run needs a copy, and {e.reason}") from None
    except OSError as e:
        raise UsageError(
            f"A dry run needs a copy, and none could be made: {e}. Make room in the folder for temporary files, or "
            "set TMPDIR to another."
        ) from None
    state = folder / "state"
    state.mkdir()
    return project.rescan(folder / "project"), state


def check_git(project: Project, config: BuildConfig) -> None:
    """Raises UsageError where `--git` cannot make its commits."""
    try:
        dirty, obstacle = git.is_dirty(project.root), git.find_obstacle(project.root)
    except OSError as e:
        raise UsageError(f"--git needs a git working tree at {project.root}: {e}") from None
    if obstacle is not None:
        raise UsageError(
            f"--git makes a commit for each proposal, and {obstacle}. End it or switch to a branch, then build again. "
            "Or leave --git out."
        )
    if dirty and not config.allow_dirty:
        raise UsageError(
            "--git makes one commit for each proposal, and the working tree has changes that are not committed. "
            "Commit or stash them, or say --allow-dirty."
        )


def find_moved_symbols(project: Project, base: Mapping[str, str]) -> list[str]:
    """The symbols that are no longer what a proposal rests on."""
    agents = {a.name: a for a in project.everyone}
    moved_symbols = []
    for symbol, digest in base.items():
        name = symbol.partition(" -> ")[0]
        while name and name not in agents:
            name = name.rpartition(".")[0]
        if (compute_symbol_digest(agents[name], symbol) if name else ABSENT) != digest:
            moved_symbols.append(symbol)
    return moved_symbols


def describe_confinement(state: Path, by: Protection) -> str:
    """What confines unreviewed code: the whole paragraph where a project hears it first or it changed, else a line."""
    mark, digest = state / "confined", sha256(str(by).encode()).hexdigest()
    with suppress(OSError):  # nothing rests on it
        if mark.is_file() and mark.read_text("ascii", "replace") == digest:
            return f"Unreviewed code runs confined by {by.kind}."
        write_atomic(mark, digest.encode())
    return f"Unreviewed code runs confined by {by}"


APPLIES = GateResult("applies", GateStatus.PROVED)  # every operation was carried out and followed
ATTEMPTS = 3  # how often a change goes through its gates while somebody edits


class CommitStopped(Exception):
    """`stop` was called before anything was written: the effect did not happen, and may be run again."""


class CommitEngine:
    """Applies agreed diffs to one project. Use it as a context: it holds the build's lock.

    `notes`: what the user should know of this machine (how code is confined, whether a broken commit was settled).
    `rehearse`: changed methods are tried before they land. With `config.dry_run` everything happens in a copy that is
    thrown away. `limits` bound the code that the gates run. `only_tries`: it never writes, and may work beside a build
    of the same project whose lock another holds.
    """

    def __init__(
        self,
        project: Project,
        config: BuildConfig,
        *,
        limits: runner.Limits | None = None,
        disk: Disk | None = None,
        rehearse: bool = False,
        only_tries: bool = False,
    ) -> None:
        self.project, self.config = project, config
        self.rehearse, self.only_tries = rehearse, only_tries
        self.build_id = ""  # whose commits these are; the records say so
        self.witnesses: EvidenceSources | None = None  # who looks for evidence on what does not fit after a commit
        self._written: set[str] = set()  # files that this build wrote
        self._changed_tests: set[str] = set()
        self._baselines: dict[str, SuiteOutcome] = {}
        self._together = SharedRuns(self._apply_in_memory, self._build_trial)
        self.notes: list[str] = []
        self._stop = threading.Event()
        self._trying = threading.Lock()  # tries come from several seats at once, and share the scan
        self._limits = replace(limits or runner.Limits(), stop=self._stop)
        self._state = Path(os.path.abspath(config.output_dir))
        self._disk = disk
        self._stack = ExitStack()
        self._linked: tuple[Any, LinkResult] | None = None
        self._reached: EditScope | None = None

    def __enter__(self) -> Self:
        """Take the lock, settle a commit that was cut off. Raises Locked; UsageError for `--git` in a dirty tree."""
        self._stack.enter_context(hold_build_lock(self._state))
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
            self.project, self._state = copy_for_dry_run(self._stack, self.project, self._state)
            self.notes.append("Dry run: commits go to a copy, the sources stay as they are.")
        elif self.config.git_commit:
            check_git(self.project, self.config)
        if self._disk is None:
            self._disk = RealDisk(self.project.root, self._state)
        if not self.only_tries:  # what lies beside the sources may be of a commit that is being written now
            self._settle(self._disk)
        self.notes.append(describe_confinement(self._state, runner.describe()))

    def _settle(self, disk: Disk) -> None:
        """Finish or take back what was cut off, and take away what it left beside the sources."""
        folders = {f"project/{p}".rpartition("/")[0] for p in self.project.files}
        settled, whose = settle(self._state, self.project.root, [*sorted(folders), "state/undo"], disk)
        if (settlement := describe_settlement(settled, whose)) is not None:
            self.notes.append(settlement)
        if settled is not TransactionResult.NOTHING:
            self.project = self.project.rescan()

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
            with self._copy_project({}) as scratch:
                why = explain_cannot_start(self.config.verify, scratch, self.project)
        except Refusal:
            return  # too large to be copied: every gate will say so
        if why is not None:
            raise UsageError(f"--verify {self.config.verify!r} cannot be run: {why}")

    # ---- an effect

    def apply(self, kind: str, about: Mapping[str, Any]) -> ReceiptJson:
        """Run the effect `prepare` or `commit`; gives its receipt. Raises GraphBusError only where the disk failed, and
        Stopped after `stop`.
        """
        if kind not in ("prepare", "commit"):
            raise GraphBusError(f"the commit engine knows prepare and commit, not {kind!r}")
        pid = str(about.get("proposal_id", ""))
        try:
            if not PROPOSAL_ID.fullmatch(pid):
                return build_failed("limits", f"{pid!r} is not the id of a proposal.").to_dict()
            receipt = self._build_history().find_receipt(pid, about) if kind == "commit" else None
            if receipt is None:
                receipt = _retry_until_still(lambda: self._apply(kind, about)).to_dict()
            return self._commit_to_git(receipt, about)
        except OSError as e:
            raise GraphBusError(f"The machine failed in {pid}: {e}. See to it and run again with --resume.") from e

    def try_diff(self, diff: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
        """What would become of a diff at the gates that need nobody (`trying`). Nothing is written, nobody is asked."""
        with self._trying:
            opened = self._apply_in_memory({"diff": diff})
            if isinstance(opened, Receipt):
                return preflight.convert_receipt(opened)
            with ExitStack() as stack:
                findings = preflight.run_try_gates(self._build_trial({}, *opened, stack))
            if self._stop.is_set():
                raise CommitStopped
            return findings

    def edit_unproved(self, diff: Sequence[Mapping[str, Any]]) -> Mapping[str, bytes | None]:
        """What a diff makes of the files, by path below the root, asked of no gate; None for a file that goes. Nothing
        where it cannot be carried out, or changes nothing. For a copy in which another diff is tried on top of it."""
        opened = self._apply_in_memory({"diff": diff})
        return {} if isinstance(opened, Receipt) else opened[1].resulting_files

    def try_links(self, diff: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
        """What a diff breaks and fixes, where its contracts alone do not tell. No code is run, nothing is refused."""
        with self._trying, ExitStack() as stack:
            opened = self._apply_in_memory({"diff": diff})
            return (
                {} if isinstance(opened, Receipt) else preflight.run_link_check(self._build_trial({}, *opened, stack))
            )

    def prepare_trial(
        self, diff: Sequence[Mapping[str, Any]], *, call_methods: bool = True
    ) -> tuple[ReceiptJson, FaultChanges | None]:
        """The receipt of every gate but the user's command, and what the diff does to the links; None where it does
        not come to that. `call_methods`: the rehearsal, too, which takes a second. Nothing is written."""
        gates = GATES if call_methods else QUICK_GATES
        changes: FaultChanges | None = None

        def inspect(trial: Trial, ends: Sequence[GateResult]) -> None:
            nonlocal changes
            if any(result.gate == parses.GATE.name and result.has_passed for result in ends):
                changes = mismatches.compare_links(trial)

        def attempt() -> Receipt:
            about = {"diff": diff}
            opened = self._apply_in_memory(about)
            if isinstance(opened, Receipt):
                return opened
            return self._prove("prepare", about, *opened, gates, inspect=inspect, word=_leave_to_build)

        return _retry_until_still(attempt).to_dict(), changes

    def verify_incomplete_batches(self) -> str | None:
        """After the last commit: what was tried only with others that did not land, where it does not hold alone."""
        return self._together.verify_incomplete_batches()

    def _apply(self, kind: str, about: Mapping[str, Any]) -> Receipt:
        opened = self._apply_in_memory(about)
        return opened if isinstance(opened, Receipt) else self._prove(kind, about, *opened, GATES)

    def _apply_in_memory(self, about: Mapping[str, Any]) -> Receipt | tuple[Sequence[Operation], Edited, PathGuard]:
        """The diff, carried out in memory; or the receipt that says why it cannot be."""
        try:
            diff = parse_operations(about["diff"])
        except (UsageError, KeyError, TypeError, AttributeError) as e:
            return build_failed("applies", str(e))
        try:
            self.project = self.project.rescan()
        except ScanError as e:
            return build_superseded(f"the sources can no longer be read: {e}")
        if moved := find_moved_symbols(self.project, about.get("base") or {}):
            return build_superseded(f"{', '.join(moved)} changed since the proposal was made.")
        door = PathGuard(self.project.root, self._list_editable_files())
        for agent in self.project.agents:
            if (
                any(op.node == agent.name for op in diff)
                and (why := door.explain_refusal(agent.source_file)) is not None
            ):
                return build_failed("path", why)
        reach = self._find_scope()
        with TypeCheckerClient(reach.project_root, reach.prefix) as checker:
            applied = DiffApplicator(
                door.read_file,
                self.project.agents,
                reach.editable_files,
                reach=reach,
                allow_external_dependencies=bool(self._merge_limits(about).get("allow_external_dependencies")),
                checker=checker,
            ).apply(diff)
        if isinstance(applied, Refused):
            return build_failed("applies", str(applied))
        if isinstance(applied, Unchanged):
            notes_text = "; ".join(applied.notes)
            return build_failed(
                "applies", f"it changes nothing: all is so already{f' ({notes_text})' if notes_text else ''}."
            )
        return diff, applied, door

    def undo(self, proposal_id: str, *, prepare: bool = False, allow_mismatches: bool = False) -> ReceiptJson:
        """Take a committed proposal back, through its own list of gates. Raises UsageError where there is no such
        commit. `allow_mismatches`: also where a link no longer fits then, as when the commit had mended it.
        """
        record = self._build_history().find_record(proposal_id)
        if record is None:
            raise UnknownCommit(f"{proposal_id} is not among the commits here. {describe_undoable(self._state)}")
        if record.get("undone"):
            raise UsageError(f"{proposal_id} was taken back already. {describe_undoable(self._state)}")
        kind = "prepare" if prepare else "commit"
        receipt = _retry_until_still(lambda: self._undo(kind, record, allow_mismatches)).to_dict()
        return self._commit_to_git(receipt, build_undo_about(record))

    def _undo(self, kind: str, record: Mapping[str, Any], allow_mismatches: bool) -> Receipt:
        self.project = self.project.rescan()
        door = PathGuard(self.project.root, [*self._list_editable_files(), *list_created_files(record)])
        reversal = plan_reversal(record, self.project, door, self._build_history(), self._find_scope())
        if isinstance(reversal, ReversalRefused):
            return build_failed(reversal.gate, reversal.why)
        options: dict[str, Any] = {"known": reversal.known, "allow_mismatches": allow_mismatches}
        return self._prove(
            kind, build_undo_about(record), reversal.diff, reversal.applied, door, UNDO_GATES, record, **options
        )

    # ---- the proof, and the write

    def _prove(
        self,
        kind: str,
        about: Mapping[str, Any],
        diff: Sequence[Operation],
        applied: Edited,
        door: PathGuard,
        gates: tuple[Gate, ...],
        undoing: Mapping[str, Any] | None = None,
        inspect: Callable[[Trial, Sequence[GateResult]], None] | None = None,
        **more: Any,
    ) -> Receipt:
        with ExitStack() as stack:
            if kind == "commit" and undoing is None and self.config.verify and not self.config.git_commit:
                more["word"] = partial(self._together.run_with_others, about)
            trial = self._build_trial(
                about, diff, applied, door, stack, rehearse=self.rehearse and undoing is None, **more
            )
            ends = [APPLIES]
            for result in run_gates(gates, trial):
                if self._stop.is_set():  # a gate that was cut off has no say
                    raise CommitStopped
                ends.append(result)
            if inspect is not None:
                inspect(trial, ends)
            if ends[-1].end is GateStatus.REFUSED:
                return receipts.build_refused(trial, ends)
            receipt = receipts.build_prepared(trial, ends, self._gather_evidence(trial))
            return receipt if kind == "prepare" else self._write(about, trial, receipt, undoing)

    def _build_trial(
        self,
        about: Mapping[str, Any],
        diff: Sequence[Operation],
        applied: Edited,
        door: PathGuard,
        stack: ExitStack,
        **more: Any,
    ) -> Trial:
        digests: FileDigests = {}
        return Trial(
            project=self.project,
            config=self.config,
            diff=diff,
            applied=applied,
            door=door,
            limits=self._merge_limits(about),
            bounds=self._limits,
            copy=partial(self._copy_project, seen=digests),
            seen=digests,
            stack=stack,
            stood=self._link_project(),
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
            record_file = self._build_history().choose_record_file(
                str(about["proposal_id"]), () if undoing else trial.diff
            )
            record_path = f"state/undo/{record_file.name}"
            had = self._disk.read(record_path)
            record = self._build_history().build_record(about, trial.diff, applied, receipt.to_dict(), trial.after)
            if undoing is not None:
                record = mark_undone(undoing, time.time())
            else:
                record |= {"build_id": self.build_id, "undone_before": list_earlier(had)}
            changes = [_build_file_change(applied, path) for path in trial.files]
            # Keys as they come: a receipt that is read back must give the same fact, byte for byte.
            changes.append(FileChange(record_path, had, json.dumps(record).encode()))
            result = commit_changes(self._disk, changes, self._build_history().root)
        except TransactionInterrupted as e:
            raise GraphBusError(
                f"The disk failed in the middle of a commit: {e}. Run again: it will be settled."
            ) from e
        except OSError as e:
            return build_failed("write", f"the files could not be written, and are as before: {e}", receipt.ends)
        if result is TransactionResult.SUPERSEDED:
            edited = f"{', '.join(receipt.files)}: a file was edited in the meantime; the edit stands."
            return build_superseded(edited, receipt.ends)
        self._written |= set(receipt.files)
        self._changed_tests |= find_changed_tests(applied.before, applied.after)
        self._together.note_landed(str(about["proposal_id"]))
        # As it was tried. Who edits from now on is seen by the next look at the sources, which comes before any edit.
        self.project = trial.after.move_to(self.project)
        self._linked = (tuple(sorted(self.project.files.items())), trial.links_after)
        return receipt

    def _gather_evidence(self, trial: Trial) -> LinkResult:
        """The links with the change, and what is known of those that do not fit. The copy is left: code ran in it."""
        if self.witnesses is None:
            return trial.links_after
        edited = {*self._written, *trial.files}
        return self.witnesses.attach_evidence(trial.after.everyone, trial.links_after, trial.applied.after, edited)

    def _commit_to_git(self, receipt: ReceiptJson, about: Mapping[str, Any]) -> ReceiptJson:
        if self.config.git_commit and not self.config.dry_run and receipt["status"] == "committed":
            try:
                git.commit_files(self.project.root, receipt["files"], about)
            except OSError as e:
                receipt = {**receipt, "notes": [*receipt["notes"], f"{git.FAILED}: {e}"]}
        return receipt

    # ---- what stands

    def _build_history(self) -> CommitHistory:
        return CommitHistory(self._state, self.config, lambda: self.project)

    def _copy_project(
        self, changes: Mapping[str, bytes | None], seen: FileDigests | None = None
    ) -> AbstractContextManager[Path]:
        """A new copy of the project with `changes`: for one run of code. Raises Refusal where none can be made."""
        return create_scratch_copy(self.project.root, changes, self._state, self.project.files, seen)

    def _list_editable_files(self) -> list[str]:
        return list(self._find_scope().editable_files)

    def _find_scope(self) -> EditScope:
        """How far a change may be followed, in the project as it was scanned last."""
        if self._reached is None or self._reached.scanned is not self.project:
            self._reached = EditScope(self.project)
        return self._reached

    def _link_project(self) -> LinkResult:
        key = tuple(sorted(self.project.files.items()))
        if self._linked is None or self._linked[0] != key:
            self._linked = (key, link_project(self.project))
        return self._linked[1]

    def _merge_limits(self, about: Mapping[str, Any]) -> Mapping[str, Any]:
        safety = self.config.safety_config
        own = {
            "max_file_changes_per_commit": safety.max_file_changes_per_commit,
            "max_total_file_changes": safety.max_total_file_changes,
            "allow_external_dependencies": safety.allow_external_dependencies,
            "protected_files": safety.protected_files,
        }
        return {**own, **(about.get("limits") or {})}


def _leave_to_build(trial: Trial) -> GateAnswer:
    """The word of the user's command in a trial: it may take minutes, and a trial follows each key that is pressed."""
    return report_not_run(f"--verify {trial.config.verify} is run by the build, before it commits; not by a trial")


def _leave_rehearsal(trial: Trial) -> GateAnswer:
    """A rehearsal runs the project's code: not after each key that is pressed."""
    return report_not_run("the changed methods are not called yet; a build calls them before it commits")


QUICK_GATES = tuple(
    Gate(gate.name, _leave_rehearsal, lambda trial: False) if gate is rehearsal.GATE else gate for gate in GATES
)


def _build_file_change(applied: Edited, path: str) -> FileChange:
    """One file of a commit, as the transaction takes it: None stands for a file that is not there."""
    before = None if path in applied.created else applied.before[path]
    return FileChange(f"project/{path}", before, applied.resulting_files[path])


def _retry_until_still(attempt: Callable[[], Receipt]) -> Receipt:
    """The receipt of an attempt during which nobody edited what its gates read; after a few, it is superseded."""
    for _ in range(ATTEMPTS):
        receipt = attempt()
        if receipt.gate != freshness.NAME:
            return receipt
    return build_superseded(f"{receipt.reason} The edits stand; try again when nobody edits.", receipt.ends)


# `undo_proposal`: take one commit back, whichever build made it. What `graphbus undo` does.


def undo_proposal(
    config: BuildConfig,
    proposal_id: str,
    *,
    prepare: bool = False,
    allow_mismatches: bool = False,
    root: str | None = None,
) -> tuple[ReceiptJson, list[str]]:
    """Take a commit back; gives the receipt and the engine's notes. What `graphbus undo` does."""
    settled = settle_output_folder(Path(config.output_dir))
    config = replace(config, **find_undo_target(config.output_dir, proposal_id, root))
    project = scan(config.root_package, config.include_modules, config.exclude_modules).with_whole_folder(
        config.whole_project
    )
    with CommitEngine(project, config) as engine:
        receipt = engine.undo(proposal_id, prepare=prepare, allow_mismatches=allow_mismatches)
        return receipt, [*([settled] if settled else []), *engine.notes]
