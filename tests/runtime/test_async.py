"""Async handlers: awaited by `apublish`, run on the home loop for sync publishers, one event at a time otherwise."""

import asyncio
import sys
import threading

import pytest

from graphbus_core.errors import QueueFull
from graphbus_core.runtime.message_bus import MessageBus
from graphbus_core.runtime.subscriptions.handlers import Retry
from tests.runtime.bounded import joined


def run(main):
    return asyncio.run(asyncio.wait_for(main(), 10))


@pytest.fixture
def bus():
    bus = MessageBus()
    yield bus
    bus.home.close()


def test_apublish_awaits_sync_and_async_handlers_in_order(bus):
    got = []

    async def slow(event):
        await asyncio.sleep(0.01)
        got.append("async")

    bus.subscribe("/T", lambda e: got.append("sync 1"), "a")
    bus.subscribe("/T", slow, "b")
    bus.subscribe("/T", lambda e: got.append("sync 2"), "c")

    async def main():
        return await bus.apublish("/T", {"n": 1}, source="me")

    event = run(main)
    assert got == ["sync 1", "async", "sync 2"]
    assert (event.src, event.payload) == ("me", {"n": 1})
    assert bus.get_stats()["messages_delivered"] == 3


def test_a_sync_publisher_waits_for_async_handlers(bus):
    got = []

    async def handler(payload: dict):
        await asyncio.sleep(0.01)
        got.append((payload["n"], threading.current_thread().name))

    bus.subscribe("/T", handler, "h")
    bus.publish("/T", {"n": 1})
    bus.publish("/T", {"n": 2})
    assert got == [(1, "graphbus-loop"), (2, "graphbus-loop")]


@pytest.mark.parametrize("how", ["apublish", "publish", "thread"])
def test_failures_are_isolated_counted_and_kept(bus, how):
    got = []

    async def bad(event):
        await asyncio.sleep(0)
        raise ValueError("bad")

    async def good(event):
        got.append(1)

    for name, handler in (("bad1", bad), ("good1", good), ("bad2", bad), ("good2", good)):
        bus.subscribe("/T", handler, name)
    bus.subscribe("/T", lambda e: 1 / 0, "bad3")

    async def main():
        if how == "apublish":
            await bus.apublish("/T", {})
        else:
            bus.publish("/T", {})
            assert await bus.adrain(5)

    if how == "thread":
        bus.publish("/T", {})
    else:
        run(main)
    stats = bus.get_stats()
    assert got == [1, 1]
    assert (stats["messages_delivered"], stats["errors"], stats["in_flight"]) == (2, 3, 0)
    assert sorted(letter.subscriber for letter in bus.dead_letters) == ["bad1", "bad2", "bad3"]


def test_inside_a_loop_a_subscriber_takes_one_event_at_a_time_in_order(bus):
    got = []

    async def slow(event):
        got.append(("begin", event.payload["n"]))
        await asyncio.sleep(0.005)
        got.append(("end", event.payload["n"]))

    async def other(event):
        got.append(("other", event.payload["n"]))

    bus.subscribe("/T", slow, "slow")
    bus.subscribe("/T", other, "other")

    async def main():
        for n in range(3):
            bus.publish("/T", {"n": n})
        assert bus.get_stats()["in_flight"] == 6
        assert await bus.adrain(5)

    run(main)
    mine = [g for g in got if g[0] != "other"]
    assert mine == [(what, n) for n in range(3) for what in ("begin", "end")]
    assert got.index(("other", 2)) < got.index(("end", 1)), "a slow subscriber holds nobody else up"
    assert bus.get_stats()["in_flight"] == 0


def test_what_async_handlers_publish_is_caused_by_their_event_and_waits_its_turn(bus):
    order = []

    async def first(event):
        order.append("first")
        await bus.apublish("/B", {"via": "apublish"})
        bus.publish("/B", {"via": "publish"})
        order.append("first done")

    async def second(event):
        order.append("second")

    async def on_b(event):
        order.append(event.payload["via"])

    bus.subscribe("/A", first, "first")
    bus.subscribe("/A", second, "second")
    bus.subscribe("/B", on_b, "b")

    async def main():
        return await bus.apublish("/A", {})

    event = run(main)
    assert order == ["first", "first done", "second", "apublish", "publish"]
    assert [e.cause for e in bus.get_message_history()] == [event.event_id, event.event_id, None]


def test_apublish_inside_a_handler_does_not_recurse(bus):
    async def again(event):
        if event.payload["n"]:
            await bus.apublish("/T", {"n": event.payload["n"] - 1})

    bus.subscribe("/T", again, "again")

    async def main():
        await bus.apublish("/T", {"n": 3_000})

    run(main)
    assert bus.get_stats()["messages_delivered"] == 3_001


def test_what_a_task_of_a_handler_publishes_later_is_still_caused_by_its_event(bus):
    async def handler(event):
        async def later():
            await asyncio.sleep(0.01)
            await bus.apublish("/Later", {})

        bus.task = asyncio.create_task(later())

    async def ignore(event): ...

    bus.subscribe("/T", handler, "h")
    bus.subscribe("/Later", ignore, "l")

    async def main():
        event = await bus.apublish("/T", {})
        await bus.task
        return event

    event = run(main)
    assert bus.get_message_history(1)[0].cause == event.event_id
    assert bus.get_stats()["messages_delivered"] == 2


