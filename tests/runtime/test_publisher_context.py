"""`apublish` leaves the publisher's context variables alone, whatever its handlers do with theirs."""

import asyncio
from contextvars import ContextVar

import pytest

from graphbus_core.runtime.message_bus import MessageBus

KNOWN = ContextVar("known", default="nobody")
NEW = ContextVar("new")


def change(seen):
    seen.append(KNOWN.get())
    KNOWN.set("the handler's")
    NEW.set("the handler's")


def subscribe_async(bus, seen):
    async def handler(event):
        change(seen)

    bus.subscribe("/T", handler)


def subscribe_waiting(bus, seen):
    async def handler(event):
        await asyncio.sleep(0.001)
        change(seen)
        await asyncio.sleep(0.001)
        assert NEW.get() == "the handler's"  # its own it keeps

    bus.subscribe("/T", handler)


def subscribe_sync(bus, seen):
    bus.subscribe("/T", lambda event: change(seen))


def subscribe_plain_around_async(bus, seen):
    async def work():
        await asyncio.sleep(0)

    def handler(event):
        change(seen)
        return work()

    bus.subscribe("/T", handler)


def subscribe_failing(bus, seen):
    async def handler(event):
        await asyncio.sleep(0)
        change(seen)
        raise ValueError("after it")

    bus.subscribe("/T", handler)


def subscribe_through_another_topic(bus, seen):
    async def handler(event):
        await bus.apublish("/Next", {})

    async def next_handler(event):
        change(seen)

    bus.subscribe("/T", handler)
    bus.subscribe("/Next", next_handler)


def subscribe_both(bus, seen):
    bus.subscribe("/T", lambda event: None)
    subscribe_waiting(bus, seen)


WAYS = [value for name, value in list(globals().items()) if name.startswith("subscribe_")]


@pytest.mark.parametrize("times", [1, 3])
@pytest.mark.parametrize("subscribe", WAYS)
def test_what_a_handler_sets_stays_with_it(subscribe, times):
    bus, seen = MessageBus(), []
    subscribe(bus, seen)

    async def publish():
        KNOWN.set("the publisher's")
        for _ in range(times):
            await bus.apublish("/T", {})
        assert KNOWN.get() == "the publisher's"
        assert NEW.get(None) is None

    asyncio.run(publish())
    assert seen == ["the publisher's"] * times  # and what the publisher set is there for the handler to read


def test_a_cancelled_publisher_cancels_its_handler_there():
    bus, seen = MessageBus(), []

    async def handler(event):
        NEW.set("at work")
        try:
            await asyncio.sleep(60)
        finally:
            seen.append(NEW.get())

    bus.subscribe("/T", handler)

    async def run():
        task = asyncio.create_task(bus.apublish("/T", {}))
        await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(run())
    assert seen == ["at work"]
