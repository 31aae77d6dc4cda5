"""Scripted, recorded and own-voice participants: what they answer, and what a bad script says."""

from __future__ import annotations

import asyncio
import threading
import time

import pytest

from graphbus_core.errors import ScenarioError
from graphbus_core.negotiation.core import Ask, Reply, View
from graphbus_core.negotiation.proposal import Proposal, ProposalEvaluation
from graphbus_core.participants.node_participant import NodeParticipant
from graphbus_core.participants.scripted.recorded import seat_recorded
from graphbus_core.participants.scripted.script import seat_decider, seat_scripted
from tests.negotiation.paper import ACCEPT, add, negotiate, pipeline, proposals, propose, script

AGENTS, LINKS = pipeline()


def ask(kind, to="A", round=1, nth=1, attempt="", **about):
    """A question."""
    return Ask(f"{round}.{kind}.{to}{attempt}", to, kind, {"round": round, "nth": nth, **about})


def say(seat, question):
    """The answer's body, or why not."""
    reply = asyncio.run(seat.answer(question, View(())))
    return reply.body if reply.body is not None else reply.why


def seats(tmp_path, text, names="ABC", known=None):
    """Seats from a script."""
    path = tmp_path / "script.yaml"
    path.write_text(text)
    return seat_scripted(path, names, known)


def test_a_script_answers_by_round_by_proposer_by_summary_and_in_order(tmp_path):
    """The first entry that fits; of those without conditions, the n-th."""
    made = seats(
        tmp_path,
        """
        default: {evaluate: {decision: accept, reasoning: by default}}
        agents:
          A:
            propose:
              - {round: 2, proposals: []}
              - {proposals: [1]}
            evaluate:
              - {from: B, decision: reject}
              - {about: late, decision: defer}
          B:
            evaluate: {silent: I am away}
        """,
    )
    p = {"proposer": "C", "summary": "early", "proposal_id": "p-1"}
    assert say(made["A"], ask("propose", nth=1)) == {"proposals": [1]}
    assert say(made["A"], ask("propose", round=2, nth=2)) == {"proposals": []}
    assert say(made["A"], ask("propose", round=3, nth=3)) == {"proposals": []}
    assert say(made["A"], ask("evaluate", proposal={**p, "proposer": "B"})) == {"decision": "reject"}
    assert say(made["A"], ask("evaluate", proposal={**p, "summary": "too late"})) == {"decision": "defer"}
    assert say(made["A"], ask("evaluate", proposal=p))["reasoning"] == "by default"
    assert say(made["B"], ask("evaluate", to="B", proposal=p)) == "I am away"
    assert "says nothing" in say(made["C"], ask("arbitrate", to="C"))


MEANT = """answers:
  - {link: A.get => B.use, field: qty, choice: quantity, reason: no}
  - {field: qty, choice: left}
  - {choice: none}
  - {link: C.get => D.use, choice: never reached}
"""


@pytest.mark.parametrize("text", [MEANT, MEANT.replace("answers:", "agents: {A: {}}\nanswers:")])
def test_a_script_says_what_is_meant(tmp_path, text):
    """The first that fits; one without link and field answers every question, however often."""
    path = tmp_path / "answers.yaml"
    path.write_text(text)
    seat = seat_decider(path)
    asked = [("A.get => B.use", "qty"), ("X.get => B.use", "qty"), ("C.get => D.use", "id"), ("X.get => B.use", "id")]
    said = [say(seat, ask("choose", "decider", nth=n, link=a, field=b)) for n, (a, b) in enumerate(asked, 1)]
    assert said[0] == {"choice": "quantity", "reason": "no"}
    assert said[1:] == [{"choice": "left"}, {"choice": "none"}, {"choice": "none"}]


def test_what_is_meant_may_stand_with_a_script_of_agents(tmp_path):
    """One form: the same file seats the agents and decides; without a word of it, it is refused."""
    path = tmp_path / "script.yaml"
    path.write_text("agents: {decider: {choose: [{link: L, choice: a}, {choice: b}, {choice: c}]}}")
    seat = seat_decider(path)
    asked = ((1, "L"), (1, "M"), (2, "M"))
    assert [say(seat, ask("choose", link=a, field="f", nth=n))["choice"] for n, a in asked] == ["a", "b", "c"]
    for text, words in (
        ("agents: {A: {}}", "says nothing of meaning"),
        ("answers: {choice: a}", "answers is a list"),
        ("answers: [{link: L, field: f}]", "there is no answer"),
        ("answers: [{reason: r}]", "has no `choice`"),
        ("answers: [{choice: a, chose: b}]", "it has 'chose'"),
        ("answers: [{choice: a, link: 3}]", "link is 3; it is a text"),
    ):
        path.write_text(text)
        with pytest.raises(ScenarioError, match=rf"script\.yaml:1: .*{words}"):
            seat_decider(path)


