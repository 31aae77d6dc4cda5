"""Mismatches: no link fits worse than before; a payload proves where one does."""

from __future__ import annotations

import json
from collections.abc import Sequence

from graphbus_core.analysis.links import LinkResult, find_link_contracts
from graphbus_core.commit.gates.trial import Gate, GateAnswer, Trial, report_not_run, report_proved, report_refused
from graphbus_core.contracts.check import find_gaps
from graphbus_core.model.agent_def import AgentDefinition
from graphbus_core.model.graph import Mismatch


def ask(trial: Trial) -> GateAnswer:
    """Hold every link against how it fitted before. What the user allows in an undo is said and lets through."""
    why = explain_worse_link((trial.project.everyone, trial.stood), (trial.after.everyone, trial.links_after))
    if why is None:
        return report_proved()
    return report_not_run(f"--allow-mismatches: {why}") if trial.allow_mismatches else report_refused(why)


GATE = Gate("mismatches", ask)
UNDO_GATE = Gate("mismatches", ask, required=lambda trial: not trial.allow_mismatches)


def explain_worse_link(
    before: tuple[Sequence[AgentDefinition], LinkResult], after: tuple[Sequence[AgentDefinition], LinkResult]
) -> str | None:
    """Which link fits worse than before, with the payload that proves it; None where there is none.

    A link that did not fit before may still not fit, as long as no field of it fails that did not fail before.
    """
    known_ids = {m.link.id for m in before[1].mismatches}
    for mismatch in after[1].mismatches:
        now = _collect_gaps(mismatch, after[0])
        if mismatch.link.id not in known_ids or not now or not now <= _collect_gaps(mismatch, before[0]):
            return describe_broken_link(mismatch)
    return None


def _collect_gaps(mismatch: Mismatch, agents: Sequence[AgentDefinition]) -> set[str]:
    """The path of every field that fails on this link."""
    pairs = find_link_contracts(mismatch.link, {a.name: a for a in agents})
    return {
        gap.path
        for sent, accepted in pairs
        if sent is not None and accepted is not None
        for gap in find_gaps(sent.json_schema, accepted.json_schema)
    }


def describe_broken_link(mismatch: Mismatch) -> str:
    """A link that does not fit, with the payload that proves it."""
    text = f"it breaks {mismatch.link.producer} => {mismatch.link.consumer}: {'; '.join(mismatch.reasons)}"
    if mismatch.counterexample is not None:
        payload = json.dumps(mismatch.counterexample, ensure_ascii=False, default=str)
        return f"{text}. For example {payload[:500]} may be sent, and is not accepted."
    return f"{text}."
