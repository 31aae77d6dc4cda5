"""`Idempotent`: what a handler has, it does not get again; what failed, it does."""

import asyncio
import threading

import pytest

from graphbus_core.errors import ConfigError
from graphbus_core.model.message import Event
from graphbus_core.runtime.message_bus import MessageBus
from graphbus_core.runtime.middleware import Idempotent
from graphbus_core.runtime.subscriptions.handlers import Retry
from tests.runtime.bounded import run as bounded_run


def twice(bus, topic="/T", event_id="event_1"):
    """The same event, two times: as a broker, or a run after a crash, delivers it."""
    for _ in range(2):
        bus.dispatch_event(Event(event_id, topic, "me", {"n": 1}))


@pytest.fixture
def known():
    return Idempotent()


@pytest.fixture
def bus(known):
    made = MessageBus()
    made.use(known)
    yield made
    made.home.close()


def test_each_handler_gets_an_event_once(bus, known):
    """Each for itself: the second handler is not kept from what the first one has."""
    seen = []
    bus.subscribe("/T", lambda e: seen.append(("first", e.event_id)), "first")
    bus.subscribe("/*", lambda e: seen.append(("second", e.event_id)), "second")
    twice(bus)
    assert seen == [("first", "event_1"), ("second", "event_1")]
    assert known.met == 2
    assert bus.get_stats()["topics"]["/T"]["delivered"] == 4


def test_events_of_other_ids_are_others(bus):
    seen = []
    bus.subscribe("/T", lambda e: seen.append(e.event_id), "s")
    for n in range(5):
        twice(bus, event_id=f"event_{n}")
    assert seen == [f"event_{n}" for n in range(5)]


def test_what_failed_is_given_again(bus):
    """By a retry of its dead letter, too."""
    seen = []

    def fails_once(event):
        seen.append(event.event_id)
        if len(seen) == 1:
            raise ValueError("not yet")

    bus.subscribe("/T", fails_once, "s")
    event = bus.publish("/T", {})
    (letter,) = bus.dead_letters
    assert bus.retry_dead_letter(letter)
    bus.dispatch_event(event)
    assert len(seen) == 2


def test_what_a_retry_publishes_again_is_heard_once(bus):
    """The second attempt makes the same ids: so the consequence is known."""
    tried, heard = [], []

    def makes(event):
        bus.publish("/Made", {"n": 1})
        tried.append(event)
        if len(tried) < 3:
            raise ValueError("again")

    bus.subscribe("/T", makes, "makes", retry=Retry(3))
    bus.subscribe("/Made", lambda e: heard.append(e.event_id), "hears")
    bus.publish("/T", {})
    assert (len(tried), len(heard)) == (3, 1)


@pytest.mark.parametrize("wrapped", [False, True])
def test_async_handlers(bus, wrapped):
    """Also a plain function that gives a coroutine back."""
    seen = []

    async def hears(event):
        await asyncio.sleep(0)
        seen.append(event.event_id)
        if len(seen) == 1:
            raise ValueError("not yet")

    bus.subscribe("/T", (lambda event: hears(event)) if wrapped else hears, "s")
    for _ in range(4):
        bus.dispatch_event(Event("event_1", "/T", "me", {}))
    assert seen == ["event_1", "event_1"]


def test_two_threads_with_one_event(bus):
    """The second waits for how the first one ends, and takes over where it failed."""
    begun, go_on, seen = threading.Event(), threading.Event(), []

    def hears(event):
        seen.append(threading.get_ident())
        begun.set()
        if len(seen) == 1:
            assert go_on.wait(20)
            raise ValueError("the first one fails")

    bus.subscribe("/T", hears, "s")
    threads = [
        threading.Thread(daemon=True, target=bus.dispatch_event, args=(Event("event_1", "/T", "me", {}),))
        for _ in range(2)
    ]
    threads[0].start()
    assert begun.wait(20)
    threads[1].start()
    threads[1].join(0.05)
    assert len(seen) == 1
    go_on.set()
    for thread in threads:
        thread.join(20)
    assert len(seen) == len(set(seen)) == 2


def test_two_tasks_with_one_event():
    """The same in one event loop, which must not stand still meanwhile."""
    known, seen = Idempotent(), []

    async def main():
        go_on = asyncio.Event()

        async def call(event):
            seen.append(event.event_id)
            await go_on.wait()

        handler = known.around("s /T", call, asynchronous=True)
        tasks = [asyncio.create_task(handler(Event("event_1", "/T", "me", {}))) for _ in range(3)]
        await asyncio.sleep(0.01)
        go_on.set()
        await asyncio.wait_for(asyncio.gather(*tasks), 20)

    bounded_run(main())
    assert seen == ["event_1"]
    assert known.met == 2


def test_it_is_bounded():
    """The oldest is forgotten first; one that came again is young."""
    known = Idempotent(keep=3)
    seen = []
    handler = known.around("s /T", lambda e: seen.append(e.event_id), asynchronous=False)
    for name in ("a", "b", "c", "a", "d", "a", "b"):
        handler(Event(name, "/T", "me", {}))
    assert seen == ["a", "b", "c", "d", "b"]
    assert len(known._done) == 3
    assert not known._under_way


def test_odd_bounds_are_refused():
    with pytest.raises(ConfigError, match="keep=0"):
        Idempotent(keep=0)
