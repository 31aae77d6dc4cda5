"""`Trial`: one change on trial. What every `Gate` may ask; computed once, when the first gate asks."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from graphbus_core.build.commit.proof.gate_ends import GateEnd, GateStatus, Said
from graphbus_core.build.commit.proof.outcomes import SuiteOutcome
from graphbus_core.build.commit.proof.slots import Slot
from graphbus_core.build.confine.door import FileDoor
from graphbus_core.build.confine.outcome import Edited, Refusal
from graphbus_core.build.confine.sandbox import Limits
from graphbus_core.build.confine.scratch import Seen
from graphbus_core.build.link import Linked, link_project
from graphbus_core.build.scan import Project
from graphbus_core.config import BuildConfig
from graphbus_core.model.operation import Operation

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
    door: FileDoor
    limits: Mapping[str, Any]
    bounds: Limits
    copy: Copy
    stack: ExitStack
    stood: Linked  # the links as they are without the change
    seen: Seen  # what the copies were made of
    baselines: dict[str, SuiteOutcome] = field(
        default_factory=dict
    )  # runs of the tests without the change, by its files
    changed_tests: frozenset[str] = frozenset()  # tests that this build wrote or changed before
    rehearse: bool = False
    allow_mismatches: bool = False
    word: Callable[[Trial], Said | None] = lambda trial: None  # what the user's command said of it in a run with others
    known: Mapping[Slot, Any] = field(default_factory=dict)

    @cached_property
    def files(self) -> list[str]:
        """The files that change, in order."""
        return sorted(self.applied.after)

    @cached_property
    def scratch(self) -> Path:
        """A copy with the change. Code may run in it once; so only the gate `imports` does."""
        return self.stack.enter_context(self.copy(self.applied.left))

    @cached_property
    def after(self) -> Project:
        """The project with the change, scanned. Raises ScanError."""
        return self.project.again(self.scratch)

    @cached_property
    def linked(self) -> Linked:
        """The links with the change. Raises ScanError."""
        return link_project(self.project, agents=self.after.agents, over=self.applied.after)

    def paths(self) -> list[str]:
        """The Python files of the project."""
        return [p for p in self.project.files if p.endswith(".py")]


@dataclass(frozen=True)
class Gate:
    """A name and a question. `required`: whether a commit must wait where it could not be run."""

    name: str
    ask: Callable[[Trial], Said]
    required: Callable[[Trial], bool] = lambda trial: True

    def __call__(self, trial: Trial) -> GateEnd:
        """Ask it. A copy that cannot be made is a bound that was reached, whichever gate wanted it."""
        try:
            return GateEnd(self.name, *self.ask(trial))
        except Refusal as e:
            return GateEnd("limits", GateStatus.REFUSED, e.reason)
