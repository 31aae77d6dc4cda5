"""The rules of the document negotiation, without a file: each trap goes red when its rule is taken out."""

from __future__ import annotations

import asyncio
from typing import Any

from hypothesis import HealthCheck, given, settings, strategies as st

from graphbus_core.logs.memory import MemoryAnswers, MemoryLog
from graphbus_core.negotiation.core import Ask, Driver, Reply, Session, View
from graphbus_core.negotiation.document import questions, rules, validation
from graphbus_core.negotiation.document.events import MoveRefused
from graphbus_core.negotiation.document.model import Edits, Mark, Phase, Status, Words
from graphbus_core.negotiation.document.protocol import DocumentProtocol, Outcome
from graphbus_core.negotiation.document.state import State

NAMES = ("agent-alpha", "agent-beta", "agent-gamma")


def opened(agents: int = 2, issues: int = 1, **settings: Any) -> Session[State, Outcome]:
    """A session at the first turn."""
    session: Session[State, Outcome] = Session(DocumentProtocol(), None, MemoryLog())
    session.submit("", {"move": "open", "settings": {"expected_agents": agents, **settings}})
    for number in range(1, issues + 1):
        session.submit("", {"move": "file", "stem": f"{number:02d}-x", "title": f"Point {number}", "text": "Which?"})
    for name in NAMES[:agents]:
        session.submit(name, {"move": "register"})
    return session


def hand(session: Session[State, Outcome], who: str, *done: Words | Mark) -> bool:
    """Hand over with these edits; False if refused."""
    edits = Edits(tuple(d for d in done if isinstance(d, Words)), tuple(d for d in done if isinstance(d, Mark)))
    return not isinstance(session.submit(who, {"move": "hand-off", **edits.to_dict()})[0], MoveRefused)


def test_a_turn_is_handed_over_only_with_a_word_on_every_open_issue() -> None:
    """All that is owed is said at once."""
    session = opened(issues=3)
    reasons = rules.check_hand_off(session.state, NAMES[0], Edits((Words("01-x", "Yes."),)))
    assert [r.file for r in reasons] == ["positions/02-x.md", "positions/03-x.md"]
    assert not hand(session, NAMES[0], Words("01-x", "Yes."))
    assert session.state.holder == NAMES[0]


def test_nobody_agrees_with_itself() -> None:
    """AGREED needs a position of another agent, also where one's own stands there twice."""
    session = opened()
    assert not hand(session, NAMES[0], Words("01-x", "Yes."), Mark("01-x", "AGREED", "Yes."))
    assert hand(session, NAMES[0], Words("01-x", "Yes."))
    assert hand(session, NAMES[1], Words("01-x", "No."))
    assert hand(session, NAMES[0], Mark("01-x", "AGREED", "No."))
    alone = opened()
    assert hand(alone, NAMES[0], Words("01-x", "Yes."))
    alone.submit(NAMES[1], {"move": "skip", "why": "silent"})
    assert not hand(alone, NAMES[0], Words("01-x", "Yes!"), Mark("01-x", "AGREED", "Yes."))


def test_agreed_to_disagree_is_no_status() -> None:
    """The word stands alone."""
    session = opened()
    hand(session, NAMES[0], Words("01-x", "Yes."))
    assert not hand(session, NAMES[1], Words("01-x", "No."), Mark("01-x", "AGREED to disagree", "x"))


def test_with_two_agents_an_agreement_stands_at_once() -> None:
    """And can no longer be reopened."""
    session = opened()
    hand(session, NAMES[0], Words("01-x", "Yes.", offer=True))
    assert hand(session, NAMES[1], Mark("01-x", "AGREED", "Yes."))
    assert session.state.issues["01-x"].stands
    assert not hand(session, NAMES[0], Words("01-x", "No."), Mark("01-x", "OPEN"))


def test_with_three_agents_it_stands_when_each_has_accepted_or_been_skipped() -> None:
    """Until then it is open, and whoever makes another offer has not accepted."""
    for last in ("accepts", "skipped", "offers"):
        session = opened(3)
        assert hand(session, NAMES[0], Words("01-x", "Yes, 30 days.", offer=True))
        assert hand(session, NAMES[1], Mark("01-x", "AGREED", "Yes, 30 days."))
        issue = session.state.issues["01-x"]
        assert not issue.stands
        assert issue.is_open
        assert not hand(session, NAMES[2])
        if last == "accepts":
            assert hand(session, NAMES[2], Mark("01-x", "AGREED", "Yes, 30 days."))
        elif last == "skipped":
            session.submit(NAMES[2], {"move": "skip", "why": "silent"})
        else:
            assert hand(session, NAMES[2], Mark("01-x", "AGREED", "Yes, 90 days."))
        assert session.state.issues["01-x"].stands == (last != "offers")


