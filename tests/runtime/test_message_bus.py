"""The bus as seed 002 §5.3 describes it, and its slips mended (design §11)."""

import logging

import pytest

from graphbus_core.errors import BadPayload, QueueFull
from graphbus_core.model.message import Event
from graphbus_core.runtime.message_bus import MessageBus
from graphbus_core.runtime.subscriptions.handlers import Retry


@pytest.fixture
def bus():
    return MessageBus()


def test_a_handler_gets_the_event_and_publish_returns_it(bus):
    got = []
    bus.subscribe("/Order/Created", lambda event: got.append(event), "Listener")
    event = bus.publish("/Order/Created", {"id": 1}, source="Shop")
    assert got == [event]
    assert isinstance(event, Event)
    assert (event.topic, event.src, event.payload, event.cause) == ("/Order/Created", "Shop", {"id": 1}, None)


def test_ids_are_a_run_and_a_counter(bus):
    first, second = (bus.publish("/T", {}).event_id for _ in range(2))
    assert first.rpartition("_")[0] == second.rpartition("_")[0]
    assert int(second.rpartition("_")[2]) == int(first.rpartition("_")[2]) + 1


def test_statistics_have_the_keys_of_the_seed(bus):
    bus.subscribe("/A", lambda e: None, "x")
    bus.subscribe("/A", lambda e: 1 / 0, "y")
    bus.subscribe("/B", lambda e: None, "x")
    bus.publish("/A", {})
    bus.publish("/Nobody", {})
    stats = bus.get_stats()
    assert stats["messages_published"] == 2
    assert stats["messages_delivered"] == 1
    assert stats["errors"] == 1
    assert stats["total_subscriptions"] == 3
    assert stats["topics_with_subscribers"] == 2
    assert stats["topics"]["/A"] == {"published": 1, "delivered": 1, "failed": 1, "dropped": 0, "in_flight": 0}


def test_a_failing_handler_stops_nobody_else_and_is_named(bus, caplog, capsys):
    got = []
    bus.subscribe("/T", lambda e: got.append(1), "first")
    for i in range(3):
        bus.subscribe("/T", lambda e: {}["no"], f"broken{i}")
    bus.subscribe("/T", lambda e: got.append(2), "last")
    with caplog.at_level(logging.ERROR):
        bus.publish("/T", {"x": 1})
    assert got == [1, 2]
    assert [letter.subscriber for letter in bus.dead_letters] == ["broken0", "broken1", "broken2"]
    assert "broken1" in caplog.text
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("count", [1, 2, 7, 199, 200, 201, 450])
@pytest.mark.parametrize("wants", ["payload", "event"])
def test_whichever_handler_fails_is_the_one_that_is_blamed(bus, count, wants):
    def handler(i):
        def on(payload: dict):
            if i % 3 == 0:
                raise ValueError(i)

        def on_event(event: Event):
            on(event.payload)

        return on if wants == "payload" else on_event

    for i in range(count):
        bus.subscribe("/T", handler(i), f"h{i}")
    bus.publish("/T", {})
    bus.publish("/T", {})
    assert [letter.subscriber for letter in bus.dead_letters] == [f"h{i}" for i in range(0, count, 3)] * 2
    stats = bus.get_stats()
    assert stats["messages_delivered"] + stats["errors"] == 2 * count


def test_history_is_newest_first_and_bounded():
    bus = MessageBus(max_history=5)
    for i in range(10):
        bus.publish("/T", {"i": i})
    assert [e.payload["i"] for e in bus.get_message_history()] == [9, 8, 7, 6, 5]
    assert [e.payload["i"] for e in bus.get_message_history(2)] == [9, 8]
    assert bus.get_message_history(0) == []
    bus.clear_history()
    assert bus.get_message_history() == []


def test_unsubscribing_takes_back_every_subscription_of_that_handler(bus):
    got = []

    class Node:
        def on(self, event):
            got.append(event)

    node = Node()
    bus.subscribe("/T", node.on, "a")
    bus.subscribe("/T", node.on, "a")
    bus.publish("/T", {})
    bus.unsubscribe("/T", node.on)
    bus.unsubscribe("/T", node.on)
    bus.publish("/T", {})
    assert len(got) == 2
    assert bus.get_subscribers("/T") == []


@pytest.mark.parametrize(
    ("pattern", "heard"),
    [
        ("/Order/*", ["/Order/Created"]),
        ("/Order/**", ["/Order", "/Order/Created", "/Order/Item/Added"]),
        ("/*/Created", ["/Order/Created"]),
        ("/**/Added", ["/Order/Item/Added"]),
        ("/Order/Cre*", ["/Order/Created"]),
        ("**", ["/Order", "/Order/Created", "/Order/Item/Added", "/Orders"]),
        ("/Order/Created", ["/Order/Created"]),
    ],
)
def test_patterns(bus, pattern, heard):
    got = []
    bus.subscribe(pattern, lambda e: got.append(e.topic), "x")
    for topic in ["/Order", "/Order/Created", "/Order/Item/Added", "/Orders"]:
        bus.publish(topic, {})
    assert got == heard


