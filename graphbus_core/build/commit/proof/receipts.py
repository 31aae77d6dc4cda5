"""What the commit engine reports: receipts, as the negotiation folds them in."""

from __future__ import annotations

import difflib
from typing import Any

from graphbus_core.build.commit.proof.gates import Failed
from graphbus_core.build.confine.outcome import Applied

Receipt = dict[str, Any]


def failure(gate: str, reason: str) -> Receipt:
    """A gate said no; the files are as before."""
    return {
        "status": "failed",
        "gate": gate,
        "reason": reason,
        "files": [],
        "unified_diff": "",
        "before": {},
        "after": {},
    }


def failure_of(why: Failed) -> Receipt:
    """The same, of a gate's own finding."""
    return failure(why.gate, why.reason)


def superseded(reason: str) -> Receipt:
    """The ground moved under the proposal."""
    return {**failure("", reason), "status": "superseded"}


def verified(receipt: Receipt) -> Receipt:
    """What the user's own command said, where it was run."""
    return {"verify": receipt["verify"]} if "verify" in receipt else {}


def unified(applied: Applied) -> str:
    """The change as a unified diff."""
    parts: list[str] = []
    for path in sorted(applied.after):
        old, new = (
            t[path].decode("utf-8", "replace").splitlines(keepends=True) for t in (applied.before, applied.after)
        )
        for line in difflib.unified_diff(old, new, f"a/{path}", f"b/{path}"):
            parts.append(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n")
    return "".join(parts)
