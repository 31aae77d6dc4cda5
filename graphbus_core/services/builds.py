"""Builds that a front end started: one at a time, in the background, told to whoever follows."""

from __future__ import annotations

import asyncio
import hashlib
import math
import os
import shutil
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from graphbus_core.analysis.scan import Project, scan
from graphbus_core.build.builder import build_project
from graphbus_core.commit.history import decode_base64, list_records
from graphbus_core.config import BuildConfig
from graphbus_core.errors import GraphBusError, UsageError
from graphbus_core.logs.negotiation_folder import ANSWERS, NegotiationFolder
from graphbus_core.negotiation.core import Ask, Participant, Reply, View
from graphbus_core.participants.people.desk import Desk, DeskParticipant
from graphbus_core.participants.rules import RulesParticipant
from graphbus_core.sandbox.scratch import copy_tree
from graphbus_core.services.activity_watcher import map_fact_kind
from graphbus_core.services.build_command import resolve_config
from graphbus_core.services.errors import Conflict, NotFound, suggest_name
from graphbus_core.services.queries.negotiations import count_outcomes
from graphbus_core.sessions.build.hooks import Hooks
from graphbus_core.sessions.build.protection import resolve_protected
from graphbus_core.sessions.build.resumption import build_nothing_to_resume, find_unfinished
from graphbus_core.storage.locks import hold_reading_lock
from graphbus_core.storage.private_folders import open_private_folder
from graphbus_core.text import join_few

# A dry run that starts from a fact: the sources as they stood after it, in a copy that is thrown away.
#
# What the files were then stands in the log, as digests; their texts are today's, or lie in the records of commits.
# Where a text is nowhere, nothing is guessed: there is no fork.


SHOWN = 3  # files named in a refusal
CopyContext = Callable[[BuildConfig], AbstractContextManager[BuildConfig]]


@dataclass(frozen=True)
class Fork:
    """Where a dry run starts: the project today, what differs of it then, and what that negotiation was asked for."""

    project: Project
    texts: Mapping[str, bytes]  # of files that had another text
    later: frozenset[str]  # files that were not there yet
    asked: Mapping[str, Any]

    def build_config(self, path: Path, output_dir: Path, model: str | None) -> BuildConfig:
        """What the dry run is asked for: the intent, the goals and the rounds of the negotiation that it leaves.

        All else is as the project's settings say today, but that nobody is asked and git is told nothing.
        """
        return resolve_config(
            path,
            output_dir,
            include=list(self.project.include or ()),
            enable_agents=True,
            dry_run=True,
            # Nothing of the user's is changed, so there is nothing to allow; and the copy is not a repository.
            approve=False,
            git=False,
            intent=self.asked["settings"].get("intent"),
            goal=list(self.asked["settings"].get("goals") or ()),
            model=[model] if model else None,
            rounds=self.asked["safety"].get("max_negotiation_rounds"),
        )

    @contextmanager
    def open_copy(self, config: BuildConfig) -> Iterator[BuildConfig]:
        """The copy, for as long as the dry run takes. Its log comes to the project's own when it has ended: a half one
        would be offered to be resumed, and its sources are gone."""
        project_logs = NegotiationFolder(config.output_dir)
        with open_private_folder("fork") as folder:
            root = folder / "project"
            copy_tree(self.project.root, root, Path(config.output_dir), self.project.files)
            # Files that came later are taken away: a fork that sees them would negotiate about what nobody had then.
            for path in self.later:
                (root / path).unlink(missing_ok=True)
            for path, text in self.texts.items():
                (root / path).parent.mkdir(parents=True, exist_ok=True)
                (root / path).write_bytes(text)
            # Links resolved: the package may be reached over one, and the copy has the real tree.
            place = os.path.relpath(os.path.realpath(config.root_package), os.path.realpath(self.project.root))
            _wait_for_free_id(project_logs)
            # As seen from the project: an absolute path names the user's file, which the copy does not have.
            guarded, _ = resolve_protected(config.safety_config.protected_files, self.project.root, self.project.files)
            safety = replace(config.safety_config, protected_files=guarded)
            yield replace(config, root_package=str(root / place), output_dir=str(folder / "out"), safety_config=safety)
            own = NegotiationFolder(folder / "out")
            for build_id in own.list_builds():
                if own.inspect(build_id).ended:
                    _keep_log(own, project_logs, build_id)