def test_a_full_mailbox_is_an_error_or_drops_the_oldest():
    async def main(on_full):
        bus = MessageBus(queue_limit=2, on_full=on_full)
        go = asyncio.Event()
        got = []

        async def waits(event):
            await go.wait()
            got.append(event.payload["n"])

        bus.subscribe("/T", waits, "waits")
        bus.publish("/T", {"n": 0})
        await asyncio.sleep(0)
        for n in range(1, 3):
            bus.publish("/T", {"n": n})
        if on_full == "drop_oldest":
            bus.publish("/T", {"n": 3})
        else:
            with pytest.raises(QueueFull, match="await apublish"):
                bus.publish("/T", {"n": 3})
        go.set()
        assert await bus.adrain(5)
        stats = bus.get_stats()
        assert (stats["messages_delivered"], stats["messages_dropped"], len(bus.dead_letters)) == (3, 1, 1)
        return got

    assert run(lambda: main("drop_oldest")) == [0, 2, 3]
    assert run(lambda: main("error")) == [0, 1, 2]
    assert run(lambda: main("wait")) == [0, 1, 2]


def test_a_cancelled_publish_counts_what_was_not_delivered(bus):
    async def hangs(event):
        await asyncio.sleep(60)

    async def never(event): ...

    bus.subscribe("/T", lambda e: None, "a")
    bus.subscribe("/T", hangs, "hangs")
    bus.subscribe("/T", never, "never")

    async def main():
        task = asyncio.create_task(bus.apublish("/T", {}))
        await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    run(main)
    row = bus.get_stats()["topics"]["/T"]
    assert row == {"published": 1, "delivered": 1, "failed": 1, "dropped": 1, "in_flight": 0}


def test_async_handlers_are_retried(bus):
    tries = []

    async def flaky(event):
        tries.append(1)
        if len(tries) < 3:
            raise OSError

    bus.subscribe("/T", flaky, "flaky", retry=Retry(3, 0.001))
    bus.publish("/T", {})
    assert len(tries) == 3
    assert bus.get_stats()["errors"] == 0


def test_threads_may_publish_to_async_handlers_at_once(bus):
    got = []

    async def handler(event):
        await asyncio.sleep(0.0001)
        got.append(event.payload["n"])

    bus.subscribe("/T", handler, "h")
    threads = [
        threading.Thread(daemon=True, target=lambda i=i: [bus.publish("/T", {"n": (i, n)}) for n in range(20)])
        for i in range(4)
    ]
    for thread in threads:
        thread.start()
    joined(*threads)
    assert bus.get_stats()["messages_delivered"] == 80
    for i in range(4):
        assert [n for who, n in got if who == i] == list(range(20))


def test_drain_says_whether_it_came_true(bus):
    release, begun = threading.Event(), threading.Event()
    bus.subscribe("/T", lambda e: begun.set() or release.wait(20), "x")
    thread = threading.Thread(daemon=True, target=bus.publish, args=("/T", {}))
    thread.start()
    assert begun.wait(20)
    assert bus.drain(0.05) is False
    release.set()
    assert bus.drain(5) is True
    joined(thread)


@pytest.mark.parametrize("ends", [lambda: sys.exit(3), lambda: asyncio.get_running_loop().stop()])
def test_a_handler_that_ends_the_home_loop_leaves_no_publisher_waiting(bus, ends):
    """`sys.exit` is the handler's own failure. Once the publisher waited for a loop that was no more."""
    got = []

    async def handler(payload: dict):
        if not payload["n"]:
            ends()
        got.append(payload["n"])

    def publisher():
        bus.publish("/T", {"n": 0})
        bus.publish("/T", {"n": 1})

    bus.subscribe("/T", handler, "h")
    thread = threading.Thread(daemon=True, target=publisher)
    thread.start()
    joined(thread, timeout_s=20)
    assert got in ([1], [0, 1])


def test_apublish_awaits_async_handlers_of_what_sync_handlers_publish(bus):
    """Once they were left to a mailbox, which in a loop of `await bus.apublish(…)` alone ran over."""
    bus.queue_limit, got = 2, []

    async def last(payload: dict):
        await asyncio.sleep(0)
        got.append(payload["n"])

    bus.subscribe("/First", lambda e: bus.publish("/Then", e.payload), "first")
    bus.subscribe("/Then", last, "last")

    async def main():
        for n in range(5):
            await bus.apublish("/First", {"n": n})
            assert got[-1] == n

    run(main)


def test_an_apublish_that_is_cancelled_accounts_for_all_that_it_would_have_awaited(bus):
    async def hangs(event):
        await asyncio.sleep(3600)

    def first(event):
        for _ in range(3):
            bus.publish("/Then", {})

    bus.subscribe("/First", first, "first")
    bus.subscribe("/Then", hangs, "hangs")

    async def main():
        task = asyncio.ensure_future(bus.apublish("/First", {}))
        await asyncio.sleep(0.01)
        task.cancel()
        await asyncio.wait([task])

    run(main)
    stats = bus.get_stats()
    counts = {key: stats[key] for key in ("messages_delivered", "errors", "messages_dropped", "in_flight")}
    assert counts == {"messages_delivered": 1, "errors": 1, "messages_dropped": 2, "in_flight": 0}
    assert [letter.topic for letter in bus.dead_letters] == ["/Then"] * 3
