"""A scripted seat, a scripted pydantic-ai model and the seed's face: three ways to the same answers."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from graphbus_core.config import LLMConfig
from graphbus_core.errors import ParticipantError
from graphbus_core.negotiation.core import View
from graphbus_core.participants.llm import LLMAgent, Table, seat
from graphbus_core.testing import Script, Turn, fenced
from tests.llm.conftest import card, evaluate, propose

ACCEPT = {"decision": "accept", "reasoning": "fits", "proposal_id": "p-1"}


def scripted(lines: Any) -> tuple[Any, Script]:
    script = Script(lines)
    llm = LLMConfig(model="scripted-provider:x")
    return seat(llm, ["Cleaner"], table=Table.of(llm, opener=script.open))["Cleaner"], script


@pytest.mark.parametrize("through", ["seat", "pydantic-ai"])
def test_the_most_particular_line_of_a_script_wins(through: str) -> None:
    lines = {
        ("Cleaner", "evaluate"): [ACCEPT, {**ACCEPT, "decision": "reject"}],
        ("*", "evaluate"): "never",
        ("Cleaner", "*"): {"proposals": []},
    }
    participant, _ = scripted(lines) if through == "pydantic-ai" else (Script(lines).participant("Cleaner"), None)
    bodies = [asyncio.run(participant.answer(ask, View(()))).body for ask in (evaluate(), evaluate(), propose())]
    assert bodies == [ACCEPT, {**ACCEPT, "decision": "reject"}, {"proposals": []}]


def test_an_evaluation_of_another_proposal_is_none_of_this_one() -> None:
    participant, _ = scripted({("*", "*"): {**ACCEPT, "proposal_id": "p-9"}})
    reply = asyncio.run(participant.answer(evaluate(), View(())))
    assert reply.body is not None
    assert reply.body["unreadable"] == "this evaluates p-9; you were asked about p-1"


def test_a_refused_answer_is_handed_back_with_the_reason() -> None:
    participant, script = scripted({("*", "*"): ["prose, sorry", ACCEPT]})
    asyncio.run(participant.answer(evaluate(), View(())))
    again = evaluate()
    asyncio.run(participant.answer(again, View((), ("there is no json block",))))
    assert "prose, sorry" in script.calls[1].prompt
    assert "there is no json block" in script.calls[1].prompt


def test_the_seeds_face_answers_its_four_questions() -> None:
    participant, script = scripted(
        {
            ("*", "analyze"): {"summary": "short", "findings": ["one"]},
            ("*", "propose"): ["prose first", {"proposals": [{"diff": []}]}],
            ("*", "evaluate"): ACCEPT,
            ("*", "arbitrate"): {"decision": "reject", "ruling": "no"},
        }
    )
    agent = LLMAgent(card(), participant)

    async def four() -> list[Any]:
        proposal = evaluate().about["proposal"]
        return [
            await agent.analyze_code(),
            await agent.propose_improvement("be clean"),
            await agent.evaluate_proposal(proposal),
            await agent.arbitrate_conflict(proposal, [ACCEPT]),
        ]

    assert asyncio.run(four()) == [
        {"summary": "short", "findings": ["one"]},
        [{"diff": []}],
        ACCEPT,
        {"decision": "reject", "ruling": "no"},
    ]
    assert [c.kind for c in script.calls] == ["analyze", "propose", "propose", "evaluate", "arbitrate"]


def test_the_seeds_face_gives_up_with_the_last_reason() -> None:
    participant, _ = scripted({("*", "*"): Turn("")})
    with pytest.raises(ParticipantError, match="3 answers could not be read, the last because the answer was empty"):
        asyncio.run(LLMAgent(card(), participant).propose_improvement())


def test_a_labelled_block_of_a_script_is_a_body() -> None:
    diff = [{"op": "replace_body", "node": "Cleaner", "method": "clean", "body": "@b"}]
    participant, _ = scripted({("*", "*"): fenced({"proposals": [{"diff": diff}]}, b="return {}")})
    reply = asyncio.run(participant.answer(propose(), View(())))
    assert reply.body is not None
    assert reply.body["proposals"][0]["diff"][0]["body"] == "return {}"


def test_a_table_may_be_used_in_one_event_loop_after_another(served: Any) -> None:
    participant, server = served(Turn(fenced(ACCEPT), delay_s=0.02), max_concurrency=1)

    async def two() -> None:
        await asyncio.gather(participant.answer(evaluate(), View(())), participant.answer(evaluate(), View(())))

    for _ in range(3):
        asyncio.run(two())
    assert len(server.received) == 6
    assert server.most_under_way == 1