def test_patterns_and_topics_are_heard_in_the_order_of_subscription(bus):
    got = []
    for name, topic in (("a", "/O/**"), ("b", "/O/C"), ("c", "/O/*"), ("d", "/O/C")):
        bus.subscribe(topic, lambda e, name=name: got.append(name), name)
    bus.publish("/O/C", {})
    assert got == ["a", "b", "c", "d"]
    assert bus.get_subscribers("/O/C") == ["a", "b", "c", "d"]


def test_what_a_handler_publishes_waits_its_turn(bus):
    got = []

    def first(event):
        got.append(("first", event.topic))
        if event.topic == "/A":
            bus.publish("/B", {"n": 1})
            bus.publish("/B", {"n": 2})
            got.append("published")

    bus.subscribe("/A", first, "first")
    bus.subscribe("/A", lambda e: got.append(("second", e.topic)), "second")
    bus.subscribe("/B", lambda e: got.append(("b", e.payload["n"])), "b")
    bus.publish("/A", {})
    assert got == [("first", "/A"), "published", ("second", "/A"), ("b", 1), ("b", 2)]


def test_publishing_inside_a_handler_does_not_recurse(bus):
    def again(event):
        if event.payload["n"]:
            bus.publish("/T", {"n": event.payload["n"] - 1})

    bus.subscribe("/T", again, "again")
    bus.publish("/T", {"n": 20_000})
    assert bus.get_stats()["messages_delivered"] == 20_001


def test_an_event_carries_the_id_of_what_caused_it(bus):
    bus.subscribe("/A", lambda e: bus.publish("/B", {}), "x")
    bus.subscribe("/B", lambda e: bus.publish("/C", {}), "x")
    a = bus.publish("/A", {})
    unrelated = bus.publish("/Other", {})
    other, c, b, _ = bus.get_message_history()
    assert other == unrelated
    assert (c.topic, b.topic) == ("/C", "/B")
    assert (c.cause, b.cause) == (b.event_id, a.event_id)
    assert bus.flow(b.event_id) == [a, b, c]


def test_subscribing_during_delivery_counts_from_the_next_event(bus):
    got = []

    def subscribes(event):
        bus.subscribe("/T", lambda e: got.append(e.payload["n"]), "late")

    bus.subscribe("/T", subscribes, "s")
    bus.publish("/T", {"n": 1})
    assert got == []
    bus.publish("/T", {"n": 2})
    assert got == [2]


def test_a_change_and_a_publish_during_delivery_do_not_confuse_who_failed(bus):
    """The thread's entry for the topic is bound anew while the first event is still being delivered by the old plan."""
    got = []

    def changes(event):
        if event.payload["n"] == 1:
            bus.subscribe("/T", lambda e: got.append(("late", e.payload["n"])), "late")
            bus.publish("/T", {"n": 2})

    def fails(event):
        raise ValueError

    bus.subscribe("/T", changes, "changes")
    bus.subscribe("/T", lambda e: got.append(("before", e.payload["n"])), "before")
    bus.subscribe("/T", fails, "fails")
    bus.subscribe("/T", lambda e: got.append(("after", e.payload["n"])), "after")
    bus.publish("/T", {"n": 0})
    got.clear()
    bus.publish("/T", {"n": 1})
    assert got == [("before", 1), ("after", 1), ("before", 2), ("after", 2), ("late", 2)]
    assert {letter.subscriber for letter in bus.dead_letters} == {"fails"}


def test_a_handler_may_unsubscribe_itself(bus):
    got = []

    def once(event):
        got.append(event.payload["n"])
        bus.unsubscribe("/T", once)

    bus.subscribe("/T", once, "once")
    for n in range(3):
        bus.publish("/T", {"n": n})
    assert got == [0]


def test_dispatching_an_event_again_counts_deliveries_and_publishes_nothing(bus):
    got = []
    bus.subscribe("/T", lambda e: got.append(e), "x")
    event = Event("mine", "/T", "src", {"a": 1})
    bus.dispatch_event(event)
    assert got == [event]
    assert bus.get_stats()["messages_published"] == 0
    assert bus.get_stats()["messages_delivered"] == 1


