"""The rules of the consent negotiation (seed 003; design §8), as the functions that every protocol is.

    positions from all at once -> turns round the table -> a check that everyone answers -> DONE, or on with the turns

An answer that is missing is an objection. A proposal that was objected to is not checked again until a newer one is
tabled. Consent is bound to the hash of number and terms. Nothing is asked beyond `max_turns`, and no turn whose
proposal could not be checked any more. Everybody passing in a row calls a last check; so do the turns when just enough
are left for one. Red lines that the engine can check are checked: nobody consents, or stands aside, across its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from graphbus_core.negotiation.consent.events import (
    EVENTS,
    MEDIATOR,
    BallotCommitted,
    BallotForfeited,
    BallotOpened,
    CheckCalled,
    CheckFailed,
    ConsentConfig,
    Consented,
    DeadlockFound,
    Discussed,
    Ended,
    MasksTold,
    MoveKind,
    Objected,
    Outcome,
    Passed,
    PositionMissed,
    PositionStated,
    ProposalTabled,
    Status,
    StoodAside,
    compute_proposal_hash,
)
from graphbus_core.negotiation.consent.mediator import find_swap, mediate
from graphbus_core.negotiation.consent.questions import (
    POSITION,
    STAND_ASIDE,
    build_ballot_ask,
    build_consent_ask,
    build_position_ask,
    build_turn_ask,
    explain_invalid_answer,
    list_crossed_red_lines,
)
from graphbus_core.negotiation.consent.scenario.model import describe_red_line
from graphbus_core.negotiation.consent.shut_ballots import BallotStage
from graphbus_core.negotiation.consent.state import Phase, State, fold, is_sealed
from graphbus_core.negotiation.core import Answered, Ask, Event, Json, Result, Wait, Want

PASSED_ALL = "everybody passed"
LAST_TURNS = "the turns run out"
WEEK_S = 7 * 24 * 3600.0  # the mediator is waited for; whoever drives the session submits what it finds


class ConsentProtocol:
    """The protocol. Stateless: all of it is in `State`."""

    name = "consent"
    events: Mapping[str, type[Event]] = EVENTS

    def open(self, config: ConsentConfig) -> State:
        """Nobody has said anything."""
        return State(config)

    # ------------------------------------------------------------------ what must happen next

    def pending(self, state: State) -> Iterator[Want]:
        """Positions all at once; then one turn; in a check, everybody at once."""
        if state.outcome is not None:
            return
        if state.phase is Phase.POSITIONS:
            bound = min(len(state.names), state.config.max_turns)  # trap 1: never ask beyond the budget
            for name in state.names[state.answered_positions : bound]:
                yield build_position_ask(state, name)
        elif state.phase is Phase.BALLOTS:
            stage, number, names = state.ballots.find_stage(state.turns_left)
            for name in names:
                yield build_ballot_ask(state, stage, number, name)
        elif state.phase is Phase.TURNS:
            if is_sealed(state):
                yield Wait(f"mediator:{state.numbers + 1}", WEEK_S)
                return
            yield build_turn_ask(state, state.speaker, self._explain_no_check(state, state.speaker))
        elif state.phase is Phase.CHECK:
            for name in state.voters:
                if name not in state.answered_names:
                    yield build_consent_ask(state, name)

    def _explain_no_check(self, state: State, name: str) -> str | None:
        """Why this advocate may not call a check now; None if it may. The last check there can be is anybody's."""
        if not state.checks_left:
            return "there are not enough turns left for everyone to answer"
        if state.checks_left > 1 and state.failed_checks.get(name, 0) >= state.config.check_bound:  # trap 11
            return f"{name} has called {state.failed_checks[name]} checks that failed, as many as one advocate may"
        return None

    def check(self, ask: Ask, body: Json) -> str | None:
        """Why the body is not an answer to the ask; None if it is one."""
        return explain_invalid_answer(ask, body)

    # ------------------------------------------------------------------ one fact an answer

    def settle(self, state: State, want: Want, result: Result) -> Event:
        """The fact that this result is."""
        assert isinstance(want, Ask), "only questions are asked here"
        body = result.body if isinstance(result, Answered) else None
        why = getattr(result, "why", "no answer")
        if want.kind == "position":
            if body is None:
                return PositionMissed(want.to, why)
            return PositionStated(want.to, *(_read_field(body, f) for f in POSITION))
        if want.kind == "turn":
            return self._settle_turn(state, want.to, body, why)
        if want.kind in tuple(BallotStage):
            return self._settle_ballot(want, body, why)
        return self._settle_consent(state, want.to, body, why)

    def _settle_ballot(self, want: Ask, body: Json | None, why: str) -> Event:
        number = want.about["round"]
        if body is None:
            missing = {
                BallotStage.COMMIT: "it committed to no ballot",
                BallotStage.OPEN: "it did not open the ballot that it had committed to",
                BallotStage.UNMASK: "it did not tell the masks that it shares with who stayed shut",
            }
            return BallotForfeited(want.to, number, f"{missing[BallotStage(want.kind)]} ({why})")
        if want.kind == BallotStage.COMMIT:
            return BallotCommitted(want.to, number, body["commitment"])
        if want.kind == BallotStage.OPEN:
            return BallotOpened(want.to, number, body["ballot"], body["salt"], dict(body["masks"]))
        return MasksTold(want.to, number, dict(body["seeds"]))

    def _settle_consent(self, state: State, who: str, body: Json | None, why: str) -> Event:
        # The state has a proposal, because the fold opened the check with one.
        standing, scenario = state.standing, state.config.scenario
        assert standing is not None, "a check is of a proposal"
        if body is None:  # design §8: a missing answer is an objection
            return Objected(who, standing.number, standing.hash, f"no answer ({why})", True)
        # Judged again here, whatever the answer says: a model that consents across its own red line has made a slip,
        # and a certificate must never rest on one.
        is_free = not list_crossed_red_lines(scenario, who, standing.terms)
        if body["answer"] == "consent" and is_free:
            return Consented(who, standing.number, standing.hash)
        if body["answer"] == STAND_ASIDE and is_free and scenario.stand_aside:
            return StoodAside(who, standing.number, standing.hash, _read_field(body, "reason"))
        return Objected(
            who, standing.number, standing.hash, _read_field(body, "reason") or "it crosses a red line", False
        )

    def _settle_turn(self, state: State, who: str, body: Json | None, why: str) -> Event:
        if body is None:
            return Passed(who, f"no answer ({why})")
        move = body["move"]
        if move == MoveKind.DISCUSS:
            return Discussed(who, str(body["text"]).strip())
        if move == MoveKind.PROPOSE:
            offer, want, rationale = (_read_field(body, f) for f in ("offer", "want", "rationale"))
            # Without terms of its own the proposal is what is offered and wanted: that is the whole of it in the
            # seed's form.
            terms = (
                self._normalize_terms(state, body["terms"])
                if body.get("terms")
                else tuple(t for t in (offer, want) if t)
            )
            number = state.numbers + 1
            return ProposalTabled(number, who, terms, offer, want, rationale, compute_proposal_hash(number, terms))
        if move == MoveKind.CHECK:
            refused = self._explain_no_check(state, who)
            if refused is not None:  # trap 12: what a bound drops is a fact
                return Passed(who, f"no check: {refused}")
            if body.get("terms"):
                terms = self._normalize_terms(state, body["terms"])
                number = state.numbers + 1
                return CheckCalled(who, number, compute_proposal_hash(number, terms), terms, True, "")
            # A check of what was objected to would be asked in vain. It becomes a pass, which the log shows.
            if state.standing is None or state.standing.failed:
                return Passed(who, "no check: nothing new has been proposed")
            standing = state.standing
            return CheckCalled(who, standing.number, standing.hash, standing.terms, False, "")
        return Passed(who, _read_field(body, "why"))

    def _normalize_terms(self, state: State, terms: Any) -> Any:
        """Terms in the scenario's own spelling, or lines of text."""
        scenario = state.config.scenario
        if scenario.issues:
            # Through the outcome and back, so that "Yes" and "yes" become one spelling and one hash.
            return scenario.build_terms(scenario.parse_terms(terms))
        if isinstance(terms, Mapping):
            return {str(k).strip(): str(v).strip() for k, v in terms.items()}
        return tuple(str(t).strip() for t in terms if str(t).strip())

    def submit(self, state: State, who: str, move: Json) -> Event:
        """What the sealed mediator found, tabled; whoever else speaks out of turn is passed over as a fact."""
        if who == MEDIATOR and is_sealed(state) and state.phase is Phase.TURNS:
            if "end" in move:
                return self._build_end(state, Status.INCOMPLETE, str(move["end"]))
            terms = self._normalize_terms(state, move["terms"])
            number = state.numbers + 1
            why = _read_field(move, "rationale")
            return ProposalTabled(number, MEDIATOR, terms, "", "", why, compute_proposal_hash(number, terms))
        # A fact, and not an error: a driver that lets somebody speak out of turn must not stop the others.
        return Passed(who, "spoke out of turn")

    # ------------------------------------------------------------------ consequences

    def advance(self, state: State) -> Event | None:
        """What follows from what has happened."""
        if state.outcome is not None:
            return None
        if state.deadlock:
            return self._build_end(
                state, Status.INCOMPLETE, f"the red lines cannot hold together: {'; '.join(state.deadlock)}"
            )
        if state.phase is Phase.BALLOTS and (name := state.ballots.find_decliner()) is not None:
            return BallotForfeited(name, len(state.ballots.rounds) - 1, "it cast no ballot where others did")
        if not state.voters:
            return self._build_end(state, Status.INCOMPLETE, "nobody opened its ballot")
        if state.phase is Phase.CHECK:
            return self._close_check(state)
        if state.phase is not Phase.TURNS:
            return None
        # Too few turns are left for everybody's answer: a check that began could not end.
        if not state.checks_left or state.config.max_turns < len(state.names):
            return self._build_end(state, Status.INCOMPLETE, f"max_turns ({state.config.max_turns}) reached")
        return self._propose_opening(state) or self._propose_swap(state) or self._call_last_check(state)

    def _call_last_check(self, state: State) -> Event | None:
        """The check that nobody has to call: of the sealed mediator's package, or because nothing else can follow."""
        standing = state.standing
        is_open = standing is not None and not standing.failed
        if is_open and is_sealed(state):
            # Only where all can still answer, or the check would end by the turns running out.
            return self._call_check(state, "the mediator asks everyone")
        is_checkable = is_open and state.turns_left >= len(state.voters)
        if state.passes >= len(state.voters):
            if not is_checkable:
                return self._build_end(state, Status.INCOMPLETE, PASSED_ALL)
            # Everybody passed, so nobody has more to say: the question is asked without anybody calling it.
            return self._call_check(state, PASSED_ALL)
        if is_checkable and state.turns_left == len(state.voters):
            return self._call_check(state, LAST_TURNS)
        return None

    def _propose_opening(self, state: State) -> Event | None:
        """With disclosed preferences the mediator tables the best trade, or says that there is none."""
        # The mediator opens, or it never speaks: a table that has begun is the advocates'.
        has_begun = state.mediated or state.numbers or state.turn
        if has_begun or not state.config.mediate:
            return None
        mediation = mediate(state.config.scenario)
        if mediation is None:
            return None
        if mediation.deadlock is not None:
            return DeadlockFound(tuple(map(describe_red_line, mediation.deadlock.conflict)))
        terms = mediation.terms or {}
        return ProposalTabled(
            1, MEDIATOR, terms, mediation.offer, mediation.want, mediation.rationale, compute_proposal_hash(1, terms)
        )

    def _propose_swap(self, state: State) -> Event | None:
        """Where an advocate's proposal leaves something on the table for everyone, the mediator says so."""
        standing = state.standing
        scenario = state.config.scenario
        # Only what an advocate tabled, and only once each: the mediator improving its own deal would not end.
        if standing is None or standing.by not in state.names or standing.failed or not state.config.mediate:
            return None
        if not scenario.issues or standing.number in state.efficient:
            return None
        mediation = find_swap(scenario, scenario.parse_terms(standing.terms))
        if mediation is None:
            state.efficient.add(standing.number)  # a memo: it can be computed again, and changes nothing
            return None
        number = state.numbers + 1
        hashed = compute_proposal_hash(number, mediation.terms or {})
        return ProposalTabled(
            number, MEDIATOR, mediation.terms, mediation.offer, mediation.want, mediation.rationale, hashed
        )

    def _call_check(self, state: State, why: str) -> CheckCalled:
        standing = state.standing
        assert standing is not None, "only a tabled proposal is checked"
        return CheckCalled("", standing.number, standing.hash, standing.terms, False, why)

    def _close_check(self, state: State) -> Event | None:
        # Everybody is asked, also when the first has objected: the seed counts each answer, and objections are
        # reasons.
        if len(state.answered_names) < len(state.voters):
            return None
        standing = state.standing
        assert standing is not None, "a check is of a proposal"
        yes = [n for n, reason in state.answers.items() if reason is None]
        # Who kept its ballot shut is not asked, and stands in nobody's way.
        silent = {n for n in state.names if n not in state.voters}
        if state.config.scenario.is_agreed(yes, state.aside.keys() | silent):
            return self._build_end(state, Status.DONE, "Consensus reached.")
        # Who stood aside is not an objector, even where too few consented: the next proposal owes it nothing.
        objectors = tuple(n for n in state.names if state.answers.get(n) is not None)
        return CheckFailed(standing.number, standing.hash, objectors)

    def _build_end(self, state: State, status: Status, reason: str) -> Ended:
        # The terms belong to an agreement. An end without one names no proposal, or readers take the last for agreed.
        standing = state.standing if status is Status.DONE else None
        return Ended(
            status.value,
            reason,
            state.turns,
            state.speaking_turns,
            standing.number if standing else 0,
            standing.hash if standing else "",
            standing.terms if standing else None,
        )

    def evolve(self, state: State, event: Event) -> State:
        """The fold."""
        return fold(state, event)

    def outcome(self, state: State) -> Outcome | None:
        """How it ended."""
        return state.outcome


def _read_field(body: Json, name: str) -> str:
    value = body.get(name)
    return value.strip() if isinstance(value, str) else ""
