"""The fold: how each fact changes the state.

It computes no contract and asks nobody; a log of 100,000 facts is folded in a second.
What a fact makes due is put into `todo`; what it answers moves the `cursor`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from graphbus_core.errors import LogDamaged
from graphbus_core.negotiation.core.protocol import Event
from graphbus_core.negotiation.proposal.machine.answered import answered_before, with_answer
from graphbus_core.negotiation.proposal.machine.fates import fate, fell
from graphbus_core.negotiation.proposal.machine.life import OPEN, Phase, Stage, next_phase, next_stage
from graphbus_core.negotiation.proposal.machine.outcome import outcome_of
from graphbus_core.negotiation.proposal.machine.state import ProposalRecord, State
from graphbus_core.negotiation.proposal.said import events as e
from graphbus_core.negotiation.proposal.said.config import start_digest
from graphbus_core.negotiation.proposal.said.meaning import NONE
from graphbus_core.negotiation.proposal.vocabulary import Decision, Ruling
from graphbus_core.negotiation.proposal.weighed.tally import EvaluationCollector


def fold(state: State, fact: Event) -> State:
    """The state after `fact`."""
    state.phase = next_phase(state.phase, fact.kind)
    state.facts += 1
    _FOLDS[type(fact)](state, fact)
    return state


def _move(record: ProposalRecord, fact: Event) -> None:
    record.stage = next_stage(record.stage, fact.kind, record.proposal_id)


def _done(state: State) -> None:
    """A fact about one proposal answers what was due in its phase: a consequence, or the commit at hand."""
    if state.phase is Phase.COMMITTING:
        state.cursor += 1
        state.finishing = False
    elif state.todo:
        state.todo.popleft()


# ------------------------------------------------------------------------------------------------ phases and rounds


def _opened(state: State, fact: e.NegotiationOpened) -> None:
    if fact.start != start_digest(state.config.agents):
        raise LogDamaged("this log began with other sources than these; it cannot go on with them")
    state.start = fact.start


def _round_started(state: State, fact: e.RoundStarted) -> None:
    queue = state.queue
    state.round = fact.round
    _agenda(state, [(agent, state.number("propose", agent)) for agent in fact.asked])
    queue.on_table = list(fact.carried)
    queue.carried = []
    queue.this_round.clear()
    state.todo.extend(("recheck", pid) for pid in fact.carried)
    state.todo.extend(("due", pid) for pid in queue.waiting)
    queue.waiting = []


def _agenda(state: State, items: list[tuple[Any, ...]]) -> None:
    state.agenda, state.cursor, state.pin = items, 0, state.facts


def _evaluation_opened(state: State, fact: e.EvaluationOpened) -> None:
    items: list[tuple[Any, ...]] = []
    for pid in fact.proposals:
        record = state.queue[pid]
        if record.stage is Stage.DEFERRED:
            _move(record, fact)
        items.extend((pid, name, state.number("evaluate", name)) for name in record.collector.waiting())
    _agenda(state, items)
    state.tallied = 0


def _arbitration_opened(state: State, fact: e.ArbitrationOpened) -> None:
    state.cases = {case["case"]: case for case in fact.cases}
    state.tried = {}
    items: list[tuple[Any, ...]] = []
    for case in fact.cases:
        if case["arbiter"] is not None:
            items.append((case["case"], case["arbiter"], state.number("arbitrate", case["arbiter"])))
        else:
            state.todo.extend(("unruled", case["case"], pid) for pid in case["proposals"])
    _agenda(state, items)


def _commits_opened(state: State, fact: e.CommitsOpened) -> None:
    _agenda(state, [(pid,) for pid in fact.proposals])


def _round_closed(state: State, fact: e.RoundClosed) -> None:
    state.quiet_rounds = 0 if fact.tabled else state.quiet_rounds + 1
    _agenda(state, [])


def _stop_requested(state: State, fact: e.StopRequested) -> None:
    if state.stop is None:
        state.stop, state.stopped_by = fact.why or "stopped", fact.by
        at_hand = state.agenda[state.cursor][0] if state.cursor < len(state.agenda) else None
        if state.phase is Phase.COMMITTING and at_hand is not None:
            state.finishing = state.queue[at_hand].stage is not Stage.PREPARED


def _ended(state: State, fact: e.NegotiationEnded) -> None:
    for record in state.queue.records.values():
        if record.stage is Stage.QUEUED or record.stage in OPEN:
            _move(record, fact)
            record.why = fact.why
    state.round = fact.rounds
    state.todo.clear()
    state.ended = outcome_of(state, fact.reason, fact.why, fact.unheard, fact.deferred)


# ------------------------------------------------------------------------------------------------------- proposals


def _proposals_made(state: State, fact: e.ProposalsMade) -> None:
    state.cursor += 1
    state.todo.extend(("fresh", fact.agent, body) for body in fact.proposals)
    state.left |= {(one["link"], one["field"]): {**one, "agent": fact.agent} for one in fact.left}
    for question in fact.questions:
        if question["id"] not in state.questions:  # one that was asked is not asked again
            state.questions[question["id"]] = {**question, "by": None, "choice": None, "why": "nobody was asked"}
            if state.config.decides and question["candidates"]:
                state.agenda.append((fact.agent, 0, question["id"]))
        elif (answered := answered_before(state, question)) is not None:
            state.todo.append(("chosen", fact.agent, answered))


def _question_settled(state: State, fact: e.QuestionSettled) -> None:
    state.cursor += 1
    question = state.questions[fact.question]
    question |= {"by": fact.by, "choice": fact.choice, "why": fact.why}
    for candidate in question["candidates"]:
        if candidate["name"] == fact.choice != NONE:  # a field may have that name, and is not meant by it
            answered = with_answer(candidate["proposal"], fact.by, fact.choice, fact.why)
            state.todo.append(("chosen", fact.agent, answered))


def _proposer_silent(state: State, fact: e.ProposerSilent) -> None:
    state.cursor += 1
    state.silent[fact.agent] = None


def _record(state: State, proposal: Any, fact: Event) -> ProposalRecord:
    """The record of a proposal that is new, or that was queued."""
    pid, author = proposal["proposal_id"], proposal["proposer"]
    record = state.queue.records.get(pid)
    if record is None:
        record = state.queue.records[pid] = ProposalRecord(pid, author, proposal["round"], proposal)
        state.queue.named[author] = state.queue.named.get(author, 0) + 1
    record.proposal, record.round = proposal, proposal["round"]
    _move(record, fact)
    state.todo.popleft()
    return record


def _tabled(state: State, fact: e.ProposalTabled) -> None:
    queue, author = state.queue, fact.proposal["proposer"]
    was_queued = fact.proposal["proposal_id"] in queue.records
    record = _record(state, fact.proposal, fact)
    record.computed = fact.computed
    record.collector = EvaluationCollector(fact.evaluators, fact.electorate)
    record.version = state.ground.version
    record.base = fact.proposal["base"]
    queue.on_table.append(record.proposal_id)
    if not was_queued:
        queue.charged[author] = queue.charged.get(author, 0) + 1
        queue.this_round[author] = queue.this_round.get(author, 0) + 1


def _dropped(state: State, fact: e.ProposalDropped) -> None:
    record = _record(state, fact.proposal, fact)
    record.by, record.why = fact.limit, fact.why
    fate(state, record)


def _queued(state: State, fact: e.ProposalQueued) -> None:
    record = _record(state, fact.proposal, fact)
    record.origin = fact.origin
    state.queue.waiting.append(record.proposal_id)
    state.queue.charged[fact.proposer] = state.queue.charged.get(fact.proposer, 0) + 1


def _stood_again(state: State, fact: e.ProposalStoodAgain) -> None:
    state.todo.popleft()
    record = state.queue[fact.proposal_id]
    record.version = state.ground.version


def _evaluated(state: State, fact: e.ProposalEvaluated) -> None:
    state.cursor += 1
    said = fact.evaluation
    record = state.queue[fact.proposal_id]
    record.collector.add(fact.evaluator, said, state.config.safety.max_back_and_forth)
    if said["counter_proposal"]:
        origin = "counter" if said["decision"] == Decision.COUNTER else "modification"
        state.todo.append(("queue", fact.evaluator, said["counter_proposal"], fact.proposal_id, origin))


def _evaluator_silent(state: State, fact: e.EvaluatorSilent) -> None:
    state.cursor += 1
    state.queue[fact.proposal_id].collector.add_silence(fact.evaluator, fact.why)


def _agreed(state: State, fact: e.ProposalAgreed) -> None:
    record = state.queue[fact.proposal_id]
    _move(record, fact)
    if state.phase is Phase.RULING:
        state.todo.popleft()
    record.consensus, record.why = fact.consensus, fact.why
    if fact.diff is not None and fact.computed is not None:
        record.replace_diff(list(fact.diff))
        record.computed = fact.computed
        record.base = fact.computed["base"]


def _contested(state: State, fact: e.ProposalContested) -> None:
    record = state.queue[fact.proposal_id]
    _move(record, fact)
    record.why = fact.why


def _deferred(state: State, fact: e.ProposalDeferred) -> None:
    record = state.queue[fact.proposal_id]
    _move(record, fact)
    record.why = f"{', '.join(fact.waiting_for)} asked for another round"
    state.queue.carried.append(fact.proposal_id)


def _rejected(state: State, fact: e.ProposalRejected) -> None:
    record = state.queue[fact.proposal_id]
    if fact.by == "conflict" and record.stage is Stage.AGREED and state.todo:
        record.lost_to = state.todo[0][1]
    _move(record, fact)
    record.by, record.why = fact.by, fact.why
    if state.phase is not Phase.EVALUATING:
        _done(state)
    fate(state, record)
    fell(state, record)


def _heard_again(state: State, fact: e.ProposalHeardAgain) -> None:
    state.todo.popleft()
    record = state.queue[fact.proposal_id]
    _move(record, fact)
    record.lost_to, record.ruling, record.arbiter = None, None, None
    record.by, record.why = "", fact.why  # the evaluators' consensus stands
    state.agenda.append((fact.proposal_id,))


def _superseded(state: State, fact: e.ProposalSuperseded) -> None:
    record = state.queue[fact.proposal_id]
    _move(record, fact)
    record.by, record.why = "ground", fact.why
    _done(state)
    fate(state, record)
    fell(state, record)


# --------------------------------------------------------------------------------------------------------- rulings


def _ruled(state: State, fact: e.Ruled) -> None:
    state.cursor += 1
    ruling = fact.ruling
    for pid in fact.proposals:
        record = state.queue[pid]
        record.ruling, record.arbiter = ruling, fact.arbiter
        state.todo.append(("rule", fact.case, pid))
    about = state.queue[ruling["proposal_id"] or fact.proposals[0]]
    parts = list(ruling["deferred"])
    if ruling["decision"] == Ruling.SPLIT and not parts:
        parts = _rest(about, ruling["committed_diff"])
    state.todo.extend(("queue", about.proposer, part, about.proposal_id, "deferred") for part in parts)


def _rest(record: ProposalRecord, committed: list[Any]) -> list[dict[str, Any]]:
    """What a split leaves of a proposal, where the arbiter did not write it out."""
    left = [op for op in record.diff if op not in committed]
    if not left:
        return []
    summary = f"The part of {record.proposal_id} that was put off: {record.proposal['summary']}"
    return [{**record.proposal, "type": "", "diff": left, "summary": summary}]


def _arbiter_silent(state: State, fact: e.ArbiterSilent) -> None:
    state.cursor += 1
    state.tried.setdefault(fact.case, []).append(fact.arbiter)
    if fact.next is not None:
        state.agenda.append((fact.case, fact.next, state.number("arbitrate", fact.next)))
    else:
        state.todo.extend(("unruled", fact.case, pid) for pid in fact.proposals)


# --------------------------------------------------------------------------------------------------------- commits


def _prepared(state: State, fact: e.CommitPrepared) -> None:
    record = state.queue[fact.proposal_id]
    _move(record, fact)
    record.prepared = fact.receipt
    record.gates, record.ends = tuple(fact.receipt.get("gates") or ()), tuple(fact.receipt.get("ends") or ())
    state.finishing = False
    state.pin = state.facts


def _approved(state: State, fact: e.CommitApproved) -> None:
    _move(state.queue[fact.proposal_id], fact)


def _withdrawn(state: State, fact: e.ProposalWithdrawn) -> None:
    record = state.queue[fact.proposal_id]
    _move(record, fact)
    record.by, record.why = fact.by, fact.why
    _done(state)
    fate(state, record)
    fell(state, record)


def _committed(state: State, fact: e.ProposalCommitted) -> None:
    record = state.queue[fact.proposal_id]
    _move(record, fact)
    record.receipt, record.commit_id, record.schema_changes = fact.receipt, fact.commit_id, fact.schema_changes
    record.gates, record.ends = tuple(fact.receipt.get("gates") or ()), tuple(fact.receipt.get("ends") or ())
    state.ground.receive(fact.receipt)
    after = fact.receipt.get("after") or {}
    for path in dict.fromkeys([*(fact.receipt.get("files") or ()), *after]):
        state.files[path] = after.get(path)
    _done(state)
    fate(state, record)


def _commit_failed(state: State, fact: e.CommitFailed) -> None:
    record = state.queue[fact.proposal_id]
    _move(record, fact)
    record.by, record.why, record.gates, record.ends = fact.gate, fact.why, fact.passed, fact.ends
    _done(state)
    fate(state, record)
    fell(state, record)


_FOLDS: dict[type[Event], Callable[[State, Any], None]] = {
    e.NegotiationOpened: _opened,
    e.RoundStarted: _round_started,
    e.ProposalsMade: _proposals_made,
    e.QuestionSettled: _question_settled,
    e.ProposerSilent: _proposer_silent,
    e.ProposalTabled: _tabled,
    e.ProposalDropped: _dropped,
    e.ProposalQueued: _queued,
    e.ProposalStoodAgain: _stood_again,
    e.EvaluationOpened: _evaluation_opened,
    e.ProposalEvaluated: _evaluated,
    e.EvaluatorSilent: _evaluator_silent,
    e.ProposalAgreed: _agreed,
    e.ProposalContested: _contested,
    e.ProposalRejected: _rejected,
    e.ProposalDeferred: _deferred,
    e.ArbitrationOpened: _arbitration_opened,
    e.Ruled: _ruled,
    e.ArbiterSilent: _arbiter_silent,
    e.CommitsOpened: _commits_opened,
    e.CommitPrepared: _prepared,
    e.CommitApproved: _approved,
    e.ProposalWithdrawn: _withdrawn,
    e.ProposalCommitted: _committed,
    e.CommitFailed: _commit_failed,
    e.ProposalHeardAgain: _heard_again,
    e.ProposalSuperseded: _superseded,
    e.RoundClosed: _round_closed,
    e.StopRequested: _stop_requested,
    e.NegotiationEnded: _ended,
}
