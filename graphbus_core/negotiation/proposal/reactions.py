"""What follows without asking anybody: tabling, dropping, tallying, routing to an arbiter, vetting before a commit.

Each function looks at the state and makes one fact; `fold` then changes the state. A proposal that a bound drops is a
fact as well, never a silence (design §2, trap 12).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

from graphbus_core.model.operation import parse_operations
from graphbus_core.negotiation.core.protocol import Event
from graphbus_core.negotiation.proposal import events as e
from graphbus_core.negotiation.proposal.config import find_protecting_pattern
from graphbus_core.negotiation.proposal.effects import Inapplicable, compute_effects, pick_stricter, restate_links
from graphbus_core.negotiation.proposal.evaluation import find_conflicts
from graphbus_core.negotiation.proposal.state import ProposalRecord, State
from graphbus_core.negotiation.proposal.transitions import Phase, Stage
from graphbus_core.negotiation.proposal.vocabulary import ProposalType, Ruling

BREAKING = ProposalType.BREAKING_CHANGE.value
ALONGSIDE_MAX = 15  # commits ahead that an effect is told of: more than one run of the gates takes
LINKS = "links"  # in the result of a try: what the changed sources break and fix, where contracts alone do not tell
IDENTICAL = "identical"  # the limit that drops a proposal which is on the table already


def derive_consequence(state: State, due: tuple[Any, ...]) -> Event:
    """The fact that the first thing in `todo` comes to."""
    match due:
        case ("fresh", author, body):
            return table_proposal(state, author, body)
        case (
            "chosen",
            author,
            body,
        ):  # an answer is not a proposal of the agent's own: the bound of a round is not for it
            return table_proposal(state, author, body, answered=True)
        case ("due", pid):
            return _table(state, dict(state.queue[pid].proposal) | {"round": state.round})
        case ("recheck", pid):
            return _check_deferred(state, state.queue[pid])
        case ("queue", author, body, parent, origin):
            return _queue(state, author, body, state.queue[parent], origin)
        case ("rule", number, pid):
            return _apply_ruling(state, number, state.queue[pid])
        case ("heard_again", winner, pid):
            return _restore_loser(state, state.queue[winner], state.queue[pid])
        case ("unruled", number, pid):
            return _decide_without_arbiter(state, number, state.queue[pid])
    raise AssertionError(due)


# ------------------------------------------------------------------------------------------------------ the table


def table_proposal(state: State, author: str, body: Mapping[str, Any], answered: bool = False) -> Event:
    """The fact that a proposal comes to which was just made: on the table, or dropped by a bound."""
    safety, queue = state.config.safety, state.queue
    proposal = _build_proposal(state, author, body, parent=None, round=state.round)
    if not answered and author in state.config.proposed_by:
        proposal["proposed_by"] = state.config.proposed_by[author]
    if not answered and queue.charged.get(author, 0) >= safety.max_proposals_per_agent:
        return _drop(state, proposal, "max_proposals_per_agent", f"{author} has made all of its proposals")
    if not answered and queue.this_round.get(author, 0) >= safety.max_proposals_per_round:
        return _drop(state, proposal, "max_proposals_per_round", f"{author} has made its proposals of this round")
    if (same := _find_identical(state, proposal)) is not None:
        why = f"{same.proposer} proposes the very same with {same.proposal_id}; one of them is enough"
        return _drop(state, proposal, IDENTICAL, why)
    return _table(state, proposal)


def _find_identical(state: State, proposal: Mapping[str, Any]) -> ProposalRecord | None:
    """The proposal on the table that changes exactly the same, whoever made it and however it is called."""
    if state.config.edition < 2:
        return None
    changes = _normalize_diff(proposal["diff"])
    return next((r for r in state.queue.list_at_stages(Stage.TABLED) if _normalize_diff(r.diff) == changes), None)


def _normalize_diff(diff: Sequence[Mapping[str, Any]]) -> list[str]:
    """What a diff does, whatever it says about it: two wordings of one field are one field."""
    return [json.dumps({k: v for k, v in op.items() if k != "description"}, sort_keys=True) for op in diff]


def _queue(state: State, author: str, body: Mapping[str, Any], parent: ProposalRecord, origin: str) -> Event:
    """A counter-proposal, or a part that was put off: charged to its author, for the next round (design §6.8)."""
    safety = state.config.safety
    proposal = _build_proposal(state, author, body, parent=parent, round=state.round + 1)
    if proposal["depth"] > safety.max_back_and_forth:
        return _drop(state, proposal, "max_back_and_forth", f"its chain of answers is {proposal['depth']} deep")
    if state.queue.charged.get(author, 0) >= safety.max_proposals_per_agent:
        return _drop(state, proposal, "max_proposals_per_agent", f"{author} has made all of its proposals")
    audience = (author, *(() if parent.proposer == author else (parent.proposer,)))
    return e.ProposalQueued(audience, state.round, proposal["proposal_id"], author, origin, proposal)


def _table(state: State, proposal: dict[str, Any]) -> Event:
    """Judge a proposal on the ground as it is now: what it does, whom it concerns, whether it keeps the bounds."""
    safety, ground, author = state.config.safety, state.ground, proposal["proposer"]
    ops = parse_operations(proposal["diff"])
    try:
        computed = compute_effects(ground, ops, proposal["type"])
    except Inapplicable as why:
        return _drop(state, proposal, "inapplicable", str(why))
    if "tried" in proposal:  # what a copy of the project said of it, before anybody was asked
        tried = dict(proposal.pop("tried"))
        computed = restate_links(computed, tried.pop(LINKS)) if LINKS in tried else computed
        computed |= {"tried": tried} if tried else {}
    if state.config.edition < 3:
        computed.pop("left", None)  # earlier rules did not say what a change leaves as it was
    if state.config.edition < 4:
        computed.pop("unsent", None)  # nor what nobody sends any more
        computed["breaks"] = [{k: v for k, v in broken.items() if k != "stood"} for broken in computed["breaks"]]
    if state.config.edition < 5:
        computed.pop("never_sent", None)  # nor what nobody sent before either
    files = computed["files"]
    if len(files) > safety.max_file_changes_per_commit:
        why_not = f"it changes {len(files)} files; a commit may change {safety.max_file_changes_per_commit}"
        return _drop(state, proposal, "max_file_changes_per_commit", why_not)
    if len({*state.files, *files}) > safety.max_total_file_changes:
        why_not = (
            f"with it {len({*state.files, *files})} files would be changed; {safety.max_total_file_changes} may be"
        )
        return _drop(state, proposal, "max_total_file_changes", why_not)
    if guarded := [f for f in files if find_protecting_pattern(safety.protected_files, f) is not None]:
        return _drop(state, proposal, "protected_files", f"{', '.join(guarded)} must not be changed")
    proposal["base"] = {op.symbol: ground.digest(op.symbol) for op in ops}
    proposal["type"] = proposal["type"] or computed["type"]
    evaluators, electorate = choose_evaluators(state, author, computed, proposal["affected_agents"])
    return e.ProposalTabled((author, *evaluators), state.round, proposal, computed, evaluators, electorate)


def choose_evaluators(
    state: State, proposer: str, computed: Mapping[str, Any], listed: list[str]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The evaluators, and those among them whose accept counts (design §6.2)."""
    ground = state.ground
    concerned = ground.in_order({*computed["affected"], *computed["owners"]} - {proposer})
    evaluators = ground.in_order({*concerned, *listed} - {proposer})
    if not evaluators:
        evaluators = ground.neighbours(proposer)
    return evaluators, concerned or evaluators


