"""`why`: which proposals made a method or a field what it is, across builds. Reads finished records; decides nothing.

The newest build is looked at first, and a rename is followed back to the older name. A field is named as
`Node.method.field`, or with its side (`Node.method.output.field`); its last name alone is enough
(`Cleaner.clean.source` finds `articles[].source`). `Node.method`, `Node` and `Node -> /Topic` speak of all that is in.

A dry run made nothing what it is, so it is left out, unless everything is asked for. A commit that was taken back is
told, and that it was.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from graphbus_core.model.operation import FieldOperation, Operation, RenameField, RenameMethod, operations
from graphbus_core.negotiation.proposal.said.ending import ProposalFate
from graphbus_core.negotiation.proposal.told.projection import NegotiationLog
from graphbus_core.negotiation.proposal.vocabulary import ProposalOutcome


@dataclass(frozen=True)
class Cause:
    """One proposal that touched what was asked about, in one build."""

    build_id: str
    at: float | None  # when it was committed, epoch seconds
    fate: ProposalFate
    steps: tuple[Operation, ...]  # those of its operations that touched it
    unified_diff: str = ""
    dry_run: bool = False
    undone: bool = False
    undone_at: float | None = None  # epoch seconds, where it is known

    def to_dict(self) -> dict[str, Any]:
        """JSON form."""
        ruling = self.fate.ruling
        return {
            "build_id": self.build_id,
            "at": _iso(self.at),
            "dry_run": self.dry_run,
            "proposal_id": self.fate.proposal_id,
            "proposer": self.fate.proposer,
            "round": self.fate.round,
            "type": self.fate.type,
            "summary": self.fate.proposal.get("summary", ""),
            "rationale": self.fate.proposal.get("rationale", ""),
            "outcome": self.fate.outcome,
            "why": self.fate.why,
            "consensus": self.fate.consensus,
            "evaluations": [
                {"agent": e["agent"], "decision": e["decision"], "reasoning": e.get("reasoning", "")}
                for e in self.fate.evaluations
            ],
            "ruling": {"arbiter": self.fate.arbiter, **ruling} if ruling else None,
            "commit_id": self.fate.commit_id,
            "undone": {"at": _iso(self.undone_at)} if self.undone else None,
            "files": list(self.fate.files),
            "gates": [dict(end) for end in self.fate.ends],
            "operations": [op.to_dict() for op in self.steps],
        }


def causes(target: str, logs: Iterable[NegotiationLog], every: bool = False) -> list[Cause]:
    """What made `target` what it is, newest first; `logs` newest first. With `every`, what was refused as well."""
    names = {target}
    found: list[Cause] = []
    for log in logs:
        dry = log.dry_run
        if dry and not every:
            continue
        fates = [f for f in log.fates if every or f.outcome == ProposalOutcome.COMMITTED]
        for fate in sorted(fates, key=lambda f: log.times.get(f.proposal_id, 0.0), reverse=True):
            steps = operations(fate.diff)
            mine = tuple(op for op in steps if any(touches(op, name) for name in names))
            if not mine:
                continue
            pid = fate.proposal_id
            made = fate.outcome == ProposalOutcome.COMMITTED and not dry
            undone = made and pid in log.undone
            at = log.undone.get(pid)
            found.append(Cause(log.build_id, log.times.get(pid), fate, mine, "", dry, undone, at if undone else None))
            if made and not undone:
                names |= {old for op in mine for name in names for old in _before(op, name)}
    return found


def _iso(at: float | None) -> str | None:
    return None if at is None else datetime.fromtimestamp(at, UTC).isoformat(timespec="seconds")


def touches(op: Operation, name: str) -> bool:
    """Whether an operation changed what `name` speaks of."""
    at = {op.node, op.symbol}
    if isinstance(op, RenameMethod):
        at.add(f"{op.node}.{op.to}")
    if isinstance(op, FieldOperation):
        for field in (op.field, *([_renamed(op)] if isinstance(op, RenameField) else [])):
            at |= {f"{op.symbol}.{op.side}", *spellings(op.symbol, op.side, field)}
    return name in at


def spellings(symbol: str, side: str, field: str) -> set[str]:
    """Every way in which a field of a contract may be named."""
    parts = field.replace("[]", "").split(".")
    paths = {field, parts[-1], *(".".join(parts[: i + 1]) for i in range(len(parts)))}
    return {f"{symbol}.{where}{path}" for where in ("", f"{side}.") for path in paths}


def _renamed(op: RenameField) -> str:
    head, dot, _ = op.field.rpartition(".")
    return f"{head}{dot}{op.to}"


def _before(op: Operation, name: str) -> set[str]:
    """The names that this one had before the operation."""
    if isinstance(op, RenameMethod) and (name + ".").startswith(f"{op.node}.{op.to}."):
        return {f"{op.symbol}{name.removeprefix(f'{op.node}.{op.to}')}"}
    if isinstance(op, RenameField) and name in spellings(op.symbol, op.side, _renamed(op)):
        return {f"{op.symbol}.{op.side}.{op.field}"}
    return set()
