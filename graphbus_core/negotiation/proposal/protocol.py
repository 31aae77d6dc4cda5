"""The rules of the proposal negotiation (seed 000; design §6): what must happen next, and what follows from what.

A round is propose, evaluate, rule, commit (`life.PHASES`). Questions and effects stand in the phase's agenda; what
follows without asking anybody (a proposal is tabled, tallied, superseded) stands in `todo` and comes from `advance`,
one fact at a time. Folding a fact computes no contract: that was done when the fact was made.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from graphbus_core.errors import IllegalMove, LogDamaged
from graphbus_core.negotiation.core.protocol import Answered, Applied, Apply, Ask, Event, Json, Result, Silent, Want
from graphbus_core.negotiation.proposal import answer_parsing, events as e, project_view
from graphbus_core.negotiation.proposal.answer_validation import check_answer as check_answer
from graphbus_core.negotiation.proposal.config import DECIDER, ProposalConfig
from graphbus_core.negotiation.proposal.effects import list_schema_changes
from graphbus_core.negotiation.proposal.evaluation import ArbiterRouter
from graphbus_core.negotiation.proposal.fold import fold
from graphbus_core.negotiation.proposal.project_view import ProjectView
from graphbus_core.negotiation.proposal.reactions import (
    check_commit,
    close_phase,
    decide_next_proposal,
    derive_consequence,
    list_upcoming_commits,
)
from graphbus_core.negotiation.proposal.state import ProposalRecord, State, list_evaluations
from graphbus_core.negotiation.proposal.transitions import Phase, Stage
from graphbus_core.negotiation.proposal.vocabulary import NegotiationOutcome
from graphbus_core.text import format_count

STOP = "stop"  # the one move that nobody asks for


class ProposalProtocol:
    """The proposal negotiation as the core wants it: pure functions over a state and its log."""

    name = "proposal"
    events: Mapping[str, type[Event]] = e.EVENTS

    def open(self, config: ProposalConfig) -> State:
        """The state before the first fact. Raises ConfigError for a configuration that cannot be."""
        config.validate()
        return State(
            config=config,
            ground=ProjectView(config.agents, config.links, config.mismatches, config.around),
            router=ArbiterRouter(config.arbiters),
            # An arbiter without contracts or topics has nothing of its own to propose.
            proposers=tuple(
                a.name for a in config.agents if not a.is_arbiter or a.methods or a.subscriptions or a.publications
            ),
        )

    # -------------------------------------------------------------------------------------- what must happen next

    def pending(self, state: State) -> Iterator[Want]:
        """The phase's open questions, all at once; or the one effect or approval of the commit at hand."""
        if state.phase is Phase.COMMITTING:
            if state.cursor < len(state.agenda):
                yield self._build_commit_want(state, state.queue[state.agenda[state.cursor][0]])
            return
        ask = _ASKS.get(state.phase)
        if ask is not None:
            for place in range(state.cursor, len(state.agenda)):
                yield ask(state, *state.agenda[place])

    def check(self, ask: Ask, body: Json) -> str | None:
        """Why this body is not an answer, in words its author can act on (it is told them when it is asked again)."""
        return check_answer(ask, body)

    def settle(self, state: State, want: Want, result: Result) -> Event:
        """The one fact that this result is."""
        if isinstance(want, Apply) and isinstance(result, Applied):
            return self._settle_effect(state, want, result.receipt)
        if not isinstance(want, Ask) or not isinstance(result, Answered | Silent):
            raise IllegalMove(f"{want.id} cannot be settled with {type(result).__name__}")
        silent = result.why if isinstance(result, Silent) else ""
        body = result.body if isinstance(result, Answered) else None
        match want.kind:
            case "propose":
                if body is None:
                    return e.ProposerSilent((want.to,), state.round, want.to, silent)
                proposals = tuple(answer_parsing.read_proposals(body, want.to))
                questions, omissions = (
                    tuple(answer_parsing.read_questions(body, want.to)),
                    tuple(answer_parsing.read_omissions(body)),
                )
                return e.ProposalsMade((want.to,), state.round, want.to, proposals, questions, omissions)
            case "choose":
                return self._settle_choice(state, want.to, body, silent)
            case "evaluate":
                pid, evaluator, _ = state.agenda[state.cursor]
                audience = (evaluator, state.queue[pid].proposer)
                if body is None:
                    return e.EvaluatorSilent(audience, state.round, pid, evaluator, silent)
                read = answer_parsing.read_evaluation(body, evaluator)
                return e.ProposalEvaluated(audience, state.round, pid, evaluator, read)
            case "arbitrate":
                return self._settle_ruling(state, body, silent)
            case "approve":
                return self._settle_approval(state, want.to, body, silent)
        raise IllegalMove(f"{want.kind} is not a question of this negotiation")

    def submit(self, state: State, who: str, move: Json) -> Event:
        """`{"move": "stop", "why": …}`: a person's Ctrl-C, or a budget that is used up. Nothing else is unasked."""
        if state.phase is Phase.ENDED:
            raise IllegalMove("the negotiation is over")
        if move.get("move") != STOP:
            raise IllegalMove(f"{move.get('move')!r} is not a move of this negotiation; there is {STOP}")
        return e.StopRequested(who, str(move.get("why", "")))

    # --------------------------------------------------------------------------------------------- what follows

    def advance(self, state: State) -> Event | None:
        """The next consequence, or None where somebody must answer or an effect must run first."""
        if state.phase is Phase.ENDED:
            return None
        if state.phase is Phase.START:
            return state.config.build_opening()
        if state.todo:
            return derive_consequence(state, state.todo[0])
        if state.stop is not None and not state.finishing:
            return _end_negotiation(state, "stopped", state.stop)
        if state.phase is Phase.BETWEEN:
            return _begin_next_round(state)
        if state.phase is Phase.COMMITTING:
            if state.cursor < len(state.agenda):
                return check_commit(state, state.queue[state.agenda[state.cursor][0]])
        elif state.cursor < len(state.agenda):
            return None
        elif state.phase is Phase.EVALUATING and (fact := decide_next_proposal(state)) is not None:
            return fact
        return close_phase(state)

    def evolve(self, state: State, event: Event) -> State:
        """The state after a fact. Raises LogDamaged for a fact that cannot follow."""
        try:
            return fold(state, event)
        except (KeyError, IndexError, TypeError, AttributeError) as error:
            raise LogDamaged(f"{event.kind} cannot be folded here: {type(error).__name__}: {error}") from error

    def outcome(self, state: State) -> NegotiationOutcome | None:
        """How it ended, or None."""
        return state.ended

    # ------------------------------------------------------------------------------------------------- effects

    def _build_commit_want(self, state: State, record: ProposalRecord) -> Want:
        pid = record.proposal_id
        if record.stage is Stage.PREPARED:
            about = {
                "round": state.round,
                "proposal": record.proposal,
                "unified_diff": record.prepared.get("unified_diff", ""),
                "files": list(record.prepared.get("files", ())),
                "computed": record.computed,
                "evaluations": list_evaluations(record),
                **({"weakened": record.prepared["weakened"]} if record.prepared.get("weakened") else {}),
            }
            who, within_s = state.config.approver, state.config.approve_within_s
            return Ask(f"{state.round}.approve.{pid}", who, "approve", about, state.pin, within_s)
        kind = "prepare" if state.config.human_in_loop and record.stage is Stage.AGREED else "commit"
        safety = state.config.safety
        about = {
            "proposal_id": pid,
            "proposer": record.proposer,
            "round": state.round,
            "type": record.computed["type"],
            "summary": record.proposal.get("summary", ""),
            "rationale": record.proposal.get("rationale", ""),
            "diff": record.diff,
            "base": dict(record.base),
            "evaluators": list(record.collector.evaluators),
            "evaluations": list_evaluations(record),
            "consensus": record.consensus,
            "arbiter": record.arbiter,
            "limits": {
                "max_file_changes_per_commit": safety.max_file_changes_per_commit,
                "max_total_file_changes": safety.max_total_file_changes,
                "files_changed": list(state.files),
                "allow_external_dependencies": safety.allow_external_dependencies,
                "protected_files": list(safety.protected_files),
                **({"a_person_approves": True} if state.config.human_in_loop else {}),
            },
            **_omit_empty("alongside", list_upcoming_commits(state)),
        }
        return Apply(f"{state.round}.{kind}.{pid}", kind, about)

    def _settle_effect(self, state: State, want: Apply, receipt: Json) -> Event:
        record = state.queue[state.agenda[state.cursor][0]]
        pid, audience = record.proposal_id, record.audience
        status = receipt.get("status")
        why = str(receipt.get("reason") or "")
        if status == "superseded":
            return e.ProposalSuperseded(audience, state.round, pid, why or "its ground moved")
        if status == "prepared" and want.kind == "prepare":
            return e.CommitPrepared(audience, state.round, pid, dict(receipt))
        if status == "committed" and want.kind == "commit":
            return e.ProposalCommitted(
                audience=tuple(dict.fromkeys([*audience, *(receipt.get("agents") or {})])),
                round=state.round,
                proposal_id=pid,
                commit_id=f"c-{pid.removeprefix('p-')}",
                consensus=record.consensus,
                schema_changes=tuple(list_schema_changes(state.ground, record.operations)),
                receipt=dict(receipt),
            )
        if status == "failed":
            passed = tuple(receipt.get("gates") or ())
            ends = tuple(receipt.get("ends") or ())
            return e.CommitFailed(audience, state.round, pid, str(receipt.get("gate") or ""), why, passed, ends)
        raise IllegalMove(f"{want.kind} of {pid} came back as {status!r}")

    def _settle_approval(self, state: State, who: str, body: Json | None, silent: str) -> Event:
        record = state.queue[state.agenda[state.cursor][0]]
        approval: dict[str, Any] = (
            {"approve": False, "reason": silent} if body is None else answer_parsing.read_approval(body)
        )
        if approval["approve"]:
            return e.CommitApproved(record.audience, state.round, record.proposal_id, who, approval["reason"])
        return e.ProposalWithdrawn(record.audience, state.round, record.proposal_id, who, approval["reason"])

    def _settle_choice(self, state: State, who: str, body: Json | None, silent: str) -> Event:
        agent, _, number = state.agenda[state.cursor]
        names = [c["name"] for c in state.questions[number]["candidates"]]
        choice: dict[str, Any] = {"choice": None, "reason": silent}
        if body is not None:
            choice = answer_parsing.read_choice(body, names)
            if choice["choice"] == answer_parsing.NONE_OF_THEM and not state.config.keeps_none:
                choice["choice"] = None  # as the log says it that was begun so
        return e.QuestionSettled((agent,), state.round, number, agent, who, choice["choice"], choice["reason"])

    def _settle_ruling(self, state: State, body: Json | None, silent: str) -> Event:
        number, arbiter, _ = state.agenda[state.cursor]
        pids = tuple(state.cases[number]["proposals"])
        records = [state.queue[p] for p in pids]
        audience = tuple(dict.fromkeys([arbiter, *(n for r in records for n in r.audience)]))
        if body is None:
            parties = {n for r in records for n in r.audience}
            following = state.router.route(parties, [*state.tried.get(number, ()), arbiter])
            return e.ArbiterSilent(audience, state.round, number, pids, arbiter, silent, following)
        ruling = answer_parsing.read_ruling(body, [_identify_proposal(r) for r in records])
        return e.Ruled(audience, state.round, number, pids, arbiter, ruling)


