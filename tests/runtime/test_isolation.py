"""A handler that raises stops nobody else, whatever it raises and whatever it did to the payload."""

import asyncio
import dataclasses
import logging
import threading

import pytest

from graphbus_core.errors import PayloadRejected
from graphbus_core.model.message import Event
from graphbus_core.runtime.message_bus import MAX_TOPICS, MessageBus
from graphbus_core.runtime.payloads import PayloadChecks
from graphbus_core.runtime.persistence.dead_letters import DeadLetters
from graphbus_core.runtime.subscriptions.handlers import Form, Retry


@pytest.fixture
def bus():
    bus = MessageBus()
    yield bus
    bus.home.close()


def run(main):
    return asyncio.run(asyncio.wait_for(main, 10))


def raises(error):
    def handler(event):
        raise error

    return handler


class Mute(Exception):
    def __str__(self):
        raise RuntimeError("no text")

    __repr__ = __str__


@dataclasses.dataclass(frozen=True)
class Frozen(Exception):
    code: int


@pytest.mark.parametrize("error", [Mute(), Frozen(4), asyncio.CancelledError()], ids=lambda e: type(e).__name__)
@pytest.mark.parametrize("retry", [None, Retry(times=1)], ids=["once", "retried"])
def test_an_odd_error_is_a_failure_like_any_other(bus, error, retry):
    got = []
    bus.subscribe("/T", raises(error), "bad", retry=retry)
    bus.subscribe("/T", got.append, "good")
    bus.publish("/T", {})
    (letter,) = bus.dead_letters
    stats = bus.get_stats()
    assert (len(got), stats["messages_delivered"], stats["errors"]) == (1, 1, 1)
    assert (letter.subscriber, letter.error_type, letter.reason) == ("bad", type(error).__name__, "handler")


@pytest.mark.parametrize("payload", [{(1, 2): 3}, {"lock": threading.Lock()}], ids=["tuple key", "lock"])
def test_a_payload_that_no_file_can_hold_stops_nobody(tmp_path, payload):
    bus = MessageBus(dead_letters=DeadLetters(10, tmp_path / "letters.jsonl"))
    got = []
    bus.subscribe("/T", raises(ValueError("x")), "bad")
    bus.subscribe("/T", got.append, "good")
    bus.publish("/T", payload)
    assert (len(got), len(bus.dead_letters)) == (1, 1)


class TestCancelledError:
    """Raised by a handler itself, with nobody cancelling it."""

    async def raising(self, event):
        raise asyncio.CancelledError

    @pytest.mark.parametrize("how", ["thread", "awaited"])
    def test_the_handlers_after_it_run(self, bus, how):
        got = []

        async def good(event):
            got.append("async")

        bus.subscribe("/T", self.raising, "bad")
        bus.subscribe("/T", good, "good")
        bus.subscribe("/T", lambda e: got.append("sync"), "sync")
        if how == "thread":
            bus.publish("/T", {})
        else:
            run(bus.apublish("/T", {}))
        assert sorted(got) == ["async", "sync"]
        assert bus.get_stats()["errors"] == 1

    def test_in_a_mailbox_what_waits_is_handled(self, bus):
        got = []

        async def handler(event):
            if event.payload["n"] == 0:
                raise asyncio.CancelledError
            got.append(event.payload["n"])

        async def main():
            for n in range(3):
                bus.publish("/T", {"n": n})
            assert await bus.adrain(5)

        bus.subscribe("/T", handler, "h")
        run(main())
        stats = bus.get_stats()
        assert (got, stats["errors"], stats["messages_dropped"]) == ([1, 2], 1, 0)

    def test_a_publisher_that_is_cancelled_ends(self, bus):
        async def handler(event):
            await asyncio.sleep(30)

        async def main():
            task = asyncio.create_task(bus.apublish("/T", {}))
            await asyncio.sleep(0.01)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            return bus.is_busy()

        bus.subscribe("/T", handler, "h")
        bus.subscribe("/T", lambda e: pytest.fail("the publisher is gone"), "after")
        assert run(main()) is False
        stats = bus.get_stats()
        assert (stats["errors"], stats["messages_dropped"]) == (1, 1)

    def test_a_mailbox_that_is_cancelled_in_a_nested_event_is_not_busy(self, bus):
        async def outer(event):
            bus.publish("/U", {})

        async def inner(event):
            await asyncio.sleep(30)

        async def main():
            bus.publish("/T", {})
            await asyncio.sleep(0.02)
            assert await bus.cancel_async(5) == []
            return bus.is_busy()

        bus.subscribe("/T", outer, "outer")
        bus.subscribe("/U", inner, "inner")
        assert run(main()) is False