def test_an_interrupt_goes_through_and_leaves_the_bus_usable(bus):
    def interrupted(event):
        bus.publish("/After", {})
        raise KeyboardInterrupt

    got = []
    bus.subscribe("/T", lambda e: None, "a")
    bus.subscribe("/T", interrupted, "b")
    bus.subscribe("/T", lambda e: got.append("c"), "c")
    bus.subscribe("/After", lambda e: got.append("after"), "d")
    with pytest.raises(KeyboardInterrupt):
        bus.publish("/T", {})
    assert got == []
    topics = bus.get_stats()["topics"]
    assert topics["/T"] == {"published": 1, "delivered": 1, "failed": 1, "dropped": 1, "in_flight": 0}
    assert topics["/After"]["dropped"] == 1
    bus.unsubscribe("/T", interrupted)
    bus.publish("/T", {})
    assert got == ["c"]


def test_a_publisher_is_compiled_once(bus):
    got = []
    bus.subscribe("/T", lambda e: got.append((e.src, e.payload)), "x")
    send = bus.publisher("/T", source="Me")
    send({"n": 1})
    send({"n": 2})
    assert got == [("Me", {"n": 1}), ("Me", {"n": 2})]


def test_statistics_start_anew_on_reset(bus):
    bus.subscribe("/T", lambda e: 1 / 0, "x")
    bus.publish("/T", {})
    bus.reset_stats()
    stats = bus.get_stats()
    assert (stats["messages_published"], stats["messages_delivered"], stats["errors"]) == (0, 0, 0)
    bus.publish("/T", {})
    assert bus.get_stats()["errors"] == 1


class TestFullQueue:
    """Back-pressure: what handlers publish waits in a bounded queue."""

    @staticmethod
    def flood(bus, n=10):
        got = []

        def flood(event):
            for i in range(n):
                bus.publish("/Out", {"i": i})

        bus.subscribe("/In", flood, "flood")
        bus.subscribe("/Out", lambda e: got.append(e.payload["i"]), "out")
        bus.publish("/In", {})
        return got

    def test_wait_delivers_all_in_order(self):
        bus = MessageBus(queue_limit=3)
        assert self.flood(bus) == list(range(10))
        assert bus.get_stats()["messages_dropped"] == 0

    def test_drop_oldest_keeps_the_newest_and_counts(self):
        bus = MessageBus(queue_limit=3, on_full="drop_oldest")
        assert self.flood(bus) == [7, 8, 9]
        stats = bus.get_stats()
        assert stats["messages_dropped"] == 7
        assert len(bus.dead_letters) == 7

    def test_error_raises_in_the_publisher_and_counts(self):
        bus = MessageBus(queue_limit=3, on_full="error")
        assert self.flood(bus) == [0, 1, 2]
        stats = bus.get_stats()
        assert stats["errors"] == 1  # the handler that got QueueFull
        assert stats["messages_rejected"] == 1
        assert {letter.error_type for letter in bus.dead_letters} == {QueueFull.__name__}


class TestRetry:
    def test_a_handler_is_tried_again_and_succeeds(self, bus):
        tries = []

        def flaky(event):
            tries.append(1)
            if len(tries) < 3:
                raise OSError("not yet")

        bus.subscribe("/T", flaky, "flaky", retry=Retry(times=3))
        bus.publish("/T", {})
        assert len(tries) == 3
        assert bus.get_stats()["messages_delivered"] == 1
        assert len(bus.dead_letters) == 0

    def test_a_handler_that_never_succeeds_is_a_dead_letter_with_its_count(self, bus):
        bus.subscribe("/T", lambda e: 1 / 0, "never", retry=Retry(times=2, backoff_s=0.001))
        bus.publish("/T", {"a": 1})
        (letter,) = bus.dead_letters
        assert (letter.count, letter.error_type, letter.event["payload"]) == (3, "ZeroDivisionError", {"a": 1})

    def test_backoff_doubles_up_to_its_bound(self):
        retry = Retry(5, backoff_s=1, max_backoff_s=3)
        assert [retry.pause_s(n) for n in (1, 2, 3)] == [1, 2, 3]

    def test_a_dead_letter_is_delivered_again_to_the_one_that_failed(self, bus):
        broken = [True]
        got = []

        def handler(event):
            if broken:
                raise OSError("down")
            got.append(event.payload)

        bus.subscribe("/T", handler, "h")
        bus.subscribe("/T", lambda e: got.append("other"), "other")
        bus.publish("/T", {"n": 1})
        (letter,) = bus.dead_letters
        assert not bus.retry_dead_letter(letter)
        assert letter.count == 2
        broken.clear()
        assert bus.retry_dead_letter(letter)
        assert got == ["other", {"n": 1}]
        assert len(bus.dead_letters) == 0


@pytest.mark.parametrize("payload", [None, "text", 3, ["a"], [("a", 1)]])
def test_a_payload_that_is_no_dict_is_refused(bus, payload):
    with pytest.raises(BadPayload, match=r"/T.*must be a dict"):
        bus.publish("/T", payload)
    assert bus.get_stats()["messages_published"] == 0
