"""The document negotiation as a protocol of the core: what comes next, what an answer or a move becomes (seed 004).

Two ways of speaking it: participants that are asked (`pending`, `settle`), and agents that move on their own
(`submit`), as they do over a directory. A turn is an ask with a deadline; being silent is that ask's result.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from graphbus_core.errors import IllegalMove
from graphbus_core.negotiation.core import (
    Answered,
    Applied,
    Ask,
    Elapsed,
    Event,
    Json,
    Result,
    Silent,
    Wait,
    Want,
)
from graphbus_core.negotiation.document import agreement, events as facts, questions, rules, signing, validation
from graphbus_core.negotiation.document.fates import judge_fates
from graphbus_core.negotiation.document.final_document import compose_document
from graphbus_core.negotiation.document.model import Edits, Phase, Reason, Settings, Status
from graphbus_core.negotiation.document.state import State, evolve
from graphbus_core.negotiation.document.validation import Reasons


@dataclass(frozen=True, slots=True)
class Outcome:
    """How it ended: `final` is "" where a bound ended it, and `why` says which."""

    final: str
    agreed: tuple[str, ...]
    escalated: tuple[str, ...]
    turns: int
    why: str = ""


class DocumentProtocol:
    """Pure functions over the log of one document negotiation."""

    name = "document"
    events: Mapping[str, type[Event]] = facts.EVENTS

    def open(self, config: Settings | None = None) -> State:
        """The state before the first fact; the settings come with that fact, so a log needs nothing beside it."""
        # Settings come with the first fact and not from outside, so that a log can be replayed with nothing beside
        # it.
        return State()

    def pending(self, state: State) -> Iterator[Want]:
        """The holder's turn first, then what waits for a judge; before that the analyses, all at once."""
        match state.phase:
            case Phase.UNOPENED | Phase.REGISTRATION:
                yield Wait("registration", state.settings.registration_window_s)
            case Phase.ANALYSIS:
                for name in state.list_analysing():
                    yield questions.build_analysis_ask(state, name)
            case Phase.POSITIONS:
                waiting = list(state.find_awaiting_judge())
                settled = state.are_all_settled()
                # With all settled and a ruling missing, the document cannot be written yet: nobody is asked for it.
                if not (settled and waiting):
                    yield questions.build_final_ask(state) if settled else questions.build_turn_ask(state)
                for issue in waiting:
                    yield questions.build_ruling_ask(state, issue)
            case Phase.DONE:
                return

    def check(self, ask: Ask, body: Json) -> str | None:
        """Why this body is not an answer to this ask."""
        return questions.check_answer(ask, body)

    def settle(self, state: State, want: Want, result: Result) -> Event:
        """The one fact that this result is."""
        if isinstance(want, Wait):
            if not isinstance(result, Elapsed):
                raise IllegalMove(f"{want.id} can only elapse")
            return facts.RegistrationClosed("window")
        if not isinstance(want, Ask) or isinstance(result, Applied | Elapsed):
            raise IllegalMove(f"{want.id} wants an answer")
        match want.kind:
            case "draft_issues" | "analysis":
                return self._build_analysis(want.to, result)
            case "turn":
                if isinstance(result, Silent):
                    # Silent is skipped, not agreed: the next one has the turn, and the log says why.
                    return facts.TurnSkipped(state.holder, state.turn, result.why)
                edits = agreement.resolve_marks(state, state.holder, questions.parse_edits(state, result.body))
                return facts.TurnTaken(state.holder, state.turn, "answer", **edits.to_dict())
            case "write_final":
                if isinstance(result, Silent):
                    return facts.TurnSkipped(state.holder, state.turn, result.why)
                return questions.parse_final(state, result.body, "answer")
            case "rule_issue":
                stem = want.about["issue"]["issue"]
                if isinstance(result, Silent):
                    return facts.IssueRuled(stem, want.to, "", result.why)
                return facts.IssueRuled(stem, want.to, result.body["decision"])
        raise IllegalMove(f"{want.kind}: no such question")

    @staticmethod
    def _build_analysis(name: str, result: Answered | Silent) -> Event:
        if isinstance(result, Silent):
            return facts.AnalysisHanded(name, "", (), result.why)
        drafted = tuple({"topic": o, "title": t, "text": x} for o, t, x in questions.parse_drafted_issues(result.body))
        return facts.AnalysisHanded(name, str(result.body.get("analysis") or ""), drafted)

    def submit(self, state: State, who: str, move: Json) -> Event:
        """The one fact that this unasked move is. A move against the rules becomes MoveRefused and changes nothing."""
        kind = str(move.get("move"))
        handler = _MOVES.get(kind)
        if handler is None:
            raise IllegalMove(f"there is no move {kind!r}")
        result = handler(self, state, who, move)
        # Refused moves are facts too, or an agent that was refused could not be told so by a replay.
        if isinstance(result, tuple):
            return facts.MoveRefused(who, kind, tuple(map(str, result)))
        return result

    def _move_open(self, state: State, who: str, move: Json) -> Event | Reasons:
        if state.phase is not Phase.UNOPENED:
            return (Reason("It is open already.", "Join it."),)
        return facts.Opened(Settings.from_dict(move["settings"]).to_dict(), move.get("how", "init"))

    def _move_settings(self, state: State, who: str, move: Json) -> Event | Reasons:
        if state.phase is not Phase.REGISTRATION:
            return (Reason("The settings hold from the start on.", "", "meta.md"),)
        return facts.SettingsChanged(Settings.from_dict(move["settings"]).to_dict())

    def _move_register(self, state: State, who: str, move: Json) -> Event | Reasons:
        participant = move.get("participant", "")
        seated = facts.Registered(who, participant, move.get("seat", ""), move.get("token", ""))
        return rules.check_registration(state, who, participant) or seated

    def _move_close(self, state: State, who: str, move: Json) -> Event | Reasons:
        if state.phase is not Phase.REGISTRATION:
            return (Reason("Registration is closed."),)
        return facts.RegistrationClosed(move.get("why", "window"))

    def _move_adopt(self, state: State, who: str, move: Json) -> Event | Reasons:
        if state.phase is not Phase.UNOPENED:
            return (Reason("It has begun under this log; there is nothing to adopt."),)
        settings = Settings.from_dict(move["settings"]).to_dict()
        agents = tuple(map(tuple, move["agents"]))
        # Tuples, because facts are compared and hashed.
        return facts.Adopted(settings, agents, tuple(move["issues"]), move["holder"], move.get("final", ""))

    def _move_analysis(self, state: State, who: str, move: Json) -> Event | Reasons:
        if who not in state.list_analysing():
            return (Reason(f"No analysis is expected of {who} now."),)
        return facts.AnalysisHanded(who, move.get("text", ""), tuple(move.get("issues", ())), move.get("why", ""))

    def _move_source(self, state: State, who: str, move: Json) -> Event | Reasons:
        return facts.SourceRead(move["name"], move["text"])

    def _move_file(self, state: State, who: str, move: Json) -> Event | Reasons:
        if reasons := validation.check_filing(state, who):
            return reasons
        if move["stem"] in state.issues:
            return (Reason(f"There is an issue {move['stem']} already."),)
        return facts.IssueFiled(move["stem"], move["title"], move["text"], who)

    def _move_word(self, state: State, who: str, move: Json) -> Event | Reasons:
        if move["stem"] not in state.issues:
            return (Reason(f"There is no issue {move['stem']}."),)
        return facts.IssueWorded(move["stem"], move["title"], move["text"])

    def _move_note(self, state: State, who: str, move: Json) -> Event | Reasons:
        edits, wrong = rules.judge_edits(state, who, Edits.from_dict(move))
        refusals = (why for _, why in wrong if why.code not in validation.FORGIVEN)
        reasons = rules.check_turn_holder(state, who) or tuple(refusals)
        return reasons or facts.Noted(who, state.turn, **edits.to_dict())

    def _move_hand_off(self, state: State, who: str, move: Json) -> Event | Reasons:
        edits = Edits.from_dict(move)
        if reasons := rules.check_turn_holder(state, who):
            return reasons
        if move.get("how") == "moved":  # it has happened: what breaks a rule is left out, and reported beside it
            edits, _ = validation.select_admissible(state, who, edits)
        elif not move.get("judged") and (reasons := rules.check_hand_off(state, who, edits)):
            return reasons
        # On every road. Whatever way an AGREED comes in, one side alone never makes it more than an offer.
        edits = agreement.resolve_marks(state, who, edits)  # on every road: nobody's AGREED is more than an offer
        return facts.TurnTaken(who, state.turn, move.get("how", "hand-off"), **edits.to_dict())

    def _move_skip(self, state: State, who: str, move: Json) -> Event | Reasons:
        return rules.check_turn_holder(state, who) or facts.TurnSkipped(who, state.turn, move["why"])

    def _move_draft(self, state: State, who: str, move: Json) -> Event | Reasons:
        final = move["final"]
        if reasons := rules.check_finish(state, Edits(), final, bool(move.get("audited"))):
            return reasons
        fates = judge_fates(state, final)
        left_out = tuple(f"{fate.statement.place}: {fate.statement.text}" for fate in fates.left_out)
        return facts.FinalDrafted(who, state.turn, signing.compute_final_hash(state, final, fates), final, left_out)

    def _move_closing(self, state: State, who: str, move: Json) -> Event | Reasons:
        return rules.check_turn_holder(state, who) or facts.TurnClosing(who, state.turn)

    def _move_recall(self, state: State, who: str, move: Json) -> Event | Reasons:
        return rules.check_turn_holder(state, who) or facts.EndRecalled(who, state.turn)

    def _move_explain(self, state: State, who: str, move: Json) -> Event | Reasons:
        return facts.Explained(move["issue"], move["text"])

    def _move_judge(self, state: State, who: str, move: Json) -> Event | Reasons:
        return facts.JudgeSeated(who)

    def _move_rule(self, state: State, who: str, move: Json) -> Event | Reasons:
        text, why = move["text"], move.get("why", "")
        # A judge that is silent has to be recorded as having been asked, or it would be asked for ever.
        ruling_text = text or ("." if why else "")  # a judge that says nothing leaves it unresolved, and says why
        return rules.check_ruling(state, move["issue"], ruling_text) or facts.IssueRuled(move["issue"], who, text, why)

    def _move_reopen(self, state: State, who: str, move: Json) -> Event | Reasons:
        return rules.check_reopening(state, move["issue"]) or facts.IssueReopened(move["issue"], who)

    def _move_undone(self, state: State, who: str, move: Json) -> Event | Reasons:
        return facts.EditUndone(move["file"], move.get("line", 0), move["what"], move.get("kept", ""))

    def advance(self, state: State) -> Event | None:
        """The next consequence: closing, merging, agreements that stand, used-up rounds, the next turn, a bound."""
        match state.phase:
            case Phase.REGISTRATION:
                if len(state.agents) >= state.settings.expected_agents:
                    return facts.RegistrationClosed("full")
            case Phase.ANALYSIS | Phase.POSITIONS if len(state.agents) < 2:
                return facts.Ended(f"too few agents registered: {len(state.agents)}")
            case Phase.ANALYSIS:
                if not state.list_analysing():
                    return facts.DraftsMerged(*questions.merge_drafts(state))
            # Between turns, or in the turn that closes: consequences in the middle of one would change what its
            # holder sees.
            case Phase.POSITIONS if signing.is_signed(state) and (not state.holder or state.closing):
                return facts.Finished(max(state.signed, key=state.signed.__getitem__), state.draft, state.left_out)
            case Phase.POSITIONS if not state.holder or state.closing:
                for issue in state.issues.values():
                    if (new_agreement := agreement.find_agreement(state, issue)) is not None:
                        return facts.AgreementReached(
                            issue.stem, new_agreement.hash, new_agreement.by, new_agreement.text, new_agreement.accepted
                        )
                return None if state.holder else self._advance_between_turns(state)
            case Phase.POSITIONS if state.settings.signed and not state.draft_hash and state.are_all_settled():
                # What lies there to be accepted; whoever has the turn may write another.
                return None if any(state.find_awaiting_judge()) else self._draft_document(state)
        return None

    @staticmethod
    def _draft_document(state: State) -> Event:
        final = compose_document(state)
        return facts.FinalDrafted("", state.turn, signing.compute_final_hash(state, final), final)

    @staticmethod
    def _advance_between_turns(state: State) -> Event:
        # Agreements first. A round that is used up must not escalate what has just been agreed.
        if standing := tuple(i.stem for i in state.issues.values() if not i.stands and state.stands(i)):
            return facts.AgreementsStood(standing)
        bound = state.settings.max_rounds
        if used := tuple(
            i.stem
            for i in state.issues.values()
            if i.is_open and not i.last_offer_by and _are_rounds_used_up(state, i.rounds, bound)
        ):
            return facts.IssuesEscalated(used, f"No agreement after {bound} rounds of each agent.")
        for issue in state.issues.values():
            if (
                issue.is_open
                and issue.last_offer_by
                # All but its author: to a last offer each of the others has exactly one reply.
                and all(a in issue.replied for a in state.agents if a != issue.last_offer_by)
            ):
                why = f"{issue.last_offer_by} made its last offer, and not everybody accepted it."
                return facts.IssuesEscalated((issue.stem,), why)
        waits = state.are_all_settled() and any(
            state.find_awaiting_judge()
        )  # a judge decides, however silent the agents are
        # A bound on idle talk counts in rounds of everybody, so that it does not depend on how many sit there.
        if state.idle >= bound * len(state.agents) and not waits:
            idle = f"nothing was said, filed or settled in {state.idle} turns"
            return facts.Ended(f"{idle}; {signing.explain_waiting(state)}" if state.signed else idle)
        holder = state.find_next_holder(state.last_holder) if state.last_holder else state.agents[0]
        # Who has accepted the document has nothing more to say: the turn is somebody's whose word is missing.
        for _ in state.signed:
            holder = state.find_next_holder(holder) if holder in state.signed else holder
        return facts.TurnOpened(state.turn + 1, holder)

    def evolve(self, state: State, event: Event) -> State:
        """The state after this fact."""
        return evolve(state, event)

    def outcome(self, state: State) -> Outcome | None:
        """How it ended, or None."""
        if state.phase is not Phase.DONE:
            return None
        return Outcome(
            state.final,
            tuple(i.stem for i in state.issues.values() if i.status is Status.AGREED and i.stands),
            tuple(i.stem for i in state.issues.values() if i.status is Status.ESCALATE),
            state.turn,
            state.ended,
        )