def test_every_attempt_and_the_letter_have_the_event_as_published(bus):
    tries = []

    def handler(event):
        tries.append(dict(event.payload))
        event.payload.pop("n")
        raise ValueError("x")

    bus.subscribe("/T", handler, "h", retry=Retry(times=2))
    bus.publish("/T", {"n": 1})
    (letter,) = bus.dead_letters
    assert tries == [{"n": 1}] * 3
    assert (letter.error_type, letter.count, letter.event["payload"]) == ("ValueError", 3, {"n": 1})


def test_a_letter_is_not_changed_by_the_handlers_that_come_later(bus):
    bus.subscribe("/T", raises(ValueError("x")), "bad")
    bus.subscribe("/T", lambda e: e.payload["list"].append(2), "changes it")
    bus.publish("/T", {"list": [1]})
    (letter,) = bus.dead_letters
    assert letter.event["payload"] == {"list": [1]}


class TestWarn:
    CONTRACT = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}

    def test_a_handlers_own_contract_is_a_warning_too(self):
        bus = MessageBus(checks=PayloadChecks("warn", methods={}))
        got = []
        check = PayloadChecks("warn", {"/T": self.CONTRACT}).find_topic_check("/T")
        bus.registry.add(bus.registry.build_subscriber("/T", got.append, "h", alone=Form.EVENT, check=check))
        bus.publish("/T", {"n": "one"})
        (letter,) = bus.dead_letters
        stats = bus.get_stats()
        assert (len(got), stats["errors"], stats["payload_violations"]) == (1, 0, 1)
        assert letter.delivered

    def test_enforced_it_is_a_failure(self):
        bus = MessageBus(checks=PayloadChecks("enforce", {"/T": {}}))
        check = PayloadChecks("enforce", {"/T": self.CONTRACT}).find_topic_check("/T")
        never = bus.registry.build_subscriber("/T", lambda e: pytest.fail("called"), "h", alone=Form.EVENT, check=check)
        bus.registry.add(never)
        bus.publish("/T", {"n": "one"})
        (letter,) = bus.dead_letters
        assert (letter.reason, letter.delivered, bus.get_stats()["errors"]) == ("payload", False, 1)

    @pytest.mark.parametrize("awaited", [False, True])
    def test_a_nested_publish_is_warned_of_once(self, awaited):
        bus = MessageBus(checks=PayloadChecks("warn", {"/U": self.CONTRACT}))
        bus.subscribe("/T", lambda e: bus.publish("/U", {"n": "one"}), "outer")
        bus.subscribe("/U", lambda e: None, "inner")
        if awaited:
            run(bus.apublish("/T", {}))
        else:
            bus.publish("/T", {})
        assert bus.get_stats()["payload_violations"] == 1
        assert [one.count for one in bus.dead_letters] == [1]

    def test_enforced_a_nested_publish_raises_where_it_is_published(self):
        bus = MessageBus(checks=PayloadChecks("enforce", {"/U": self.CONTRACT, "/T": {}}))
        errors = []

        def outer(event):
            with pytest.raises(PayloadRejected) as error:
                bus.publish("/U", {"n": "one"})
            errors.append(error)

        bus.subscribe("/T", outer, "outer")
        bus.publish("/T", {})
        assert len(errors) == 1


class TestCounts:
    """delivered + failed + dropped + in flight, and never less than nothing."""

    def test_of_an_event_whose_topic_middleware_changes(self, bus):
        bus.subscribe("/T", raises(ValueError("x")), "h")
        bus.use(lambda event, next: next(Event("e", "/Z", "me", {})))
        bus.publish("/T", {})
        assert bus.get_stats()["topics"] == {
            "/T": {"published": 1, "delivered": 0, "failed": 1, "dropped": 0, "in_flight": 0}
        }

    @pytest.mark.no_cover
    @pytest.mark.parametrize("reset", [False, True])
    def test_beyond_the_topics_that_are_counted_apart(self, bus, reset):
        bus.subscribe("/**", raises(ValueError("x")), "h")
        logging.disable(logging.CRITICAL)
        try:
            for n in range(MAX_TOPICS - 5):
                bus.publish(f"/T{n}", {})
            if reset:
                bus.subscribe("/U/*", lambda e: None, "u")
                for n in range(3):
                    bus.publish(f"/New{n}", {})
                bus.reset_stats()
            for n in range(20):
                bus.publish(f"/V{n}", {})
        finally:
            logging.disable(logging.NOTSET)
        stats = bus.get_stats()
        assert min(min(row.values()) for row in stats["topics"].values()) == 0
        expected = 20 if reset else MAX_TOPICS + 15
        assert (stats["messages_published"], stats["errors"], stats["messages_delivered"]) == (expected, expected, 0)
