"""The scripted table on which models are measured: its answers, a negotiation with the server, a row of figures."""

from __future__ import annotations

import asyncio
import ctypes
import os
import re
import resource
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from graphbus_core.analysis.links import link
from graphbus_core.analysis.scan import Project, scan
from graphbus_core.commit import CommitEngine
from graphbus_core.config import BuildConfig, LLMConfig, SafetyConfig
from graphbus_core.errors import ParticipantError
from graphbus_core.logs.memory import MemoryAnswers, MemoryLog
from graphbus_core.negotiation.core import AnswerRefused, Apply, Driver, Json, Session
from graphbus_core.negotiation.proposal import NegotiationOutcome, ProposalConfig, ProposalProtocol
from graphbus_core.participants.llm import Table, seat
from graphbus_core.testing import Call, ModelServer, Script, Turn, chain, fenced, write_files

KEY = "sk-bench-0123456789-abcdefghij-KLMNOP"
MODEL = "anthropic:claude-sonnet-5-5"
ROWS: list[tuple[str, str, str, str]] = []


def row(what: str, measured: str, goal: str, ok: bool | None) -> None:
    """One line of the table."""
    ROWS.append((what, measured, goal, {True: "yes", False: "NO", None: "-"}[ok]))
    print(f"{ROWS[-1][3]:>4}  {what}: {measured}  (goal: {goal})", flush=True)


class Served(Protocol):
    """Where a scripted server listens."""

    @property
    def anthropic_url(self) -> str:
        """The base URL for Anthropic's client."""


@dataclass
class Run:
    """One negotiation that was held against the server."""

    outcome: NegotiationOutcome | None
    events: list[Any]
    table: Table
    wall_s: float
    gates_s: float
    gates_cpu_s: float = 0.0  # of processor, in this process and in what the gates started
    cpu_s: float = 0.0  # of processor, without the gates
    error: BaseException | None = None
    asked: dict[str, int] = field(default_factory=dict)


async def hold(
    root: Path,
    server: Served,
    *,
    rounds: int = 1,
    safety: Mapping[str, Any] | None = None,
    real: bool = True,
    **llm: Any,
) -> Run:
    """Scan, link and negotiate the project at `root` with a model in every seat.

    What is agreed goes through the real gates into the sources; with `real` False it is taken as committed.
    """
    project = scan(str(root / "agents"))
    build = BuildConfig(str(root / "agents"), output_dir=str(root / ".graphbus"), enable_agents=True)
    with CommitEngine(project, build) as engine:

        async def apply(want: Apply) -> Json:
            if not real:
                return {"status": "committed", "files": [], "agents": {}, "after": {}, "unified_diff": ""}
            return await asyncio.to_thread(engine.apply, want.kind, want.about)

        return await _negotiate(project, server, apply, rounds, safety or {}, llm)


async def _negotiate(
    project: Project, server: Served, effect: Any, rounds: int, safety: Mapping[str, Any], llm: Mapping[str, Any]
) -> Run:
    linked = link(project.agents)
    limits = {"max_negotiation_rounds": rounds, "max_total_file_changes": 1_000, **safety}
    config = ProposalConfig(
        project.agents, linked.links, linked.mismatches, SafetyConfig(**limits), files=dict(project.files)
    )
    settings = LLMConfig(**{"model": MODEL, "api_key": KEY, "base_url": server.anthropic_url, **llm})
    table = Table.of(settings, environ={})
    seats = seat(settings, [a.name for a in project.agents], table=table)
    log = MemoryLog()
    session = Session(ProposalProtocol(), config, log)
    gates = gates_cpu = 0.0

    async def timed(apply: Apply) -> Json:
        nonlocal gates, gates_cpu
        began, used = time.perf_counter(), processor_s()
        try:
            return await effect(apply)
        finally:
            gates_cpu += processor_s() - used
            gates += time.perf_counter() - began

    began, used = time.perf_counter(), processor_s()
    error: BaseException | None = None
    outcome = None
    try:
        outcome = await Driver(seats, MemoryAnswers(), timed).run(session)
    except ParticipantError as e:  # a budget that is spent, or a key that is refused
        error = e
    wall_s, cpu_s = time.perf_counter() - began, processor_s() - used - gates_cpu
    return Run(outcome, log.events, table, wall_s, gates, gates_cpu, cpu_s, error)


