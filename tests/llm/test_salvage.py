"""Slips of form that have one reading are read and noted; whatever could mean two things is asked again."""

from __future__ import annotations

import json
from typing import Any

import pytest

from graphbus_core.participants.llm import answer_reader, answer_repair
from graphbus_core.participants.llm.prompts import EVALUATE_ANSWER, PROPOSE_ANSWER
from graphbus_core.testing import fenced

ACCEPT = {"decision": "accept", "reasoning": "fits"}
RENAME = {"op": "rename_field", "node": "A", "method": "m", "side": "output", "field": "a", "to": "b"}
BODY = {"op": "replace_body", "node": "A", "method": "m", "body": "@code"}


def proposing(*diff: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"proposals": [{"type": "logic_improvement", "summary": "s", "diff": list(diff), **more}]}


def fence(text: str, info: str = "json") -> str:
    return f"```{info}\n{text}\n```"


@pytest.mark.parametrize(
    ("text", "noted"),
    [
        ("I looked at it. " + json.dumps(ACCEPT) + " That is all.", "prose"),
        ("Sure!\n\n" + json.dumps(ACCEPT, indent=2), "prose"),
        (json.dumps(ACCEPT, indent=2) + "\n\nLet me know.", "prose"),
        (fence('{"decision": "accept", "reasoning": "fits",}'), "trailing comma"),
        (fence('{"decision": "accept", "reasoning": "fits", "concerns": ["a", ],\n}'), "trailing comma"),
        (fence('{"decision": "accept", "reasoning": "fits", "counter_proposal": None}'), "None"),
        (fence('{"decision": "accept", "reasoning": "fits", "sure": True, "concerns": [False,],}'), "None"),
        (fence("{'decision': 'accept', 'reasoning': 'fits'}"), "Python"),
        (fence("{'decision': 'accept', 'reasoning': 'fits', 'counter_proposal': None}"), "Python"),
        (fence(json.dumps([ACCEPT])), "array of one"),
        (json.dumps([ACCEPT]), "array of one"),
        (fenced({**ACCEPT, "decision": "accepted"}), "'accept'"),
        (fenced({**ACCEPT, "decision": "Accepts."}), "'accept'"),
        (fenced({**ACCEPT, "decision": "ACCEPT"}), "'accept'"),
        (fenced({**ACCEPT, "reasoning": 7}), "number"),
        (fence('{decision: "accept", reasoning: "fits"}'), "keys without quotes"),
        (fence('// my vote\n{"decision": "accept", /* sure */\n"reasoning": "fits", // yes\n}'), "comments"),
        (fenced({"answer": ACCEPT}), "under answer"),
        (fenced({**ACCEPT, "reasoning": ["it", "fits"]}), "list"),
        ("```json\n" + json.dumps(ACCEPT), ""),  # the fence was never closed, the object was
        ("```json\n" + json.dumps(ACCEPT) + "\n", ""),
    ],
)
def test_a_slip_with_one_reading_is_read(text: str, noted: str) -> None:
    body = answer_reader.read_answer(text, EVALUATE_ANSWER)
    assert body.get("decision") == "accept", body
    assert noted in " ".join(body.get("read_as", []))


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("rejected", "reject"),
        ("Rejects", "reject"),
        ("deferred", "defer"),
        ("countered", "counter"),
        ("accepted with modification", "accept_with_modification"),
        ("Accept-With-Modification", "accept_with_modification"),
    ],
)
def test_a_form_of_a_decision_is_that_decision(written: str, read: str) -> None:
    assert answer_reader.read_answer(fenced({**ACCEPT, "decision": written}), EVALUATE_ANSWER)["decision"] == read


def test_an_operation_is_read_in_any_case_and_without_what_was_said_about_it() -> None:
    op = {**RENAME, "op": "Rename-Field", "side": "Output", "reason": "the consumer calls it b"}
    body = answer_reader.read_answer(fenced(proposing(op)), PROPOSE_ANSWER)
    assert body["proposals"][0]["diff"] == [RENAME]
    assert len(body["read_as"]) == 3