def create_fork(
    facts: list[dict[str, Any]], fact_number: int, path: Path, output_dir: Path, include: Sequence[str] = ()
) -> Fork:
    """The sources after fact number `at`. Raises NotFound for a fact that is not there, Conflict for a text that is
    not kept."""
    # Only proposals can be forked; a consent log has no sources.
    if not facts or facts[0]["kind"] != "negotiation_opened" or not 1 <= fact_number <= len(facts):
        raise NotFound(f"There is no fact {fact_number} of proposals to start from; the log has {len(facts)}.")
    # The files are digests of the opening, moved on by each receipt: the log alone says how things stood.
    then = dict(facts[0]["data"]["files"])
    for fact in facts[:fact_number]:
        if fact["kind"] == "proposal_committed":
            then |= fact["data"]["receipt"].get("after", {})
    project = scan(str(path), include)
    other = {file_path: digest for file_path, digest in then.items() if project.files.get(file_path) != digest}
    # Records are read only where some file differs; usually none does.
    known_texts = _collect_kept_texts(output_dir) if other else {}
    # All or nothing. Today's text in place of a lost one would answer a question nobody asked.
    if lost := sorted(file_path for file_path, digest in other.items() if digest not in known_texts):
        raise Conflict(
            f"There is no fork from fact {fact_number}: {join_few(lost, SHOWN, what='more files')} had "
            f"another text then, and no "
            "record of a commit holds it. Start from a later fact, or put the file back as it was."
        )
    texts = {file_path: known_texts[digest] for file_path, digest in other.items()}
    return Fork(project, texts, frozenset(set(project.files) - set(then)), facts[0]["data"])


def _collect_kept_texts(output_dir: Path) -> dict[str, bytes]:
    """Digest -> text, of all files before and after every commit that is on record."""
    texts_by_digest = {}
    for _, record in list_records(output_dir):
        for sides in record["files"].values():
            for side in ("before", "after"):
                text = decode_base64(sides[side])
                texts_by_digest[hashlib.sha256(text).hexdigest()] = text
    return texts_by_digest


def _wait_for_free_id(project_logs: NegotiationFolder) -> None:
    """Ids are seconds, and the copy does not know those of the project: begin in a second that has none."""
    # Ids are seconds: three are more than two commands that start together can use up.
    end = time.monotonic() + 3
    while time.monotonic() < end:
        now = time.strftime("build-%Y-%m-%d-%H%M%S", time.gmtime())
        if not project_logs.log_path(now).exists():
            return
        time.sleep(0.1)


def _keep_log(own: NegotiationFolder, project_logs: NegotiationFolder, build_id: str) -> None:
    project_logs.folder.mkdir(parents=True, exist_ok=True)
    if project_logs.log_path(build_id).exists():
        raise Conflict(f"There is a negotiation {build_id} already, so the dry run's log was dropped. Fork again.")
    for name in (ANSWERS, ".jsonl.head", ".jsonl"):  # the log last: who lists logs finds the rest beside it
        if (file := own.folder / f"{build_id}{name}").exists():
            shutil.copyfile(file, project_logs.folder / file.name)


Observer = Callable[[str, Mapping[str, Any]], object]
MAX_LISTED = 100
# Who watches the log files sees the last facts a moment after this process told them. Without the grace they come
# twice.
RECENT_S = 5.0  # after its end a build's last facts may still be read by who watches the logs
NON_PROPOSERS = ("human", "decider", "arbiter")  # who never proposes


