"""One opened project with everything that can be done to it: the façade that the front ends call.

It holds what a command forgets between two calls: the running runtime, builds under way, the desk with open questions.
Everything that happens is told to `observe(kind, data)`. All methods may be called from any thread.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from graphbus_core.artifacts import MANIFEST, ArtifactFolder
from graphbus_core.build.builder import BuildArtifacts, Hooks, build_project
from graphbus_core.build.link import Linked, contracts_of, link
from graphbus_core.build.scan import Project, scan
from graphbus_core.config import BuildConfig, LLMConfig, RuntimeConfig, SafetyConfig
from graphbus_core.contracts import Contract, check
from graphbus_core.contracts.verdict import NOTHING
from graphbus_core.errors import GraphBusError, UsageError
from graphbus_core.model.agent_def import AgentDefinition
from graphbus_core.model.graph import AgentGraph, Link, Mismatch
from graphbus_core.model.message import Event
from graphbus_core.participants.desk import Desk, DeskParticipant
from graphbus_core.runtime import RuntimeExecutor

Observer = Callable[[str, Mapping[str, Any]], None]
KEPT_BUILDS = 100


class NotFound(UsageError):
    """There is no such node, build, question or negotiation."""


class Conflict(GraphBusError):
    """Not now: the state does not allow it."""


@dataclass
class BuildRun:
    """One build that this process started."""

    id: str
    state: str = "running"  # running | done | failed | cancelled
    detail: str = ""
    started_at: float = field(default_factory=time.time)
    build_id: str | None = None
    committed: int = 0
    task: Future[None] | None = field(default=None, repr=False)
    cancel: Callable[[], None] = field(default=lambda: None, repr=False)

    def to_dict(self) -> dict[str, Any]:
        """The form in which front ends get it."""
        names = ("id", "state", "detail", "started_at", "build_id", "committed")
        return {name: getattr(self, name) for name in names}


@dataclass(frozen=True)
class Seen:
    """The project as it was last looked at."""

    agents: tuple[AgentDefinition, ...]
    graph: AgentGraph
    links: tuple[Link, ...]
    mismatches: tuple[Mismatch, ...]
    source: str  # "project" or "artifacts"


class Workspace:
    """A project folder with its `.graphbus`, or a `.graphbus` alone (then there is nothing to build)."""

    def __init__(self, path: Path, output_dir: Path | None = None, observe: Observer | None = None) -> None:
        self.observe: Observer = observe or (lambda kind, data: None)
        is_artifacts = (path / MANIFEST).exists()
        if not path.exists():
            raise UsageError(f"There is no folder {path}. Give the folder of the agents, or a .graphbus folder.")
        self.project_path = None if is_artifacts else path
        self.output_dir = path if is_artifacts else (output_dir or Path(".graphbus"))
        self.desk = Desk(observe=self.observe)
        self._runs: dict[str, BuildRun] = {}
        self._executor: RuntimeExecutor | None = None
        self._lock = threading.RLock()
        self._looked: tuple[Any, Seen] | None = None
        self._project: Project | None = None

    # ------------------------------------------------------------------------------------------ what is there

    def look(self) -> Seen:
        """The project as it stands now; read anew only where a file changed."""
        with self._lock:
            if self.project_path is None:
                return self._look_at_artifacts()
            project = scan(str(self.project_path)) if self._project is None else self._project.again()
            self._project = project
            key = tuple(sorted(project.files.items()))
            if self._looked is None or self._looked[0] != key:
                linked: Linked = link(project.agents)
                seen = Seen(project.agents, linked.graph, linked.links, linked.mismatches, "project")
                self._looked = (key, seen)
            return self._looked[1]

    def _look_at_artifacts(self) -> Seen:
        folder = ArtifactFolder(self.output_dir)
        key = (folder.path / MANIFEST).stat().st_mtime_ns
        if self._looked is None or self._looked[0] != key:
            linked = link(folder.agents)
            self._looked = (key, Seen(folder.agents, folder.graph, linked.links, linked.mismatches, "artifacts"))
        return self._looked[1]

    def agent(self, name: str) -> AgentDefinition:
        """A node's definition. Raises NotFound with the nearest names."""
        agents = {a.name: a for a in self.look().agents}
        if name not in agents:
            raise NotFound(f"There is no node {name!r}.{nearest(name, agents)}")
        return agents[name]

    def nodes(self) -> list[dict[str, Any]]:
        """Every node, in short."""
        return [
            {
                "name": a.name,
                "module": a.module,
                "class_name": a.class_name,
                "source_file": a.source_file,
                "is_arbiter": a.is_arbiter,
                "methods": [m.name for m in a.methods],
            }
            for a in self.look().agents
        ]

    def node(self, name: str) -> dict[str, Any]:
        """One node, whole, with the data links that it is an end of."""
        agent = self.agent(name)
        links = [one.to_dict() for one in self.look().links if name in (one.producer.node, one.consumer.node)]
        return {**agent.to_dict(), "links": links}

    def mismatches(self) -> list[dict[str, Any]]:
        """Every link that does not fit."""
        return [m.to_dict() for m in self.look().mismatches]

    def check(self, producer: Any, consumer: Any) -> dict[str, Any]:
        """Whether what `producer` may send is taken by `consumer`: JSON Schemas, or names as `Node.method`."""
        verdict = check(self._contract(producer, "output"), self._contract(consumer, "input"))
        example = verdict.counterexample
        return {
            "compatible": verdict.compatible,
            "reasons": [vars_of(r) for r in verdict.reasons],
            "counterexample": None if example is NOTHING else example,
        }

    def _contract(self, named: Any, side: str) -> Any:
        if not isinstance(named, str):
            return named
        node, _, method = named.rpartition(".")
        found = self.agent(node).method(method) if node else None
        if found is None:
            known = [m.name for m in self.agent(node).methods] if node else []
            raise NotFound(f"There is no method {named!r}; write Node.method.{nearest(method, known)}")
        schema = found.output_schema if side == "output" else found.input_schema
        if schema is None:
            raise UsageError(f"{named} declares no {side} contract, so there is nothing to check.")
        return Contract.from_json_schema(dict(schema.json_schema))

    # ------------------------------------------------------------------------------------------ the runtime

    def start_runtime(self, payload_checks: str = "enforce") -> dict[str, Any]:
        """Start the last build; one runtime at a time. Raises Conflict where it runs, ArtifactError without a build."""
        with self._lock:
            if self._executor is not None and self._executor.is_running:
                raise Conflict("The runtime runs already. Stop it first.")
            if self.project_path is not None and not (self.output_dir / MANIFEST).exists():
                self._build_now()
            config = RuntimeConfig(artifacts_dir=str(self.output_dir), payload_checks=payload_checks)
            executor = RuntimeExecutor(config, middleware=[self._tap])
            executor.start()
            self._executor = executor
        self.observe("runtime", {"state": "running", "nodes": len(executor.nodes)})
        return executor.get_stats()

    def stop_runtime(self) -> dict[str, Any]:
        """Stop it; Conflict where it does not run."""
        with self._lock:
            executor = self._running()
            executor.stop()
        self.observe("runtime", {"state": "stopped", "nodes": 0})
        return {**executor.get_stats(), "unfinished": list(executor.unfinished)}

    def runtime_stats(self) -> dict[str, Any]:
        """State and statistics, also when it does not run."""
        executor = self._executor
        return executor.get_stats() if executor else {"is_running": False, "nodes_count": 0, "message_bus": None}

    def call(self, node: str, method: str, payload: dict[str, Any], timeout_s: float | None = None) -> Any:
        """Call a method of a running node. Raises NotFound, Conflict, PayloadRejected, DeadlineExceeded."""
        executor = self._running()
        definition = self.agent(node)
        if definition.method(method) is None or node not in executor.nodes:
            known = [m.name for m in definition.methods]
            raise NotFound(f"{node} has no method {method!r}.{nearest(method, known)}")
        self.observe("message", {"src": "api", "dst": node, "method": method, "payload": payload})
        return executor.request(node, method, payload, timeout_s=timeout_s, source="api")

    def publish(self, topic: str, payload: dict[str, Any], source: str) -> str:
        """Publish an event and return its id."""
        return self._running().publish(topic, payload, source).event_id

    def history(self, limit: int) -> list[Event]:
        """The newest events, newest first; empty where nothing runs."""
        bus = self._executor.bus if self._executor else None
        return bus.get_message_history(limit) if bus else []

    def dead_letters(self) -> list[dict[str, Any]]:
        """What could not be delivered."""
        bus = self._executor.bus if self._executor else None
        return [letter.to_dict() for letter in bus.dead_letters] if bus else []

    def retry_dead_letter(self, letter_id: str) -> bool:
        """Deliver one again; whether it went well."""
        bus = self._running().bus
        letter = bus.dead_letters.get(letter_id) if bus else None
        if bus is None or letter is None:
            raise NotFound(f"There is no dead letter {letter_id!r}.")
        return bool(bus.retry_dead_letter(letter))

    def purge_dead_letters(self) -> int:
        """Forget all of them; how many there were."""
        bus = self._executor.bus if self._executor else None
        return bus.dead_letters.purge() if bus else 0

    def metrics(self) -> dict[str, Any]:
        """Counters for a monitoring system."""
        states = [run.state for run in self._runs.values()]
        return {
            "runtime": self.runtime_stats(),
            "builds": {state: states.count(state) for state in ("running", "done", "failed", "cancelled")},
            "questions_open": len(self.desk.open()),
        }

    def _running(self) -> RuntimeExecutor:
        if self._executor is None or not self._executor.is_running:
            raise Conflict("The runtime does not run. Start it first: POST /runtime/start.")
        return self._executor

    def _tap(self, event: Event, next: Callable[[Event], Any]) -> Any:
        told = {"event_id": event.event_id, "topic": event.topic, "src": event.src, "payload": event.payload}
        self.observe("event", {**told, "cause": event.cause})
        return next(event)

    # ------------------------------------------------------------------------------------------ builds

    def start_build(
        self,
        enable_agents: bool = True,
        approve: bool = False,
        dry_run: bool = False,
        rounds: int = 3,
        intent: str | None = None,
        model: str | None = None,
    ) -> dict[str, Any]:
        """Start a build in the background. Raises Conflict where one is under way."""
        if self.project_path is None:
            raise Conflict(
                "Only artifacts were opened, so there is nothing to build. Open the project's folder instead."
            )
        config = BuildConfig(
            root_package=str(self.project_path),
            output_dir=str(self.output_dir),
            enable_agents=enable_agents,
            enable_human_in_loop=approve and enable_agents,
            dry_run=dry_run,
            intent=intent,
            llm_config=LLMConfig(model=model) if model else None,
            safety_config=SafetyConfig(max_negotiation_rounds=rounds),
        )
        with self._lock:
            if any(run.state == "running" for run in self._runs.values()):
                raise Conflict("A build is under way. Wait for it, or cancel it.")
            run = BuildRun(f"run-{len(self._runs) + 1}")
            self._runs[run.id] = run
        threading.Thread(target=self._build, args=(run, config), name=run.id, daemon=True).start()
        return run.to_dict()

    def builds(self) -> list[dict[str, Any]]:
        """Builds of this process, newest first."""
        return [run.to_dict() for run in reversed(list(self._runs.values())[-KEPT_BUILDS:])]

    def build(self, run_id: str) -> dict[str, Any]:
        """One of them."""
        return self._run(run_id).to_dict()

    def cancel_build(self, run_id: str) -> dict[str, Any]:
        """Stop one cleanly, as Ctrl-C would; it can be resumed from the command line."""
        run = self._run(run_id)
        if run.state != "running":
            raise Conflict(f"{run_id} is not under way: it is {run.state}.")
        run.cancel()
        return run.to_dict()

    def _run(self, run_id: str) -> BuildRun:
        if run_id not in self._runs:
            raise NotFound(f"There is no build {run_id!r}.{nearest(run_id, self._runs)}")
        return self._runs[run_id]

    def _build_now(self) -> BuildArtifacts:
        return build_project(BuildConfig(root_package=str(self.project_path), output_dir=str(self.output_dir)))

    def _build(self, run: BuildRun, config: BuildConfig) -> None:
        def observe(kind: str, data: Mapping[str, Any]) -> None:
            self._told(run, kind, data)

        def begin(cancel: Callable[[], None]) -> None:
            run.cancel = cancel

        self._tell(run)
        try:
            made = build_project(config, Hooks(observe, DeskParticipant(self.desk), begin))
            run.build_id, run.committed = made.build_id, len(made.negotiations)
            run.state, run.detail = "done", f"{run.committed} committed"
        except asyncio.CancelledError:
            run.state, run.detail = "cancelled", "stopped; what was answered and committed is kept"
        except GraphBusError as e:
            run.state, run.detail = "failed", str(e)
        except Exception as e:  # a bug of ours must not leave a build that runs for ever
            run.state, run.detail = "failed", f"{type(e).__name__}: {e}"
        self._tell(run)

    def _tell(self, run: BuildRun) -> None:
        self.observe("build", run.to_dict())

    def _told(self, run: BuildRun, kind: str, data: Mapping[str, Any]) -> None:
        if kind == "fact":
            known = {"proposal_tabled": "proposal", "proposal_committed": "commit"}
            told = known.get(data["kind"], "negotiation")
            self.observe(told, {"build_id": run.build_id, "kind": data["kind"], "fact": dict(data["fact"])})
        elif kind == "opened":
            run.build_id = data["build_id"]
            self._tell(run)
        elif kind == "notice":
            run.detail = data["text"]
            self._tell(run)
        elif kind in ("asked", "answered"):
            self._thinking(data, kind == "asked")

    def _thinking(self, data: Mapping[str, Any], begins: bool) -> None:
        with self._lock:
            thinking = self.__dict__.setdefault("_who_thinks", {})
            if begins:
                thinking[data["id"]] = data["agent"]
            else:
                thinking.pop(data["id"], None)
            agents = sorted(set(thinking.values()))
        self.observe("thinking", {"agents": agents})

    # ------------------------------------------------------------------------------------------ questions

    def questions(self) -> list[dict[str, Any]]:
        """What waits for an answer, oldest first."""
        return [q.to_dict() for q in self.desk.open()]

    def answer(self, question_id: str, body: Mapping[str, Any]) -> None:
        """Answer one. Raises NotFound, or UsageError for an answer that is none."""
        try:
            self.desk.answer(question_id, body)
        except KeyError:
            raise NotFound(f"There is no open question {question_id!r}; it may have been answered.") from None

    # ------------------------------------------------------------------------------------------ the end

    def close(self) -> None:
        """Stop the runtime and the build, if any."""
        for run in self._runs.values():
            if run.state == "running":
                run.cancel()
        with self._lock:
            if self._executor is not None and self._executor.is_running:
                self._executor.stop()


def nearest(name: str, known: Any) -> str:
    """A sentence with the nearest known name, or nothing."""
    from difflib import get_close_matches

    near = get_close_matches(name, list(known), 1, 0.5)
    return f" Did you mean {near[0]!r}?" if near else ""


def vars_of(reason: Any) -> dict[str, Any]:
    """A reason of a verdict as plain data."""
    return {name: getattr(reason, name) for name in ("kind", "path", "message")}


__all__ = ["BuildRun", "Conflict", "NotFound", "Seen", "Workspace", "contracts_of"]