def test_a_number_as_a_default_is_that_number() -> None:
    op = {
        "op": "set_optional",
        "node": "A",
        "method": "m",
        "side": "input",
        "field": "a",
        "optional": True,
        "default": 0,
    }
    body = answer_reader.read_answer(fenced(proposing(op)), PROPOSE_ANSWER)
    assert body["proposals"][0]["diff"][0]["default"] == "0"


@pytest.mark.parametrize("info", ["python", "", "python other_name"])
def test_the_only_block_of_code_is_the_one_that_is_meant(info: str) -> None:
    text = fence(json.dumps(proposing(BODY))) + "\n\n" + fence("return 1", info)
    body = answer_reader.read_answer(text, PROPOSE_ANSWER)
    assert body["proposals"][0]["diff"][0]["body"] == "return 1"
    assert "only block" in " ".join(body["read_as"])


def test_what_stands_in_strings_is_never_mended() -> None:
    said = "None, True, [a,] and {b,} stay,"
    body = answer_reader.read_answer(
        fence('{"decision": "accept", "reasoning": ' + json.dumps(said) + ",}"), EVALUATE_ANSWER
    )
    assert body["reasoning"] == said


def test_a_good_answer_carries_no_note() -> None:
    assert answer_reader.read_answer(fenced(ACCEPT), EVALUATE_ANSWER) == ACCEPT


@pytest.mark.parametrize(
    "text",
    [
        json.dumps(ACCEPT) + " or rather " + json.dumps({**ACCEPT, "decision": "reject"}),
        fence(json.dumps([ACCEPT, ACCEPT])),
        fenced({**ACCEPT, "decision": "accept or reject"}),
        fenced({**ACCEPT, "decision": "not accepted"}),
        fenced({**ACCEPT, "decision": "accepted_partly"}),
        fence('{"decision": "accept" "reasoning": "fits"}'),
        fence('{"decision": "reject",\n// "decision": "accept"\n}'),  # a comment that holds a value
        fence('{"decision": "accept", "reasoning": "cut of'),
        "```json\n" + json.dumps(ACCEPT)[:-5],
        "```json\n" + json.dumps(ACCEPT) + "\n```\n```python code\nreturn 1",  # the code was cut off
        fence("{'decision': open('/etc/passwd')}"),
        "no object here",
    ],
)
def test_what_could_mean_two_things_is_asked_again(text: str) -> None:
    assert "unreadable" in answer_reader.read_answer(text, EVALUATE_ANSWER)


def test_an_operation_with_a_word_that_might_matter_is_left_for_the_rules_to_refuse() -> None:
    body = answer_reader.read_answer(fenced(proposing({**RENAME, "keep_old": True})), PROPOSE_ANSWER)
    assert body["proposals"][0]["diff"][0]["keep_old"] is True


def test_two_blocks_and_one_reference_are_not_guessed() -> None:
    text = fence(json.dumps(proposing(BODY))) + "\n" + fence("return 1", "python") + "\n" + fence("return 2", "python")
    assert "@code" in answer_reader.read_answer(text, PROPOSE_ANSWER)["unreadable"]


OP = {"op": "replace_body", "node": "Cleaner", "method": "clean", "body": "@b"}
SHAPES: dict[str, tuple[object, dict[str, object]]] = {
    "one proposal, no list": ({"proposals": {"diff": [OP]}}, {}),
    "the proposal alone": ({"diff": [OP]}, {}),
    "the list alone": ([{"diff": [OP]}], {}),
    "camel case": ({"proposals": [{"diff": [{**OP, "op": "replaceBody"}]}]}, {}),
    "the method with its class": ({"proposals": [{"diff": [{**OP, "method": "Cleaner.clean()"}]}]}, {}),
    "the label without its sign": ({"proposals": [{"diff": [{**OP, "body": "b"}]}]}, {}),
    "per cent": ({"proposals": [{"diff": [OP], "confidence": 90}]}, {"confidence": 0.9}),
    "a number as text": ({"proposals": [{"diff": [OP], "confidence": "0.9"}]}, {"confidence": 0.9}),
    "names in a text": ({"proposals": [{"diff": [OP], "affected_agents": "A, B"}]}, {"affected_agents": ["A", "B"]}),
    "the class for the node": (
        {"proposals": [{"diff": [{**{k: v for k, v in OP.items() if k != "node"}, "class": "Cleaner"}]}]},
        {},
    ),
    "code for body": ({"proposals": [{"diff": [{**{k: v for k, v in OP.items() if k != "body"}, "code": "@b"}]}]}, {}),
    "a list of lines": ({"proposals": [{"diff": [{**OP, "body": ["return 1"]}]}]}, {}),
    "changes for diff": ({"proposals": [{"summary": "s", "changes": [OP]}]}, {}),
    "proposal for proposals": ({"proposal": {"diff": [OP]}}, {}),
    "the answer in a wrapping": ({"result": {"proposals": [{"diff": [OP]}]}}, {}),
    "the method with its def": ({"proposals": [{"diff": [{**OP, "method": "def clean(self, lines)"}]}]}, {}),
    "a word for a number": ({"proposals": [{"diff": [OP], "confidence": "high"}]}, {}),
    "names in objects": (
        {"proposals": [{"diff": [OP], "affected_agents": [{"name": "A"}]}]},
        {"affected_agents": ["A"]},
    ),
    "a type of its own": ({"proposals": [{"diff": [OP], "type": "refactoring"}]}, {}),
    "a type in words": ({"proposals": [{"diff": [OP], "type": "Logic Improvement"}]}, {"type": "logic_improvement"}),
}


