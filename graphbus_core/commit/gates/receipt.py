"""`Receipt`: what became of a change, gate by gate, as the negotiation folds it in and as a record keeps it."""

from __future__ import annotations

import difflib
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from graphbus_core.analysis.class_context import describe_context
from graphbus_core.analysis.links import LinkResult
from graphbus_core.commit.gates.trial import GateResult, Trial
from graphbus_core.model.agent_def import AgentDefinition
from graphbus_core.model.edit_outcome import Edited

ReceiptJson = dict[str, Any]  # a receipt in its JSON form


@dataclass(frozen=True)
class Receipt:
    """`status`: prepared, committed, failed or superseded. `gate`: the one that refused, with its `reason`.

    `ends`: how every gate ended that was asked, in their order. `after_state`: what the ground of the negotiation needs
    to go on (agents that changed, links, mismatches), and what the user's own command said.
    """

    status: str
    gate: str = ""
    reason: str = ""
    files: tuple[str, ...] = ()
    unified_diff: str = ""
    before: Mapping[str, str] = field(default_factory=dict)
    after: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    ends: tuple[GateResult, ...] = ()
    after_state: Mapping[str, Any] = field(default_factory=dict)

    def to_dict(self) -> ReceiptJson:
        """The form in logs and records."""
        return {
            "gates": [result.gate for result in self.ends if result.has_passed and result.gate != self.gate],
            "ends": [result.to_dict() for result in self.ends],
            "status": self.status,
            "gate": self.gate,
            "reason": self.reason,
            "files": list(self.files),
            "unified_diff": self.unified_diff,
            "before": dict(self.before),
            "after": dict(self.after),
            "notes": list(self.notes),
            **self.after_state,
        }


def build_failed(gate: str, reason: str, ends: Sequence[GateResult] = ()) -> Receipt:
    """A gate said no; the files are as before."""
    return Receipt("failed", gate, reason, ends=tuple(ends))


def build_superseded(reason: str, ends: Sequence[GateResult] = ()) -> Receipt:
    """The ground moved under the proposal."""
    return Receipt("superseded", reason=reason, ends=tuple(ends))


def build_refused(trial: Trial, ends: Sequence[GateResult]) -> Receipt:
    """The last of these gates said no."""
    last = ends[-1]
    state = {"verify": last.kept["verify"]} if "verify" in last.kept else {}
    diff = render_unified_diff(trial.applied)
    return Receipt("failed", last.gate, last.why, (), diff, ends=tuple(ends), after_state=state)


def build_prepared(trial: Trial, ends: Sequence[GateResult], linked: LinkResult) -> Receipt:
    """Every gate said yes; nothing is written yet. `linked`: the links with the change."""
    old = {a.name: a for a in trial.project.agents}
    state: dict[str, Any] = {}
    for item in ends:
        state |= item.kept
    state["agents"] = {a.name: a.to_dict() for a in trial.after.agents if _is_changed(old.get(a.name), a)}
    touched = [a for a in trial.after.agents if a.source_file in trial.applied.after]
    state["around"] = describe_context(
        touched, {p: b.decode("utf-8", "replace") for p, b in trial.applied.after.items()}
    )
    state["links"] = [item.to_dict() for item in linked.links]
    state["mismatches"] = [item.to_dict() for item in linked.mismatches]
    return Receipt(
        "prepared",
        files=tuple(trial.files),
        unified_diff=render_unified_diff(trial.applied),
        before={p: _digest(trial.applied.before[p]) for p in trial.files},
        after={p: _digest(trial.applied.after[p]) for p in trial.files},
        notes=tuple(trial.applied.notes),
        ends=tuple(ends),
        after_state=state,
    )


def _is_changed(before: AgentDefinition | None, after: AgentDefinition) -> bool:
    # What was not read anew is the very same object: most of a large project.
    return before is not after and (before is None or before.to_dict() != after.to_dict())


def render_unified_diff(applied: Edited) -> str:
    """The change as a unified diff."""
    parts: list[str] = []
    for path in sorted(applied.after):
        old, new = (
            t[path].decode("utf-8", "replace").splitlines(keepends=True) for t in (applied.before, applied.after)
        )
        for line in difflib.unified_diff(old, new, f"a/{path}", f"b/{path}"):
            parts.append(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n")
    return "".join(parts)


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
