"""`CommitEngine`: from an agreed diff to proven source, or nothing at all (seed 000, "Under the hood"; design §7).

It takes the `about` of a `prepare` or `commit` effect and gives the receipt that the negotiation folds in. Running it
again with the same `about` does nothing again: what the files hold tells whether it happened.
"""

from __future__ import annotations

import ast
import hashlib
import json
import os
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from graphbus_core.build.commit import git, undo
from graphbus_core.build.commit.history import PROPOSAL_ID, CommitHistory, known, read_bytes, unb64
from graphbus_core.build.commit.land.disk import Disk, RealDisk
from graphbus_core.build.commit.land.settling import CUT_OFF, is_cut_off, sentence, settle, settle_alone
from graphbus_core.build.commit.land.transaction import Change, Interrupted, Result, commit
from graphbus_core.build.commit.proof import gates, rehearsal
from graphbus_core.build.commit.proof.dependencies import imports_of, new_dependencies
from graphbus_core.build.commit.proof.gates import Failed
from graphbus_core.build.commit.proof.receipts import Receipt, failure, failure_of, superseded, unified, verified
from graphbus_core.build.commit.targets import undo_target
from graphbus_core.build.confine import sandbox
from graphbus_core.build.confine.door import Door
from graphbus_core.build.confine.outcome import Applied, Refusal, Refused, Unchanged
from graphbus_core.build.confine.scratch import copy_tree, scratch_copy
from graphbus_core.build.edit.applicator import DiffApplicator
from graphbus_core.build.edit.text.worktree import Workspace
from graphbus_core.build.link import Linked, link
from graphbus_core.build.scan import Project, scan
from graphbus_core.build.scan.source.modules import ModuleTable
from graphbus_core.config import BuildConfig
from graphbus_core.errors import GraphBusError, ScanError, UsageError
from graphbus_core.files.build_lock import build_lock
from graphbus_core.files.private import private_folder
from graphbus_core.model.operation import Operation, operations
from graphbus_core.negotiation.proposal.told.projection import DRY_NOTE
from graphbus_core.negotiation.proposal.weighed.digests import ABSENT, symbol_digest
from graphbus_core.stores.builds.undone import earlier, marked


class Stopped(Exception):
    """`stop` was called before anything was written: the effect did not happen, and may be run again."""


