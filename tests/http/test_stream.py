"""The stream: every listener gets every message once and in order, or is told exactly what it missed."""

from __future__ import annotations

import asyncio
import json
import threading

from hypothesis import given, strategies as st

from graphbus_core.http.stream import BATCH, Stream


def seqs(texts: list[str]) -> list[int]:
    return [json.loads(t)["seq"] for t in texts]


def test_a_listener_reads_on_where_it_was() -> None:
    """Reading after a number gives what came later, in order, and the place to go on from."""
    stream = Stream(capacity=100, clock=lambda: 1.0)
    for i in range(10):
        stream.publish("event", {"i": i})
    texts, end = stream.read_messages(4, limit=3)
    assert (seqs(texts), end) == ([5, 6, 7], 7)
    assert json.loads(texts[0]) == {"seq": 5, "kind": "event", "at": 1.0, "data": {"i": 4}}


def test_who_comes_too_late_is_told_what_is_missing() -> None:
    """What fell out of the ring is named by one gap message; what is kept follows."""
    stream = Stream(capacity=10)
    for i in range(25):
        stream.publish("event", {"i": i})
    texts, end = stream.read_messages(2)
    first = json.loads(texts[0])
    assert (first["kind"], first["data"]["from"], first["data"]["to"], first["data"]["missed"]) == ("gap", 3, 15, 13)
    assert seqs(texts[1:]) == list(range(16, 26))
    assert end == 25


@given(st.integers(1, 2_000), st.integers(1, 700), st.integers(0, 2_500))
def test_batches_say_the_same_as_single_messages(published: int, kept: int, after: int) -> None:
    """Whatever the ring keeps and wherever a listener stands, batches cover everything after it exactly once."""
    stream = Stream(capacity=kept)
    for i in range(published):
        stream.publish("event", {"i": i})
    cursor, covered = min(after, stream.last), min(after, stream.last)
    while cursor < stream.last:
        text, cursor = stream.render_batch(cursor)
        for message in json.loads(text):
            if message["kind"] == "gap":
                assert message["data"]["from"] == covered + 1
                covered = message["data"]["to"]
            else:
                assert message["seq"] == covered + 1
                covered = message["seq"]
    assert covered == stream.last


def test_news_comes_from_any_thread() -> None:
    """A listener that waits is woken by a message from another thread, and one that is behind does not wait."""
    stream = Stream(capacity=10)

    async def main() -> int:
        threading.Timer(0.02, lambda: stream.publish("event", {})).start()
        await asyncio.wait_for(stream.wait_for_news(0), 2)
        await asyncio.wait_for(stream.wait_for_news(0), 2)
        return stream.last

    assert asyncio.run(main()) == 1


def test_aligned_listeners_share_one_text() -> None:
    """Two listeners at the same place get the same object: joining is done once."""
    stream = Stream(capacity=10_000)
    for i in range(3 * BATCH):
        stream.publish("event", {"i": i})
    assert stream.render_batch(0)[0] is stream.render_batch(0)[0]
