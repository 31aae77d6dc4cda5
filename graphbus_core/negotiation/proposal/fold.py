"""The fold: how each fact changes the state.

It computes no contract and asks nobody; a log of 100,000 facts is folded in a second.
What a fact makes due is put into `todo`; what it answers moves the `cursor`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from graphbus_core.errors import LogDamaged
from graphbus_core.negotiation.core.protocol import Event
from graphbus_core.negotiation.proposal import events as e
from graphbus_core.negotiation.proposal.answer_parsing import NONE_OF_THEM
from graphbus_core.negotiation.proposal.config import DECIDER, compute_start_digest
from graphbus_core.negotiation.proposal.evaluation import EvaluationCollector
from graphbus_core.negotiation.proposal.state import ProposalRecord, State, build_outcome
from graphbus_core.negotiation.proposal.transitions import OPEN_STAGES, Phase, Stage, next_phase, next_stage
from graphbus_core.negotiation.proposal.vocabulary import Decision, Ruling

# What an answer to a question of meaning comes to: the candidate's proposal, with who said that it is meant.


def recover_answered_proposal(state: State, question: Mapping[str, Any]) -> dict[str, Any] | None:
    """The proposal of an answer whose ground moved before it was committed: what was said still holds, and nobody is
    asked again. None where it was not answered, or fell for another reason."""
    recorded = state.questions[question["id"]]
    for candidate in question["candidates"]:
        summary = candidate["proposal"]["summary"]
        earlier = [r for r in state.queue.records.values() if r.proposal.get("summary") == summary]
        if (
            candidate["name"] == recorded["choice"] != NONE_OF_THEM
            and earlier
            and earlier[-1].stage is Stage.SUPERSEDED
        ):
            return attach_answer(state, candidate["proposal"], recorded["by"], recorded["choice"], recorded["why"])
    return None


def attach_answer(state: State, proposal: Mapping[str, Any], by: str, choice: str | None, why: str) -> dict[str, Any]:
    """A candidate's proposal, with who said that it is meant, in the words that the log was begun with."""
    who = "whoever decides here" if by == DECIDER and state.config.edition > 2 else by
    evidence = f" Evidence: {who} was asked, and said {choice!r}{f': {why}' if why else ''}."
    return {**proposal, "rationale": f"{proposal['rationale']}{evidence}"}


# What follows from the end of a proposal: who is told of it, and who is heard again because of it.


