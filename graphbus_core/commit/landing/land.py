"""Land finished branches, one after the other: plan, prove, commit, move. What cannot be proved is left alone."""

from __future__ import annotations

import json
import secrets
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from graphbus_core.commit.gates.trial import GateResult, GateStatus
from graphbus_core.commit.landing.advance import advance, hold_landing_lock, open_state, recover, remove_scratch
from graphbus_core.commit.landing.candidates import Plan, plan_landing, write_candidate
from graphbus_core.commit.landing.proof import Inspect, Proof
from graphbus_core.commit.landing.regions import Decisions, Place, Region, list_regions
from graphbus_core.commit.landing.repository import Repository
from graphbus_core.commit.landing.suite import TIMEOUT_S, Suite
from graphbus_core.commit.landing.texts import forget_texts
from graphbus_core.errors import UsageError
from graphbus_core.storage.atomic_files import append, open_lines

LOG = "landings.jsonl"


@dataclass(frozen=True)
class LandingRequest:
    """What is to be landed, and what it is proved by. `verify`: `auto` is pytest; None runs nothing."""

    branches: tuple[str, ...]
    onto: str | None = None
    verify: str | None = "auto"
    dry_run: bool = False
    leave_out: tuple[str, ...] = ()  # tests that are not run, as pytest names them
    timeout_s: float = TIMEOUT_S
    wait_s: float = 0.0  # for another landing to end
    decisions: Decisions = field(default_factory=dict)  # texts of regions that the owners of both sides agreed on
    decided: tuple[dict[str, Any], ...] = ()  # by whom, for the log


@dataclass(frozen=True)
class Landing:
    """What became of one branch. `status`: landed, provable (a dry run), contained, refused."""

    branch: str
    status: str
    id: str = ""
    commit: str = ""
    why: str = ""
    gates: tuple[GateResult, ...] = ()
    conflicts: tuple[dict[str, Any], ...] = ()
    candidates: int = 0
    chosen: int = 0
    seconds: float = 0.0
    runs: int = 0  # of the tests, whole or in part
    decided: tuple[dict[str, Any], ...] = ()  # regions whose text the owners agreed on
    regions: tuple[Region, ...] = ()  # that could be decided, where nothing landed

    @property
    def is_good(self) -> bool:
        return self.status in ("landed", "provable", "contained")

    def to_dict(self) -> dict[str, Any]:
        """The form in logs and for programs."""
        out = {key: value for key, value in self.__dict__.items() if key != "regions"}
        conflicts, decided = list(self.conflicts), list(self.decided)
        return {**out, "gates": [g.to_dict() for g in self.gates], "conflicts": conflicts, "decided": decided}


