"""What a model may write, and what is made of it."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings, strategies as st

from graphbus_core.participants.llm import answer_reader
from graphbus_core.participants.llm.prompts import EVALUATE_ANSWER, PROPOSE_ANSWER
from graphbus_core.testing import fenced

ACCEPT = {"decision": "accept", "reasoning": "fits"}
BODY = {"op": "replace_body", "node": "A", "method": "m", "body": "@code"}
PROPOSAL = {"proposals": [{"type": "logic_improvement", "diff": [BODY]}]}


def why(text: str, schema: object = EVALUATE_ANSWER, finish: str | None = "stop") -> str:
    return str(answer_reader.read_answer(text, schema, finish).get("unreadable", ""))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "text",
    [
        fenced(ACCEPT),
        "I thought about it.\n\n" + fenced(ACCEPT) + "\n\nThat is all.",
        json.dumps(ACCEPT),
        "```\n" + json.dumps(ACCEPT) + "\n```",
        "~~~JSON\n" + json.dumps(ACCEPT) + "\n~~~",
    ],
)
def test_an_answer_is_found_wherever_a_model_puts_it(text: str) -> None:
    assert answer_reader.read_answer(text, EVALUATE_ANSWER) == ACCEPT


def test_a_decision_is_read_in_any_spelling() -> None:
    assert answer_reader.read_answer(fenced({**ACCEPT, "decision": "Accept with-modification"}), EVALUATE_ANSWER)[
        "decision"
    ] == ("accept_with_modification")


def test_code_travels_beside_the_json_and_keeps_every_character() -> None:
    code = 'text = """```not a fence```"""\nif text:\n\treturn {"a": "\\n"}  # "quoted"'
    body = answer_reader.read_answer(fenced(PROPOSAL, code=code), PROPOSE_ANSWER)
    assert body["proposals"][0]["diff"][0]["body"] == code


def test_only_code_is_replaced_by_a_block() -> None:
    body = answer_reader.read_answer(fenced({**ACCEPT, "reasoning": "@code"}, code="x"), EVALUATE_ANSWER)
    assert body["reasoning"] == "@code"


@pytest.mark.parametrize(
    ("text", "finish", "reason"),
    [
        ("", "stop", "empty"),
        ("   \n", "stop", "empty"),
        (fenced(ACCEPT)[:30], "length", "cut off"),
        (fenced(ACCEPT)[:30], "stop", "cut off"),
        ("I cannot help with that.", "content_filter", "declined"),
        ("I accept, it fits.", "stop", "no json block"),
        (fenced(ACCEPT) + "\n" + fenced({**ACCEPT, "decision": "reject"}), "stop", "2 json blocks"),
        ("```json\n{decision: accept}\n```", "stop", "not JSON"),
        ("```json\n[1]\n```", "stop", "not an object"),
        ('```json\n{"decision": NaN}\n```', "stop", "not JSON"),
        ('```json\n{"decision": "accept", "confidence": 1e999}\n```', "stop", "not JSON"),
        ('```json\n{"decision": "accept", "reasoning": "\\ud800"}\n```', "stop", "not JSON"),
        ("```json\n" + "[" * 100_000 + "\n```", "stop", "nested too deeply"),
        (fenced({"decision": "maybe", "reasoning": ""}), "stop", "decision: "),
        (fenced({"reasoning": "fits"}), "stop", "decision"),
        (fenced({**ACCEPT, "proposal_id": 7}), "stop", "proposal_id: "),
    ],
)
def test_what_cannot_be_read_says_why(text: str, finish: str, reason: str) -> None:
    assert reason in why(text, EVALUATE_ANSWER, finish)


def test_a_body_that_refers_to_nothing_is_refused() -> None:
    assert "@code" in why(fenced(PROPOSAL), PROPOSE_ANSWER)


def test_what_is_kept_of_an_unreadable_answer_is_bounded() -> None:
    assert len(answer_reader.read_answer("x" * 100_000, {})["said"]) == answer_reader.SAID_MAX


@pytest.mark.no_cover
@given(st.text(max_size=300))
@settings(max_examples=200, deadline=None)
def test_no_text_whatever_raises(text: str) -> None:
    for wrapped in (text, f"```json\n{text}\n```", f'```json\n{{"decision": {json.dumps(text)}}}\n```'):
        body = answer_reader.read_answer(wrapped, EVALUATE_ANSWER)
        assert "unreadable" in body or body["decision"]
