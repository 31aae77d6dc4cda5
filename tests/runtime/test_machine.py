"""The delivery machine: one verdict for one handler, handlers outside of our `except`, ids that are functions."""

import asyncio
import logging
import sys
import threading
import time

import pytest

from graphbus_core.errors import BadHandler, BadPayload, ConfigError, PayloadRejected
from graphbus_core.model.message import Event
from graphbus_core.runtime.message_bus import MessageBus
from graphbus_core.runtime.payloads import PayloadChecks
from graphbus_core.runtime.persistence.journal import Journal
from graphbus_core.runtime.subscriptions.handlers import Bounds, Retry
from graphbus_core.runtime.subscriptions.subscriber import Ruling
from tests.runtime.bounded import joined, run as bounded_run

SCHEMA = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}


@pytest.fixture
def bus():
    bus = MessageBus()
    yield bus
    bus.home.close()


class TestVerdicts:
    """`Subscriber.handle` is the only place that decides."""

    def test_each_ruling_has_its_cause(self, bus):
        def handler(event):
            raise event.payload["raise"]

        one = bus.subscribe("/T", handler, "h", retry=Retry(2, 0.5))
        verdict = one.handle(Event("e", "/T", "me", {"raise": ValueError("x")}))
        assert (verdict.ruling, verdict.after_s, verdict.attempts) == (Ruling.RETRY, 0.5, 1)
        assert one.handle(Event("e", "/T", "me", {"raise": ValueError("x")}), 2).after_s == 1.0
        assert one.handle(Event("e", "/T", "me", {"raise": ValueError("x")}), 3).ruling is Ruling.DEAD
        assert one.handle(Event("e", "/T", "me", {"raise": KeyboardInterrupt()})).ruling is Ruling.STOPPED
        refused = one.handle(Event("e", "/T", "me", {"raise": PayloadRejected("no")}))
        assert (refused.ruling, refused.reason) == (Ruling.DEAD, "payload")  # it gets no better by waiting
        assert bus.subscribe("/T", lambda e: None, "ok").handle(Event("e", "/T", "me", {})).ruling is Ruling.DONE

    def test_an_async_handler_is_judged_when_it_is_over(self, bus):
        async def handler(event):
            if event.payload:
                raise OSError("down")

        one = bus.subscribe("/T", handler, "h")
        assert bounded_run(one.ahandle(Event("e", "/T", "me", {}))).ruling is Ruling.DONE
        assert bounded_run(one.ahandle(Event("e", "/T", "me", {"n": 1}))).ruling is Ruling.DEAD

    def test_a_durable_name_comes_from_node_method_and_topic(self, bus):
        first = bus.subscribe("/T", print, "Node.on")
        bus.remove(lambda s: True)
        assert bus.subscribe("/T", print, "Node.on").durable == first.durable == "Node.on /T"
        assert bus.subscribe("/T", print).durable == "builtins.print /T"


def _roads():
    """Buses that deliver by each of their roads."""
    yield "quick", MessageBus()
    yield "stamped", MessageBus(timestamps=True)
    yield "checked", MessageBus(checks=PayloadChecks("enforce", {"/T": SCHEMA}))
    middled = MessageBus()
    middled.use(lambda event, next: next(event))
    yield "middleware", middled


@pytest.mark.parametrize("count", [1, 2, 3])
@pytest.mark.parametrize("awaited", [False, True])
def test_no_handler_sees_a_foreign_error(count, awaited, tmp_path, caplog):
    """Faults: an `exc_info` that is not the handler's, a bus's frame or a foreign cause in a user's traceback: 0."""
    for name, bus in [*_roads(), ("journal", MessageBus(journal=Journal(tmp_path / "j")))]:
        seen = []

        def good(event, seen=seen):
            seen.append(sys.exc_info()[0])

        def bad(event, seen=seen):
            seen.append(sys.exc_info()[0])
            raise ValueError("mine")

        async def agood(event, seen=seen):
            seen.append(sys.exc_info()[0])

        async def abad(event, seen=seen):
            seen.append(sys.exc_info()[0])
            raise ValueError("mine")

        for i in range(count):
            bus.subscribe("/T", abad if awaited else bad, f"bad{i}")
            bus.subscribe("/T", agood if awaited else good, f"good{i}")
        caplog.clear()
        with caplog.at_level(logging.ERROR):
            for _ in range(2):  # the first publish of a thread takes another road than those after it
                if awaited:
                    bounded_run(bus.apublish("/T", {"n": 1}))
                else:
                    bus.publish("/T", {"n": 1})
        assert seen == [None] * (count * 4), name
        for record in caplog.records:
            error, traceback = record.exc_info[1], record.exc_info[2]
            assert (error.__context__, error.__cause__) == (None, None), name
            assert traceback.tb_frame.f_code.co_filename == __file__, name
        assert len(caplog.records) == count * 2
        bus.home.close()


