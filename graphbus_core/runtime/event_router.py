"""`EventRouter`: from subscriptions of nodes to handlers on the bus (seed 002 §5.4).

A handler is read when it is registered (`handlers`) and stands on the bus as any other subscriber, so delivered and
failed are counted once, in one place. The bus attaches it; `bus._dispatcher = router`, as the seed writes it, changes
nothing.
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from graphbus_core import decorators
from graphbus_core.errors import BadHandler, ConfigError
from graphbus_core.model.message import Event
from graphbus_core.model.topic import Subscription
from graphbus_core.node_base import GraphBusNode
from graphbus_core.runtime.message_bus import MessageBus
from graphbus_core.runtime.subscriptions.field_mappings import DeliveryMapping
from graphbus_core.runtime.subscriptions.handlers import (
    Bounds,
    Form,
    Retry,
    convert_to_event_handler,
    detect_form,
    is_async,
)
from graphbus_core.runtime.subscriptions.subscriber import Subscriber
from graphbus_core.runtime.topics import suggest_nearest

log = logging.getLogger("graphbus.runtime")


class EventRouter:
    """Registers nodes' handlers on a bus. `nodes` is only needed for `register_subscription`."""

    def __init__(self, bus: MessageBus, nodes: Mapping[str, GraphBusNode] | None = None) -> None:
        self.bus = bus
        self.attached_to = bus
        self.nodes: Mapping[str, GraphBusNode] = nodes if nodes is not None else {}
        self._registered: list[Subscriber] = []
        bus._router = self

    def register_handler(
        self, topic: str, node: GraphBusNode, handler_name: str, mapping: DeliveryMapping | None = None
    ) -> None:
        """Call `handler_name` of `node` with every event of `topic`.

        Raises BadHandler where the node has no such method, with the nearest, or it can never handle an event, or asks
        for retries that cannot be.
        """
        subscriber = self.build_subscriber(topic, node, handler_name, mapping=mapping)
        self.bus.registry.add(subscriber)
        self._registered.append(subscriber)

    def build_subscriber(
        self,
        topic: str,
        node: GraphBusNode,
        handler_name: str,
        number: int | None = None,
        mapping: DeliveryMapping | None = None,
    ) -> Subscriber:
        """The subscription of a node's handler, not heard of yet (`Registry.build_subscriber`). Raises BadHandler."""
        handler = getattr(node, handler_name, None)
        where = f"{node.name}.{handler_name}"
        if handler is None:
            method_names = [n for n in dir(node) if not n.startswith("_") and callable(getattr(type(node), n, None))]
            raise BadHandler(
                f"{node.name} subscribes to '{topic}' with a method '{handler_name}' that it does not have."
                f"{suggest_nearest(handler_name, method_names)}"
            )
        declared = getattr(handler, decorators.RETRY, None)
        try:
            retry = Retry(*declared) if declared else None
            limits = getattr(handler, decorators.BOUNDS, None)
            bounds = Bounds(*limits) if limits else None
        except ConfigError as e:
            raise BadHandler(f"The @subscribe of {where}: {e}") from None
        return self.bus.registry.build_subscriber(
            topic,
            handler,
            where,
            alone=Form.PAYLOAD,
            owner=node,
            handler_name=handler_name,
            retry=retry,
            bounds=bounds,
            key=getattr(handler, decorators.ORDER_KEY, None),
            check=self.bus.checks.find_input_check(node.name, handler_name),
            mapping=mapping,
            number=number,
        )

    def find_by_nodes(self, names: Collection[str]) -> list[Subscriber]:
        """The subscriptions of these nodes."""
        return [s for s in self._registered if getattr(s.owner, "name", None) in names]

    def replace(self, removed: Sequence[Subscriber], added: Sequence[Subscriber]) -> None:
        """Put subscriptions in the place of others, all at once (`Registry.replace`)."""
        self.bus.registry.replace(removed, added)
        removed_numbers = {s.number for s in removed}
        self._registered = [s for s in self._registered if s.number not in removed_numbers] + list(added)

    def register_subscription(self, subscription: Subscription) -> None:
        """`register_handler` for a subscription of the build; one that names nobody is logged and left out."""
        node = self.nodes.get(subscription.node_name)
        if node is None:
            log.warning("nobody subscribes to %s: there is no node '%s'", subscription.topic, subscription.node_name)
            return
        try:
            self.register_handler(subscription.topic.name, node, subscription.handler_name)
        except BadHandler as e:
            log.warning("%s", e)

    def register_subscriptions(self, subscriptions: Iterable[Subscription]) -> None:
        """`register_subscription` for each."""
        for subscription in subscriptions:
            self.register_subscription(subscription)

    def unregister_node(self, node: GraphBusNode | str) -> None:
        """Take back all handlers of a node, given itself or by name."""

        def belongs_to_node(subscriber: Subscriber) -> bool:
            owner = subscriber.owner
            return owner is node or (isinstance(node, str) and getattr(owner, "name", None) == node)

        gone = {s.number for s in self._registered if belongs_to_node(s)}
        self._registered = [s for s in self._registered if s.number not in gone]
        self.bus.remove(lambda s: s.number in gone)

    def route_event_to_node(self, node: GraphBusNode, handler_name: str, event: Event) -> None:
        """Call one handler with one event, now. A failure is counted, logged and kept, not raised."""
        handler: Any = getattr(node, handler_name, None)
        where = f"{node.name}.{handler_name}"
        try:
            form = detect_form(handler, alone=Form.PAYLOAD, name=where)
        except BadHandler as error:
            handler, form = _build_failing_handler(error), Form.EVENT
        deliver = convert_to_event_handler(handler, form)
        subscriber = Subscriber(
            0, event.topic, where, handler, handler, deliver, form, is_async(handler), node, handler_name
        )
        self.bus.deliver_to((subscriber,), event)

    def dispatch_event(self, event: Event) -> None:
        """Deliver an event that exists already to the nodes that listen to its topic."""
        mine = {s.number for s in self._registered}
        self.bus.deliver_to(tuple(s for s in self.bus.subscribers(event.topic) if s.number in mine), event)

    def get_handlers_for_topic(self, topic: str) -> list[tuple[GraphBusNode, str]]:
        """Which method of which node hears `topic`, in the order of delivery."""
        return [(node, s.handler_name) for s in self.bus.subscribers(topic) if (node := _get_node(s)) is not None]

    def get_all_handlers(self) -> dict[str, list[tuple[GraphBusNode, str]]]:
        """Topic or pattern -> handlers."""
        handlers: dict[str, list[tuple[GraphBusNode, str]]] = {}
        for subscriber in self._registered:
            if (node := _get_node(subscriber)) is not None:
                handlers.setdefault(subscriber.topic, []).append((node, subscriber.handler_name))
        return handlers


def _build_failing_handler(error: Exception) -> Any:
    def fail(event: Event) -> None:
        raise error

    return fail


def _get_node(subscriber: Subscriber) -> GraphBusNode | None:
    return subscriber.owner if isinstance(subscriber.owner, GraphBusNode) else None
