"""Middleware around every delivery, and the three that come along."""

import asyncio
import copy
import logging
import time

import pytest

from graphbus_core.errors import BadHandler
from graphbus_core.runtime.message_bus import MessageBus
from graphbus_core.runtime.middleware import Logging, Redaction, Timing
from tests.runtime.bounded import run as bounded_run


def test_the_first_one_stands_outermost_and_may_hand_on_another_event():
    bus = MessageBus()
    order = []
    got = []

    def outer(event, next):
        order.append("outer")
        result = next(event)
        order.append("outer done")
        return result

    def inner(event, next):
        order.append("inner")
        changed = copy.copy(event)
        changed.payload = {**event.payload, "added": True}
        return next(changed)

    bus.use(outer)
    bus.use(inner)
    bus.subscribe("/T", lambda e: got.append(e.payload), "x")
    bus.publish("/T", {"n": 1})
    assert order == ["outer", "inner", "outer done"]
    assert got == [{"n": 1, "added": True}]


def test_an_event_that_is_not_handed_on_is_dropped_and_counted():
    bus = MessageBus()
    bus.use(lambda event, next: None)
    bus.subscribe("/T", lambda e: 1 / 0, "x")
    bus.publish("/T", {})
    stats = bus.get_stats()
    assert (stats["messages_dropped"], stats["messages_delivered"], stats["errors"]) == (1, 0, 0)


def test_a_failing_middleware_is_isolated_and_kept():
    bus = MessageBus()
    bus.use(lambda event, next: 1 / 0)
    bus.subscribe("/T", lambda e: None, "x")
    bus.publish("/T", {})
    assert bus.get_stats()["errors"] == 1
    assert [letter.reason for letter in bus.dead_letters] == ["middleware"]


@pytest.mark.parametrize("middleware", ["text", None])
def test_what_is_no_middleware_is_refused(middleware):
    with pytest.raises(BadHandler, match="not middleware"):
        MessageBus().use(middleware)


def test_an_async_function_is_no_middleware():
    async def middleware(event, next): ...

    with pytest.raises(BadHandler, match="plain function"):
        MessageBus().use(middleware)


def test_timing_covers_sync_and_async_handlers():
    bus = MessageBus()
    timing = Timing()
    bus.use(timing)

    async def slow(event):
        await asyncio.sleep(0.02)

    bus.subscribe("/Sync", lambda e: time.sleep(0.02), "s")
    bus.subscribe("/Async", slow, "a")

    async def main():
        await bus.apublish("/Async", {})

    bus.publish("/Sync", {})
    bounded_run(main())
    report = timing.report()
    assert report["/Sync"]["mean_s"] >= 0.02
    assert report["/Async"]["max_s"] >= 0.015
    assert bus.get_stats()["messages_delivered"] == 2


def test_logging_shows_events_without_what_is_hidden(caplog):
    bus = MessageBus()
    bus.use(Logging(mask=Redaction("password")))
    with caplog.at_level(logging.INFO, "graphbus.events"):
        bus.publish("/Login", {"user": "ada", "password": "s3cret"}, source="Web")
    assert "/Login from Web" in caplog.text
    assert "ada" in caplog.text
    assert "s3cret" not in caplog.text


def test_redaction_may_be_limited_to_topics():
    bus = MessageBus()
    bus.use(Redaction("password", topic="/Auth/**"))
    bus.publish("/Auth/Login", {"password": "a"})
    bus.publish("/Game/Hint", {"password": "b"})
    assert [e.payload["password"] for e in bus.get_message_history()] == ["b", "***"]
