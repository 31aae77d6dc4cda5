"""The rule negotiators: each repair where it is clear, silence where it is not, and no word twice."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import Any

import pytest

from graphbus_core.analysis.links import link
from graphbus_core.analysis.scan import scan
from graphbus_core.config import SafetyConfig
from graphbus_core.logs.memory import MemoryLog
from graphbus_core.negotiation.core import Ask, Session
from graphbus_core.negotiation.proposal.config import ProposalConfig
from graphbus_core.negotiation.proposal.protocol import ProposalProtocol
from graphbus_core.participants.rules import arbitrate, evaluate
from graphbus_core.participants.rules.repair_proposals import propose

HEAD = "from typing import Annotated, NotRequired\nfrom graphbus_core import GraphBusNode, depends_on, schema_method\n"


def asked(folder: Path, sent: str, taken: str, producer: str, consumer: str) -> dict[str, Ask]:
    """The questions of round 1 for two nodes, A.make and B.show, by name."""
    source = HEAD + textwrap.dedent(f"""
        class A(GraphBusNode):
            @schema_method(input_schema={{"n": int}}, output_schema={sent})
            {producer}

        class B(GraphBusNode):
            @depends_on("A.make")
            @schema_method(input_schema={taken}, output_schema={{"line": str}})
            {consumer}
        """)
    (folder / "nodes.py").write_text(source)
    agents = scan(str(folder)).agents
    linked = link(agents)
    config = ProposalConfig(agents, linked.links, linked.mismatches, SafetyConfig(max_negotiation_rounds=3))
    session: Session[Any, Any] = Session(ProposalProtocol(), config, MemoryLog())
    session.advance()
    return {want.to: want for want in session.pending() if isinstance(want, Ask)}


def ops(ask: Ask, **changed: Any) -> list[tuple[Any, ...]]:
    """What is proposed, in short."""
    made = propose({**ask.about, **changed})["proposals"]
    names = ("op", "node", "side", "field", "to", "type", "optional", "default")
    return [tuple(op[n] for n in names if n in op) for p in made for op in p["diff"]]


MAKE = "def make(self, n): return {'title': str(n)}"
SHOW = "def show(self, title): return {'line': title}"


@pytest.mark.parametrize(
    ("sent", "taken", "producer", "consumer", "a", "b"),
    [
        (  # alike in name: that is a question
            '{"user_name": str, "n": int}',
            '{"username": str}',
            "def make(self, n): return {'user_name': '', 'n': n}",
            "def show(self, username): return {'line': username}",
            [],
            [],
        ),
        (  # the only list on both sides: no evidence
            '{"rows": list[str], "n": int}',
            '{"items": list[str]}',
            "def make(self, n): return {'rows': [], 'n': n}",
            "def show(self, items): return {'line': ''}",
            [],
            [],
        ),
        (  # it may be left out, and the consumer has a default: what the default says may be wrong
            '{"title": NotRequired[str]}',
            '{"title": str}',
            "def make(self, n): return {}",
            "def show(self, title=''): return {'line': title}",
            [],
            [],
        ),
        (  # it is given every time: the producer promises it
            '{"title": NotRequired[str]}',
            '{"title": str}',
            MAKE,
            SHOW,
            [("set_optional", "A", "output", "title", False)],
            [],
        ),
        (  # it is returned and not declared: the producer declares it, with the type that is plain to see
            '{"other": int}',
            '{"title": str}',
            "def make(self, n): return {'other': n, 'title': f'{n}'}",
            SHOW,
            [("add_field", "A", "output", "title", "str")],
            [],
        ),
        (  # the producer receives it: by now it may be stale
            '{"title": str}',
            '{"title": str, "n": int}',
            MAKE,
            "def show(self, title, n): return {'line': title}",
            [],
            [],
        ),
        ('{"other": str, "more": str}', '{"title": str}', "def make(self, n): return {}", SHOW, [], []),  # a guess
        ('{"title": NotRequired[str]}', '{"title": str}', "def make(self, n): return {}", SHOW, [], []),
    ],
)
def test_the_clear_repair_or_none(
    sent: str, taken: str, producer: str, consumer: str, a: Any, b: Any, tmp_path: Path
) -> None:
    """One end proposes what is clearly least breaking; where nothing is clear, nobody guesses."""
    asks = asked(tmp_path, sent, taken, producer, consumer)
    assert (ops(asks["A"]), ops(asks["B"])) == (a, b)


@pytest.mark.parametrize(
    ("sent", "show", "op"),
    [
        ('{"title": int}', SHOW, ("retype_field", "B", "input", "title", "str | int")),
        # A plain type of the standard library, which the edit imports; `Path` would read as text as well.
        ('{"title": bytes}', SHOW, ("retype_field", "B", "input", "title", "str | bytes")),
        (
            '{"title": NotRequired[str]}',
            "def show(self, title=''): return {'line': title}",
            ("set_optional", "B", "input", "title", True),
        ),
    ],
)
def test_a_type_and_what_may_be_left_out_change_where_a_passing_test_does_so(
    sent: str, show: str, op: tuple[Any, ...], tmp_path: Path
) -> None:
    """The test sends what this producer sends, and holds the result."""
    ask = asked(tmp_path, sent, '{"title": str}', "def make(self, n): return {**{}}", show)["B"]
    assert ops(ask) == ops(ask, round=2) == []
    test = {"sent": "title", "taken": "title", "kind": "test", "says": "a passing test does so", "where": "t.py:3"}
    mismatches = [{**m, "evidence": [test]} for m in ask.about["mismatches"]]
    assert ops(ask, mismatches=mismatches) == [op]


def test_what_fell_is_not_said_again(tmp_path: Path) -> None:
    """A repair that fell stays unsaid; one that was committed may be needed again."""
    ask = asked(tmp_path, '{"title": NotRequired[str]}', '{"title": str}', MAKE, SHOW)["A"]
    (made,) = propose(ask.about)["proposals"]
    fate = {"role": "proposer", "summary": made["summary"]}
    assert ops(ask, history=[{**fate, "outcome": "commit_failed"}]) == []
    assert ops(ask, history=[{**fate, "outcome": "committed"}]) != []
    assert ops(ask, history=[{**fate, "outcome": "superseded"}]) != []  # its ground moved: nobody refused it


def test_a_repair_that_its_own_gates_refuse_becomes_a_question(tmp_path: Path) -> None:
    """First the mapping, which changes neither end; then the question, with what was proposed in vain."""
    ask = asked(tmp_path, '{"left": int}', '{"qty": int}', "def make(self, n): return {}", "def show(self, qty): pass")
    flow = {"sent": "left", "taken": "qty", "kind": "flow", "says": "a call does so", "where": "m.py:3"}
    about = {**ask["B"].about, "mismatches": [{**m, "evidence": [flow]} for m in ask["B"].about["mismatches"]]}
    (made,) = propose(about)["proposals"]
    fell = {"role": "proposer", "summary": made["summary"], "outcome": "commit_failed", "why": "types: m.py:3"}
    (mapped,) = propose({**about, "history": [fell], "round": 2})["proposals"]
    op = {"op": "map_field", "node": "B", "method": "show", "producer": "A.make", "field": "qty", "source": "left"}
    assert mapped["diff"] == [op]
    fell_too = {**fell, "summary": mapped["summary"], "why": "names: m.py:4"}
    answer = propose({**about, "history": [fell, fell_too], "round": 3})
    assert answer["proposals"] == []
    assert f"Proposed in vain: {made['summary']} (types: m.py:3)." in answer["questions"][0]["text"]


def test_where_one_field_of_a_link_could_not_be_renamed_none_is(tmp_path: Path) -> None:
    """What reads a method's fields in a way that nobody follows reads them all: both are mapped in one round."""
    ask = asked(
        tmp_path, '{"left": int, "tag": str}', '{"qty": int, "memo": str}', "def make(self, n): return {}",
        "def show(self, qty, memo): pass",
    )["B"]  # fmt: skip
    flow = {"kind": "flow", "says": "a call does so", "where": "m.py:3"}
    flows = [{**flow, "sent": "left", "taken": "qty"}, {**flow, "sent": "tag", "taken": "memo"}]
    about = {**ask.about, "mismatches": [{**m, "evidence": flows} for m in ask.about["mismatches"]]}
    (made,) = propose(about)["proposals"]
    fell = {"role": "proposer", "summary": made["summary"], "outcome": "commit_failed", "why": "applies: m.py:3"}
    (mapped,) = propose({**about, "history": [fell], "round": 2})["proposals"]
    assert [op["op"] for op in made["diff"]] == ["rename_field", "rename_field"]
    assert [(op["op"], op["field"], op["source"]) for op in mapped["diff"]] == [
        ("map_field", "qty", "left"),
        ("map_field", "memo", "tag"),
    ]