@dataclass
class Lander:
    """Lands branches in one repository. `report` is told what goes on; `stop` ends what runs.

    `guard` stands around the moment in which the branch moves, with the new commit and the one that lands. What it
    raises stops the landing before anything has moved.
    """

    repository: Repository
    request: LandingRequest
    report: Callable[[str], None] = lambda text: None
    inspect: Inspect | None = None
    stop: threading.Event | None = None
    guard: Callable[[str, str], AbstractContextManager[None]] = lambda commit, theirs: nullcontext()
    notes: list[str] = field(default_factory=list)

    def land_all(self) -> list[Landing]:
        """Each branch in its turn, up to the first that is refused. Raises UsageError, Locked, LogDamaged."""
        with hold_landing_lock(self.repository, self.request.wait_s):
            note = recover(self.repository)
            if note:
                self.notes.append(note)
            why = self.repository.find_obstacle(dirty=not self.request.dry_run)
            if why is not None:
                raise UsageError(why)
            ref = self.repository.head_ref()
            if self.request.onto not in (None, ref, ref.removeprefix("refs/heads/")):
                raise UsageError(
                    f"Branches land on the branch that is checked out, {ref.removeprefix('refs/heads/')}. "
                    f"`git switch {self.request.onto}` first."
                )
            commits = [self.repository.resolve(name) for name in self.request.branches]
            ours = self.repository.resolve("HEAD")
            landings: list[Landing] = []
            for name, theirs in zip(self.request.branches, commits, strict=True):
                landing, ours = self._land(ref, name, ours, theirs)
                landings.append(landing)
                if not landing.is_good:
                    break
            return landings

    def take_back(self, ident: str) -> Landing:
        """Take back what a landing brought, by the same merge turned round: from its commit to its first parent."""
        with hold_landing_lock(self.repository):
            recover(self.repository)
            why = self.repository.find_obstacle(dirty=not self.request.dry_run)
            record = next((r for r in read_landings(self.repository) if r["id"] == ident and r["commit"]), None)
            if why is not None or record is None or record["status"] != "landed":
                raise UsageError(why or f"There is no landing {ident!r} in this repository that could be taken back.")
            begun, ref, ours = time.monotonic(), self.repository.head_ref(), self.repository.resolve("HEAD")
            if record["commit"] not in self.repository.merge_bases(ours, record["commit"]):
                raise UsageError(f"{ident} landed on another branch than {ref.removeprefix('refs/heads/')}.")
            landing, tree = self.prove(ident, record["commit"], ours, record["ours"])
            if tree is not None:
                name = f"Take back {ident} ({record['branch']})"
                commit = self._commit(landing, tree, name, [ours])
                if not self.request.dry_run:
                    advance(self.repository, ref, ours, commit, f"land: {name}")
                status = "provable" if self.request.dry_run else "landed"
                landing = Landing(**{**landing.__dict__, "status": status, "commit": commit})
            return self._keep(_timed(landing, begun), ref, record["commit"], ours, record["ours"])

    def _land(self, ref: str, name: str, ours: str, theirs: str) -> tuple[Landing, str]:
        """One branch; gives the commit that the next one lands on, too."""
        begun = time.monotonic()
        bases = self.repository.merge_bases(ours, theirs)
        if not bases:
            return Landing(
                name, "refused", why=f"{name} has no commit in common with the branch it would land on"
            ), ours
        if bases[0] == theirs:
            return Landing(name, "contained", commit=ours, why=f"{name} is part of it already"), ours
        landing, tree = self.prove(name, bases[0], ours, theirs)
        if tree is None:
            return self._keep(_timed(landing, begun), ref, bases[0], ours, theirs), ours
        try:
            commit = self._commit(landing, tree, f"Land {name}", [ours, theirs])
            if not self.request.dry_run:
                with self.guard(commit, theirs):
                    advance(self.repository, ref, ours, commit, f"land: {name}")
        except OSError as e:
            refused = Landing(name, "refused", landing.id, why=f"{e}", gates=landing.gates)
            return self._keep(_timed(refused, begun), ref, bases[0], ours, theirs), ours
        status = "provable" if self.request.dry_run else "landed"
        done = Landing(**{**landing.__dict__, "status": status, "commit": commit})
        return self._keep(_timed(done, begun), ref, bases[0], ours, theirs), commit

    def prove(self, name: str, base: str, ours: str, theirs: str) -> tuple[Landing, str | None]:
        """Find the first candidate that passes every gate, and its tree; None where none does."""
        ident = f"land-{secrets.token_hex(3)}"
        self.report(f"{name}: merging")
        plan = plan_landing(self.repository, base, ours, theirs, self.request.decisions)
        decided = self.request.decided
        if plan.failed:
            return Landing(
                name, "refused", ident, why=_describe_failures(plan), conflicts=_list_conflicts(plan), decided=decided,
                regions=self._find_regions(plan.places, base, ours, theirs),
            ), None  # fmt: skip
        suite = self._make_suite(base, ours, theirs)
        proof = Proof(
            self.repository, base, (ours, theirs), plan.both, plan.ordered, suite, self.inspect,
            lambda gate: self.report(f"{name}: {gate}"), self._cache,
        )  # fmt: skip
        scratch = open_state(self.repository) / f"index-{ident}"
        best: list[GateResult] = []
        try:
            for i, candidate in enumerate(plan.candidates):
                if not candidate.is_sound:
                    continue
                if len(plan.candidates) > 1:
                    self.report(f"{name}: candidate {i + 1} of {len(plan.candidates)}")
                tree = write_candidate(self.repository, candidate, ours, scratch)
                results = proof.judge(tree)
                if results[-1].end is not GateStatus.REFUSED:
                    gates = tuple(results)
                    runs = suite.runs if suite else 0
                    return Landing(
                        name, "provable", ident, gates=gates, candidates=len(plan.candidates), chosen=i, runs=runs,
                        decided=decided,
                    ), tree  # fmt: skip
                best = max(best, results, key=len)
                if self.stop is not None and self.stop.is_set():
                    raise KeyboardInterrupt
        finally:
            remove_scratch(scratch)
            forget_texts()
        last = best[-1]
        return Landing(
            name, "refused", ident, why=f"{last.gate}: {last.why}", gates=tuple(best), candidates=len(plan.candidates),
            runs=suite.runs if suite else 0, decided=decided,
            regions=self._find_regions(proof.refused_at, base, ours, theirs),
        ), None  # fmt: skip

    def _find_regions(self, places: Sequence[Place], *commits: str) -> tuple[Region, ...]:
        """What the owners of both sides could decide about some places."""
        trees = [self.repository.read_tree(commit) for commit in commits]

        def read(path: str) -> tuple[bytes, bytes, bytes]:
            base, ours, theirs = (self.repository.read_blob(tree.get(path)) for tree in trees)
            return base, ours, theirs

        return tuple(list_regions(places, read)) if places else ()

    def _make_suite(self, base: str, ours: str, theirs: str) -> Suite | None:
        if self.request.verify is None:
            return None
        request = self.request
        return Suite(
            self.repository, (ours, theirs), base, request.verify or "auto", request.leave_out, request.timeout_s,
            self.stop, self._cache,
        )  # fmt: skip

    @property
    def _cache(self) -> Path:
        return open_state(self.repository) / "cache"

    def _commit(self, landing: Landing, tree: str, title: str, parents: Sequence[str]) -> str:
        state = open_state(self.repository)
        index, message_file = state / f"index-{landing.id}", state / f"message-{landing.id}"
        try:
            self.repository.run("read-tree", tree, index=index)
            self.repository.run_merge_hook(index)
            return self.repository.write_commit(tree, parents, _message(landing, title), message_file)
        finally:
            remove_scratch(index, message_file)

    def _keep(self, landing: Landing, ref: str, base: str, ours: str, theirs: str) -> Landing:
        """Write a line of the log of landings."""
        record = {**landing.to_dict(), "ref": ref, "base": base, "ours": ours, "theirs": theirs, "at": time.time()}
        log = open_lines(open_state(self.repository) / LOG, mode=0o600)
        with open(log, "ab", closefd=True) as file:
            append(file.fileno(), json.dumps(record, ensure_ascii=False).encode() + b"\n", durable=True)
        return landing


