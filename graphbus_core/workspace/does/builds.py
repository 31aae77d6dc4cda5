"""Builds that a front end started: one at a time, in the background, told to whoever follows."""

from __future__ import annotations

import asyncio
import math
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from graphbus_core.build.builder import build_project
from graphbus_core.build.negotiate.resuming import left_over, nothing_to_resume
from graphbus_core.build.negotiate.seams import Hooks
from graphbus_core.config import BuildConfig
from graphbus_core.errors import GraphBusError, UsageError
from graphbus_core.files.build_lock import reading_lock
from graphbus_core.negotiation.core import Ask, Participant, Reply, View
from graphbus_core.participants.people.desk import Desk, DeskParticipant
from graphbus_core.participants.rules import RulesParticipant
from graphbus_core.workspace.does.forks import Within, fork_of
from graphbus_core.workspace.does.options import asked
from graphbus_core.workspace.does.watch import message_of
from graphbus_core.workspace.shows.errors import Conflict, NotFound, nearest

Observer = Callable[[str, Mapping[str, Any]], object]
KEPT = 100
# Who watches the log files sees the last facts a moment after this process told them. Without the grace they come
# twice.
JUST_S = 5.0  # after its end a build's last facts may still be read by who watches the logs
NOT_ASKED = ("human", "decider", "arbiter")  # who never proposes