OPERATOR = "operator"  # whoever runs the server: who puts a proposal to the agents through it


@dataclass
class BuildRun:
    """One build that this process started."""

    id: str
    state: str = "running"  # running | done | failed | cancelled
    detail: str = ""
    started_at: float = field(default_factory=time.time)
    build_id: str | None = None
    committed: int = 0
    outcomes: dict[str, int] = field(default_factory=dict)  # what became of its proposals, by outcome
    dry_run: bool = False
    cancel: Callable[[], None] = field(default=lambda: None, repr=False)
    ended_at: float = field(default=math.inf, repr=False)
    is_cancelled: bool = field(default=False, repr=False)  # asked for, maybe before there was anything to stop

    def to_dict(self) -> dict[str, Any]:
        """The form in which front ends get it."""
        names = ("id", "state", "detail", "started_at", "build_id", "committed", "outcomes", "dry_run")
        return {name: getattr(self, name) for name in names}


class BuildRuns:
    """The builds of one project. What a person is asked lies on `desk`; `agents` gives the names there are."""

    def __init__(
        self,
        project_path: Path | None,
        output_dir: Path,
        desk: Desk,
        observe: Observer,
        agents: Callable[[], Iterable[str]] = tuple,
        include: Sequence[str] = (),
    ) -> None:
        self.agents, self.include = agents, include
        self.project_path = project_path
        self.output_dir = output_dir
        self.desk = desk
        self.observe = observe
        self._runs: dict[str, BuildRun] = {}
        self._thinking: dict[str, str] = {}  # question -> agent
        self._lock = threading.Lock()

    def start(
        self,
        enable_agents: bool = True,
        approve: bool | None = None,
        dry_run: bool = False,
        rounds: int | None = None,
        intent: str | None = None,
        model: str | None = None,
        humans: Sequence[str] = (),
        resume: bool = False,
        proposal: Mapping[str, Any] | None = None,
        verify: str | None = None,
    ) -> dict[str, Any]:
        """Start a build in the background; `humans` are agents whose questions lie on the desk.

        What is None is as the project's settings say (`options`), as on the command line.
        `proposal` (`agent`, `diff`, `summary`, `rationale`) is put to the others as that agent's, and nobody proposes
        anything beside it: what a person asks for is decided by itself.
        `resume` goes on with the negotiation that was left unfinished, as it was asked for: give no other option.
        Raises Conflict where a build is under way, UsageError for a human's agent that is not there.
        """
        if self.project_path is None:
            raise Conflict("Only artifacts were opened; to build, open the project's folder instead.")
        stated_options: dict[str, Any] = {"include": list(self.include), "enable_agents": True}
        if resume:
            stated_options["resume"] = True
            # Under the lock: what another process is building just now is not left over.
            with hold_reading_lock(self.output_dir):
                leftover = find_unfinished(self.output_dir)
            if leftover is None:
                raise build_nothing_to_resume()
            # The people of then: who was asked must be asked again, or the resumed build is another one.
            humans, dry_run = leftover.people, bool(leftover.opened.settings.get("dry_run"))
        else:
            self._check_agents([*humans, *([str(proposal["agent"])] if proposal else [])], enable_agents)
            stated_options |= {"enable_agents": enable_agents, "approve": approve, "verify": verify, "intent": intent}
            stated_options |= {"rounds": rounds, "dry_run": dry_run, "model": [model] if model else None}
        # Here and not in the thread: a setting that cannot be is told to who asks, as on the command line.
        config = resolve_config(self.project_path, self.output_dir, **stated_options)
        return self._begin(config, dry_run, humans, proposal)

    def fork(self, facts: list[dict[str, Any]], fact_number: int, model: str | None = None) -> dict[str, Any]:
        """Start a dry run from fact number `at` of a negotiation: its intent and rounds, on the sources as they stood
        then, in a copy. Raises NotFound for the fact, Conflict where a text is not kept or a build runs.
        """
        if self.project_path is None:
            raise Conflict("Only artifacts were opened; to try a change, open the project's folder instead.")
        fork = create_fork(facts, fact_number, self.project_path, self.output_dir, self.include)
        return self._begin(fork.build_config(self.project_path, self.output_dir, model), True, within=fork.open_copy)

    def _begin(
        self,
        config: BuildConfig,
        dry_run: bool,
        humans: Sequence[str] = (),
        proposal: Any = None,
        within: CopyContext = nullcontext,
    ) -> dict[str, Any]:
        # Checked and entered in one hold: two requests at once must not both find nothing under way.
        with self._lock:
            if self.is_under_way():
                raise Conflict("A build is under way. Wait for it, or cancel it.")
            run = BuildRun(f"run-{len(self._runs) + 1}", dry_run=dry_run)
            self._runs[run.id] = run
        thread_args = (run, config, humans, proposal, within)
        # A daemon: a server that is stopped must not hang on a model that thinks.
        threading.Thread(target=self._build, args=thread_args, name=run.id, daemon=True).start()
        return run.to_dict()

    def _check_agents(self, humans: Sequence[str], enable_agents: bool) -> None:
        """A person who speaks for nobody would never be asked. Raises UsageError with the nearest name."""
        if humans and not enable_agents:
            raise UsageError("A build without agents asks nobody: leave `humans` out, or set `enable_agents`.")
        # The names are computed only where somebody is named: it scans the project.
        known_agents = list(self.agents()) if humans else []
        for name in humans:
            if name not in known_agents:
                near = suggest_name(name, known_agents) or f" The agents are {', '.join(sorted(known_agents)[:20])}."
                raise UsageError(f"humans: there is no agent {name!r} to speak for.{near}")

    def is_under_way(self) -> bool:
        """Whether a build runs now."""
        # Over a copy: other threads add runs while this looks.
        return any(run.state == "running" for run in list(self._runs.values()))

    def is_own(self, build_id: str) -> bool:
        """Whether a build of this process has that negotiation, or just had: its facts are told as they are made."""
        just = time.time() - RECENT_S
        return any(run.build_id == build_id and run.ended_at > just for run in list(self._runs.values()))

    def list_builds(self) -> list[dict[str, Any]]:
        """Builds of this process, newest first."""
        return [run.to_dict() for run in reversed(list(self._runs.values())[-MAX_LISTED:])]

    def get(self, run_id: str) -> dict[str, Any]:
        """One of them."""
        return self._run(run_id).to_dict()

    def cancel(self, run_id: str) -> dict[str, Any]:
        """Stop one cleanly, as Ctrl-C would, however early; it can be resumed."""
        run = self._run(run_id)
        if run.state != "running":
            raise Conflict(f"{run_id} is not under way: it is {run.state}.")
        self._stop(run)
        return run.to_dict()

    def _stop(self, run: BuildRun) -> None:
        with self._lock:
            # The flag as well as the call: before the build began there is nothing to call yet, and the wish must not
            # be lost.
            run.is_cancelled = True
        run.cancel()

    def _run(self, run_id: str) -> BuildRun:
        if run_id not in self._runs:
            raise NotFound(f"There is no build {run_id!r}.{suggest_name(run_id, self._runs)}")
        return self._runs[run_id]

    def close(self) -> None:
        """Stop what is under way."""
        for run in self._runs.values():
            if run.state == "running":
                self._stop(run)

    def _build(
        self, run: BuildRun, config: BuildConfig, humans: Sequence[str], proposal: Any, within: CopyContext
    ) -> None:
        def observe(kind: str, data: Mapping[str, Any]) -> None:
            self._observe_build(run, kind, data)

        def begin(cancel: Callable[[], None]) -> None:
            with self._lock:
                run.cancel = cancel
            # The wish may have come between the thread's start and now.
            if run.is_cancelled:
                cancel()

        person = DeskParticipant(self.desk)
        seats: dict[str, Participant] = dict.fromkeys(humans, person)
        around: Callable[[Mapping[str, Participant]], Mapping[str, Participant]] = dict
        people = {str(proposal["agent"]): OPERATOR} if proposal is not None else {}
        if proposal is not None:
            # Somebody must sit there to answer all that is asked beside the proposal.
            seats.setdefault(proposal["agent"], RulesParticipant())
            around = partial(limit_proposals, proposal=proposal)
        self._tell(run)
        try:
            if run.is_cancelled:
                raise asyncio.CancelledError
            with within(config) as config:
                artifacts = build_project(config, Hooks(observe, person, begin, seats, around, people))
            run.build_id, run.committed = artifacts.build_id, len(artifacts.negotiations)
            run.outcomes = dict(Counter(str(p.outcome) for p in getattr(artifacts.negotiation, "proposals", ())))
            counts = count_outcomes({**run.outcomes, "committed": run.committed}, ["committed"], run.dry_run)
            run.state, run.detail = "done", counts
            if run.dry_run:  # of a resumed build too, whose own config does not say it
                run.detail = f"a dry run: {counts}, nothing was changed"
        except asyncio.CancelledError:
            # No failure: everything answered and committed is on the disk, and `--resume` goes on.
            run.state, run.detail = "cancelled", "stopped; what was answered and committed is kept"
        except GraphBusError as e:
            run.state, run.detail = "failed", str(e)
        except Exception as e:  # a bug of ours must not leave a build that runs for ever
            run.state, run.detail = "failed", f"{type(e).__name__}: {e}"
        # Before it is told, so that whoever hears of the end finds the time of it.
        run.ended_at = time.time()
        self._tell(run)

    def _tell(self, run: BuildRun) -> None:
        self.observe("build", run.to_dict())

    def _observe_build(self, run: BuildRun, kind: str, data: Mapping[str, Any]) -> None:
        if kind == "fact":
            fact_data = {"build_id": run.build_id, "kind": data["kind"], "fact": dict(data["fact"])}
            self.observe(map_fact_kind(data["kind"]), fact_data)
        elif kind == "opened":
            run.build_id = data["build_id"]
            self._tell(run)
        elif kind == "notice":
            run.detail = data["text"]
            self._tell(run)
        elif kind in ("asked", "answered"):
            self._track_thinking(data, kind == "asked")

    def _track_thinking(self, data: Mapping[str, Any], begins: bool) -> None:
        with self._lock:
            if begins:
                self._thinking[data["id"]] = data["agent"]
            else:
                self._thinking.pop(data["id"], None)
            # A set, then sorted: one agent may think about two questions, and the order must not jump in the page.
            agents = sorted(set(self._thinking.values()))
        self.observe("thinking", {"agents": agents})


# A build that carries one proposal: its agent tables it, nobody tables another, everybody judges as always.


class _FixedProposalSeat:
    """Somebody's seat, whose proposals are given. Every other question goes to whoever sits there."""

    def __init__(self, seat: Participant, proposals: list[dict[str, Any]]) -> None:
        self.seat, self.proposals = seat, proposals

    async def answer(self, ask: Ask, view: View) -> Reply:
        """Given once: asked again, nothing is left to propose."""
        if ask.kind != "propose":
            return await self.seat.answer(ask, view)
        # A proposal that was refused is not offered again: its author is a person, who decides whether to change it.
        proposals, self.proposals = (self.proposals, []) if not view.refused else ([], self.proposals)
        return Reply({"proposals": proposals})


def limit_proposals(seated: Mapping[str, Participant], proposal: Mapping[str, Any]) -> Mapping[str, Participant]:
    """Everybody, with what each may propose: `proposal` for its agent, nothing for the others."""
    body = {key: proposal[key] for key in ("diff", "summary", "rationale") if proposal.get(key)}
    return {
        name: seat if name in NON_PROPOSERS else _FixedProposalSeat(seat, [body] if name == proposal["agent"] else [])
        for name, seat in seated.items()
    }