def _are_rounds_used_up(state: State, rounds: Mapping[str, int], bound: int) -> bool:
    return all(rounds.get(name, 0) >= bound for name in state.agents)


_MOVES: Mapping[str, Callable[[DocumentProtocol, State, str, Json], Event | Reasons]] = {
    "open": DocumentProtocol._move_open,
    "settings": DocumentProtocol._move_settings,
    "register": DocumentProtocol._move_register,
    "close": DocumentProtocol._move_close,
    "adopt": DocumentProtocol._move_adopt,
    "analysis": DocumentProtocol._move_analysis,
    "source": DocumentProtocol._move_source,
    "file": DocumentProtocol._move_file,
    "word": DocumentProtocol._move_word,
    "note": DocumentProtocol._move_note,
    "hand-off": DocumentProtocol._move_hand_off,
    "skip": DocumentProtocol._move_skip,
    "draft": DocumentProtocol._move_draft,
    "closing": DocumentProtocol._move_closing,
    "recall": DocumentProtocol._move_recall,
    "explain": DocumentProtocol._move_explain,
    "judge": DocumentProtocol._move_judge,
    "rule": DocumentProtocol._move_rule,
    "reopen": DocumentProtocol._move_reopen,
    "undone": DocumentProtocol._move_undone,
}