@dataclass
class BuildRun:
    """One build that this process started."""

    id: str
    state: str = "running"  # running | done | failed | cancelled
    detail: str = ""
    started_at: float = field(default_factory=time.time)
    build_id: str | None = None
    committed: int = 0
    dry_run: bool = False
    cancel: Callable[[], None] = field(default=lambda: None, repr=False)
    ended_at: float = field(default=math.inf, repr=False)
    is_cancelled: bool = field(default=False, repr=False)  # asked for, maybe before there was anything to stop

    def to_dict(self) -> dict[str, Any]:
        """The form in which front ends get it."""
        names = ("id", "state", "detail", "started_at", "build_id", "committed", "dry_run")
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
        said: dict[str, Any] = {"include": list(self.include), "enable_agents": True}
        if resume:
            said["resume"] = True
            # Under the lock: what another process is building just now is not left over.
            with reading_lock(self.output_dir):
                left = left_over(self.output_dir)
            if left is None:
                raise nothing_to_resume()
            # The people of then: who was asked must be asked again, or the resumed build is another one.
            humans, dry_run = left.people, bool(left.opened.settings.get("dry_run"))
        else:
            self._must_be_agents([*humans, *([str(proposal["agent"])] if proposal else [])], enable_agents)
            said |= {"enable_agents": enable_agents, "approve": approve, "verify": verify, "intent": intent}
            said |= {"rounds": rounds, "dry_run": dry_run, "model": [model] if model else None}
        # Here and not in the thread: a setting that cannot be is told to who asks, as on the command line.
        config = asked(self.project_path, self.output_dir, **said)
        return self._begin(config, dry_run, humans, proposal)

    def fork(self, facts: list[dict[str, Any]], at: int, model: str | None = None) -> dict[str, Any]:
        """Start a dry run from fact number `at` of a negotiation: its intent and rounds, on the sources as they stood
        then, in a copy. Raises NotFound for the fact, Conflict where a text is not kept or a build runs.
        """
        if self.project_path is None:
            raise Conflict("Only artifacts were opened; to try a change, open the project's folder instead.")
        fork = fork_of(facts, at, self.project_path, self.output_dir, self.include)
        return self._begin(fork.config(self.project_path, self.output_dir, model), True, within=fork.within)

    def _begin(
        self,
        config: BuildConfig,
        dry_run: bool,
        humans: Sequence[str] = (),
        proposal: Any = None,
        within: Within = nullcontext,
    ) -> dict[str, Any]:
        # Checked and entered in one hold: two requests at once must not both find nothing under way.
        with self._lock:
            if self.under_way():
                raise Conflict("A build is under way. Wait for it, or cancel it.")
            run = BuildRun(f"run-{len(self._runs) + 1}", dry_run=dry_run)
            self._runs[run.id] = run
        given = (run, config, humans, proposal, within)
        # A daemon: a server that is stopped must not hang on a model that thinks.
        threading.Thread(target=self._build, args=given, name=run.id, daemon=True).start()
        return run.to_dict()

    def _must_be_agents(self, humans: Sequence[str], enable_agents: bool) -> None:
        """A person who speaks for nobody would never be asked. Raises UsageError with the nearest name."""
        if humans and not enable_agents:
            raise UsageError("A build without agents asks nobody: leave `humans` out, or set `enable_agents`.")
        # The names are computed only where somebody is named: it scans the project.
        known = list(self.agents()) if humans else []
        for name in humans:
            if name not in known:
                near = nearest(name, known) or f" The agents are {', '.join(sorted(known)[:20])}."
                raise UsageError(f"humans: there is no agent {name!r} to speak for.{near}")

    def under_way(self) -> bool:
        """Whether a build runs now."""
        # Over a copy: other threads add runs while this looks.
        return any(run.state == "running" for run in list(self._runs.values()))

    def is_own(self, build_id: str) -> bool:
        """Whether a build of this process has that negotiation, or just had: its facts are told as they are made."""
        just = time.time() - JUST_S
        return any(run.build_id == build_id and run.ended_at > just for run in list(self._runs.values()))

    def all(self) -> list[dict[str, Any]]:
        """Builds of this process, newest first."""
        return [run.to_dict() for run in reversed(list(self._runs.values())[-KEPT:])]

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
            raise NotFound(f"There is no build {run_id!r}.{nearest(run_id, self._runs)}")
        return self._runs[run_id]

    def close(self) -> None:
        """Stop what is under way."""
        for run in self._runs.values():
            if run.state == "running":
                self._stop(run)

    def _build(self, run: BuildRun, config: BuildConfig, humans: Sequence[str], proposal: Any, within: Within) -> None:
        def observe(kind: str, data: Mapping[str, Any]) -> None:
            self._told(run, kind, data)

        def begin(cancel: Callable[[], None]) -> None:
            with self._lock:
                run.cancel = cancel
            # The wish may have come between the thread's start and now.
            if run.is_cancelled:
                cancel()

        person = DeskParticipant(self.desk)
        seats: dict[str, Participant] = dict.fromkeys(humans, person)
        around: Callable[[Mapping[str, Participant]], Mapping[str, Participant]] = dict
        if proposal is not None:
            # Somebody must sit there to answer all that is asked beside the proposal.
            seats.setdefault(proposal["agent"], RulesParticipant())
            around = partial(only_this, proposal=proposal)
        self._tell(run)
        try:
            if run.is_cancelled:
                raise asyncio.CancelledError
            with within(config) as config:
                made = build_project(config, Hooks(observe, person, begin, seats, around))
            run.build_id, run.committed = made.build_id, len(made.negotiations)
            run.state, run.detail = "done", f"{run.committed} committed"
            if run.dry_run:  # of a resumed build too, whose own config does not say it
                run.detail = f"a dry run: {run.committed} would be committed, nothing was changed"
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

    def _told(self, run: BuildRun, kind: str, data: Mapping[str, Any]) -> None:
        if kind == "fact":
            told = {"build_id": run.build_id, "kind": data["kind"], "fact": dict(data["fact"])}
            self.observe(message_of(data["kind"]), told)
        elif kind == "opened":
            run.build_id = data["build_id"]
            self._tell(run)
        elif kind == "notice":
            run.detail = data["text"]
            self._tell(run)
        elif kind in ("asked", "answered"):
            self._thinks(data, kind == "asked")

    def _thinks(self, data: Mapping[str, Any], begins: bool) -> None:
        with self._lock:
            if begins:
                self._thinking[data["id"]] = data["agent"]
            else:
                self._thinking.pop(data["id"], None)
            # A set, then sorted: one agent may think about two questions, and the order must not jump in the page.
            agents = sorted(set(self._thinking.values()))
        self.observe("thinking", {"agents": agents})


# A build that carries one proposal: its agent tables it, nobody tables another, everybody judges as always.


class _OnlyThis:
    """Somebody's seat, whose proposals are given. Every other question goes to whoever sits there."""

    def __init__(self, seat: Participant, proposals: list[dict[str, Any]]) -> None:
        self.seat, self.proposals = seat, proposals

    async def answer(self, ask: Ask, view: View) -> Reply:
        """Given once: asked again, nothing is left to propose."""
        if ask.kind != "propose":
            return await self.seat.answer(ask, view)
        # A proposal that was refused is not offered again: its author is a person, who decides whether to change it.
        given, self.proposals = (self.proposals, []) if not view.refused else ([], self.proposals)
        return Reply({"proposals": given})


def only_this(seated: Mapping[str, Participant], proposal: Mapping[str, Any]) -> Mapping[str, Participant]:
    """Everybody, with what each may propose: `proposal` for its agent, nothing for the others."""
    body = {key: proposal[key] for key in ("diff", "summary", "rationale") if proposal.get(key)}
    return {
        name: seat if name in NOT_ASKED else _OnlyThis(seat, [body] if name == proposal["agent"] else [])
        for name, seat in seated.items()
    }