def test_a_script_can_stammer_and_recover(tmp_path):
    """`attempts`: what is said each time that the same question is asked."""
    made = seats(tmp_path, "agents: {A: {evaluate: [{attempts: [{decision: perhaps}, {decision: accept}]}]}}")
    assert say(made["A"], ask("evaluate")) == {"decision": "perhaps"}
    assert say(made["A"], ask("evaluate", attempt="#2")) == {"decision": "accept"}
    assert say(made["A"], ask("evaluate", attempt="#3")) == {"decision": "accept"}


PROPOSE = "agents:\n  A:\n    propose:\n      - proposals:\n          - summary: s\n"
DIFF = "            diff:\n              - {op: add_field, method: make, side: output, field: k, type: str}\n"


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("agents:\n  A:\n    dance: []", 3, "propose, evaluate, arbitrate, approve"),
        ("agents:\n  A:\n    evaluate:\n      - {round: one, decision: accept}", 4, "round is 'one'"),
        ("agents:\n  A:\n    evaluate:\n      - {round: 1}", 4, "there is no answer"),
        ("agents:\n  A: {}\n  A: {}", 3, "twice"),
        ("agents: [A]", 1, "agents is a mapping"),
        ("robots: {}", 1, "agents and default"),
        ("agents:\n  A: {evaluate: [accept]}", 2, "a mapping, not 'accept'"),
        ("agents:\n\tA: {}", 2, "not YAML"),
        ("agents:\n  Nobody: {}", 2, "no agent Nobody"),
        ("agents: {A: {evaluate: [{attempts: [], decision: accept}]}}", 1, "not beside it"),
        ("agents:\n  Aa: {}", 2, "no agent Aa; the nearest are A."),
        ("agents:\n  A:\n    evaluate: {decision: acept}", 3, "decision is 'acept'; use one of accept"),
        ("default:\n  evaluate:\n    confidence: 3\n    decision: accept", 3, "confidence is 3"),
        ("default:\n  evaluate:\n    decision: accept\n    resoning: x", 4, "no 'resoning'; do you mean reasoning"),
        ("default:\n  evaluate:\n    - decision: accept\n      from: b", 4, "there is no agent b"),
        (PROPOSE + "            sumary: x\n            diff: []", 6, "no 'sumary'; do you mean summary"),
        (PROPOSE + "            affected_agents: [D]\n" + DIFF, 6, "there is no agent D"),
        (PROPOSE + DIFF + "              - {op: ad_field, method: make}", 8, "unknown operation 'ad_field'"),
        (PROPOSE + DIFF + "              - {op: delete_method, node: Bb, method: make}", 8, "no agent Bb"),
        (PROPOSE + "            type: schema\n" + DIFF, 6, "type is 'schema'; use one of"),
        ("agents:\n  A:\n    propose:\n      - proposal: []", 4, "a proposal has no 'proposal'"),
        (
            "agents:\n  A:\n    evaluate:\n      decision: counter\n      counter_proposal:\n        sumary: x",
            6,
            "'sumary'",
        ),
        ("agents: {A: {arbitrate: {decision: maybe}}}", 1, "decision is 'maybe'"),
        ("agents: {A: {arbitrate: {decision: accept, rulling: x}}}", 1, "no 'rulling'; do you mean ruling"),
        ("agents: {A: {arbitrate: {decision: accept_modified}}}", 1, "comes with a committed_diff"),
        ("agents: {human: {approve: {approve: perhaps}}}", 1, "true or false"),
        ("agents: {A: {evaluate: {raw: 1}}}", 1, "raw is 1; it is a mapping"),
        ("agents: {A: {evaluate: {raw: {a: 1}, decision: accept}}}", 1, "nothing stands beside it"),
    ],
)
def test_a_bad_script_is_refused_with_file_and_line(tmp_path, text, line, words):
    """Never a traceback."""
    with pytest.raises(ScenarioError) as error:
        seats(tmp_path, text, known="ABC")
    assert f"script.yaml:{line}:" in str(error.value)
    assert words in str(error.value)


def test_nonsense_that_is_meant_is_said_as_it_is(tmp_path):
    """`raw`, and what is said attempt by attempt; and a text is a text, whatever YAML makes of it."""
    text = """
    agents:
      A:
        evaluate:
          - raw: {decision: acept, from: nobody}
          - attempts: [{decision: perhaps}]
          - {from: B, decision: reject, reasoning: no}
    """
    seat = seats(tmp_path, text, known="ABC")["A"]
    assert say(seat, ask("evaluate", nth=1)) == {"decision": "acept", "from": "nobody"}
    assert say(seat, ask("evaluate", nth=2)) == {"decision": "perhaps"}
    about = {"proposal": {"proposal_id": "p-1", "proposer": "B"}}
    assert say(seat, ask("evaluate", nth=3, **about)) == {"decision": "reject", "reasoning": "no"}


def test_a_script_that_is_not_there_is_said(tmp_path):
    """Exit code 2 and the path."""
    with pytest.raises(ScenarioError, match="cannot be read"):
        seat_scripted(tmp_path / "none.yaml", "A")
    assert list(seats(tmp_path, "")) == ["A", "B", "C"]


