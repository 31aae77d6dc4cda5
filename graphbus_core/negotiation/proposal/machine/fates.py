"""What follows from the end of a proposal: who is told of it, and who is heard again because of it."""

from __future__ import annotations

from graphbus_core.negotiation.proposal.machine.life import Phase, Stage
from graphbus_core.negotiation.proposal.machine.state import ProposalRecord, State


def fate(state: State, record: ProposalRecord) -> None:
    """Tell what became of a proposal to those who had a part in it: it is their context from now on."""
    proposal, collector = record.proposal, record.collector
    said = [
        {"agent": n, "decision": v["decision"], "reasoning": v["reasoning"]} for n, v in collector.evaluations.items()
    ]
    common = {
        "round": state.round,
        "proposal_id": record.proposal_id,
        "type": record.computed.get("type") or proposal["type"],
        "summary": proposal["summary"],
        "outcome": record.stage.value,
        "by": record.by or record.consensus,
        "why": record.why,
    }
    entry = {**common, "role": "proposer", "proposer": record.proposer, "evaluations": said}
    if record.stage is not Stage.COMMITTED:
        entry["diff"] = list(record.diff)  # whoever tries again should see what fell, not remember it
        entry["why"] = entry.pop("why")  # last: a long entry keeps its end
    if record.ruling is not None:
        entry["ruling"] = record.ruling["ruling"]
        entry["notes"] = record.ruling["notes"]
    state.fates.append((state.facts, entry))
    state.history.setdefault(record.proposer, []).append((state.facts, entry))
    for name, evaluation in collector.evaluations.items():
        mine = {**common, "role": "evaluator", "proposer": record.proposer, "decision": evaluation["decision"]}
        state.history.setdefault(name, []).append((state.facts, mine))


def fell(state: State, record: ProposalRecord) -> None:
    """Whoever lost a conflict to what fell on its way to the files gets its turn: one, the first of them."""
    if state.phase is not Phase.COMMITTING or state.config.edition < 2:
        return
    for number, case in state.cases.items():
        if record.proposal_id not in case["proposals"]:
            continue
        lost = (p for p in case["proposals"] if state.queue[p].lost_to == number)
        if (first := next((p for p in lost if state.queue[p].stage is Stage.REJECTED), None)) is not None:
            state.todo.append(("heard_again", record.proposal_id, first))