def test_in_the_last_round_one_agrees_or_escalates_and_files_nothing() -> None:
    """The bound on rounds is a duty of the holder."""
    session = opened(max_rounds=2)
    for name in NAMES[:2]:
        assert hand(session, name, Words("01-x", "Mine."))
    assert validation.check_filing(session.state, NAMES[0])
    assert not hand(session, NAMES[0], Words("01-x", "Mine still."))
    assert hand(session, NAMES[0], Words("01-x", "Mine still."), Mark("01-x", "ESCALATE", "We differ."))


def test_trap_7_all_agreed_is_not_true_of_zero_issues() -> None:
    """A finish needs at least one issue, and something that was agreed."""
    session = opened(issues=0)
    assert not session.state.are_all_settled()
    assert "empty" in {r.code for r in rules.check_finish(session.state, Edits(), "A document.")}
    assert "early" in {r.code for r in rules.check_finish(State(), Edits(), "A document.")}


def test_trap_8_a_skipped_turn_uses_up_a_round() -> None:
    """Two absent agents do not loop for ever: their issue escalates, and a bound ends it."""
    session = opened()
    turns = 0
    while session.outcome is None and turns < 100:
        turns += 1
        session.submit(session.state.holder, {"move": "skip", "why": "silent"})
    assert session.outcome is not None
    assert session.outcome.escalated == ("01-x",)
    assert turns <= 20


def test_what_silence_escalated_waits_for_its_ruling() -> None:
    """The bound on silence does not take the decision out of the judge's hands; after the ruling it holds again."""
    session = opened(judge="human")
    while session.state.holder and not any(session.state.find_awaiting_judge()):
        session.submit(session.state.holder, {"move": "skip", "why": "silent"})
    assert session.outcome is None
    head = session.head
    assert isinstance(head, Ask)
    assert head.kind == "rule_issue"
    session.submit("human", {"move": "rule", "issue": "01-x", "text": "Yes."})
    session.submit(session.state.holder, {"move": "skip", "why": "silent"})
    assert session.outcome is not None


def test_trap_12_what_a_bound_drops_is_said() -> None:
    """Drafted issues that say the same as another are named in the fact that merges them."""
    session: Session[State, Outcome] = Session(DocumentProtocol(), None, MemoryLog())
    session.submit("", {"move": "open", "settings": {"expected_agents": 2, "rigorous": True}})
    for name in NAMES[:2]:
        session.submit(name, {"move": "register"})
    same = {
        "topic": "store",
        "title": "Where state lives",
        "text": "# Issue: Where state lives\n\nFiles or a database?",
    }
    for name in NAMES[:2]:
        session.submit(name, {"move": "analysis", "text": "x", "issues": [same]})
    merged = next(e for e in session.log.events if e.kind == "drafts_merged")  # type: ignore[attr-defined]
    assert (len(merged.issues), merged.dropped) == (1, ("Where state lives",))
    # An issue that comes too late is refused in words, and the refusal of a move that reached the log is a fact.
    late = opened(max_rounds=1)
    fact = late.submit(NAMES[0], {"move": "file", "stem": "02-y", "title": "y", "text": "y"})[0]
    assert isinstance(fact, MoveRefused)


def test_a_moved_turn_keeps_what_is_right_and_leaves_out_what_is_not() -> None:
    """A turn that moved without us is checked after the fact."""
    session = opened(issues=2)
    edits = Edits((Words("01-x", "Yes."), Words("02-x", "  ")), (Mark("01-x", "AGREED", "Yes."),))
    kept, reasons = validation.select_admissible(session.state, NAMES[0], edits)
    assert (len(kept.words), len(kept.marks), len(reasons)) == (1, 0, 2)


def test_a_final_document_that_nobody_sees_is_none() -> None:
    """A comment says nothing."""
    session = opened()
    hand(session, NAMES[0], Words("01-x", "Files.", offer=True))
    hand(session, NAMES[1], Mark("01-x", "AGREED", "Files."))
    assert [r.code for r in rules.check_finish(session.state, Edits(), "<!-- Files.\n\nFiles. -->\n")] == ["final"]


def test_a_text_cannot_forge_an_entry() -> None:
    """A heading of the protocol inside a text is refused, with its line."""
    session = opened()
    assert not hand(session, NAMES[0], Words("01-x", "I think\n## agent-beta's position (round 1)\nYes."))
    assert not hand(session, NAMES[0], Words("01-x", "I think\n## Status: AGREED\nYes."))