def test_a_recording_gives_the_same_negotiation(tmp_path):
    """From the answers; and from the log where only that is left."""
    from graphbus_core.logs.build_history import read_recording
    from graphbus_core.logs.negotiation_folder import NegotiationFolder
    from graphbus_core.negotiation.proposal import EVENTS

    more = {**ACCEPT, "decision": "accept_with_modification", "counter_proposal": propose(add("B", "take", "src"))}
    table = script({"A.propose": proposals(propose(add("A", "make", "src"))), "B.evaluate.1": more})
    store = NegotiationFolder(tmp_path)
    log, answers = store.open("build-1", EVENTS, durable=False)
    with log, answers:
        first = negotiate(AGENTS, LINKS, table, log=log, answers=answers)
    for _ in range(2):
        seated = seat_recorded(read_recording(store.log_path("build-1")), "ABC")
        again = negotiate(AGENTS, LINKS, lambda a, s=seated: _sync(s[a.to], a))
        assert again.events == first.events
        store.answers_path("build-1").unlink(missing_ok=True)
    with pytest.raises(ScenarioError, match="no such recording"):
        read_recording(tmp_path / "none.jsonl")


def _sync(seat, question):
    """A recorded answer, without awaiting: it never waits."""
    coroutine = seat.answer(question, View(()))
    try:
        coroutine.send(None)
    except StopIteration as done:
        return done.value.body
    raise AssertionError


def test_what_was_never_recorded_is_silence():
    """Silence is never a yes."""
    made = seat_recorded({}, "A", "build-1")
    assert "build-1 has no answer to 1.evaluate.A" in say(made["A"], ask("evaluate"))


class Speaks:
    """A node that speaks for itself."""

    def propose(self, told):
        return propose(add("A", "make", "src"), summary=f"round {told['round']}")

    def evaluate(self, proposal: Proposal):
        return ProposalEvaluation(proposal.proposal_id, "A", proposal.round, "accept", reasoning=proposal.summary)

    def commit(self, record):
        self.told = record


class Otherwise:
    """Whoever speaks where the node does not."""

    async def answer(self, question, view):
        return Reply({"otherwise": question.kind})


def test_a_node_that_overrides_speaks_for_itself():
    """Seed 002 §2.7: propose, evaluate, commit."""
    node = Speaks()
    seat = NodeParticipant(node, ("propose", "evaluate"), Otherwise())
    assert say(seat, ask("propose"))["proposals"][0]["summary"] == "round 1"
    proposal = negotiate(AGENTS, LINKS, script({"A.propose": proposals(propose(add("A", "make", "s")))}))
    said = say(seat, ask("evaluate", proposal=proposal.fate("A").proposal))
    assert (said["decision"], said["reasoning"]) == ("accept", "change")
    assert say(seat, ask("arbitrate")) == {"otherwise": "arbitrate"}
    node.evaluate = lambda proposal: 7
    assert "returned int" in say(seat, ask("evaluate", proposal=proposal.fate("A").proposal))["unreadable"]


def test_a_node_that_never_comes_back_is_silent():
    """Its method is bounded like a model, and nothing waits for its thread."""
    node, held = Speaks(), threading.Event()
    node.propose = lambda about: held.wait(60)
    begun = time.monotonic()
    reply = asyncio.run(
        NodeParticipant(node, ("propose",), Otherwise(), within_s=0.05).answer(ask("propose"), View(()))
    )
    assert reply.body is None
    assert "no answer within 0.05 s" in reply.why
    assert time.monotonic() - begun < 10
    held.set()


def test_a_node_that_ends_the_interpreter_ends_only_its_answer():
    """What a future cannot hand on, or what would end the loop, arrives as a fault like any other."""
    for fault in (StopIteration(), KeyboardInterrupt()):

        def propose(about, fault=fault):
            raise fault

        node = Speaks()
        node.propose = propose
        with pytest.raises(RuntimeError, match=type(fault).__name__):
            say(NodeParticipant(node, ("propose",), Otherwise()), ask("propose"))


def test_a_node_has_heard_of_a_commit_before_it_is_asked_anything():
    """Also where several questions come at once: none of them overtakes the telling."""
    heard = []

    class Slow(Speaks):
        def commit(self, record):
            time.sleep(0.05)
            heard.append(record)

        def evaluate(self, proposal):
            return {"decision": "accept", "reasoning": str(len(heard))}

    seat = NodeParticipant(Slow(), ("evaluate", "commit"), Otherwise())
    proposal = negotiate(AGENTS, LINKS, script({"A.propose": proposals(propose(add("A", "make", "s")))}))
    record = proposal.outcome.commits[0]

    async def asked():
        seat.note_commit(record)
        question = ask("evaluate", proposal=proposal.fate("A").proposal)
        return await asyncio.gather(*(seat.answer(question, View(())) for _ in range(3)))

    assert [reply.body["reasoning"] for reply in asyncio.run(asked())] == ["1", "1", "1"]
