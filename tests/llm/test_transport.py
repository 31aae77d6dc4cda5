"""The road to a provider through its real client library: faults, waits, silence. Against the loopback server."""

from __future__ import annotations

import asyncio
import re
import time
from typing import Any

import pytest

from graphbus_core.errors import ParticipantError
from graphbus_core.negotiation.core import Reply, View
from graphbus_core.participants.llm import LLMParticipant, Progress, transport
from graphbus_core.participants.secret_scrubber import HIDDEN, Scrubber
from graphbus_core.testing import FAULTS, Turn, fenced
from tests.llm.conftest import KEY, propose

NOTHING: dict[str, Any] = {"proposals": []}
GOOD = Turn(fenced(NOTHING))
MODELS = ["anthropic:claude-sonnet-5-5", "openai:gpt-6.1-terra"]
BY_HTTPX = "vllm:qwen3"  # a provider whose client library sends by itself; the others send over aiohttp


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


@pytest.mark.parametrize("model", [*MODELS, BY_HTTPX])
@pytest.mark.parametrize(
    "bad", [*(Turn(status=s) for s in (429, 500, 503, 529)), *(Turn("abc", fault=f) for f in FAULTS)]
)
def test_a_passing_fault_is_tried_again(served: Any, model: str, bad: Turn, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transport, "FIRST_WAIT_S", 0.05)
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


@pytest.mark.parametrize("model", [*MODELS, BY_HTTPX])
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
    "text",
    [
        f"Bearer {'a' * 20}",
        "sk-ant-api03-" + "x" * 40,
        "key=hunter2hunter2",
        "AIza" + "y" * 30,
        "ghp_" + "a1" * 18,
        "AKIA" + "A1" * 8,
        "xoxb-" + "12" * 10,
    ],
)
def test_what_looks_like_a_key_or_stands_in_the_environment_is_hidden(text: str) -> None:
    assert HIDDEN in Scrubber((), {"MY_API_KEY": "hunter2hunter2", "HOME": "/root"})(text)


@pytest.mark.parametrize(
    "text",
    [
        "asking the risk-free task: sk-1, bearer of news, /root",
        "skip_duplicate_headlines = sketch_of_the_whole_thing(task-skipping_everything)",
        "the bearer certificates, sk-learn-compatible-estimators",
        "{'customer_id': 'development'}",
    ],
)
def test_ordinary_words_and_names_in_code_are_left_alone(text: str) -> None:
    environ = {"HOME": "/root", "PARTITION_KEY": "customer_id", "STAGE_TOKEN": "development"}
    assert Scrubber(("short",), environ)(text) == text


def test_code_with_a_name_like_a_key_arrives_as_it_was_written(served: Any) -> None:
    """Scrubbing an answer must never make other code of it."""
    body = {"proposals": [{"diff": [{"op": "replace_body", "body": "skip_missing_entries_flag = True"}]}]}
    seat, _ = served(fenced(body))
    assert ask(seat).body == body


@pytest.mark.parametrize("spelled", [KEY, "".join(f"\\u{ord(c):04x}" for c in KEY)], ids=["plain", "escaped"])
def test_an_answer_that_holds_a_key_is_refused_and_not_garbled(served: Any, spelled: str) -> None:
    seat, _ = served(f'```json\n{{"proposals": [{{"summary": "{spelled}"}}]}}\n```')
    reply = ask(seat)
    assert reply.body is not None
    assert "holds a key" in reply.body["unreadable"]
    assert KEY not in repr(reply)
    assert spelled not in repr(reply)


@pytest.mark.parametrize("before", range(150, 205, 9))
def test_a_key_in_a_long_error_is_hidden_before_it_is_cut(served: Any, before: int) -> None:
    seat, _ = served(Turn(status=400, message="x" * before + " {key}"))
    assert KEY[:8] not in str(ask(seat).why)


@pytest.mark.parametrize("model", MODELS)
def test_a_key_with_a_line_end_is_said_at_once_and_not_shown(served: Any, model: str) -> None:
    seat, server = served(GOOD, model=model, api_key=f"{KEY}\n")
    with pytest.raises(ParticipantError, match="its key holds a character that no key has") as e:
        ask(seat)
    assert KEY not in str(e.value)
    assert not server.received
    assert KEY not in Scrubber((f"{KEY}\n",))(f"Illegal header value {f'{KEY}'.encode()!r}")


@pytest.mark.parametrize("model", [*MODELS, BY_HTTPX])
@pytest.mark.parametrize(
    ("address", "why"),
    [("localhost:11434", "not a URL that begins with http"), ("http://[::1", "cannot be used: Invalid port")],
)
def test_an_address_that_is_no_url_is_said_at_once(served: Any, model: str, address: str, why: str) -> None:
    seat, _ = served(GOOD, model=model, base_url=address)
    with pytest.raises(ParticipantError, match=why):
        ask(seat)


@pytest.mark.parametrize("model", MODELS)
def test_what_broke_a_connection_is_said(served: Any, model: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The client libraries say "Connection error." of everything; below it stands why."""
    monkeypatch.setattr(transport, "FIRST_WAIT_S", 0.01)
    seat, _ = served(Turn(fault="close"), model=model)
    assert "the connection broke: Server disconnected" in str(ask(seat).why)


@pytest.mark.parametrize("model", MODELS)
def test_nobody_who_listens_is_said_as_such(served: Any, model: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transport, "FIRST_WAIT_S", 0.01)
    seat, server = served(GOOD, model=model)
    server.stop()
    said = "could not be reached, or the connection broke: "  # then the system's words over aiohttp, or httpx's
    assert re.search(rf"{said}(\[Errno \d+\] Connect call failed|All connection attempts failed)", str(ask(seat).why))


@pytest.mark.parametrize("model", [*MODELS, BY_HTTPX])
def test_connections_are_closed_when_the_event_loop_ends(served: Any, model: str) -> None:
    """Those who ask do not know which question was the last; connections left open are complained of on stderr."""
    seat, _ = served(GOOD, model=model)
    ask(seat)
    client = seat.table.find_client(model)._model.client
    assert client.is_closed()
    assert ask(seat).body == NOTHING  # in another event loop: opened again
    assert seat.table.find_client(model)._model.client is not client


def test_an_answer_without_an_end_is_cut_off(served: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transport, "LEAST_MOST", 1_000)
    seat, _ = served(Turn("word " * 20_000), max_output_tokens=100)
    reply = ask(seat)
    assert reply.why == "anthropic:claude-sonnet-5-5 wrote more than 3,200 characters, and was cut off"
    assert reply.usage["output_tokens"] < 1_000


def test_usage_that_cannot_be_is_counted_all_the_same(served: Any) -> None:
    """More tokens from a cache than were read had no price: no budget would have bound them."""

    class Reported:
        input_tokens, output_tokens, cache_read_tokens, cache_write_tokens = 10.5, -3, 5_000, -1

    assert transport._normalize_usage(Reported()) == (10, 0, 10, 0)
