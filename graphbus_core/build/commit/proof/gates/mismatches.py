"""Mismatches: no link fits worse than before; a payload proves where one does."""

from __future__ import annotations

import json
from collections.abc import Sequence

from graphbus_core.build.commit.proof.gate_ends import Said, not_run, proved, refused
from graphbus_core.build.commit.proof.trial import Gate, Trial
from graphbus_core.build.link import Linked, contracts_of
from graphbus_core.contracts.gaps import gaps
from graphbus_core.model.agent_def import AgentDefinition
from graphbus_core.model.graph import Mismatch


def ask(trial: Trial) -> Said:
    """Hold every link against how it fitted before. What the user allows in an undo is said and lets through."""
    why = worse((trial.project.everyone, trial.stood), (trial.after.everyone, trial.linked))
    if why is None:
        return proved()
    return not_run(f"--allow-mismatches: {why}") if trial.allow_mismatches else refused(why)


GATE = Gate("mismatches", ask)
UNDOING = Gate("mismatches", ask, required=lambda trial: not trial.allow_mismatches)


def worse(
    before: tuple[Sequence[AgentDefinition], Linked], after: tuple[Sequence[AgentDefinition], Linked]
) -> str | None:
    """Which link fits worse than before, with the payload that proves it; None where there is none.

    A link that did not fit before may still not fit, as long as no field of it fails that did not fail before.
    """
    known = {m.link.id for m in before[1].mismatches}
    for mismatch in after[1].mismatches:
        now = _gaps(mismatch, after[0])
        if mismatch.link.id not in known or not now or not now <= _gaps(mismatch, before[0]):
            return broken(mismatch)
    return None


def _gaps(mismatch: Mismatch, agents: Sequence[AgentDefinition]) -> set[str]:
    """The path of every field that fails on this link."""
    pairs = contracts_of(mismatch.link, {a.name: a for a in agents})
    return {
        gap.path
        for sent, taken in pairs
        if sent is not None and taken is not None
        for gap in gaps(sent.json_schema, taken.json_schema)
    }


def broken(mismatch: Mismatch) -> str:
    """A link that does not fit, with the payload that proves it."""
    text = f"it breaks {mismatch.link.producer} => {mismatch.link.consumer}: {'; '.join(mismatch.reasons)}"
    if mismatch.counterexample is not None:
        payload = json.dumps(mismatch.counterexample, ensure_ascii=False, default=str)
        return f"{text}. For example {payload[:500]} may be sent, and is not accepted."
    return f"{text}."