def _build_proposal(
    state: State, author: str, body: Mapping[str, Any], parent: ProposalRecord | None, round: int
) -> dict[str, Any]:
    return {
        "proposal_id": _make_id(state, author),
        "proposer": author,
        "round": round,
        **{k: body[k] for k in ("type", "diff", "summary", "rationale", "affected_agents", "confidence", "intent")},
        "dependencies": body["dependencies"],
        "priority": body["priority"],
        **{k: body[k] for k in ("read_as", "tried") if k in body},
        "answers_to": parent.proposal_id if parent else None,
        "depth": int(parent.proposal.get("depth", 0)) + 1 if parent else 0,
        "base": {},
    }


def _make_id(state: State, author: str) -> str:
    """`p-` and 4 hex digits from the start state and the place; longer where that is taken (design §6.14)."""
    place = f"{state.start}:{author}:{state.queue.named.get(author, 0) + 1}"
    digest = hashlib.sha256(place.encode()).hexdigest()
    size = 4
    while f"p-{digest[:size]}" in state.queue.records:
        size += 1
    return f"p-{digest[:size]}"


def _drop(state: State, proposal: Mapping[str, Any], limit: str, why: str) -> Event:
    author = proposal["proposer"]
    return e.ProposalDropped((author,), state.round, proposal["proposal_id"], author, limit, why, proposal)


