"""Bring a seat's branch up to date by the merge of landings; what was not committed is kept aside and put back.

    kept ref written  ->  journal written  ->  files  ->  branch  ->  index  ->  journal gone

Everything is merged before anything is touched: a conflict leaves all as it is. The kept ref holds every byte of the
working tree and of the index from before, so that a fault at any step loses none. After the journal the way forward is
the only one: whoever syncs next finishes it, if the files are still what they were or what they become.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from graphbus_core.commit.landing.advance import remove_scratch, without_interrupts
from graphbus_core.commit.landing.candidates import Plan, plan_landing, write_candidate
from graphbus_core.commit.landing.repository import Repository
from graphbus_core.errors import LogDamaged, UsageError
from graphbus_core.negotiation.team.state import Seat
from graphbus_core.sessions.team.table import TeamTable
from graphbus_core.sessions.team.worktrees import find_tip
from graphbus_core.storage.atomic_files import write_atomic
from graphbus_core.text import format_count

KEPT = "refs/graphbus/kept"
MAX_SHOWN = 3


@dataclass(frozen=True)
class SyncResult:
    """What became of a sync. `status`: synced, current or refused."""

    status: str
    text: str
    commit: str = ""
    kept: str = ""  # the ref with what was not committed
    conflicts: tuple[str, ...] = ()


class WorktreeSync:
    """One seat's working tree, brought up to date; under the lock of the team."""

    def __init__(self, table: TeamTable, seat: Seat, base: str) -> None:
        if not Path(seat.worktree).is_dir():
            raise UsageError(f"The working tree {seat.worktree} is gone. `git worktree add` brings it back.")
        self.table, self.seat, self.base = table, seat, base
        self.repository = Repository(Path(seat.worktree))
        self.ref = f"{KEPT}/{seat.name}"
        self.journal = table.folder / f"sync-{seat.name}.json"
        self.scratch = table.folder / f"index-{seat.name}"

    def run(self) -> SyncResult:
        """Merge, then move. Raises UsageError where it cannot begin, LogDamaged where an old one cannot be finished."""
        finished = self.recover()
        why = self._find_obstacle()
        if why is not None:
            raise UsageError(why)
        tip, onto = self.repository.resolve("HEAD"), find_tip(self.repository, self.base) or ""
        bases = self.repository.merge_bases(tip, onto)
        if not bases:
            raise UsageError(f"{self.seat.branch} and {self.base} have no commit in common any more.")
        if bases[0] == onto:
            return SyncResult("current", f"{finished}{self.base} has nothing that you do not have.", tip)
        try:
            new, plan = (onto, Plan(())) if bases[0] == tip else self._merge(bases[0], tip, onto)
            if not new:
                return _refuse("What landed does not fit your commits", plan)
            kept_tree, kept = self._keep(tip)
            target = self.repository.run("rev-parse", f"{new}^{{tree}}")
            if kept:
                plan = plan_landing(self.repository, tip, new, kept)
                if not plan.candidates:
                    return _refuse(
                        "What landed does not fit what you have not committed (commit it first, or mend)", plan
                    )
                target = write_candidate(self.repository, plan.candidates[0], new, self.scratch)
            if kept and self._write_kept_tree() != kept_tree:
                raise UsageError("Files changed while they were read. Sync again.")
        finally:
            remove_scratch(self.scratch)
        self._move({"old": tip, "new": new, "kept": kept_tree, "target": target, "ref": self.seat.branch})
        return self._tell(finished, tip, onto, new, bool(kept))

    def _find_obstacle(self) -> str | None:
        from graphbus_core.commit.git import find_obstacle

        why = find_obstacle(self.repository.root)
        if why is not None:
            return f"Nothing was synced: {why}. End that first."
        if self.repository.head_ref() != f"refs/heads/{self.seat.branch}":
            where, branch = self.seat.worktree, self.seat.branch
            return f"Nothing was synced: {where} has another branch checked out. `git switch {branch}` there."
        if self.repository.run("ls-files", "--unmerged"):
            return "Nothing was synced: the index holds conflicts. Settle them first."
        return None

    def _merge(self, base: str, tip: str, onto: str) -> tuple[str, Plan]:
        """The commit that has both; "" with the plan that says why there is none."""
        plan = plan_landing(self.repository, base, tip, onto)
        if not plan.candidates:
            return "", plan
        tree = write_candidate(self.repository, plan.candidates[0], tip, self.scratch)
        message = f"Sync {self.seat.branch} with {self.base}"
        return self.repository.run("commit-tree", "-m", message, "-p", tip, "-p", onto, tree), plan

    def _keep(self, tip: str) -> tuple[str, str]:
        """The tree of the files as they are, and the commit that keeps them; "" where everything is committed."""
        tree = self._write_kept_tree()
        index = self.repository.run("write-tree")
        committed = self.repository.run("rev-parse", f"{tip}^{{tree}}")
        if tree == committed == index:
            return tree, ""
        staged = self.repository.run("commit-tree", "-m", "the index", "-p", tip, index)
        kept = self.repository.run("commit-tree", "-m", "the files", "-p", tip, "-p", staged, tree)
        self.repository.run("update-ref", "--create-reflog", "-m", "team sync", self.ref, kept)
        return tree, kept

    def _write_kept_tree(self) -> str:
        remove_scratch(self.scratch)
        self.repository.run("read-tree", "HEAD", index=self.scratch)
        self.repository.run("add", "--all", index=self.scratch)
        return self.repository.run("write-tree", index=self.scratch)

    def _move(self, steps: dict[str, str]) -> None:
        with without_interrupts():
            write_atomic(self.journal, json.dumps(steps).encode(), durable=True)
            self._finish(steps)

    def _finish(self, steps: dict[str, str]) -> None:
        self.repository.run("read-tree", "--reset", "-u", steps["target"])
        if self.repository.resolve("HEAD") == steps["old"]:
            ref = f"refs/heads/{steps['ref']}"
            self.repository.run("update-ref", "-m", "team sync", ref, steps["new"], steps["old"])
        self.repository.run("read-tree", steps["new"])
        self.repository.run("update-index", "-q", "--refresh")
        self.journal.unlink()

    def recover(self) -> str:
        """Finish a sync that was cut off; gives a sentence, or "". Raises LogDamaged where files moved since."""
        try:
            steps = {key: str(value) for key, value in json.loads(self.journal.read_bytes()).items()}
            kept, target = self.repository.read_tree(steps["kept"]), self.repository.read_tree(steps["target"])
        except FileNotFoundError:
            return ""
        except (ValueError, KeyError, OSError, AttributeError):
            raise LogDamaged(f"{self.journal} is not a journal of a sync. Look at it, then delete it.") from None
        try:
            now = self.repository.read_tree(self._write_kept_tree())
        finally:
            remove_scratch(self.scratch)
        for path in sorted({*kept, *target, *now}):
            if now.get(path) not in (kept.get(path), target.get(path)):
                raise LogDamaged(
                    f"A sync was cut off, and {path} was edited since. All of before is in {self.ref}. Put the file as "
                    f"you want it, commit, then delete {self.journal}."
                )
        if self.repository.resolve("HEAD") not in (steps["old"], steps["new"]):
            raise LogDamaged(
                f"A sync was cut off, and the branch moved since. Look at `git status`, delete {self.journal}."
            )
        with without_interrupts():
            (self.repository.git_dir / "index.lock").unlink(
                missing_ok=True
            )  # of who was killed: we hold the team's lock
            self._finish(steps)
        return "A sync that was cut off is finished. "

    def _tell(self, finished: str, tip: str, onto: str, new: str, is_kept: bool) -> SyncResult:
        self.table.submit(self.seat.name, "sync", tip=new, base=onto)
        files = self.repository.run("diff", "--name-only", tip, new).split("\n")
        text = f"{finished}{format_count(len(files), 'file')} of {self.base} came in."
        if is_kept:
            text += f" What you had not committed is put back, and kept in {self.ref}."
        return SyncResult("synced", text, new, self.ref if is_kept else "")


def _refuse(what: str, plan: Plan) -> SyncResult:
    conflicts = tuple(_list_conflicts(plan))
    shown = "; ".join(conflicts[:MAX_SHOWN])
    return SyncResult("refused", f"{what}: {shown}. Nothing was touched.", conflicts=conflicts)


def _list_conflicts(plan: Plan) -> Sequence[str]:
    told = [f"{m.path}:{c.line}: {c.symbol}: {c.reason}" for m in plan.failed for c in m.conflicts]
    return told + [f"{m.path}: {promise}" for m in plan.failed for promise in m.broken]
