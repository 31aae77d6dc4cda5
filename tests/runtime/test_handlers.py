"""What a handler is given, by its signature (seed 002 §5.4, design §11); what can never be called is refused."""

import functools
from collections.abc import Mapping
from typing import Any, TypedDict
from unittest.mock import Mock

import pytest

from graphbus_core import GraphBusNode
from graphbus_core.errors import BadHandler
from graphbus_core.model.message import Event
from graphbus_core.model.topic import Subscription, Topic
from graphbus_core.runtime.event_router import EventRouter
from graphbus_core.runtime.message_bus import MessageBus
from graphbus_core.runtime.subscriptions.handlers import Form, detect_form, is_async


class Order(TypedDict):
    id: int


class Node(GraphBusNode):
    def __init__(self):
        self.got = []

    def nothing(self):
        self.got.append("called")

    def one(self, payload):
        self.got.append(payload)

    def one_named_event(self, event):
        self.got.append(event)

    def event(self, event: Event):
        self.got.append(event)

    def event_as_text(self, message: "Event | None"):
        self.got.append(message)

    def more(self, event, extra="default"):
        self.got.append(event)

    def payload_and_more(self, payload, extra="default"):
        self.got.append(payload)

    def typed(self, order: Order, *, extra=1):
        self.got.append(order)

    def both(self, topic, payload):
        self.got.append((topic, payload))

    def handle_event(self, topic, payload):
        self.got.append((topic, payload))

    @staticmethod
    def static(payload): ...


EVENT = Event("e1", "/T", "src", {"id": 1})


@pytest.mark.parametrize(
    ("handler", "expected"),
    [
        ("nothing", "called"),
        ("one", {"id": 1}),
        ("one_named_event", {"id": 1}),
        ("event", EVENT),
        ("event_as_text", EVENT),
        ("more", EVENT),
        ("payload_and_more", {"id": 1}),
        ("typed", {"id": 1}),
        ("both", ("/T", {"id": 1})),
        ("handle_event", ("/T", {"id": 1})),
    ],
)
def test_a_nodes_method_gets_what_it_asks_for(handler, expected):
    bus = MessageBus()
    node = Node()
    router = EventRouter(bus)
    router.register_handler("/T", node, handler)
    router.dispatch_event(EVENT)
    assert node.got == [expected]
    router.route_event_to_node(node, handler, EVENT)
    assert node.got == [expected] * 2


def annotated(payload: dict[str, Any]): ...
def mapping(data: Mapping[str, Any]): ...
def as_text(data: "dict[str, int]"): ...
def unknown(x): ...
def anything(*args, **kwargs): ...
def payload_by_name(payload): ...


@pytest.mark.parametrize(
    ("handler", "form"),
    [
        (unknown, Form.EVENT),
        (lambda e: None, Form.EVENT),
        (lambda: None, Form.NOTHING),
        (annotated, Form.PAYLOAD),
        (mapping, Form.PAYLOAD),
        (as_text, Form.PAYLOAD),
        (payload_by_name, Form.PAYLOAD),
        (anything, Form.EVENT),
        (Mock(), Form.EVENT),
        ([].append, Form.EVENT),
        (print, Form.EVENT),
        (functools.partial(lambda a, e: None, 1), Form.EVENT),
    ],
)
def test_a_plain_callable_gets_the_event_unless_it_says_payload(handler, form):
    assert detect_form(handler, alone=Form.EVENT, name="x") is form


class CallableNode:
    async def __call__(self, event): ...


async def coroutine(event): ...


@pytest.mark.parametrize(
    ("handler", "expected"),
    [(coroutine, True), (CallableNode(), True), (functools.partial(coroutine), True), (print, False), (Mock(), False)],
)
def test_async_handlers_are_known(handler, expected):
    assert is_async(handler) is expected


def generator(event):
    yield 1


@pytest.mark.parametrize(
    ("handler", "why"),
    [
        ("text", "callable"),
        (None, "callable"),
        (lambda a, b: None, "a and b"),
        (lambda a, b, c: None, "3 arguments"),
        (lambda e, *, key: None, "key by name"),
        (lambda **kwargs: None, "by position"),
        (generator, "generator"),
    ],
)
def test_what_can_never_be_called_is_refused_at_registration(handler, why):
    with pytest.raises(BadHandler, match=why):
        MessageBus().subscribe("/T", handler, "Broken.handler")
    with pytest.raises(ValueError):
        MessageBus().subscribe("/T", handler, "Broken.handler")


def test_a_handler_that_the_node_does_not_have_is_refused_with_the_nearest():
    with pytest.raises(BadHandler, match="Did you mean 'nothing'"):
        EventRouter(MessageBus()).register_handler("/T", Node(), "nothin")


class TestRouter:
    def test_counts_are_right_with_the_router_attached(self):
        """A slip of seed 002 §5.3: with a dispatcher, nothing counted deliveries, and bus subscribers went unheard."""
        bus = MessageBus()
        router = EventRouter(bus)
        bus._dispatcher = router
        node = Node()
        got = []
        router.register_handler("/T", node, "one")
        bus.subscribe("/T", got.append, "plain")
        router.register_handler("/T", node, "both")
        bus.subscribe("/T", lambda e: 1 / 0, "broken")
        event = bus.publish("/T", {"id": 1})
        assert node.got == [{"id": 1}, ("/T", {"id": 1})]
        assert got == [event]
        stats = bus.get_stats()
        assert (stats["messages_published"], stats["messages_delivered"], stats["errors"]) == (1, 3, 1)

    def test_another_dispatcher_is_asked_too(self):
        bus = MessageBus()
        bus._dispatcher = Mock()
        event = bus.publish("/T", {})
        bus._dispatcher.dispatch_event.assert_called_once_with(event)

    def test_handlers_are_listed_and_unregistered_with_their_node(self):
        bus = MessageBus()
        router = EventRouter(bus)
        a, b = Node(), Node()
        a.name, b.name = "A", "B"
        for node in (a, b):
            router.register_handler("/T", node, "one")
        router.register_handler("/O/*", a, "nothing")
        assert router.get_handlers_for_topic("/T") == [(a, "one"), (b, "one")]
        assert router.get_handlers_for_topic("/O/x") == [(a, "nothing")]
        assert set(router.get_all_handlers()) == {"/T", "/O/*"}
        router.unregister_node(a)
        assert router.get_handlers_for_topic("/T") == [(b, "one")]
        router.unregister_node("B")
        assert router.get_all_handlers() == {}
        bus.publish("/T", {})
        assert a.got == b.got == []

    def test_subscriptions_of_the_build_are_registered_and_bad_ones_left_out(self, caplog):
        bus = MessageBus()
        node = Node()
        router = EventRouter(bus, {"Node": node})
        router.register_subscriptions(
            [Subscription(n, Topic("/T"), h) for n, h in (("Node", "one"), ("Nobody", "one"), ("Node", "nope"))]
        )
        assert router.get_handlers_for_topic("/T") == [(node, "one")]
        assert "Nobody" in caplog.text
        assert "nope" in caplog.text

    def test_a_failing_handler_that_is_routed_to_by_hand_is_counted(self):
        bus = MessageBus()
        node = Node()
        node.one = Mock(side_effect=OSError("down"))
        EventRouter(bus).route_event_to_node(node, "one", EVENT)
        assert bus.get_stats()["errors"] == 1