# ------------------------------------------------------------------------------------------------------ the tally


def decide_next_proposal(state: State) -> Event | None:
    """What the evaluations of the next proposal amount to, or None when all are told."""
    table = state.queue.on_table
    while state.tallied < len(table):
        record = state.queue[table[state.tallied]]
        if record.stage is Stage.TABLED:
            break
        state.tallied += 1
    else:
        return None
    result = record.collector.tally(record.computed)
    pid, audience = record.proposal_id, record.audience
    match result.verdict:
        case "agreed":
            return e.ProposalAgreed(audience, state.round, pid, result.by, result.why)
        case "contested":
            return e.ProposalContested(audience, state.round, pid, result.why)
        case "deferred":
            return e.ProposalDeferred(audience, state.round, pid, record.collector.list_waiting())
    return e.ProposalRejected(audience, state.round, pid, result.by, result.why)


def close_phase(state: State) -> Event:
    """The fact that closes a phase and opens the next."""
    queue = state.queue
    if state.phase is Phase.PROPOSING and (open_ones := queue.list_at_stages(Stage.TABLED, Stage.DEFERRED)):
        return e.EvaluationOpened(state.round, tuple(r.proposal_id for r in open_ones))
    if state.phase is Phase.EVALUATING and (cases := _collect_cases(state)):
        return e.ArbitrationOpened(state.round, cases)
    agreed = queue.list_at_stages(Stage.AGREED)
    if state.phase in (Phase.EVALUATING, Phase.RULING) and agreed:
        return e.CommitsOpened(state.round, _order_commits(agreed))
    return e.RoundClosed(state.round, len(queue.on_table), len(queue.list_at_stages(Stage.COMMITTED)))


def _order_commits(agreed: Sequence[ProposalRecord]) -> tuple[str, ...]:
    """The order of the commits: what others depend on first, then by priority (seed 002 §2.7), then as they came."""
    waiting = {r.proposal_id: r for r in sorted(agreed, key=lambda r: -int(r.proposal.get("priority") or 0))}
    order: list[str] = []
    while waiting:
        free = (p for p, r in waiting.items() if not waiting.keys() & set(r.proposal.get("dependencies", ())) - {p})
        order.append(next(free, next(iter(waiting))))  # in a circle of dependencies nobody is first, and all fall
        del waiting[order[-1]]
    return tuple(order)


# ------------------------------------------------------------------------------------------------------ the arbiter


def _collect_cases(state: State) -> tuple[dict[str, Any], ...]:
    """What needs a ruling: proposals in conflict, together; and each that its evaluators contest."""
    alive = {r.proposal_id: r for r in state.queue.list_at_stages(Stage.AGREED, Stage.CONTESTED)}
    groups: list[tuple[tuple[str, ...], tuple[str, ...]]] = find_conflicts(
        {p: r.operations for p, r in alive.items()}, defaults=state.config.edition < 2
    )
    grouped = {p for pids, _ in groups for p in pids}
    groups += [((p,), ()) for p, r in alive.items() if r.stage is Stage.CONTESTED and p not in grouped]
    place = {p: i for i, p in enumerate(alive)}
    cases = []
    for number, (pids, fields) in enumerate(sorted(groups, key=lambda g: place[g[0][0]]), 1):
        records = [alive[p] for p in pids]
        why = f"{', '.join(pids)} touch {', '.join(fields)} differently" if len(pids) > 1 else records[0].why
        arbiter = state.router.route({n for r in records for n in r.audience})
        cases.append({"case": number, "proposals": list(pids), "fields": list(fields), "why": why, "arbiter": arbiter})
    return tuple(cases)


