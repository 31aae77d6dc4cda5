"""Who publishes in `bus.py`: a bare loop, our bus, and four libraries that do the same work."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from graphbus_core.runtime.message_bus import MessageBus

PAYLOAD = {"sku": "apple", "qty": 3, "available": True}
TOPIC = "/Order/Created"
SCHEMA = {
    "type": "object",
    "properties": {"sku": {"type": "string"}, "qty": {"type": "integer"}, "available": {"type": "boolean"}},
    "required": ["sku", "qty", "available"],
}


def handlers(n: int) -> list[Callable[[Any], None]]:
    """n empty handlers, each its own function."""

    def make() -> Callable[[Any], None]:
        def handler(event: Any) -> None: ...

        return handler

    return [make() for _ in range(n)]


def bare(n: int) -> Callable[[int], None]:
    """The loop that nothing can beat."""
    all_of_them = handlers(n)

    def run(times: int) -> None:
        for _ in range(times):
            for handler in all_of_them:
                handler(PAYLOAD)

    return run


def ours(n: int) -> Callable[[int], None]:
    """`MessageBus.publish`."""
    bus = MessageBus()
    for i, handler in enumerate(handlers(n)):
        bus.subscribe(TOPIC, handler, f"s{i}")
    publish = bus.publish

    def run(times: int) -> None:
        for _ in range(times):
            publish(TOPIC, PAYLOAD)

    return run


def blinker(n: int) -> Callable[[int], None]:
    """blinker: `Signal.send`."""
    from blinker import Signal

    signal = Signal()
    kept = []
    for handler in handlers(n):

        def receiver(sender: Any, handler: Any = handler, **_: Any) -> None: ...

        kept.append(receiver)
        signal.connect(receiver)

    def run(times: int, kept: Any = kept) -> None:
        for _ in range(times):
            signal.send("system", payload=PAYLOAD)

    return run


def pyee(n: int) -> Callable[[int], None]:
    """pyee: `EventEmitter.emit`."""
    from pyee.base import EventEmitter

    emitter = EventEmitter()
    for handler in handlers(n):
        emitter.on(TOPIC, handler)

    def run(times: int) -> None:
        for _ in range(times):
            emitter.emit(TOPIC, PAYLOAD)

    return run


def pluggy(n: int) -> Callable[[int], None]:
    """pluggy: a hook call."""
    from pluggy import HookimplMarker, HookspecMarker, PluginManager

    spec, impl = HookspecMarker("bench"), HookimplMarker("bench")

    class Spec:
        @spec
        def created(self, event: Any) -> None: ...

    class Plugin:
        @impl
        def created(self, event: Any) -> None: ...

    manager = PluginManager("bench")
    manager.add_hookspecs(Spec)
    for _ in range(n):
        manager.register(Plugin())
    created = manager.hook.created

    def run(times: int) -> None:
        for _ in range(times):
            created(event=PAYLOAD)

    return run


def pypubsub(n: int) -> Callable[[int], None]:
    """PyPubSub: `pub.sendMessage`."""
    from pubsub.core import Publisher

    publisher = Publisher()
    kept = handlers(n)
    for handler in kept:
        publisher.subscribe(handler, "order.created")

    def run(times: int, kept: Any = kept) -> None:
        for _ in range(times):
            publisher.sendMessage("order.created", event=PAYLOAD)

    return run


PEERS = {"blinker": blinker, "pyee": pyee, "pluggy": pluggy, "PyPubSub": pypubsub}