def record_fate(state: State, record: ProposalRecord) -> None:
    """Tell what became of a proposal to those who had a part in it: it is their context from now on."""
    proposal, collector = record.proposal, record.collector
    evaluations = [
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
    entry = {**common, "role": "proposer", "proposer": record.proposer, "evaluations": evaluations}
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


def schedule_conflict_loser(state: State, record: ProposalRecord) -> None:
    """Whoever lost a conflict to what fell on its way to the files gets its turn: one, the first of them."""
    if state.phase is not Phase.COMMITTING or state.config.edition < 2:
        return
    for number, case in state.cases.items():
        if record.proposal_id not in case["proposals"]:
            continue
        lost = (p for p in case["proposals"] if state.queue[p].lost_to == number)
        if (first := next((p for p in lost if state.queue[p].stage is Stage.REJECTED), None)) is not None:
            state.todo.append(("heard_again", record.proposal_id, first))


def fold(state: State, fact: Event) -> State:
    """The state after `fact`."""
    state.phase = next_phase(state.phase, fact.kind)
    state.facts += 1
    _FOLDS[type(fact)](state, fact)
    return state


def _move_stage(record: ProposalRecord, fact: Event) -> None:
    record.stage = next_stage(record.stage, fact.kind, record.proposal_id)


def _complete_due(state: State) -> None:
    """A fact about one proposal answers what was due in its phase: a consequence, or the commit at hand."""
    if state.phase is Phase.COMMITTING:
        state.cursor += 1
        state.finishing = False
    elif state.todo:
        state.todo.popleft()


# ------------------------------------------------------------------------------------------------ phases and rounds


def _fold_negotiation_opened(state: State, fact: e.NegotiationOpened) -> None:
    if fact.start != compute_start_digest(state.config.agents):
        raise LogDamaged("this log began with other sources than these; it cannot go on with them")
    state.start = fact.start


def _fold_round_started(state: State, fact: e.RoundStarted) -> None:
    queue = state.queue
    state.round = fact.round
    _set_agenda(state, [(agent, state.count_question("propose", agent)) for agent in fact.asked])
    queue.on_table = list(fact.carried)
    queue.carried = []
    queue.this_round.clear()
    state.todo.extend(("recheck", pid) for pid in fact.carried)
    state.todo.extend(("due", pid) for pid in queue.waiting)
    queue.waiting = []


def _set_agenda(state: State, items: list[tuple[Any, ...]]) -> None:
    state.agenda, state.cursor, state.pin = items, 0, state.facts


def _fold_evaluation_opened(state: State, fact: e.EvaluationOpened) -> None:
    items: list[tuple[Any, ...]] = []
    for pid in fact.proposals:
        record = state.queue[pid]
        if record.stage is Stage.DEFERRED:
            _move_stage(record, fact)
        items.extend((pid, name, state.count_question("evaluate", name)) for name in record.collector.list_waiting())
    _set_agenda(state, items)
    state.tallied = 0


def _fold_arbitration_opened(state: State, fact: e.ArbitrationOpened) -> None:
    state.cases = {case["case"]: case for case in fact.cases}
    state.tried = {}
    items: list[tuple[Any, ...]] = []
    for case in fact.cases:
        if case["arbiter"] is not None:
            items.append((case["case"], case["arbiter"], state.count_question("arbitrate", case["arbiter"])))
        else:
            state.todo.extend(("unruled", case["case"], pid) for pid in case["proposals"])
    _set_agenda(state, items)


def _fold_commits_opened(state: State, fact: e.CommitsOpened) -> None:
    _set_agenda(state, [(pid,) for pid in fact.proposals])


def _fold_round_closed(state: State, fact: e.RoundClosed) -> None:
    state.quiet_rounds = 0 if fact.tabled else state.quiet_rounds + 1
    _set_agenda(state, [])


def _fold_stop_requested(state: State, fact: e.StopRequested) -> None:
    if state.stop is None:
        state.stop, state.stopped_by = fact.why or "stopped", fact.by
        at_hand = state.agenda[state.cursor][0] if state.cursor < len(state.agenda) else None
        if state.phase is Phase.COMMITTING and at_hand is not None:
            state.finishing = state.queue[at_hand].stage is not Stage.PREPARED


def _fold_negotiation_ended(state: State, fact: e.NegotiationEnded) -> None:
    for record in state.queue.records.values():
        if record.stage is Stage.QUEUED or record.stage in OPEN_STAGES:
            _move_stage(record, fact)
            record.why = fact.why
    state.round = fact.rounds
    state.todo.clear()
    state.ended = build_outcome(state, fact.reason, fact.why, fact.unheard, fact.deferred)


# ------------------------------------------------------------------------------------------------------- proposals


def _fold_proposals_made(state: State, fact: e.ProposalsMade) -> None:
    state.cursor += 1
    state.todo.extend(("fresh", fact.agent, body) for body in fact.proposals)
    state.left |= {(gap["link"], gap["field"]): {**gap, "agent": fact.agent} for gap in fact.left}
    for question in fact.questions:
        if question["id"] not in state.questions:  # one that was asked is not asked again
            state.questions[question["id"]] = {**question, "by": None, "choice": None, "why": "nobody was asked"}
            if state.config.decides and question["candidates"]:
                state.agenda.append((fact.agent, 0, question["id"]))
        elif (answered := recover_answered_proposal(state, question)) is not None:
            state.todo.append(("chosen", fact.agent, answered))


def _fold_question_settled(state: State, fact: e.QuestionSettled) -> None:
    state.cursor += 1
    question = state.questions[fact.question]
    question |= {"by": fact.by, "choice": fact.choice, "why": fact.why}
    for candidate in question["candidates"]:
        if candidate["name"] == fact.choice != NONE_OF_THEM:  # a field may have that name, and is not meant by it
            answered = attach_answer(state, candidate["proposal"], fact.by, fact.choice, fact.why)
            state.todo.append(("chosen", fact.agent, answered))


def _fold_proposer_silent(state: State, fact: e.ProposerSilent) -> None:
    state.cursor += 1
    state.silent[fact.agent] = None


def _open_record(state: State, proposal: Any, fact: Event) -> ProposalRecord:
    """The record of a proposal that is new, or that was queued."""
    pid, author = proposal["proposal_id"], proposal["proposer"]
    record = state.queue.records.get(pid)
    if record is None:
        record = state.queue.records[pid] = ProposalRecord(pid, author, proposal["round"], proposal)
        state.queue.named[author] = state.queue.named.get(author, 0) + 1
    record.proposal, record.round = proposal, proposal["round"]
    _move_stage(record, fact)
    state.todo.popleft()
    return record


def _fold_proposal_tabled(state: State, fact: e.ProposalTabled) -> None:
    queue, author = state.queue, fact.proposal["proposer"]
    was_queued = fact.proposal["proposal_id"] in queue.records
    record = _open_record(state, fact.proposal, fact)
    record.computed = fact.computed
    record.collector = EvaluationCollector(fact.evaluators, fact.electorate)
    record.version = state.ground.version
    record.base = fact.proposal["base"]
    queue.on_table.append(record.proposal_id)
    if not was_queued:
        queue.charged[author] = queue.charged.get(author, 0) + 1
        queue.this_round[author] = queue.this_round.get(author, 0) + 1


def _fold_proposal_dropped(state: State, fact: e.ProposalDropped) -> None:
    record = _open_record(state, fact.proposal, fact)
    record.by, record.why = fact.limit, fact.why
    record_fate(state, record)


def _fold_proposal_queued(state: State, fact: e.ProposalQueued) -> None:
    record = _open_record(state, fact.proposal, fact)
    record.origin = fact.origin
    state.queue.waiting.append(record.proposal_id)
    state.queue.charged[fact.proposer] = state.queue.charged.get(fact.proposer, 0) + 1


def _fold_proposal_stood_again(state: State, fact: e.ProposalStoodAgain) -> None:
    state.todo.popleft()
    record = state.queue[fact.proposal_id]
    record.version = state.ground.version


def _fold_proposal_evaluated(state: State, fact: e.ProposalEvaluated) -> None:
    state.cursor += 1
    evaluation = fact.evaluation
    record = state.queue[fact.proposal_id]
    record.collector.add(fact.evaluator, evaluation, state.config.safety.max_back_and_forth)
    if evaluation["counter_proposal"]:
        origin = "counter" if evaluation["decision"] == Decision.COUNTER else "modification"
        state.todo.append(("queue", fact.evaluator, evaluation["counter_proposal"], fact.proposal_id, origin))


def _fold_evaluator_silent(state: State, fact: e.EvaluatorSilent) -> None:
    state.cursor += 1
    state.queue[fact.proposal_id].collector.add_silence(fact.evaluator, fact.why)


def _fold_proposal_agreed(state: State, fact: e.ProposalAgreed) -> None:
    record = state.queue[fact.proposal_id]
    _move_stage(record, fact)
    if state.phase is Phase.RULING:
        state.todo.popleft()
    record.consensus, record.why = fact.consensus, fact.why
    if fact.diff is not None and fact.computed is not None:
        record.replace_diff(list(fact.diff))
        record.computed = fact.computed
        record.base = fact.computed["base"]


def _fold_proposal_contested(state: State, fact: e.ProposalContested) -> None:
    record = state.queue[fact.proposal_id]
    _move_stage(record, fact)
    record.why = fact.why


def _fold_proposal_deferred(state: State, fact: e.ProposalDeferred) -> None:
    record = state.queue[fact.proposal_id]
    _move_stage(record, fact)
    record.why = f"{', '.join(fact.waiting_for)} asked for another round"
    state.queue.carried.append(fact.proposal_id)


def _fold_proposal_rejected(state: State, fact: e.ProposalRejected) -> None:
    record = state.queue[fact.proposal_id]
    if fact.by == "conflict" and record.stage is Stage.AGREED and state.todo:
        record.lost_to = state.todo[0][1]
    _move_stage(record, fact)
    record.by, record.why = fact.by, fact.why
    if state.phase is not Phase.EVALUATING:
        _complete_due(state)
    record_fate(state, record)
    schedule_conflict_loser(state, record)


def _fold_proposal_heard_again(state: State, fact: e.ProposalHeardAgain) -> None:
    state.todo.popleft()
    record = state.queue[fact.proposal_id]
    _move_stage(record, fact)
    record.lost_to, record.ruling, record.arbiter = None, None, None
    record.by, record.why = "", fact.why  # the evaluators' consensus stands
    state.agenda.append((fact.proposal_id,))


def _fold_proposal_superseded(state: State, fact: e.ProposalSuperseded) -> None:
    record = state.queue[fact.proposal_id]
    _move_stage(record, fact)
    record.by, record.why = "ground", fact.why
    _complete_due(state)
    record_fate(state, record)
    schedule_conflict_loser(state, record)


# --------------------------------------------------------------------------------------------------------- rulings


def _fold_ruled(state: State, fact: e.Ruled) -> None:
    state.cursor += 1
    ruling = fact.ruling
    for pid in fact.proposals:
        record = state.queue[pid]
        record.ruling, record.arbiter = ruling, fact.arbiter
        state.todo.append(("rule", fact.case, pid))
    about = state.queue[ruling["proposal_id"] or fact.proposals[0]]
    parts = list(ruling["deferred"])
    if ruling["decision"] == Ruling.SPLIT and not parts:
        parts = _collect_remainder(about, ruling["committed_diff"])
    state.todo.extend(("queue", about.proposer, part, about.proposal_id, "deferred") for part in parts)


def _collect_remainder(record: ProposalRecord, committed: list[Any]) -> list[dict[str, Any]]:
    """What a split leaves of a proposal, where the arbiter did not write it out."""
    remaining = [op for op in record.diff if op not in committed]
    if not remaining:
        return []
    summary = f"The part of {record.proposal_id} that was put off: {record.proposal['summary']}"
    return [{**record.proposal, "type": "", "diff": remaining, "summary": summary}]


def _fold_arbiter_silent(state: State, fact: e.ArbiterSilent) -> None:
    state.cursor += 1
    state.tried.setdefault(fact.case, []).append(fact.arbiter)
    if fact.next is not None:
        state.agenda.append((fact.case, fact.next, state.count_question("arbitrate", fact.next)))
    else:
        state.todo.extend(("unruled", fact.case, pid) for pid in fact.proposals)


# --------------------------------------------------------------------------------------------------------- commits


def _fold_commit_prepared(state: State, fact: e.CommitPrepared) -> None:
    record = state.queue[fact.proposal_id]
    _move_stage(record, fact)
    record.prepared = fact.receipt
    record.gates, record.ends = tuple(fact.receipt.get("gates") or ()), tuple(fact.receipt.get("ends") or ())
    state.finishing = False
    state.pin = state.facts


def _fold_commit_approved(state: State, fact: e.CommitApproved) -> None:
    record = state.queue[fact.proposal_id]
    _move_stage(record, fact)
    record.approval = {"by": fact.by, "reason": fact.reason}


def _fold_proposal_withdrawn(state: State, fact: e.ProposalWithdrawn) -> None:
    record = state.queue[fact.proposal_id]
    _move_stage(record, fact)
    record.by, record.why = fact.by, fact.why
    _complete_due(state)
    record_fate(state, record)
    schedule_conflict_loser(state, record)


def _fold_proposal_committed(state: State, fact: e.ProposalCommitted) -> None:
    record = state.queue[fact.proposal_id]
    _move_stage(record, fact)
    record.receipt, record.commit_id, record.schema_changes = fact.receipt, fact.commit_id, fact.schema_changes
    record.gates, record.ends = tuple(fact.receipt.get("gates") or ()), tuple(fact.receipt.get("ends") or ())
    state.ground.receive(fact.receipt)
    after = fact.receipt.get("after") or {}
    for path in dict.fromkeys([*(fact.receipt.get("files") or ()), *after]):
        state.files[path] = after.get(path)
    _complete_due(state)
    record_fate(state, record)


def _fold_commit_failed(state: State, fact: e.CommitFailed) -> None:
    record = state.queue[fact.proposal_id]
    _move_stage(record, fact)
    record.by, record.why, record.gates, record.ends = fact.gate, fact.why, fact.passed, fact.ends
    _complete_due(state)
    record_fate(state, record)
    schedule_conflict_loser(state, record)


_FOLDS: dict[type[Event], Callable[[State, Any], None]] = {
    e.NegotiationOpened: _fold_negotiation_opened,
    e.RoundStarted: _fold_round_started,
    e.ProposalsMade: _fold_proposals_made,
    e.QuestionSettled: _fold_question_settled,
    e.ProposerSilent: _fold_proposer_silent,
    e.ProposalTabled: _fold_proposal_tabled,
    e.ProposalDropped: _fold_proposal_dropped,
    e.ProposalQueued: _fold_proposal_queued,
    e.ProposalStoodAgain: _fold_proposal_stood_again,
    e.EvaluationOpened: _fold_evaluation_opened,
    e.ProposalEvaluated: _fold_proposal_evaluated,
    e.EvaluatorSilent: _fold_evaluator_silent,
    e.ProposalAgreed: _fold_proposal_agreed,
    e.ProposalContested: _fold_proposal_contested,
    e.ProposalRejected: _fold_proposal_rejected,
    e.ProposalDeferred: _fold_proposal_deferred,
    e.ArbitrationOpened: _fold_arbitration_opened,
    e.Ruled: _fold_ruled,
    e.ArbiterSilent: _fold_arbiter_silent,
    e.CommitsOpened: _fold_commits_opened,
    e.CommitPrepared: _fold_commit_prepared,
    e.CommitApproved: _fold_commit_approved,
    e.ProposalWithdrawn: _fold_proposal_withdrawn,
    e.ProposalCommitted: _fold_proposal_committed,
    e.CommitFailed: _fold_commit_failed,
    e.ProposalHeardAgain: _fold_proposal_heard_again,
    e.ProposalSuperseded: _fold_proposal_superseded,
    e.RoundClosed: _fold_round_closed,
    e.StopRequested: _fold_stop_requested,
    e.NegotiationEnded: _fold_negotiation_ended,
}