def processor_s() -> float:
    """Seconds of processor that this process has used, with the programs that it started and that have ended."""
    _take_orphans()
    return sum(sum(resource.getrusage(who)[:2]) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))


PR_SET_CHILD_SUBREAPER = 36
_adopts = False


@contextmanager
def adopting_orphans() -> Iterator[None]:
    """Count what a sandbox used as well: bubblewrap ends before its child, whose time would be on nobody's account."""
    global _adopts
    libc = ctypes.CDLL(None)
    _adopts = libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0
    try:
        yield
    finally:
        _adopts = False
        libc.prctl(PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0)


def _take_orphans() -> None:
    """Reap the dead that came to us. Only where no thread waits for a program of its own: it would lose its child."""
    end, took = time.monotonic() + 0.02, False  # a namespace takes a moment to end
    while _adopts and time.monotonic() < end:
        try:
            if os.waitpid(-1, os.WNOHANG)[0] != 0:
                took = True
            elif took:
                return
            else:
                time.sleep(0.002)
        except ChildProcessError:
            return


def run(agents: int, script: Script, *, arbiter: bool = False, **more: Any) -> Any:
    """`hold` on a fresh chain of `agents`. Returns the run and the server that it was held against."""
    with tempfile.TemporaryDirectory() as folder, ModelServer(script) as server:
        root = Path(folder).resolve()
        write_files(root, chain(agents, arbiter=arbiter))
        return asyncio.run(hold(root, server, **more)), server


# ------------------------------------------------------------------------------------------------- the scripted table


def extend(call: Call) -> Turn:
    """Propose an optional field of one's own on both sides, a new one each round: both neighbours are affected."""
    name = call.agent
    op = {"op": "add_field", "node": name, "method": "run", "type": "str", "optional": True}
    number = (re.findall(r"^## Round (\d+)$", call.prompt, re.MULTILINE) or ["1"])[-1]  # the same when asked again
    field_ = {"field": f"note_{name.lower()}_{number}", "description": "what was done", "default": "''"}
    body = {
        "proposals": [
            {
                "type": "schema_extension",
                "summary": f"Add a note to what {name} takes and gives",
                "rationale": "Whoever reads the result later can tell what this step did with it.",
                "diff": [{**op, "side": "input", **field_}, {**op, "side": "output", **field_}],
                "affected_agents": [],
                "confidence": 0.9,
            }
        ]
    }
    return Turn(fenced(body))


ACCEPT = {
    "decision": "accept",
    "reasoning": "An optional field that I may ignore; my contract still holds.",
    "confidence": 0.9,
}
REJECT = {**ACCEPT, "decision": "reject", "reasoning": "I would rather not carry it."}
RULE = {"decision": "accept", "ruling": "It breaks nobody, and the reasons against it are of taste."}


def slowly(line: Callable[[Call], Turn] | Mapping[str, Any], delay_s: float) -> Callable[[Call], Turn]:
    """The same line, so many seconds later."""

    def late(call: Call) -> Turn:
        turn = line(call) if callable(line) else Turn(fenced(line))
        return Turn(turn.text, delay_s=delay_s)

    return late


def expected_calls(held: Run) -> dict[str, int]:
    """What design §15 allows: agents + evaluators asked + arbitrations + one per refused answer, from the log."""
    kinds = [e.kind for e in held.events]
    refused = sum(isinstance(e, AnswerRefused) for e in held.events)
    return {
        "agents": sum(len(e.asked) for e in held.events if e.kind == "round_started"),
        "evaluators": sum(len(e.evaluators) for e in held.events if e.kind == "proposal_tabled"),
        "arbitrations": kinds.count("ruled") + kinds.count("arbiter_silent"),
        "refused": refused,
    }


def sources(root: Path) -> dict[str, str]:
    """Every source of the project."""
    return {str(p.relative_to(root)): p.read_text() for p in sorted(root.rglob("*.py"))}