def _apply_ruling(state: State, number: int, record: ProposalRecord) -> Event:
    """What a ruling means for one proposal of its case. Binding, but it cannot bind what the rules forbid."""
    assert record.ruling is not None
    ruling, arbiter, pid = record.ruling, record.arbiter, record.proposal_id
    text = ruling["ruling"] or f"{arbiter} ruled {ruling['decision']}"
    if ruling["decision"] == Ruling.REJECT:
        return _reject(state, record, "arbiter", text)
    if ruling["proposal_id"] != pid:
        return _reject(state, record, "conflict", f"{arbiter} chose {ruling['proposal_id']}: {text}")
    if not record.collector.has_quorum():
        return _reject(state, record, "quorum", "nobody whom it concerns said yes, whatever the arbiter says")
    changed = ruling["committed_diff"] and ruling["committed_diff"] != record.diff
    if not changed:
        if record.computed["type"] == BREAKING and not record.collector.is_unanimous():
            return _reject(state, record, "evaluators", "a breaking change needs everybody, whatever the arbiter says")
        return e.ProposalAgreed(record.audience, state.round, pid, "arbiter", text)
    return _apply_arbiter_diff(state, record, ruling["committed_diff"], text)


def _apply_arbiter_diff(state: State, record: ProposalRecord, diff: list[Mapping[str, Any]], text: str) -> Event:
    """The arbiter's own diff: computed like any other, since its label is a claim too (design §2, trap 3)."""
    ops = parse_operations(diff)
    try:
        computed = compute_effects(state.ground, ops)
    except Inapplicable as why:
        return _reject(state, record, "arbiter", f"the arbiter's diff cannot be applied: {why}")
    if computed["type"] == BREAKING:
        return _reject(state, record, "evaluators", "the arbiter's diff is a breaking change, which needs everybody")
    audience = set(record.audience)
    if strangers := [n for n in (*computed["affected"], *computed["owners"]) if n not in audience]:
        why_not = f"the arbiter's diff affects {', '.join(strangers)}, which was not asked"
        return _reject(state, record, "quorum", why_not)
    if added := [f for f in computed["files"] if f not in record.computed["files"]]:
        return _reject(state, record, "arbiter", f"the arbiter's diff adds {', '.join(added)}")
    concerned = {*computed["affected"], *computed["owners"]} - {record.proposer}
    if concerned and not concerned.intersection(record.collector.list_accepts()):
        return _reject(state, record, "quorum", "nobody whom the arbiter's diff concerns said yes")
    computed["base"] = {op.symbol: state.ground.digest(op.symbol) for op in ops}
    return e.ProposalAgreed(record.audience, state.round, record.proposal_id, "arbiter", text, tuple(diff), computed)


def _decide_without_arbiter(state: State, number: int, record: ProposalRecord) -> Event:
    """No arbiter could rule: rejected as such, or the majority where the settings allow that (design §6.4)."""
    pids = state.cases[number]["proposals"]
    if state.config.safety.require_arbiter_on_conflict:
        return _reject(state, record, "no_arbiter", f"{state.cases[number]['why']}, and there is no arbiter to rule")
    if len(pids) > 1:
        margins = {p: state.queue[p].collector.compute_margin() for p in pids}
        best = max(margins.values())
        if margins[record.proposal_id] < best or list(margins.values()).count(best) > 1:
            return _reject(state, record, "majority", "it conflicts with others and has not more votes than they have")
    allowed = record.collector.is_unanimous() or record.computed["type"] != BREAKING
    if allowed and record.collector.has_majority() and record.collector.has_quorum():
        return e.ProposalAgreed(record.audience, state.round, record.proposal_id, "majority", "more said yes than no")
    return _reject(state, record, "majority", "no majority of those whom it concerns said yes; a tie is no")