@pytest.mark.parametrize("case", SHAPES)
def test_a_proposal_in_another_shape_is_read_as_the_one_that_it_can_only_be(case: str) -> None:
    """And the answer's notes say what was read as what."""
    given, expected = SHAPES[case]
    text = f"```json\n{json.dumps(given)}\n```\n\n```python b\nreturn 1\n```\n"
    body = answer_reader.read_answer(text, PROPOSE_ANSWER, "stop")
    assert "unreadable" not in str(list(body))
    (proposal,) = body["proposals"]
    assert proposal["diff"] == [{**OP, "body": "return 1"}]
    assert {key: proposal[key] for key in expected} == expected
    assert body["read_as"]


BODY_TEXT = 'kept = [a for a in items]\nif kept:\n    return {"n": 1}\nreturn {"n": 0}'


def _each(mark: str) -> str:
    return "\n".join(mark.format(n=n) + line for n, line in enumerate(BODY_TEXT.split("\n"), 98))


@pytest.mark.parametrize(
    "written",
    [
        f"```python\n{BODY_TEXT}\n```",
        BODY_TEXT.replace(" = ", "\u00a0= "),
        BODY_TEXT.replace("[a", "[\u200ba"),
        BODY_TEXT.replace('"', "”"),
        BODY_TEXT.replace("\n", "\n        "),
        _each("{n}: "),
        _each(" {n} | "),
        _each("+"),
        _each(">>> "),
        BODY_TEXT.replace("\n", "\\n"),
        BODY_TEXT.replace('"', "&quot;"),
    ],
)
def test_what_was_copied_around_code_is_taken_off(written: str) -> None:
    notes: list[str] = []
    assert answer_repair.repair_code([{"op": "replace_body", "body": written}], notes)[0]["body"].rstrip() == BODY_TEXT
    assert len(notes) == 1


@pytest.mark.parametrize(
    "written",
    [
        "1: a\n3: b",  # not the numbers of lines
        "-return 1\n+return 2",  # a diff: what it leaves out is not written here
        "x = 'say “hi”' +",  # broken in another way
        'text = "&gt;"',  # parses, and stays
        "return [line.strip( for line in lines]",
    ],
)
def test_code_that_is_broken_in_itself_stays_as_it_was_written(written: str) -> None:
    assert answer_repair.repair_code({"body": written}, []) == {"body": written}


def test_a_fence_that_never_closes_around_code_that_is_cut_stays_cut_off() -> None:
    """The model says that it had come to its end; the code says that it had not."""
    head = f"```json\n{json.dumps({'proposals': [{'diff': [OP]}]})}\n```\n\n```python b\n"
    assert answer_reader.read_answer(f"{head}return 1", PROPOSE_ANSWER, "stop")["proposals"]
    assert "cut off" in str(answer_reader.read_answer(f"{head}return (1,", PROPOSE_ANSWER, "stop"))
    assert "cut off" in str(answer_reader.read_answer(f"{head}return 1", PROPOSE_ANSWER, "length"))