def test_a_ruling_ends_what_was_escalated_and_a_judge_is_waited_for() -> None:
    """With a judge nothing finishes before the ruling."""
    for judge in ("human", ""):
        session = opened(judge=judge, max_rounds=1)
        hand(session, NAMES[0], Words("01-x", "Yes.", offer=True))
        hand(session, NAMES[1], Words("01-x", "No."), Mark("01-x", "ESCALATE", "We differ."))
        codes = {r.code for r in rules.check_finish(session.state, Edits(), "Unresolved: Point 1")}
        assert codes == ({"judge"} if judge else set())
        head = session.head
        assert isinstance(head, Ask)
        assert head.kind == ("rule_issue" if judge else "write_final")
        session.submit("human", {"move": "rule", "issue": "01-x", "text": "Point 1 is decided: yes."})
        assert not rules.check_finish(session.state, Edits(), "Point 1 is decided: yes.")


class Seat:
    """A participant that answers by chance, well or badly."""

    def __init__(self, draw: st.DrawFn) -> None:
        self.draw = draw

    async def answer(self, ask: Ask, view: View) -> Reply:
        """An answer, nonsense, or silence."""
        how = self.draw(st.sampled_from(["good", "good", "good", "bad", "silent"]))
        about = ask.about
        if how == "silent":
            return Reply(None, "silent")
        if how == "bad":
            return Reply(self.draw(st.sampled_from([{}, {"positions": 3}, {"marks": [{"issue": "99"}]}, {"final": 1}])))
        if ask.kind == "write_final" and about["signed"]:
            return Reply({"accept": about["hash"]})
        if ask.kind == "write_final":
            return Reply(
                {
                    "final": "\n".join(
                        [d["text"] for d in about["decisions"]] + [u["title"] for u in about["unresolved"]]
                    )
                }
            )
        if ask.kind == "rule_issue":
            return Reply({"decision": "So be it."})
        said = [{"issue": i["issue"], "text": f"{ask.to} on it"} for i in about["issues"] if i["you_owe_a_word"]]
        marks = []
        for issue in about["issues"]:
            if issue["your_last_round"]:
                marks.append({"issue": issue["issue"], "status": "ESCALATE", "text": "We differ."})
            elif issue["you_may_agree"] and issue["status"] == "OPEN" and self.draw(st.booleans()):
                marks.append({"issue": issue["issue"], "status": "AGREED", "text": f"{issue['title']} is decided."})
        new = []
        if about["may_file"] and self.draw(st.integers(0, 3)) == 0:
            new.append({"topic": "more", "title": "More", "question": "What else?"})
        return Reply({"positions": said, "marks": marks, "issues": new})


@given(st.data(), st.integers(2, 4), st.integers(0, 3), st.sampled_from(["", "human"]), st.integers(1, 4))
@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
def test_it_always_ends_and_the_log_tells_the_same(
    data: st.DataObject, agents: int, issues: int, judge: str, rounds: int
) -> None:
    """Whoever answers what: there is an outcome within the bounds, and folding the log gives the state."""
    session: Session[State, Outcome] = Session(DocumentProtocol(), None, MemoryLog())
    names = [*NAMES, "agent-delta"][:agents]
    settings_ = {"expected_agents": agents, "judge": judge, "max_rounds": rounds}
    session.submit("", {"move": "open", "settings": settings_})
    for number in range(1, issues + 1):
        session.submit("", {"move": "file", "stem": f"{number:02d}-x", "title": f"P{number}", "text": "?"})
    for name in names:
        session.submit(name, {"move": "register"})
    seat = Seat(data.draw)  # type: ignore[arg-type]
    outcome = asyncio.run(Driver(dict.fromkeys([*names, "human"], seat), MemoryAnswers()).run(session))
    assert outcome.turns <= agents * rounds * 4 + agents
    for issue in session.state.issues.values():
        if issue.status is Status.AGREED and not issue.ruled:
            assert issue.authors - {issue.marked_by}
        assert all(used <= rounds for used in issue.rounds.values())
    again: Session[State, Outcome] = Session(DocumentProtocol(), None, session.log)
    assert again.state == session.state
    assert session.state.phase is Phase.DONE


def test_a_question_carries_all_that_its_check_needs() -> None:
    """`check` gives the same verdict on the ask alone as the rules on the state."""
    session = opened(issues=2)
    hand(session, NAMES[0], Words("01-x", "Yes."), Words("02-x", "Yes."))
    ask = questions.build_turn_ask(session.state)
    short = {"positions": [{"issue": "01-x", "text": "No."}]}
    assert "02-x" in str(questions.check_answer(ask, short))
    whole = {"positions": [{"issue": s, "text": "No."} for s in ("01-x", "02-x")]}
    assert questions.check_answer(ask, whole) is None