class TestRoads:
    """The general road is per topic and per thread."""

    def test_an_async_subscriber_slows_its_own_topic_alone(self, bus):
        async def slow(event): ...

        bus.subscribe("/A", slow, "a")
        bus.subscribe("/B", lambda e: None, "b")
        for topic in ("/A", "/B"):
            bus.publish(topic, {})
        frame = bus._core.frames.get_current()
        assert (list(frame.quick), list(frame.aquick)) == (["/B"], ["/A"])

    def test_a_change_on_one_topic_compiles_no_other_anew(self, bus):
        bus.subscribe("/A", lambda e: None, "a")
        bus.publish("/A", {})
        plan = bus._core.find_plan("/A")
        bus.subscribe("/B", lambda e: None, "b")
        assert bus._core.find_plan("/A") is plan
        bus.subscribe("/*", lambda e: None, "p")
        assert bus._core.find_plan("/A").n == 2

    def test_the_first_publish_on_a_new_topic_costs_its_subscribers(self):
        """With 5,000 other topics and patterns it takes about as long as with 50."""

        def first(others):
            bus = MessageBus()
            for i in range(others):
                bus.subscribe(f"/Other{i}/Said", lambda e: None, "o")
                bus.subscribe(f"/Other{i}/*", lambda e: None, "o")
            bus.subscribe("/T/**", lambda e: None, "t")
            took = []
            for i in range(30):
                start = time.thread_time()
                bus.publish(f"/T/{i}", {})
                took.append(time.thread_time() - start)
            assert bus.get_stats()["messages_delivered"] == 30
            return sorted(took)[10]

        assert first(5_000) < 10 * first(50)

    def test_a_publish_inside_a_flow_waits_also_on_a_quick_topic(self, bus):
        got = []

        async def outer(event):
            bus.publish("/Quick", {})
            got.append("outer")

        async def second(event):
            got.append("second")

        bus.subscribe("/A", outer, "outer")
        bus.subscribe("/A", second, "second")
        bus.subscribe("/Quick", lambda e: got.append(("quick", e.cause)), "q")

        async def main():
            bus.publish("/Quick", {})
            event = await bus.apublish("/A", {})
            assert got[1:] == ["outer", "second", ("quick", event.event_id)]

        bounded_run(main())

    def test_async_handlers_may_run_at_once(self):
        bus = MessageBus(together=True)
        met = []

        async def handler(event):
            met.append(1)
            while len(met) < 3:
                await asyncio.sleep(0.001)

        for i in range(3):
            bus.subscribe("/T", handler, f"h{i}")

        async def main():
            await asyncio.wait_for(bus.apublish("/T", {}), 2)

        bounded_run(main())
        assert bus.get_stats()["topics"]["/T"]["delivered"] == 3


class TestIds:
    """The id of a consequence derives from (cause, handler, topic, ordinal within the topic)."""

    @staticmethod
    def run(name="h", order=("/B", "/C", "/B"), road=""):
        bus = MessageBus()
        if road == "middleware":
            bus.use(lambda event, next: next(event))

        def handler(event):
            for topic in order:
                bus.publish(topic, {})

        if road == "many":
            bus.subscribe("/A", lambda e: None, "before")
        bus.subscribe("/A", handler, name)
        bus.dispatch_event(Event("event_root", "/A", "me", {}))
        return [(e.topic, e.event_id) for e in bus.get_message_history()[::-1]]

    def test_the_same_event_leads_to_the_same_ids_by_any_road(self):
        assert self.run() == self.run(road="many") == self.run(road="middleware")
        assert len({i for _, i in self.run()}) == 3

    def test_other_handlers_and_ordinals_have_other_ids(self):
        ids = {i for _, i in self.run()} | {i for _, i in self.run("other")}
        assert len(ids) == 6
        swapped = self.run(order=("/C", "/B", "/B"))
        assert sorted(swapped) == sorted(self.run())  # the order between topics does not matter

    def test_a_key_stands_for_the_ordinal(self):
        bus = MessageBus()
        orders = iter((["a", "b", "c"], ["c", "a", "b"]))

        async def handler(event):
            async def say(key):
                await bus.apublish("/B", {"key": key}, key=key)

            await asyncio.gather(*(say(k) for k in next(orders)))

        bus.subscribe("/A", handler, "h")
        found = []
        for _ in range(2):
            bounded_run(_dispatch(bus, "/A"))
            found.append({e.payload["key"]: e.event_id for e in bus.get_message_history(3)})
        assert found[0] == found[1]
        assert len(set(found[0].values())) == 3

    def test_async_handlers_are_told_apart(self, bus):
        async def one(event):
            await bus.apublish("/B", {})

        async def two(event):
            await bus.apublish("/B", {})

        bus.subscribe("/A", one, "one")
        bus.subscribe("/A", two, "two")
        bounded_run(bus.apublish("/A", {}))
        first, second = (e for e in bus.get_message_history() if e.topic == "/B")
        assert first.event_id != second.event_id
        assert first.cause == second.cause

    def test_a_run_has_128_bits(self, bus):
        assert len(bus.publish("/T", {}).event_id.split("_")[1]) == 32