# ---------------------------------------------------------------------------------------------------- questions


def build_proposal_ask(state: State, agent: str, nth: int = 0, question: str | None = None) -> Ask:
    """What an agent is asked while proposals are made: for its own, or which of several is meant."""
    if question is not None:
        return _ask_choice(state, agent, question)
    safety, queue = state.config.safety, state.queue
    about = {
        "round": state.round,
        "nth": nth,
        "card": state.ground.card(agent, own=True),
        "neighbours": state.ground.neighbour_cards(agent),
        "mismatches": state.ground.mismatches_of(agent),
        "intent": state.config.intent,
        **_omit_empty("along", project_view.select_cards_for_intent(state.ground, agent, state.config.intent)),
        **_omit_empty("sources", project_view.select_sources_for_intent(state.ground, agent, state.config.intent)),
        **_omit_empty("tabled", project_view.summarize_proposals(r.proposal for r in _list_waiting(state, agent))),
        "links": [link.to_dict() for link in state.ground.links_of(agent)],
        "goals": list(state.config.goals),
        "history": state.select_history(agent),
        "limits": {
            "rounds": safety.max_negotiation_rounds,
            "proposals_left": safety.max_proposals_per_agent - queue.charged.get(agent, 0),
            "proposals_this_round": safety.max_proposals_per_round,
            "max_file_changes_per_commit": safety.max_file_changes_per_commit,
            "allow_external_dependencies": safety.allow_external_dependencies,
            "protected_files": list(safety.protected_files),
        },
    }
    return Ask(f"{state.round}.propose.{agent}", agent, "propose", about, state.pin, state.config.within_s)