class CommitEngine:
    """Applies agreed diffs to one project. Use it as a context: it holds the build's lock.

    `notes`: what the user should know of this machine (how code is confined, whether a broken commit was settled).
    `rehearse`: changed methods are tried before they land (`build.rehearsal`). With `config.dry_run` everything
    happens in a copy that is thrown away. `limits` bound the import gate.
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
        self.notes: list[str] = []
        self._stop = threading.Event()
        self._limits = replace(limits or sandbox.Limits(), stop=self._stop)
        self._state = Path(os.path.abspath(config.output_dir))
        self._disk = disk
        self._stack = ExitStack()
        self._linked: tuple[Any, Linked] | None = None
        self._passed: list[str] = []  # gates that the effect under way has passed, in their order

    # ---- the lock and what an earlier run left

    def __enter__(self) -> Self:
        """Take the lock, settle a commit that was cut off. Raises Locked; UsageError for `--git` in a dirty tree."""
        self._stack.enter_context(build_lock(self._state))
        try:
            if self.config.dry_run:
                if is_cut_off(self._state):
                    raise UsageError(f"A dry run changes nothing, and there is something to settle first. {CUT_OFF}")
                self._work_on_a_copy()
            elif self.config.git_commit:
                self._check_git()
            if self._disk is None:
                self._disk = RealDisk(self.project.root, self._state)
            folders = {f"project/{p}".rpartition("/")[0] for p in self.project.files}
            settled, whose = settle(self._state, self.project.root, [*sorted(folders), "state/undo"], self._disk)
        except BaseException:
            self._stack.close()
            raise
        if (said := sentence(settled, whose)) is not None:
            self.notes.append(said)
        if settled is not Result.NOTHING:
            self.project = self.project.again()
        self.notes.append(f"Unreviewed code runs confined by {sandbox.describe()}")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Give the lock back."""
        self._stack.close()

    def _work_on_a_copy(self) -> None:
        try:
            folder = self._stack.enter_context(private_folder("dry-run"))
            copy_tree(self.project.root, folder / "project", self._state, self.project.files)
        except Refusal as e:
            raise UsageError(f"A dry run needs a copy, and {e.reason}") from None
        except OSError as e:
            raise UsageError(
                f"A dry run needs a copy, and none could be made: {e}. Make room in the folder for temporary files, or "
                "set TMPDIR to another."
            ) from None
        self._state = folder / "state"
        self._state.mkdir()
        self.project = self.project.again(folder / "project")
        self.notes.append("Dry run: commits go to a copy, the sources stay as they are.")

    def _check_git(self) -> None:
        try:
            dirty = git.is_dirty(self.project.root)
        except OSError as e:
            raise UsageError(f"--git needs a git working tree at {self.project.root}: {e}") from None
        if dirty and not self.config.allow_dirty:
            raise UsageError(
                "--git makes one commit for each proposal, and the working tree has changes that are not committed. "
                "Commit or stash them, or say --allow-dirty."
            )

    # ---- an effect

    def stop(self) -> None:
        """End what `apply` runs in another thread, at once. It raises Stopped, unless its files are being written."""
        self._stop.set()

    def _go_on(self) -> None:
        if self._stop.is_set():
            raise Stopped

    def check_verify(self) -> None:
        """Raises UsageError if the user's own command cannot even be started: said once, not for every proposal."""
        if self.config.verify is None:
            return
        try:
            with self._copy({}) as scratch:
                why = gates.cannot_start(self.config.verify, scratch, self.project)
        except Refusal:
            return  # too large to be copied: every gate will say so
        if why is not None:
            raise UsageError(f"--verify {self.config.verify!r} cannot be run: {why}")

    def apply(self, kind: str, about: Mapping[str, Any]) -> Receipt:
        """Run the effect `prepare` or `commit`; gives its receipt. Raises GraphBusError only where the disk failed, and
        Stopped after `stop`.

        `gates` in the receipt are those that it passed, in their order; the one that said no is its `gate`.
        """
        self._passed = []
        try:
            return self._with_gates(self._apply(kind, about))
        except OSError as e:
            raise GraphBusError(
                f"The machine failed in {about.get('proposal_id')}: {e}. See to it and run again with --resume."
            ) from e

    def _apply(self, kind: str, about: Mapping[str, Any]) -> Receipt:
        if kind not in ("prepare", "commit"):
            raise GraphBusError(f"the commit engine knows prepare and commit, not {kind!r}")
        pid = str(about.get("proposal_id", ""))
        if not PROPOSAL_ID.fullmatch(pid):
            return failure("limits", f"{pid!r} is not the id of a proposal.")
        done = self._history().done(pid, about) if kind == "commit" else None
        if done is not None:
            return self._with_git(done, about)
        try:
            diff = operations(about["diff"])
        except (UsageError, KeyError, TypeError, AttributeError) as e:
            return failure("applies", str(e))
        try:
            self.project = self.project.again()
        except ScanError as e:
            return superseded(f"the sources can no longer be read: {e}")
        moved = self._moved(about.get("base") or {})
        if moved:
            return superseded(f"{', '.join(moved)} changed since the proposal was made.")
        door = Door(self.project.root, self._paths())
        for agent in self.project.agents:
            if any(op.node == agent.name for op in diff) and (why := door.refuse(agent.source_file)) is not None:
                return failure("path", why)
        limits = self._limit(about)
        applied = DiffApplicator(
            door.read,
            self.project.agents,
            self._paths(),
            allow_external_dependencies=bool(limits.get("allow_external_dependencies")),
        ).apply(diff)
        if isinstance(applied, Refused):
            return failure("applies", str(applied))
        if isinstance(applied, Unchanged):
            said = "; ".join(applied.notes)
            return failure("applies", f"it changes nothing: all is so already{f' ({said})' if said else ''}.")
        self._passed.append("applies")
        return self._prove(kind, about, diff, applied, door, limits)

    def undo(self, proposal_id: str, *, prepare: bool = False, allow_mismatches: bool = False) -> Receipt:
        """Take a committed proposal back, through the same gates. Raises UsageError where there is no such commit.

        `allow_mismatches`: also where a link no longer fits then, as when the commit had mended it.
        """
        record = self._history().find(proposal_id)
        if record is None or record.get("undone"):
            said = "was taken back already" if record else "is not among the commits here"
            raise UsageError(f"{proposal_id} {said}. {known(self._state)}")
        self._passed = []
        self.project = self.project.again()
        door = Door(self.project.root, self._paths())
        before: dict[str, bytes] = {}
        after: dict[str, bytes] = {}
        for path, texts in record["files"].items():
            now = door.read(path)
            if now is None:
                return failure("path", door.refuse(path) or f"{path} cannot be read.")
            back = undo.reverse(unb64(texts["before"]), unb64(texts["after"]), now)
            if back is None:
                later = self._history().later(record, path)
                return failure("applies", f"{path} was changed since, where this commit changed it{later}.")
            before[path], after[path] = now, back
        diff = operations(record["diff"])
        was = {tuple(k.split("|")): v for k, v in record["contracts"]["before"].items()}
        inverse = undo.inverse(diff, was)
        about = {
            "proposal_id": proposal_id,
            "proposer": record.get("proposer", ""),
            "summary": f"Undo {proposal_id}: {record.get('summary', '')}".rstrip(": "),
            "diff": record["diff"],
        }
        changed = {p: t for p, t in after.items() if t != before[p]}
        applied = Applied({p: before[p] for p in changed}, changed)
        kind = "prepare" if prepare else "commit"
        record["allow_mismatches"] = allow_mismatches
        self._passed.append("applies")
        return self._with_gates(self._prove(kind, about, tuple(inverse), applied, door, self._limit(about), record))

    # ---- the gates, and the write

    def _prove(
        self,
        kind: str,
        about: Mapping[str, Any],
        diff: Sequence[Operation],
        applied: Applied,
        door: Door,
        limits: Mapping[str, Any],
        undoing: Mapping[str, Any] | None = None,
    ) -> Receipt:
        files = sorted(applied.after)
        if undoing is None:
            if (failed := gates.limits(files, limits)) is not None:
                return failure_of(failed)
            self._passed.append("limits")
        for path in files:
            if (why := door.refuse_writing(path)) is not None:
                return failure("path", why)
            try:
                compile(applied.after[path], path, "exec", dont_inherit=True)
            except (SyntaxError, ValueError) as e:
                line = getattr(e, "lineno", "?")
                return failure("parses", f"{path}:{line}: {getattr(e, 'msg', e)}")
        self._passed.append("path")
        if undoing is None and not limits.get("allow_external_dependencies"):
            failed = new_dependencies(applied.before, applied.after, self._is_known)
            if failed is not None:
                return failure_of(failed)
        receipt: Receipt = {
            "status": "prepared",
            "gate": "",
            "reason": "",
            "files": files,
            "unified_diff": unified(applied),
            "before": {p: _sha(applied.before[p]) for p in files},
            "after": {p: _sha(applied.after[p]) for p in files},
            "notes": list(applied.notes),
        }
        try:
            with self._copy(applied.after) as scratch:
                failed, trial, linked = self._tried(scratch, diff, applied, undoing)
                if failed is None:
                    failed = self._ran(scratch, trial, linked, diff, applied, receipt)
        except Refusal as e:
            return failure("limits", e.reason)
        self._go_on()  # a gate that was cut off has no say
        if failed is not None:
            return {**failure_of(failed), "unified_diff": receipt["unified_diff"], **verified(receipt)}
        assert trial is not None
        assert linked is not None
        old = {a.name: a.to_dict() for a in self.project.agents}
        receipt["agents"] = {a.name: a.to_dict() for a in trial.agents if a.to_dict() != old.get(a.name)}
        receipt["gates"] = list(self._passed)
        receipt["links"] = [one.to_dict() for one in linked.links]
        receipt["mismatches"] = [one.to_dict() for one in linked.mismatches]
        if kind == "prepare":
            return receipt
        return self._write(about, diff, applied, receipt, trial, undoing)

    def _tried(
        self, scratch: Path, diff: Sequence[Operation], applied: Applied, undoing: Mapping[str, Any] | None
    ) -> tuple[Failed | None, Project | None, Linked | None]:
        """The project as it would be: scanned, compared with what was declared, linked."""
        try:
            trial = self.project.again(scratch)
        except ScanError as e:
            return (
                Failed("parses", f"the project could no longer be scanned: {e}".replace(str(scratch), "")),
                None,
                None,
            )
        self._passed.append("parses")
        known = None
        if undoing is not None:
            known = {tuple(k.split("|")): v for k, v in undoing["contracts"]["before"].items()}
            stood = {tuple(k.split("|")): v for k, v in undoing["contracts"]["after"].items()}
            now = gates.slots(self.project.agents)
            known = {k: v for k, v in known.items() if k in now and k in stood and now[k] == stood[k]}
        work = Workspace(lambda p: applied.after.get(p) or read_bytes(scratch / p), trial.agents, self._paths())
        node = diff[0].node if diff else ""
        agent = next((a for a in trial.agents if a.name == node), None)
        resolve = work.resolver(work.source(agent.source_file)) if agent is not None else None
        failed = gates.contracts(self.project.agents, trial.agents, diff, applied.unchanged, resolve, known)
        if failed is not None:
            return failed, None, None
        self._passed.append("contracts")
        linked = link(trial.agents)
        failed = gates.mismatches((self.project.agents, self._link()), (trial.agents, linked))
        if failed is None:
            self._passed.append("mismatches")
        elif undoing is not None and undoing.get("allow_mismatches"):
            failed = None
        return (failed, None, None) if failed is not None else (None, trial, linked)

    def _ran(
        self,
        scratch: Path,
        trial: Project | None,
        linked: Linked | None,
        diff: Sequence[Operation],
        applied: Applied,
        receipt: Receipt,
    ) -> Failed | None:
        """The gates that run code: imports, the rehearsal, and the user's command, each in a copy of its own."""
        assert trial is not None
        assert linked is not None
        modules: dict[str, list[str]] = {}
        for path in applied.after:
            modules.setdefault(trial.layout.module_name(path), [])
        for agent in trial.agents:
            if agent.source_file in applied.after:
                modules.setdefault(agent.module, []).append(agent.class_name)
        with ExitStack() as stack:

            def baseline() -> Path:
                return stack.enter_context(self._copy(applied.before))

            failed, note = gates.imports(modules, scratch, self.project, self._limits, baseline)
            if failed is None and note is None:
                self._passed.append("imports")
        if failed is None and self.rehearse:
            before = (self.project, lambda: self._copy(applied.before))
            after = (trial, lambda: self._copy(applied.after))
            failed = rehearsal.gate(before, after, linked.links, diff, self._limits)
            if failed is None:
                self._passed.append("rehearsal")
        if note:
            receipt["notes"].append(note)
        if failed is not None or self.config.verify is None:
            return failed
        with self._copy(applied.after) as new:
            failed, receipt["verify"], note = gates.verify(
                self.config.verify, new, self.project, self.config.verify_timeout_s, self._stop
            )
        if note:
            receipt["notes"].append(note)
        elif failed is None:
            self._passed.append("verify")
        return failed

    def _write(
        self,
        about: Mapping[str, Any],
        diff: Sequence[Operation],
        applied: Applied,
        receipt: Receipt,
        trial: Project,
        undoing: Mapping[str, Any] | None,
    ) -> Receipt:
        assert self._disk is not None
        receipt["status"] = "committed"
        if self.config.dry_run:
            receipt["notes"].append(DRY_NOTE)
        pid = str(about["proposal_id"])
        record_path = f"state/undo/{self._history().file(pid).name}"
        try:
            had = self._disk.read(record_path)
            record = self._history().record(about, diff, applied, receipt, trial)
            if undoing is not None:
                record = marked(undoing, time.time())
            else:
                record |= {"build_id": self.build_id, "undone_before": earlier(had)}
            changes = [Change(f"project/{p}", applied.before[p], applied.after[p]) for p in sorted(applied.after)]
            # Keys as they come: a receipt that is read back must give the same fact, byte for byte.
            changes.append(Change(record_path, had, json.dumps(record).encode()))
            result = commit(self._disk, changes, self._history().root)
        except Interrupted as e:
            raise GraphBusError(
                f"The disk failed in the middle of a commit: {e}. Run again: it will be settled."
            ) from e
        except OSError as e:
            return failure("write", f"the files could not be written, and are as before: {e}")
        if result is Result.SUPERSEDED:
            return superseded(f"{', '.join(receipt['files'])}: a file was edited in the meantime; the edit stands.")
        self.project = self.project.again()
        return self._with_git(receipt, about)

    def _with_git(self, receipt: Receipt, about: Mapping[str, Any]) -> Receipt:
        if self.config.git_commit and not self.config.dry_run and receipt["status"] == "committed":
            try:
                git.commit(self.project.root, receipt["files"], about)
            except OSError as e:
                receipt = {**receipt, "notes": [*receipt["notes"], f"the git commit failed: {e}"]}
        return receipt

    def _with_gates(self, receipt: Receipt) -> Receipt:
        """A receipt that says what it passed; one that was kept says so itself."""
        return {"gates": [g for g in self._passed if g != receipt["gate"]], **receipt}

    # ---- what stands

    def _history(self) -> CommitHistory:
        return CommitHistory(self._state, self.config, lambda: self.project)

    def _copy(self, changes: Mapping[str, bytes]) -> AbstractContextManager[Path]:
        """A new copy of the project with `changes`: for one run of code. Raises Refusal where none can be made."""
        return scratch_copy(self.project.root, changes, self._state, self.project.files)

    def _paths(self) -> list[str]:
        return [p for p in self.project.files if p.endswith(".py")]

    def _link(self) -> Linked:
        key = tuple(sorted(self.project.files.items()))
        if self._linked is None or self._linked[0] != key:
            self._linked = (key, link(self.project.agents))
        return self._linked[1]

    def _moved(self, base: Mapping[str, str]) -> list[str]:
        """The symbols that are no longer what the proposal rests on."""
        agents = {a.name: a for a in self.project.agents}
        moved = []
        for symbol, digest in base.items():
            name = symbol.partition(" -> ")[0]
            while name and name not in agents:
                name = name.rpartition(".")[0]
            if (symbol_digest(agents[name], symbol) if name else ABSENT) != digest:
                moved.append(symbol)
        return moved

    def _is_known(self, name: str) -> bool:
        """Whether a module is of the standard library, of this project, or imported by it as it stands."""
        if name in sys.stdlib_module_names or name == "graphbus_core":
            return True
        table = ModuleTable(self.project.layout)
        if table.path_of(name) is not None or table.folder_of(name) is not None:
            return True
        trees = (ast.parse(text) for text in self.project.sources.values() if name.encode() in text)
        return any(name in imports_of(tree).names for tree in trees)

    def _limit(self, about: Mapping[str, Any]) -> Mapping[str, Any]:
        safety = self.config.safety_config
        own = {
            "max_file_changes_per_commit": safety.max_file_changes_per_commit,
            "max_total_file_changes": safety.max_total_file_changes,
            "allow_external_dependencies": safety.allow_external_dependencies,
            "protected_files": safety.protected_files,
        }
        return {**own, **(about.get("limits") or {})}


def undo_proposal(
    config: BuildConfig,
    proposal_id: str,
    *,
    prepare: bool = False,
    allow_mismatches: bool = False,
    root: str | None = None,
) -> tuple[Receipt, list[str]]:
    """Take a commit back; gives the receipt and the engine's notes. What `graphbus undo` does."""
    settled = settle_alone(Path(config.output_dir))
    target, include, exclude = undo_target(config.output_dir, proposal_id, root)
    config = replace(config, root_package=target, include_modules=include, exclude_modules=exclude)
    with CommitEngine(scan(target, include, exclude), config) as engine:
        receipt = engine.undo(proposal_id, prepare=prepare, allow_mismatches=allow_mismatches)
        return receipt, [*([settled] if settled else []), *engine.notes]


def _sha(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
