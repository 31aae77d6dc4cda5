"""The model server by itself: what a client sees that is not ours."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from graphbus_core.testing import ModelServer, Script, Turn, chain, fenced, temporary_project
from graphbus_core.testing.model_server import measure_common_prefix

TURN = Turn("hello there", input_tokens=7, output_tokens=3)


def post(url: str, body: Any, **headers: str) -> tuple[int, str]:
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    try:
        with urllib.request.urlopen(urllib.request.Request(url, data, headers), timeout=10) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as e:
        return e.code, e.read().decode()


def message(text: str) -> list[dict[str, str]]:
    return [{"role": "user", "content": text}]


def test_both_protocols_answer_whole_without_streaming() -> None:
    with ModelServer(Script({("*", "*"): TURN})) as server:
        _, text = post(f"{server.anthropic_url}/v1/messages", {"model": "m", "messages": message("hi")})
        anthropic = json.loads(text)
        _, text = post(f"{server.openai_url}/chat/completions", {"model": "m", "messages": message("hi")})
        chat = json.loads(text)
    assert anthropic["content"] == [{"type": "text", "text": "hello there"}]
    assert anthropic["usage"]["input_tokens"] == 7
    assert chat["choices"][0]["message"]["content"] == "hello there"
    assert chat["usage"]["completion_tokens"] == 3


def test_a_stream_ends_as_the_protocol_says() -> None:
    with ModelServer(Script({("*", "*"): TURN})) as server:
        asked = {"model": "m", "messages": message("hi"), "stream": True}
        _, anthropic = post(f"{server.anthropic_url}/v1/messages", asked)
        _, chat = post(f"{server.openai_url}/chat/completions", asked)
    assert anthropic.rstrip().endswith('data: {"type": "message_stop"}')
    assert chat.rstrip().endswith("data: [DONE]")


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [("/v1/messages", b"{nonsense", 400), ("/v1/other", b"{}", 404), ("/v1/messages", {}, 200)],
)
def test_what_it_does_not_understand_is_an_error_and_no_crash(path: str, body: Any, status: int) -> None:
    with ModelServer(Script({("*", "*"): TURN})) as server:
        assert post(server.anthropic_url + path, body)[0] == status
        assert post(f"{server.anthropic_url}/v1/messages", {"messages": message("still there?")})[0] == 200


def test_it_tells_who_was_asked_what_and_with_which_key() -> None:
    prompt = "…\n\nQuestion for A.B: propose. Answer with one json block."
    with ModelServer(Script({("A.B", "propose"): {"proposals": []}})) as server:
        _, text = post(
            f"{server.anthropic_url}/v1/messages", {"model": "m", "messages": message(prompt)}, **{"x-api-key": "k-1"}
        )
    (got,) = server.received
    assert (got.agent, got.kind, got.key, got.model) == ("A.B", "propose", "k-1", "m")
    assert got.ended is not None
    assert json.loads(text)["content"][0]["text"] == fenced({"proposals": []})


def test_a_cache_is_counted_by_the_longest_shared_beginning() -> None:
    with ModelServer(Script({("*", "*"): Turn("x")}), caching=True) as server:
        url = f"{server.anthropic_url}/v1/messages"
        post(url, {"model": "m", "messages": message("a" * 400 + "b")})
        _, text = post(url, {"model": "m", "messages": message("a" * 400 + "c" * 400)})
    assert json.loads(text)["usage"]["cache_read_input_tokens"] == 100


def test_common_prefix() -> None:
    assert [measure_common_prefix(a, b) for a, b in (("", "x"), ("abc", "abd"), ("abc", "abc"), ("ab", "abc"))] == [
        0,
        2,
        3,
        2,
    ]


@pytest.mark.parametrize("one_file", [True, False])
def test_a_chain_has_twelve_lines_an_agent_and_one_link_fewer_than_agents(one_file: bool) -> None:
    from graphbus_core.analysis.links import link
    from graphbus_core.analysis.scan import scan

    with temporary_project(chain(5, one_file=one_file, arbiter=True)) as root:
        project = scan(str(root / "agents"))
        linked = link(project.agents)
        folder = Path(root)
    assert not folder.exists()
    assert [len(a.source_code.splitlines()) for a in project.agents if not a.is_arbiter] == [11, 12, 12, 12, 12]
    assert len(linked.links) == 4
    assert linked.mismatches == ()