async def _dispatch(bus, topic):
    bus.dispatch_event(Event("event_root", topic, "me", {}))
    await bus.adrain(2)


@pytest.mark.parametrize("topic", ["T", "/T/", "//T", "/T//U", "/T U", "/T/*", "/**", "/\n", "/" + "x" * 1_000])
def test_an_odd_topic_is_refused_where_it_is_published(bus, topic):
    with pytest.raises(BadPayload, match="not a topic"):
        bus.publish(topic, {})
    assert bus.get_stats()["messages_published"] == 0


@pytest.mark.parametrize("topic", ["T", "/T/", "//*", "/T U*", "/T**", "/**x/y"])
def test_an_odd_subscription_is_refused(bus, topic):
    with pytest.raises(BadHandler, match="not a topic"):
        bus.subscribe(topic, print, "h")


class TestBounds:
    """timeout and concurrency of one handler."""

    @pytest.mark.parametrize("awaited", [False, True])
    def test_a_handler_that_takes_too_long_is_a_dead_letter_and_nobody_waits(self, bus, awaited):
        over = threading.Event()

        def hangs(event):
            over.wait(5)

        async def ahangs(event):
            await asyncio.sleep(5)

        got = []
        bus.subscribe("/T", ahangs if awaited else hangs, "hangs", bounds=Bounds(timeout_s=0.05))
        bus.subscribe("/T", lambda e: got.append(1), "after")
        start = time.monotonic()
        bus.publish("/T", {})
        over.set()
        assert time.monotonic() - start < 2
        (letter,) = bus.dead_letters
        assert (letter.error_type, letter.subscriber) == ("DeadlineExceeded", "hangs")
        assert "within 0.05 s" in letter.error
        assert got == [1]

    def test_concurrency_holds_over_threads(self, bus):
        at_once, most = [], []

        def handler(event):
            at_once.append(1)
            most.append(len(at_once))
            time.sleep(0.005)
            at_once.pop()

        bus.subscribe("/T", handler, "h", bounds=Bounds(concurrency=2))
        threads = [threading.Thread(daemon=True, target=bus.publish, args=("/T", {})) for _ in range(8)]
        for t in threads:
            t.start()
        joined(*threads)
        assert max(most) == 2
        assert bus.get_stats()["messages_delivered"] == 8

    def test_a_mailbox_has_as_many_workers_as_its_handler_allows(self, bus):
        at_once, most = [], []

        async def handler(event):
            at_once.append(1)
            most.append(len(at_once))
            await asyncio.sleep(0.005)
            at_once.pop()

        bus.subscribe("/T", handler, "h", bounds=Bounds(concurrency=3))

        async def main():
            for _ in range(9):
                bus.publish("/T", {})
            assert bus.get_stats()["in_flight"] == 9
            assert await bus.adrain(2)

        bounded_run(main())
        assert max(most) == 3
        assert bus.get_stats()["messages_delivered"] == 9

    def test_what_a_timed_handler_publishes_has_its_cause(self, bus):
        bus.subscribe("/A", lambda e: bus.publish("/B", {}) and None, "h", bounds=Bounds(timeout_s=2))
        event = bus.publish("/A", {})
        caused = next(e for e in bus.get_message_history() if e.topic == "/B")
        assert caused.cause == event.event_id

    def test_a_hanging_async_handler_does_not_hold_a_publisher_for_ever(self, caplog):
        bus = MessageBus(wait_s=0.05)
        over = asyncio.Event()

        async def hangs(event):
            await over.wait()

        bus.subscribe("/T", hangs, "hangs")
        with caplog.at_level(logging.WARNING):
            bus.publish("/T", {})
        assert "goes on: the event is still being handled" in caplog.text
        assert bus.get_stats()["in_flight"] == 1
        bus.home.ensure_loop().call_soon_threadsafe(over.set)
        assert bus.drain(2)
        assert bus.get_stats()["messages_delivered"] == 1
        bus.home.close()

    @pytest.mark.parametrize(
        "bad", [{"timeout_s": 0}, {"timeout_s": float("nan")}, {"concurrency": 0}, {"concurrency": 1.5}]
    )
    def test_bounds_that_cannot_be_are_refused(self, bad):
        with pytest.raises(ConfigError):
            Bounds(**bad)