def _omit_empty(name: str, what: list[Any]) -> dict[str, Any]:
    """An entry of a question, left out where there is nothing to say: prompts are paid for by the character."""
    return {name: what} if what else {}


def _list_waiting(state: State, agent: str) -> list[ProposalRecord]:
    """What stands on the table already as a round begins: answers and deferred parts, never another's fresh proposal.

    A fresh one may be on the table or not when a question is put together: it depends on who answered first.
    """
    return [r for r in state.queue.list_open() if r.proposal.get("answers_to") and agent in r.audience]


def _find_competing(state: State, record: ProposalRecord, evaluator: str) -> list[ProposalRecord]:
    """The other open proposals of this round that want the same thing changed and that this agent evaluates too."""
    others = (r for r in state.queue.list_open() if r is not record and evaluator in r.audience)
    return [r for r in others if project_view.is_competing(record.diff, r.diff)]


def _ask_choice(state: State, agent: str, number: str) -> Ask:
    """What is meant, asked of whoever may say so. The candidates' diffs are shown: an answer is only a name."""
    stored = state.questions[number]
    names = [c["name"] for c in stored["candidates"]]
    about = {
        "round": state.round,
        "agent": agent,
        "link": stored["link"],
        "field": stored["field"],
        "question": stored["text"],
        "candidates": [
            {k: c[k] for k in ("name", "says", *answer_parsing.CANDIDATE_WORDS) if k in c}
            | {"diff": c["proposal"]["diff"]}
            for c in stored["candidates"]
        ],
        "mismatches": [m for m in state.ground.mismatches_of(agent) if _is_about_link(m, stored["link"])],
        "instructions": answer_parsing.CHOICE_INSTRUCTIONS,
        "answer": (schema := answer_parsing.build_answer_schema(names)),
        "answer_schema": schema,
    }
    place = list(state.questions).index(number) + 1
    return Ask(f"{state.round}.choose.{place}", DECIDER, "choose", about, state.pin, state.config.approve_within_s)


