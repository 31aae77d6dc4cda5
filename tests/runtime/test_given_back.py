"""What a plain function gives back is awaited where it can be: a wrapper or lambda around an async handler runs it."""

import asyncio
import functools

import pytest

from graphbus_core.errors import RuntimeFault
from graphbus_core.node_base import GraphBusNode
from graphbus_core.runtime.calls import Calls
from graphbus_core.runtime.message_bus import MessageBus
from graphbus_core.runtime.payloads import PayloadChecks
from graphbus_core.runtime.subscriptions.handlers import Retry


def run(main):
    return asyncio.run(asyncio.wait_for(main, 10))


@pytest.fixture
def bus():
    bus = MessageBus()
    yield bus
    bus.home.close()


def wrapped(handler):
    @functools.wraps(handler)
    def plain(*args):
        return handler(*args)

    return plain


def counts(bus):
    stats = bus.get_stats()
    return stats["messages_delivered"], stats["errors"], stats["messages_dropped"], stats["in_flight"]


@pytest.mark.parametrize("others", [0, 1, 250], ids="{} beside it".format)
def test_a_wrapped_async_handler_runs_for_a_sync_publisher(bus, others):
    """Alone, among others, and in a plan of several groups."""
    got = []

    async def handler(payload):
        await asyncio.sleep(0)
        got.append(payload)

    for i in range(others):
        bus.subscribe("/T", lambda e: None, f"o{i}")
    bus.subscribe("/T", wrapped(handler), "h")
    bus.publish("/T", {"n": 1})
    assert got == [{"n": 1}]
    assert counts(bus) == (others + 1, 0, 0, 0)


def test_its_failure_is_counted_and_kept(bus):
    async def handler(event):
        raise ValueError("late")

    bus.subscribe("/T", lambda e: handler(e), "h")
    bus.subscribe("/T", lambda e: 1 / 0, "z")
    bus.publish("/T", {})
    assert counts(bus) == (0, 2, 0, 0)
    assert sorted((one.subscriber, one.error) for one in bus.dead_letters) == [("h", "late"), ("z", "division by zero")]


def test_apublish_awaits_it_before_it_returns(bus):
    got = []

    async def handler(event):
        await asyncio.sleep(0.01)
        got.append(event.topic)
        await bus.apublish("/U", {})

    async def other(event):
        got.append("async")

    async def main():
        await bus.apublish("/T", {})
        first = list(got)
        bus.subscribe("/T", other, "o")
        await bus.apublish("/T", {})
        return first

    bus.subscribe("/T", lambda e: handler(e), "h")
    bus.subscribe("/U", lambda e: handler(e) if len(got) < 2 else got.append("end"), "u")
    assert run(main()) == ["/T", "/U", "end"]
    assert got[-3:] == ["/T", "async", "end"]
    assert counts(bus)[1:] == (0, 0, 0)


def test_in_a_loop_a_plain_publish_leaves_it_to_its_mailbox(bus):
    got = []

    async def handler(n):
        await asyncio.sleep(0.01 / (n + 1))
        got.append(n)

    async def main():
        for n in range(3):
            bus.publish("/T", {"n": n})
        assert got == []
        assert await bus.adrain(5)

    bus.subscribe("/T", lambda e: handler(e.payload["n"]), "h")
    run(main())
    assert got == [0, 1, 2]
    assert counts(bus) == (3, 0, 0, 0)


def test_it_is_tried_again_as_its_retry_says(bus):
    tries = []

    async def handler(event):
        tries.append(dict(event.payload))
        event.payload.clear()
        if len(tries) < 3:
            raise OSError("down")

    bus.subscribe("/T", lambda e: handler(e), "h", retry=Retry(times=2))
    bus.publish("/T", {"n": 1})
    assert tries == [{"n": 1}] * 3
    assert counts(bus) == (1, 0, 0, 0)


def test_async_handlers_are_tried_again_with_what_was_published(bus):
    tries = []

    async def handler(event):
        tries.append(dict(event.payload))
        event.payload.pop("n")
        raise OSError("down")

    bus.subscribe("/T", handler, "h", retry=Retry(times=2))
    bus.publish("/T", {"n": 1})
    (letter,) = bus.dead_letters
    assert tries == [{"n": 1}] * 3
    assert (letter.error_type, letter.count, letter.event["payload"]) == ("OSError", 3, {"n": 1})


class Callee(GraphBusNode):
    def answer(self, n):
        async def later():
            await asyncio.sleep(0)
            return n + 1

        return later()


class TestCalls:
    @pytest.fixture
    def calls(self, bus):
        calls = Calls()
        calls.connect({"Callee": Callee()}, bus, PayloadChecks())
        return calls

    @pytest.mark.parametrize("timeout_s", [None, 5.0])
    def test_a_call_gives_the_result_and_not_the_coroutine(self, calls, timeout_s):
        assert calls.call("Callee", "answer", {"n": 1}, timeout_s=timeout_s) == 2
        assert run(calls.acall("Callee", "answer", {"n": 1}, timeout_s=timeout_s)) == 2

    def test_a_sync_call_in_a_loop_says_that_it_cannot_wait(self, calls):
        async def main():
            calls.call("Callee", "answer", {"n": 1})

        with pytest.raises(RuntimeFault, match="acall"):
            run(main())


class TestMiddleware:
    @pytest.mark.parametrize("how", ["not returned", "a task", "returned"])
    def test_what_it_forgets_to_return_is_delivered_all_the_same(self, bus, how):
        got, tasks = [], []

        async def handler(event):
            got.append(event.payload)

        def middleware(event, next):
            if how == "returned":
                return next(event)
            if how == "a task":
                tasks.append(asyncio.ensure_future(next(event)))
            else:
                next(event)
            return None

        async def main():
            await bus.apublish("/T", {"n": 1})
            await asyncio.sleep(0)
            assert await bus.adrain(5)

        bus.subscribe("/T", handler, "h")
        bus.use(middleware)
        run(main())
        assert got == [{"n": 1}]
        assert counts(bus) == (1, 0, 0, 0)

    def test_what_is_no_event_is_not_handed_on(self, bus):
        bus.subscribe("/T", lambda e: None, "h")
        bus.use(lambda event, next: next({"not": "an event"}))
        bus.publish("/T", {})
        assert counts(bus) == (0, 1, 0, 0)
        assert [one.subscriber for one in bus.dead_letters] == ["(middleware)"]
