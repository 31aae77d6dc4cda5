"""Seed 002's `file_path` and `old_code`: a change made for other code than there is is refused, with the reason."""

from __future__ import annotations

import pytest

from tests.negotiation.paper import add, agent, link, negotiate, proposals, script

AGENTS = (agent("A", {"make": ({}, {"x": int})}), agent("B", {"take": ({"x": int}, {"y": int})}))
LINKS = (link("A.make", "B.take"),)


def made(**change):
    """A's proposal in seed 002's form."""
    code = {"target": "make", "change_type": "modify", "new_code": "return {'x': 1}", **change}
    return proposals({"intent": "refactor", "reason": "why", "code_change": code})


def fate(body):
    """How A's proposal ended, or why it was refused every time it was made."""
    ran = negotiate(AGENTS, LINKS, script({"A.propose.1": body}))
    refused = [event.why for event in ran.events if event.kind == "answer_refused"]
    return refused or [p.outcome for p in ran.outcome.proposals]


@pytest.mark.parametrize(
    "change",
    [
        {"file_path": "agents/a.py", "old_code": "return {}"},
        {"file_path": "./agents/a.py"},
        {"file_path": "/home/me/project/agents/a.py"},
        {"file_path": "a.py", "old_code": "    def make(self):\n\n        return {}   \n"},
        {"target": "A.make", "old_code": ""},
        {"old_code": "def make(self):\n    return {}"},
    ],
)
def test_what_is_as_it_was_shown_is_taken(change):
    """However the path is spelled, whatever became of blank lines and indentation."""
    assert fate(made(**change)) == ["committed"]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"file_path": "agents/b.py"}, "file_path is agents/b.py, and A stands in agents/a.py"),
        ({"file_path": "other/aa.py"}, "and A stands in agents/a.py"),
        ({"old_code": "zzz"}, "old_code is not what A.make holds now; it holds:\ndef make(self):\n    return {}"),
        ({"old_code": "return {}\nreturn {}"}, "old_code is not what A.make holds now"),
        ({"old_code": "return"}, "old_code is not what A.make holds now"),
        ({"change_type": "delete", "old_code": "zzz"}, "old_code is not what A.make holds now"),
    ],
)
def test_a_change_for_other_code_is_refused_and_asked_again(change, words):
    """The proposer is told what there is."""
    refused = fate(made(**change))
    assert len(refused) >= 2
    assert all(words in why for why in refused), refused


def test_a_counter_proposal_and_a_part_of_a_diff_are_held_to_it_too():
    """Wherever the form may stand."""
    part = {"target": "make", "new_code": "return {'x': 1}", "old_code": "zzz"}
    assert "old_code" in fate(proposals({"summary": "s", "diff": [part]}))[0]
    counter = {"summary": "c", "diff": [{"target": "take", "new_code": "return {}", "file_path": "agents/a.py"}]}
    table = {
        "A.propose.1": proposals({"summary": "s", "diff": [add("A", "make", "k")]}),
        "B.evaluate": {"decision": "counter", "counter_proposal": counter},
    }
    ran = negotiate(AGENTS, LINKS, script(table))
    assert "file_path is agents/a.py, and B stands in agents/b.py" in next(
        event.why for event in ran.events if event.kind == "answer_refused"
    )
