"""A stream has an identity: who comes back to another one is told, and what is kept is bounded in bytes, too."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable
from typing import Any

import pytest

from graphbus_core.http.client import ApiError, AsyncGraphBusClient, GraphBusClient, StreamPosition
from graphbus_core.http.stream import BATCH_BYTES, Stream
from tests.serving import Served

Serve = Callable[[str], Served]


def test_a_place_in_another_stream_is_a_gap() -> None:
    """`OTHER:N`, and a number that was never given out, begin at the start of this stream, after a gap."""
    stream = Stream()
    for i in range(5):
        stream.publish("event", {"i": i})
    assert stream.parse_place(f"{stream.id}:3") == stream.parse_place("3") == (3, None)
    for foreign in ("abc123:3", "17", f"{stream.id}:17"):
        cursor, missed = stream.parse_place(foreign)
        told = json.loads(missed or "")
        assert (cursor, told["kind"], told["data"]["missed"], told["data"]["stream"]) == (0, "gap", None, stream.id)


@pytest.mark.parametrize("bad", ["²", "abc", "-1", "9" * 5_000, "", "x:1", "1:"])
def test_a_place_that_is_none(bad: str) -> None:
    """Anything but digits of ASCII, with a stream before them or not, is refused."""
    with pytest.raises(ValueError, match="number"):
        Stream().parse_place(bad)


def test_the_ring_is_bounded_in_bytes() -> None:
    """Large messages push out old ones long before there are many; who is late gets a gap and then what is kept."""
    stream = Stream(capacity=1_000, kept_bytes=1_000_000)
    for i in range(100):
        stream.publish("event", {"i": i, "text": "x" * 50_000})
    assert 10 <= stream.last - stream.first + 1 <= 20
    assert sum(map(len, stream._ring)) <= 1_000_000
    texts, _ = stream.read_messages(0, 1_000)
    told = json.loads(texts[0])
    assert (told["kind"], told["data"]["to"]) == ("gap", stream.first - 1)
    assert [json.loads(t)["seq"] for t in texts[1:]] == list(range(stream.first, stream.last + 1))


def test_a_batch_is_bounded_in_bytes() -> None:
    """A frame holds no more than about a megabyte, whoever asks; nothing is left out by that."""
    stream = Stream()
    for i in range(600):
        stream.publish("event", {"i": i, "text": "x" * 20_000})
    cursor, seen = 0, []
    while cursor < stream.last:
        text, cursor = stream.render_batch(cursor)
        assert len(text) <= BATCH_BYTES + 2_000
        seen += [message["seq"] for message in json.loads(text)]
    assert seen == list(range(1, 601))
    assert len(stream.read_messages(0, 10_000)[0]) < 60


def test_a_message_that_is_too_large_is_told_without_its_large_part() -> None:
    """What happened is told all the same, with how much is not shown."""
    stream = Stream()
    stream.publish("event", {"topic": "/Big", "payload": {"x": "y" * 3_000_000}})
    data = json.loads(stream.read_messages(0)[0][0])["data"]
    assert data["topic"] == "/Big"
    assert "not shown" in data["payload"]


def test_clients_note_the_stream() -> None:
    """`hello` is for the client alone; a gap of another stream moves it there."""
    place = StreamPosition(7)
    assert not place.note_message({"seq": 7, "kind": "hello", "data": {"stream": "aa"}})
    assert place.after == "aa:7"
    assert place.note_message({"seq": 8, "kind": "event", "data": {}})
    assert place.note_message({"seq": 0, "kind": "gap", "data": {"stream": "bb"}})
    assert place.note_message({"seq": 1, "kind": "event", "data": {}})
    assert place.after == "bb:1"


def test_a_wrong_token_is_said_at_once(serve: Serve) -> None:
    """Both clients' streams raise the server's own refusal instead of trying for half a minute."""
    served = serve("hello")
    began = time.monotonic()
    with GraphBusClient(served.url, "wrong") as client, pytest.raises(ApiError) as refused:
        next(client.events(after=0))
    assert (refused.value.status, refused.value.code) == (401, "no_token")

    async def ask() -> Any:
        async with AsyncGraphBusClient(served.url, "wrong") as client:
            return await anext(client.events(after=0))

    with pytest.raises(ApiError):
        asyncio.run(ask())
    assert time.monotonic() - began < 10
    with served.client() as client, pytest.raises(ApiError, match="number"):
        next(client.events(after="²"))


def test_no_proxy_sees_the_token(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    """For a server on this machine the proxies of the environment do not count."""
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    for name in ("NO_PROXY", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
    with serve("hello").client() as client:
        assert client.health()["ok"] is True
        client.start_runtime()
        assert next(client.events(after=0))["kind"] == "runtime"