def _restore_loser(state: State, winner: ProposalRecord, record: ProposalRecord) -> Event:
    """A proposal that lost a conflict, whose winner fell: nothing speaks against it any more.

    Its evaluators had said yes to it, and nobody is asked twice. The gates, and a person where one approves, still are.
    """
    why = f"{winner.proposal_id}, which was chosen over it, is {winner.stage.value}"
    return e.ProposalHeardAgain(record.audience, state.round, record.proposal_id, why)


def _reject(state: State, record: ProposalRecord, by: str, why: str) -> Event:
    return e.ProposalRejected(record.audience, state.round, record.proposal_id, by, why)


# ---------------------------------------------------------------------------------------------- before the commit


def check_commit(state: State, record: ProposalRecord) -> Event | None:
    """Why a proposal whose turn to be committed has come may not be, or None.

    The ground may have moved since it was judged: by a commit of this round, or because an arbiter changed a diff.
    What is judged again is what will be committed (design §2, trap 2).
    """
    if record.stage not in (Stage.AGREED, Stage.APPROVED):
        return None
    if state.vetted is None or state.vetted[:2] != (record.proposal_id, state.ground.version):
        state.vetted = (record.proposal_id, state.ground.version, _find_obstacle(state, record))
    obstacle: Event | None = state.vetted[2]
    return obstacle


def _find_obstacle(state: State, record: ProposalRecord) -> Event | None:
    safety = state.config.safety
    if why := _explain_moved_ground(state, record):
        return e.ProposalSuperseded(record.audience, state.round, record.proposal_id, why)
    for other in record.proposal.get("dependencies", ()):
        needed = state.queue.records.get(other)
        if needed is None:
            return _reject(state, record, "dependency", f"it depends on {other}, and there is no such proposal")
        if needed.stage is not Stage.COMMITTED:
            return _reject(state, record, "dependency", f"it depends on {other}, which is {needed.stage.value}")
    changed = {*state.files, *record.computed["files"]}
    if len(changed) > safety.max_total_file_changes:
        why = f"with it {len(changed)} files would be changed; {safety.max_total_file_changes} may be"
        return _reject(state, record, "limit", why)
    return None


def list_upcoming_commits(state: State) -> list[dict[str, Any]]:
    """What is to be committed after the proposal at hand, if nothing comes between: their gates may share a run.

    Up to the first that depends on another, since whether that one lands is not known yet. Nobody, where a person
    approves each: what a person will say is not known either.
    """
    upcoming: list[dict[str, Any]] = []
    if state.config.human_in_loop:
        return upcoming
    for place in range(state.cursor + 1, min(len(state.agenda), state.cursor + ALONGSIDE_MAX + 1)):
        record = state.queue[state.agenda[place][0]]
        if record.stage is not Stage.AGREED or record.proposal.get("dependencies"):
            break
        upcoming.append({"proposal_id": record.proposal_id, "diff": record.diff, "base": dict(record.base)})
    return upcoming


def _explain_moved_ground(state: State, record: ProposalRecord) -> str:
    """Why a proposal no longer stands on the ground that it was judged on; empty where it does."""
    ground = state.ground
    if moved := ground.find_moved(record.base):
        return f"{', '.join(moved)} was changed since it was proposed"
    if record.version == ground.version:
        return ""
    try:
        now = compute_effects(ground, record.operations)
    except Inapplicable as why:
        return f"it no longer fits: {why}"
    was = record.computed
    if now["type"] == BREAKING and pick_stricter(now["type"], was["type"]) != was["type"]:
        return (
            "by now it breaks " + ", ".join(b["link"] for b in now["breaks"]) if now["breaks"] else "by now it breaks"
        )
    audience = set(record.audience)
    if strangers := [n for n in (*now["affected"], *now["owners"]) if n not in audience]:
        return f"by now it affects {', '.join(strangers)}, which was not asked"
    return ""


def _check_deferred(state: State, record: ProposalRecord) -> Event:
    """A proposal that was put off: it stands again, or its ground has moved meanwhile."""
    if why := _explain_moved_ground(state, record):
        return e.ProposalSuperseded(record.audience, state.round, record.proposal_id, why)
    return e.ProposalStoodAgain(record.audience, state.round, record.proposal_id)
