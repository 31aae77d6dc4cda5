"""`Trial`: one change on trial. What every `Gate` may ask; computed once, when the first gate asks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from pathlib import Path
from typing import Any

from graphbus_core.analysis.links import LinkResult, link_project
from graphbus_core.analysis.scan import Project
from graphbus_core.commit.gates.pytest_suite import SuiteOutcome
from graphbus_core.config import BuildConfig
from graphbus_core.model.agent_def import AgentDefinition
from graphbus_core.model.edit_outcome import Edited, Refusal
from graphbus_core.model.operation import Operation
from graphbus_core.sandbox import runner
from graphbus_core.sandbox.path_guard import PathGuard
from graphbus_core.sandbox.runner import Limits
from graphbus_core.sandbox.scratch import FileDigests

# What the gates that run code share: where imports start in a copy, and what a run said last.


TAIL = 15  # lines of a command's output that a reason shows


def build_import_path(scratch: Path, project: Project) -> list[str]:
    """Where imports start, in the copy."""
    return [str(scratch / base) for base in project.layout.import_roots]


def summarize_failure(ran: runner.RunResult) -> str:
    """Why a run failed, in a line."""
    if ran.stopped:
        return f"it was stopped: too much {ran.stopped}, after {ran.seconds:.0f} s"
    lines = [line for line in ran.output.strip().splitlines() if line.strip()]
    return lines[-1][:500] if lines else f"the interpreter ended with {ran.returncode}"


def clip_output_tail(ran: runner.RunResult) -> str:
    """The end of what a run printed."""
    return "\n".join(ran.output.rstrip().splitlines()[-TAIL:])


# How a gate ends: proved, tested, not run (and why), or refused (and why).


class GateStatus(StrEnum):
    """What a gate can say of itself.

    `PROVED`: it holds for every input (contracts, parsing). `TESTED`: it held for what was tried (a rehearsal, the
    user's tests). The difference is shown everywhere, because only the first is a promise.
    """

    PROVED = "proved"
    TESTED = "tested"
    NOT_RUN = "not run"
    REFUSED = "refused"


@dataclass(frozen=True)
class GateResult:
    """The end of one gate. `why`: for its proposer; may be empty. `kept`: what the receipt keeps of it."""

    gate: str
    end: GateStatus
    why: str = ""
    kept: Mapping[str, Any] = field(default_factory=dict)

    @property
    def has_passed(self) -> bool:
        """It said yes."""
        return self.end in (GateStatus.PROVED, GateStatus.TESTED)

    def to_dict(self) -> dict[str, str]:
        """The form in logs."""
        return {"gate": self.gate, "end": str(self.end), **({"why": self.why} if self.why else {})}

    def block(self) -> GateResult:
        """The same gate as a no: what could not be proved is not committed unless the user allows it by name."""
        allow = f"Mend that, or allow it with --allow-unproved {self.gate}."
        why = f"it could not be run, and what is unproved is not committed: {self.why.rstrip('.')}. {allow}"
        return GateResult(self.gate, GateStatus.REFUSED, why, self.kept)


GateAnswer = tuple[GateStatus, str] | tuple[GateStatus, str, Mapping[str, Any]]


def report_proved(why: str = "", details: Mapping[str, Any] | None = None) -> GateAnswer:
    """It holds for every input."""
    return GateStatus.PROVED, why, details or {}


def report_tested(why: str = "", details: Mapping[str, Any] | None = None) -> GateAnswer:
    """It held for everything that was tried."""
    return GateStatus.TESTED, why, details or {}


def report_not_run(why: str, details: Mapping[str, Any] | None = None) -> GateAnswer:
    """It could not be tried, or nobody asked for it."""
    return GateStatus.NOT_RUN, why, details or {}


def report_refused(why: str, details: Mapping[str, Any] | None = None) -> GateAnswer:
    """It does not hold."""
    return GateStatus.REFUSED, why, details or {}


# Every contract of a project by its address: what a gate compares, and what a record of a commit keeps.


Slot = tuple[str, str, str]  # node, method or topic, side


def collect_contracts(agents: Iterable[AgentDefinition]) -> dict[Slot, Mapping[str, Any] | None]:
    """Every contract of a project: by node, method or topic, and side; None where it is not declared."""
    contracts: dict[Slot, Mapping[str, Any] | None] = {}
    for agent in agents:
        for method in agent.methods:
            contracts[agent.name, method.name, "input"] = (
                method.input_schema.json_schema if method.input_schema else None
            )
            contracts[agent.name, method.name, "output"] = (
                method.output_schema.json_schema if method.output_schema else None
            )
        for publication in agent.publications:
            key = (agent.name, publication.topic.name, "payload")
            if contracts.get(key) is None:
                contracts[key] = publication.schema.json_schema if publication.schema else None
    return contracts


Copy = Callable[[Mapping[str, bytes | None]], AbstractContextManager[Path]]


@dataclass(frozen=True)
class Trial:
    """A change, the project that it is for, and copies to try it in.

    `limits`: the bounds of the negotiation. `copy(changes)`: a new copy of the project, for one run of code.
    `known`: contracts that must come out just so (what an undo restores). `rehearse`: whether rules negotiate.
    """

    project: Project
    config: BuildConfig
    diff: Sequence[Operation]
    applied: Edited
    door: PathGuard
    limits: Mapping[str, Any]
    bounds: Limits
    copy: Copy
    stack: ExitStack
    stood: LinkResult  # the links as they are without the change
    seen: FileDigests  # what the copies were made of
    baselines: dict[str, SuiteOutcome] = field(
        default_factory=dict
    )  # runs of the tests without the change, by its files
    changed_tests: frozenset[str] = frozenset()  # tests that this build wrote or changed before
    rehearse: bool = False
    allow_mismatches: bool = False
    word: Callable[[Trial], GateAnswer | None] = lambda trial: (
        None
    )  # what the user's command said of it in a run with others
    known: Mapping[Slot, Any] = field(default_factory=dict)

    @cached_property
    def files(self) -> list[str]:
        """The files that change, in order."""
        return sorted(self.applied.after)

    @cached_property
    def scratch(self) -> Path:
        """A copy with the change. Code may run in it once; so only the gate `imports` does."""
        return self.stack.enter_context(self.copy(self.applied.resulting_files))

    @cached_property
    def after(self) -> Project:
        """The project with the change, scanned. Raises ScanError."""
        return self.project.rescan(self.scratch)

    @cached_property
    def links_after(self) -> LinkResult:
        """The links with the change. Raises ScanError."""
        return link_project(self.project, agents=self.after.agents, over=self.applied.after)

    def list_python_files(self) -> list[str]:
        """The Python files of the project."""
        return [p for p in self.project.files if p.endswith(".py")]


@dataclass(frozen=True)
class Gate:
    """A name and a question. `required`: whether a commit must wait where it could not be run."""

    name: str
    ask: Callable[[Trial], GateAnswer]
    required: Callable[[Trial], bool] = lambda trial: True

    def __call__(self, trial: Trial) -> GateResult:
        """Ask it. A copy that cannot be made is a bound that was reached, whichever gate wanted it."""
        try:
            return GateResult(self.name, *self.ask(trial))
        except Refusal as e:
            return GateResult("limits", GateStatus.REFUSED, e.reason)
