"""Budgets are checked before a call; what answers cost stands per agent, per round and in total."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from graphbus_core.config import LLMConfig
from graphbus_core.negotiation.core import Reply, View
from graphbus_core.participants.llm import BudgetSpent, Spending, Table, Usage, estimate, seat
from graphbus_core.participants.llm.usage import compute_price_usd, has_price
from graphbus_core.testing import Script, Turn, fenced
from tests.llm.conftest import card, propose

NOTHING: dict[str, Any] = {"proposals": []}
DEAR = Turn(fenced(NOTHING), delay_s=0.05, input_tokens=1_000, output_tokens=1_000)  # $0.012 with the model below
MODEL = "anthropic:claude-sonnet-5-5"


def rush(seats: Any, names: list[str]) -> list[Any]:
    async def all_at_once() -> list[Any]:
        return await asyncio.gather(*(seats[n].answer(propose(n), View(())) for n in names), return_exceptions=True)

    return asyncio.run(all_at_once())


def test_a_price_is_that_which_the_library_ships() -> None:
    assert compute_price_usd(MODEL, Usage(input_tokens=1_000_000)) == pytest.approx(2.0, rel=0.5)
    assert has_price("openai-responses:gpt-6.1-terra")
    assert not has_price("ollama:qwen3")


@pytest.mark.parametrize(
    ("bound", "calls"), [({"max_cost_usd": 0.03}, 3), ({"max_tokens": 5_000}, 3), ({"max_requests": 4}, 4)]
)
def test_no_call_is_made_once_a_bound_is_reached(served: Any, bound: dict[str, Any], calls: int) -> None:
    participant, server = served(DEAR, max_concurrency=1, **bound)
    names = [f"A{n}" for n in range(8)]
    replies = rush(seat(participant.table.llm, names, table=participant.table), names)
    kept = [r for r in replies if isinstance(r, Reply)]
    assert len(server.received) == len(kept) == calls
    refused = [r for r in replies if isinstance(r, BudgetSpent)]
    assert len(refused) == 8 - calls
    assert "Run it again with a larger budget." in str(refused[0])


def test_wall_time_is_a_bound(served: Any) -> None:
    participant, server = served(DEAR, max_concurrency=1, max_wall_s=0.12)
    names = [f"A{n}" for n in range(30)]
    rush(seat(participant.table.llm, names, table=participant.table), names)
    assert 1 <= len(server.received) < 10


def test_what_was_under_way_when_the_budget_ended_still_arrives(served: Any) -> None:
    participant, _ = served(DEAR, max_concurrency=8, max_requests=4)
    names = [f"A{n}" for n in range(8)]
    arrived: list[str] = []

    async def one(seats: Any, name: str) -> None:
        try:
            await seats[name].answer(propose(name), View(()))
            arrived.append("answer")
        except BudgetSpent:
            arrived.append("refused")

    async def run() -> None:
        seats = seat(participant.table.llm, names, table=participant.table)
        await asyncio.gather(*(one(seats, n) for n in names))

    asyncio.run(run())
    assert arrived == ["answer"] * 4 + ["refused"] * 4


def test_usage_stands_per_agent_round_and_model(served: Any) -> None:
    participant, _ = served(DEAR)
    names = ["A", "B"]
    rush(seat(participant.table.llm, names, table=participant.table), names)
    report = participant.table.spending.report()
    assert report["total"]["output_tokens"] == 2_000
    assert set(report["by_agent"]) == {"A", "B"}
    assert report["by_round"]["1"]["answers"] == 2
    assert report["by_model"][MODEL]["cost_usd"] == pytest.approx(report["total"]["cost_usd"])
    assert "2 answers in 2 requests" in participant.table.spending.summarize()


def test_an_interrupted_builds_usage_is_taken_over(served: Any) -> None:
    participant, _ = served(DEAR)
    reply = asyncio.run(participant.answer(propose(), View(())))
    spending = Spending(LLMConfig(max_requests=1))
    spending.restore([reply.usage, {}])
    assert spending.total.to_dict() == participant.table.spending.total.to_dict()
    with pytest.raises(BudgetSpent):
        spending.begin_request()


def test_an_unknown_price_is_said_and_its_tokens_are_counted(served: Any) -> None:
    participant, _ = served(DEAR, model="ollama:qwen3", max_cost_usd=0.01)
    asyncio.run(participant.answer(propose(), View(())))
    (note,) = participant.table.list_notes()
    assert "No price is known for ollama:qwen3" in note
    assert "max_cost_usd cannot bind" in note
    assert participant.table.spending.total.unpriced_tokens == 2_000
    assert participant.table.spending.report()["unpriced_models"] == ["ollama:qwen3"]


def test_a_plan_counts_the_real_prompts_before_the_first_call() -> None:
    script = Script({})
    names = ["A", "B", "C"]
    table = Table.of(LLMConfig(), opener=script.open)
    seats = seat(LLMConfig(), names, model=MODEL, table=table)
    around = {"A": ["B"], "B": ["A", "C"], "C": ["B"]}
    asks = [propose(n, neighbours=[card(m) for m in around[n]]) for n in names]
    plan = estimate(seats, asks, rounds=2, arbiters=1)
    assert plan.calls_by_kind == {"propose": 6, "evaluate": 8, "arbitrate": 1}
    prompts = sum(len(seats[a.to].build_prompt(a)) for a in asks)  # type: ignore[attr-defined]
    assert plan.characters > 2 * prompts
    assert plan.cost_usd > 0
    assert script.calls == []
    assert "15 calls" in plan.summarize()


def test_rulings_are_planned_with_the_arbiters_own_model() -> None:
    """And cost nothing where the arbiter is none."""
    llm = LLMConfig(models={"Judge": "openai:gpt-4o", "Rule": "rules"})
    seats = seat(llm, ["A", "Judge", "Rule"], model=MODEL, table=Table.of(llm, opener=Script({}).open))
    asks = [propose("A", neighbours=[])]
    assert estimate(seats, asks, arbiters=("Judge",)).models == {MODEL: 1, "openai:gpt-4o": 1}
    assert estimate(seats, asks, arbiters=("Rule",)).models == {MODEL: 1}
