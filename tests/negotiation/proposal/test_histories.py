"""Recorded histories: a change of ours that could no longer read, or go on with, a kept negotiation is caught here."""

from __future__ import annotations

from pathlib import Path

import pytest

from graphbus_core.logs.jsonl import LogReader, inspect_log, read_answers
from graphbus_core.logs.memory import MemoryAnswers, MemoryLog
from graphbus_core.negotiation.proposal import EVENTS, Decision, Ruling
from graphbus_core.negotiation.proposal.engine import NegotiationEngine
from graphbus_core.negotiation.proposal.negotiation_log import NegotiationLog
from graphbus_core.negotiation.proposal.replay import replay
from tests.negotiation.paper import REJECT, add, arbiter, negotiate, pipeline, proposals, propose, script

HISTORY = Path(__file__).parents[1] / "histories" / "seed.jsonl"


def test_a_log_of_an_earlier_day_is_sound_and_can_be_read():
    """The seed's negotiation, as it was written on 2026-11-21."""
    assert inspect_log(HISTORY).damage is None
    told = NegotiationLog(LogReader(HISTORY, EVENTS), "build-1").to_dict()
    assert (told["committed"], told["rejected"], told["rounds_completed"]) == (4, 1, 2)


@pytest.mark.parametrize("facts", [1, 9, 20, 33])
def test_it_can_be_gone_on_with_from_any_fact(facts):
    """Folded up to there, the next thing that is wanted is what its answers hold, or an effect."""
    entries = list(LogReader(HISTORY, EVENTS))
    engine = NegotiationEngine(None, MemoryLog([e.event for e in entries[:facts]]), MemoryAnswers())
    engine.session.advance()
    head = engine.session.head
    replies, damaged, _ = read_answers(HISTORY.with_name("seed.answers.jsonl"))
    assert damaged == 0
    assert head is not None
    assert head.id in replies or head.id.split(".")[1] == "commit"


def test_a_replay_says_where_it_differs():
    """An answer that was altered, an answer that is missing, a log that goes on after its end."""
    agents, links = pipeline(arbiter())
    answers = MemoryAnswers()
    table = {
        "A.propose": proposals(propose(add("A", "make", "src"), affected_agents=["C"])),
        "C.evaluate": REJECT,
        "arbitrate": {"decision": "accept_modified", "committed_diff": [add("A", "make", "s")], "ruling": "shorter"},
    }
    ran = negotiate(agents, links, script(table), answers=answers)
    same = replay(ran.events, answers.replies, MemoryLog())
    assert (same.facts, same.differs) == (len(ran.events), "")
    assert replay(ran.events[:7], answers.replies, MemoryLog()).differs == ""
    missing = {k: v for k, v in answers.replies.items() if ".evaluate." not in k}
    assert "no stored answer to 1.evaluate" in replay(ran.events, missing, MemoryLog()).differs
    assert "does not begin" in replay(ran.events[1:], answers.replies, MemoryLog()).differs
    fate = ran.fate("A")
    assert [s.decision for s in fate.list_evaluations()] == [Decision.ACCEPT, Decision.REJECT]
    assert fate.build_decision().decision is Ruling.ACCEPT_MODIFIED
    assert fate.build_decision().committed_operations[0].field == "s"


def test_an_engine_remembers_for_its_agents_and_can_be_stopped():
    """NodeMemory is a view of the log; a stop ends it, and what is open is unheard."""
    agents, links = pipeline()
    ran = negotiate(agents, links, script({"A.propose": proposals(propose(add("A", "make", "src")))}))
    at = ran.kinds().index("evaluation_opened") + 1
    engine = NegotiationEngine(None, MemoryLog(ran.events[:at]), MemoryAnswers())
    memory = engine.memory("A")
    assert memory.pending_proposals == [ran.fate("A").proposal_id]
    assert memory.state["phase"] == "evaluating"
    assert "source" in memory.code_understanding
    engine.stop("enough")
    assert (engine.outcome.reason, engine.outcome.why) == ("stopped", "enough")
    assert engine.outcome.unheard == (ran.fate("A").proposal_id,)
    assert engine.to_dict("b")["ended"]["reason"] == "stopped"
    engine.stop("again")  # over is over
