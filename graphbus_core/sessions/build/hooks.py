"""Where a build and its negotiation meet: what a front end hangs in, and what comes back.

`builder.py` and `orchestrator.py` both look down on this file, and not at each other's insides.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from graphbus_core.analysis.links import LinkResult
from graphbus_core.analysis.scan import Project

if TYPE_CHECKING:
    from graphbus_core.negotiation.core import Participant

Observer = Callable[[str, Mapping[str, Any]], None]


@dataclass
class NegotiationResult:
    """What the orchestrator hands back: the project as the agents left it."""

    project: Project
    linked: LinkResult
    build_id: str
    commits: Sequence[Any] = ()
    modified_files: Sequence[str] = ()
    summary: dict[str, Any] = field(default_factory=dict)
    result: Any = None


def _log_warning(kind: str, data: Mapping[str, Any]) -> None:
    """What is told where nobody observes: what would surprise the user, to the log."""
    if kind == "notice" and data.get("warning"):
        import logging  # costs a build of many agents more than it is worth, where there is nothing to say

        logging.getLogger("graphbus.build").warning("%s", data["text"])


@dataclass(frozen=True)
class Hooks:
    """What a front end hangs into a negotiation.

    `observe(kind, data)` is told what happens; where none is given, warnings are logged. `approver` answers where a
    person is asked (None: the terminal). `seats` sit in the place of whoever would speak for these agents.
    `begin(cancel)` is given, once the negotiation runs, what stops it cleanly from any thread. `around` may put
    something around everybody who sits there, as where all but one are to propose nothing. `proposed_by`: the person
    whose proposal an agent tables, by the agent.
    """

    observe: Observer = _log_warning
    approver: Participant | None = None
    begin: Callable[[Callable[[], None]], None] = lambda cancel: None
    seats: Mapping[str, Participant] = field(default_factory=dict)
    around: Callable[[Mapping[str, Participant]], Mapping[str, Participant]] = lambda seated: seated
    proposed_by: Mapping[str, str] = field(default_factory=dict)
