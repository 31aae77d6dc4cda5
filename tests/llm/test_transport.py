"""The road to a provider through its real client library: faults, waits, silence. Against the loopback server."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import pytest

from graphbus_core.errors import ParticipantError
from graphbus_core.negotiation.core import Reply, View
from graphbus_core.participants.llm import LLMParticipant, Progress, transport
from graphbus_core.participants.llm.secrets import HIDDEN, Scrubber
from graphbus_core.testing import FAULTS, Turn, fenced
from tests.llm.conftest import KEY, propose

NOTHING: dict[str, Any] = {"proposals": []}
GOOD = Turn(fenced(NOTHING))
MODELS = ["anthropic:claude-sonnet-5-5", "openai:gpt-6.1-terra"]


def ask(seat: LLMParticipant) -> Reply:
    return asyncio.run(seat.answer(propose(), View(())))


@pytest.mark.parametrize("model", [*MODELS, "openai-responses:gpt-6.1-terra", "ollama:qwen3"])
def test_an_answer_is_streamed_read_and_counted(served: Any, model: str) -> None:
    shown: list[Progress] = []
    seat, server = served(fenced(NOTHING), model=model, watch=shown.append)
    reply = ask(seat)
    assert reply.body == NOTHING
    assert [(r.agent, r.kind, r.streamed) for r in server.received] == [("Cleaner", "propose", True)]
    assert reply.usage["model"] == model
    assert reply.usage["input_tokens"] > 500
    assert (reply.usage["cost_usd"] > 0) == (not model.startswith("ollama"))
    assert (reply.usage["unpriced_tokens"] > 0) == model.startswith("ollama")
    assert [p.what for p in shown if p.what != "writing"] == ["thinking", "answered"]
    assert shown[-1].tokens == reply.usage["input_tokens"] + reply.usage["output_tokens"]


def test_the_unchanging_parts_are_marked_for_anthropics_cache(served: Any) -> None:
    seat, server = served(GOOD)
    ask(seat)
    request = server.received[0].request
    stable, changing = request["messages"][0]["content"]
    assert "cache_control" in request["system"][-1]
    assert "cache_control" in stable
    assert "cache_control" not in changing
    assert changing["text"].endswith("Question for Cleaner: propose. Answer with one json block.")


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize(
    "bad", [*(Turn(status=s) for s in (429, 500, 503, 529)), *(Turn("abc", fault=f) for f in FAULTS)]
)
def test_a_passing_fault_is_tried_again(served: Any, model: str, bad: Turn) -> None:
    seat, server = served([bad, GOOD], model=model)
    reply = ask(seat)
    assert reply.body == NOTHING
    assert reply.usage["requests"] == 2 == len(server.received)


@pytest.mark.parametrize("model", MODELS)
def test_a_rate_limit_waits_as_long_as_the_provider_says(served: Any, model: str) -> None:
    seat, server = served([Turn(status=429, retry_after_s=1.2), GOOD], model=model)
    ask(seat)
    assert 1.2 <= server.received[1].at - server.received[0].at < 2.2


def test_a_wait_that_is_longer_than_an_answer_may_take_is_silence_at_once(served: Any) -> None:
    seat, _ = served([Turn(status=429, retry_after_s=90), GOOD])
    began = time.monotonic()
    reply = ask(seat)
    assert reply.body is None
    assert "asks to wait 90 s" in str(reply.why)
    assert time.monotonic() - began < 3


def test_a_provider_that_asks_one_to_wait_is_left_alone_by_all(served: Any) -> None:
    seat, server = served([Turn(status=429, retry_after_s=1), GOOD], max_concurrency=1)

    async def both() -> None:
        await asyncio.gather(seat.answer(propose(), View(())), seat.answer(propose(number=2), View(())))

    asyncio.run(both())
    times = [r.at for r in server.received]
    assert len(times) == 3
    assert times[1] - times[0] >= 1


def test_tries_are_bounded_and_the_sentence_says_how_many(served: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transport, "FIRST_WAIT_S", 0.05)
    seat, server = served(Turn(status=500), timeout_s=60)
    reply = ask(seat)
    assert reply.body is None
    assert len(server.received) == 5
    assert "(500) (5 tries)" in str(reply.why)


@pytest.mark.parametrize("model", MODELS)
def test_a_slow_answer_is_silence_that_names_model_and_time(served: Any, model: str) -> None:
    seat, server = served(Turn(fenced(NOTHING), delay_s=9), model=model, timeout_s=1.0)
    reply = ask(seat)
    assert reply.body is None
    assert reply.why == f"{model} did not answer within 1 s"
    assert len(server.received) == 1


def test_a_stream_that_drips_for_ever_ends_in_time(served: Any) -> None:
    seat, _ = served(Turn("word " * 2_000, drip_s=0.1), timeout_s=1.0)
    began = time.monotonic()
    assert ask(seat).body is None
    assert time.monotonic() - began < 2.5


def test_a_first_word_that_comes_late_is_no_stall(served: Any) -> None:
    seat, server = served(Turn(fenced(NOTHING), delay_s=2.5), timeout_s=4.0)
    assert ask(seat).body == NOTHING
    assert len(server.received) == 1


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize(("status", "word"), [(401, "refused the key"), (404, "does not know this model or address")])
def test_what_no_retry_mends_ends_it_naming_agent_model_and_cause(
    served: Any, model: str, status: int, word: str
) -> None:
    seat, server = served(Turn(status=status, message="you sent {key}"), model=model)
    with pytest.raises(ParticipantError) as e:
        ask(seat)
    text = str(e.value)
    assert text.startswith(f"Cleaner cannot be asked: {model} {word} ({status})")
    assert KEY not in text
    assert HIDDEN in text
    assert len(server.received) == 1


def test_a_key_that_is_refused_once_after_it_worked_is_silence(served: Any) -> None:
    seat, _ = served([GOOD, Turn(status=401)])
    assert ask(seat).body == NOTHING
    assert "refused the key" in str(ask(seat).why)


def test_the_fallback_answers_where_the_first_model_cannot(served: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    seat, server = served(
        {("*", "*"): lambda call: GOOD if call.model == "gpt-6-luna" else Turn(status=401)},
        fallback_model="gpt-6-luna",
    )
    monkeypatch.setenv("OPENAI_API_KEY", "another-key-0123456789")
    monkeypatch.setenv("OPENAI_BASE_URL", server.openai_url)
    assert ask(seat).usage["model"] == "openai:gpt-6-luna"
    assert ask(seat).body == NOTHING
    assert [r.model for r in server.received] == ["claude-sonnet-5-5", "gpt-6-luna", "gpt-6-luna"]
    assert {r.key for r in server.received if r.model == "gpt-6-luna"} == {"another-key-0123456789"}


def test_no_more_questions_are_under_way_than_the_limit_allows(served: Any) -> None:
    seat, server = served(Turn(fenced(NOTHING), delay_s=0.1), max_concurrency=3)

    async def many() -> None:
        await asyncio.gather(*(seat.answer(propose(number=n), View(())) for n in range(12)))

    asyncio.run(many())
    assert server.most_under_way == 3
    assert len(server.received) == 12


def test_a_server_that_echoes_the_key_in_an_answer_does_not_get_it_into_the_log(served: Any) -> None:
    seat, _ = served({("*", "*"): lambda call: Turn(fenced({"proposals": [], "note": KEY}))})
    reply = ask(seat)
    assert KEY not in repr(reply)
    assert HIDDEN in repr(reply)


@pytest.mark.parametrize(
    "text", [f"Bearer {'a' * 20}", "sk-ant-api03-" + "x" * 40, "key=hunter2hunter2", "AIza" + "y" * 30]
)
def test_what_looks_like_a_key_or_stands_in_the_environment_is_hidden(text: str) -> None:
    assert HIDDEN in Scrubber((), {"MY_API_KEY": "hunter2hunter2", "HOME": "/root"})(text)


def test_ordinary_words_are_left_alone() -> None:
    text = "asking the risk-free task: sk-1, bearer of news, /root"
    assert Scrubber(("short",), {"HOME": "/root"})(text) == text