def read_landings(repository: Repository) -> list[dict[str, Any]]:
    """Every landing that was tried here, oldest first; a line that was cut off is not a landing."""
    try:
        lines = (open_state(repository) / LOG).read_bytes().split(b"\n")[:-1]
    except FileNotFoundError:
        return []
    return [json.loads(line) for line in lines if line]


def _timed(landing: Landing, begun: float) -> Landing:
    return Landing(**{**landing.__dict__, "seconds": round(time.monotonic() - begun, 2)})


def _message(landing: Landing, title: str) -> str:
    ends = ", ".join(f"{g.gate} ({g.end})" for g in landing.gates)
    trailers = [
        f"Landing: {landing.id}",
        f"Landed-branch: {landing.branch}",
        f"Landed-by: graphbus land, candidate {landing.chosen + 1} of {landing.candidates}",
    ]
    return f"{title}\n\nMerged by structure and held against both parents: {ends}.\n\n" + "\n".join(trailers) + "\n"


def _describe_failures(plan: Plan) -> str:
    first = plan.failed[0]
    more = f" ({len(plan.failed) - 1} more files)" if len(plan.failed) > 1 else ""
    if first.conflicts:
        conflict = first.conflicts[0]
        return f"{first.path}:{conflict.line}: {conflict.symbol}: {conflict.reason}{more}"
    return f"{first.path}: {first.broken[0] if first.broken else 'no candidate parses'}{more}"


def _list_conflicts(plan: Plan) -> tuple[dict[str, Any], ...]:
    found: list[dict[str, Any]] = []
    for merge in plan.failed:
        found += [{"file": merge.path, **conflict.__dict__} for conflict in merge.conflicts]
        found += [
            {"file": merge.path, "symbol": p.symbol, "reason": f"promise ({p.promise}): {p.what}", "line": p.line}
            for p in merge.broken
        ]
    return tuple(found)


def land(
    folder: Path,
    request: LandingRequest,
    report: Callable[[str], None] = lambda text: None,
    inspect: Inspect | None = None,
    stop: threading.Event | None = None,
) -> tuple[list[Landing], list[str]]:
    """Land branches in the repository of a folder; gives what became of each, and notes. See `Lander.land_all`."""
    lander = Lander(Repository(folder), request, report, inspect, stop)
    return lander.land_all(), lander.notes


__all__: Sequence[str] = ["Lander", "Landing", "LandingRequest", "land", "read_landings"]
