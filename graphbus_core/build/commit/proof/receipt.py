"""`Receipt`: what became of a change, gate by gate, as the negotiation folds it in and as a record keeps it."""

from __future__ import annotations

import difflib
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from graphbus_core.build.commit.proof.gate_ends import GateEnd
from graphbus_core.build.commit.proof.trial import Trial
from graphbus_core.build.confine.outcome import Edited
from graphbus_core.build.link import Linked
from graphbus_core.build.negotiate.surroundings import surroundings

Told = dict[str, Any]  # a receipt in its JSON form


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
    ends: tuple[GateEnd, ...] = ()
    after_state: Mapping[str, Any] = field(default_factory=dict)

    def to_dict(self) -> Told:
        """The form in logs and records."""
        return {
            "gates": [one.gate for one in self.ends if one.passed and one.gate != self.gate],
            "ends": [one.to_dict() for one in self.ends],
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


def failed(gate: str, reason: str, ends: Sequence[GateEnd] = ()) -> Receipt:
    """A gate said no; the files are as before."""
    return Receipt("failed", gate, reason, ends=tuple(ends))


def superseded(reason: str, ends: Sequence[GateEnd] = ()) -> Receipt:
    """The ground moved under the proposal."""
    return Receipt("superseded", reason=reason, ends=tuple(ends))


def refused(trial: Trial, ends: Sequence[GateEnd]) -> Receipt:
    """The last of these gates said no."""
    last = ends[-1]
    said = {"verify": last.kept["verify"]} if "verify" in last.kept else {}
    diff = unified(trial.applied)
    return Receipt("failed", last.gate, last.why, (), diff, ends=tuple(ends), after_state=said)


def prepared(trial: Trial, ends: Sequence[GateEnd], linked: Linked) -> Receipt:
    """Every gate said yes; nothing is written yet. `linked`: the links with the change."""
    old = {a.name: a.to_dict() for a in trial.project.agents}
    state: dict[str, Any] = {}
    for one in ends:
        state |= one.kept
    state["agents"] = {a.name: a.to_dict() for a in trial.after.agents if a.to_dict() != old.get(a.name)}
    touched = [a for a in trial.after.agents if a.source_file in trial.applied.after]
    state["around"] = surroundings(touched, {p: b.decode("utf-8", "replace") for p, b in trial.applied.after.items()})
    state["links"] = [one.to_dict() for one in linked.links]
    state["mismatches"] = [one.to_dict() for one in linked.mismatches]
    return Receipt(
        "prepared",
        files=tuple(trial.files),
        unified_diff=unified(trial.applied),
        before={p: _sha(trial.applied.before[p]) for p in trial.files},
        after={p: _sha(trial.applied.after[p]) for p in trial.files},
        notes=tuple(trial.applied.notes),
        ends=tuple(ends),
        after_state=state,
    )


def unified(applied: Edited) -> str:
    """The change as a unified diff."""
    parts: list[str] = []
    for path in sorted(applied.after):
        old, new = (
            t[path].decode("utf-8", "replace").splitlines(keepends=True) for t in (applied.before, applied.after)
        )
        for line in difflib.unified_diff(old, new, f"a/{path}", f"b/{path}"):
            parts.append(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n")
    return "".join(parts)


def _sha(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