def _is_about_link(mismatch: Mapping[str, Any], link: str) -> bool:
    return f"{mismatch['producer']} => {mismatch['consumer']}" == link


def _ask_evaluation(state: State, pid: str, evaluator: str, nth: int) -> Ask:
    record = state.queue[pid]
    about = {
        "round": state.round,
        "nth": nth,
        "proposal": record.proposal,
        "computed": record.computed,
        **_omit_empty(
            "competing", project_view.summarize_proposals(r.proposal for r in _find_competing(state, record, evaluator))
        ),
        "card": state.ground.card(evaluator, own=True),
        "neighbours": state.ground.neighbour_cards(evaluator),
        "intent": state.config.intent,
        "history": state.select_history(evaluator),
    }
    return Ask(
        f"{state.round}.evaluate.{pid}.{evaluator}", evaluator, "evaluate", about, state.pin, state.config.within_s
    )


def _ask_ruling(state: State, number: int, arbiter: str, nth: int) -> Ask:
    case = state.cases[number]
    records = [state.queue[p] for p in case["proposals"]]
    nodes = state.ground.in_order(op.node for r in records for op in r.operations)
    about = {
        "round": state.round,
        "nth": nth,
        "why": case["why"],
        "fields": list(case["fields"]),
        "proposals": [r.proposal for r in records],
        "evaluations": [
            {"proposal_id": r.proposal_id, **evaluation} for r in records for evaluation in list_evaluations(r)
        ],
        "computed": {r.proposal_id: r.computed for r in records},
        "cards": [state.ground.card(n) for n in nodes],
        "card": state.ground.card(arbiter, own=True),
        "intent": state.config.intent,
        "history": state.select_fates(),
    }
    ask_id = f"{state.round}.arbitrate.{'+'.join(case['proposals'])}.{arbiter}"
    return Ask(ask_id, arbiter, "arbitrate", about, state.pin, state.config.within_s)