def question(breaks: list[Any]) -> dict[str, Any]:
    """An evaluation of somebody else's proposal by B."""
    proposal = {"proposal_id": "p-1", "proposer": "A", "diff": [{"op": "add_field", "node": "A"}], "confidence": 0.5}
    return {"card": {"name": "B"}, "proposal": proposal, "computed": {"breaks": breaks, "fixes": []}}


def test_a_no_carries_its_counterexample() -> None:
    """What breaks one of my links is refused, with the payload that proves it; what breaks others' is theirs to say."""
    link_of = {"producer": {"node": "A", "method": "m"}, "consumer": {"node": "B", "method": "n"}}
    broken = {"link": link_of, "reasons": ["qty is gone"], "counterexample": {"sku": ""}}
    said = evaluate(question([broken]))
    assert said["decision"] == "reject"
    assert '{"sku": ""}' in said["reasoning"]
    foreign = {**broken, "link": {**link_of, "consumer": {"node": "C", "method": "n"}, "producer": {"node": "D"}}}
    assert evaluate(question([foreign]))["decision"] == "accept"


def test_the_arbiter_weighs_in_the_seeds_order() -> None:
    """Correctness before compatibility before simplicity; what breaks a link is never taken."""
    one = {"proposal_id": "p-1", "diff": [{}, {}], "confidence": 0.9}
    two = {"proposal_id": "p-2", "diff": [{}], "confidence": 0.1}
    about = {"proposals": [one, two], "computed": {"p-1": {"breaks": []}, "p-2": {"breaks": []}}}
    assert arbitrate(about)["proposal_id"] == "p-2"
    about["computed"] = {"p-1": {"breaks": []}, "p-2": {"breaks": [1]}}
    assert arbitrate(about)["proposal_id"] == "p-1"
    about["computed"] = {"p-1": {"breaks": [1]}, "p-2": {"breaks": [1]}}
    assert arbitrate(about)["decision"] == "reject"