_ASKS: Mapping[Phase, Callable[..., Ask]] = {
    Phase.PROPOSING: build_proposal_ask,
    Phase.EVALUATING: _ask_evaluation,
    Phase.RULING: _ask_ruling,
}


def _identify_proposal(record: ProposalRecord) -> dict[str, Any]:
    return {"proposal_id": record.proposal_id, "proposer": record.proposer}


# ------------------------------------------------------------------------------------------------- between rounds


def _begin_next_round(state: State) -> Event:
    """The next round, or the end (design §6.9)."""
    safety, queue = state.config.safety, state.queue
    deferred = [p for p in queue.carried if queue[p].stage is Stage.DEFERRED]
    proposers = tuple(n for n in state.proposers if _may_propose(state, n))
    if state.quiet_rounds >= safety.convergence_threshold:
        return _end_negotiation(state, "converged", f"nothing new in {_count(state, state.quiet_rounds, 'round')}")
    fits = state.round > 0 and not state.ground.mismatches
    if fits and state.config.only_mends and not (queue.waiting or deferred):
        return _end_negotiation(state, "nothing_left", "every link fits, and rules have nothing else to propose")
    if not (proposers or queue.waiting or deferred):
        return _end_negotiation(state, "nothing_left", "nothing is open and nobody may propose any more")
    if state.round >= safety.max_negotiation_rounds:
        return _end_negotiation(
            state, "rounds", f"{_count_held(state, state.round, 'round')} held, as many as there may be"
        )
    if len(state.files) >= safety.max_total_file_changes:
        return _end_negotiation(
            state, "file_changes", f"{_count_held(state, len(state.files), 'file')} changed, as many as may be"
        )
    return e.RoundStarted(state.round + 1, proposers, tuple(deferred))


def _count(state: State, number: int, what: str) -> str:
    """`1 round`. Earlier rules said `1 rounds`, and their logs are told again word for word."""
    return format_count(number, what) if state.config.edition > 3 else f"{number} {what}s"


def _count_held(state: State, number: int, what: str) -> str:
    return f"{_count(state, number, what)} {'was' if number == 1 and state.config.edition > 3 else 'were'}"


def _may_propose(state: State, agent: str) -> bool:
    safety = state.config.safety
    remaining = safety.max_proposals_per_agent - state.queue.charged.get(agent, 0)
    return remaining > 0 and safety.max_proposals_per_round > 0


def _end_negotiation(state: State, reason: str, why: str) -> Event:
    records = state.queue.records.values()
    deferred = tuple(r.proposal_id for r in records if r.stage is Stage.DEFERRED)
    unheard = tuple(r.proposal_id for r in records if r.stage is Stage.QUEUED)
    unheard += tuple(r.proposal_id for r in state.queue.list_open())
    rounds = state.round if state.phase is Phase.BETWEEN else state.round - 1
    return e.NegotiationEnded(reason, why, rounds, unheard, deferred)
