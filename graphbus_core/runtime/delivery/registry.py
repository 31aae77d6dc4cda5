"""Who hears what on one bus: subscriptions come, go, and are exchanged for those of another build."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from graphbus_core.runtime.delivery.causes import Causes
from graphbus_core.runtime.delivery.core import Core
from graphbus_core.runtime.delivery.outcomes import Outcomes
from graphbus_core.runtime.handling.bounds import Bounds
from graphbus_core.runtime.handling.handlers import Form, Retry
from graphbus_core.runtime.handling.subscriber import InputCheck, Subscriber, subscriber_of
from graphbus_core.runtime.handling.topics import is_pattern
from graphbus_core.runtime.telemetry.observer import looked_at

if TYPE_CHECKING:
    from graphbus_core.runtime.reload.doors import Doors


class Registry:
    """Of one bus. `retry` and `bounds` are those of handlers that say nothing themselves. With `doors` (a runtime that
    can be reloaded) whatever a node handles goes through its door.
    """

    def __init__(self, core: Core, outcomes: Outcomes, causes: Causes, retry: Retry | None, bounds: Bounds | None):
        self._core, self._outcomes, self._causes = core, outcomes, causes
        self._retry, self._bounds = retry, bounds
        self.doors: Doors | None = None

    def made(
        self,
        topic: str,
        handler: Callable[..., Any],
        name: str,
        *,
        alone: Form,
        owner: object = None,
        handler_name: str = "",
        retry: Retry | None = None,
        bounds: Bounds | None = None,
        check: Callable[[Any], Any] | None = None,
        number: int | None = None,
    ) -> Subscriber:
        """A subscription, not heard of yet; with the `number` of another one it takes its place in the order."""
        core = self._core
        node = getattr(owner, "name", None)
        subscriber = subscriber_of(
            core.subscriptions.next_number() if number is None else number,
            topic,
            handler,
            name,
            alone=alone,
            owner=owner,
            handler_name=handler_name,
            retry=retry or self._retry,
            bounds=bounds.over(self._bounds) if bounds is not None else self._bounds,
            check=InputCheck(check, core.checks.enforced, self._outcomes.input_broken) if check is not None else None,
            aside=lambda event, work: self._causes.aside(event.event_id, subscriber.durable, work),
            again=lambda: self._causes.again(subscriber.durable),
            around=[
                *(m.around for m in core.middleware if hasattr(m, "around")),
                *looked_at(core.observers),
                # Outermost, so that neither a timeout nor a span counts the time before a closed door.
                *([self.doors.of(node).around] if self.doors is not None and node is not None else ()),
            ],
        )
        return subscriber

    def put(self, subscriber: Subscriber) -> None:
        """It hears from the next event on."""
        core = self._core
        with core.lock:
            core.subscriptions.add(subscriber)
            core.change(None if is_pattern(subscriber.topic) else subscriber.topic)
        if core.carrier is not None:
            core.carrier.consume(subscriber)

    def remove(self, which: Callable[[Subscriber], bool]) -> int:
        """Take subscriptions back and return how many there were."""
        core = self._core
        with core.lock:
            gone = core.subscriptions.remove(which)
            if gone:
                core.change()
        if core.carrier is not None:
            for subscriber in gone:
                core.carrier.release(subscriber)
        return len(gone)

    def exchange(self, gone: Sequence[Subscriber], come: Sequence[Subscriber]) -> None:
        """Put some in the place of others at once: no event falls between them. One that comes with the number and
        durable name of one that goes takes over what waits for it.
        """
        core = self._core
        out = {one.number for one in gone}
        with core.lock:
            core.subscriptions.remove(lambda one: one.number in out)
            for one in come:
                core.subscriptions.add(one)
            core.change()
        if core.carrier is None:
            return
        stay = {one.number: one for one in come}
        for one in gone:
            if not same_consumer(one, stay.get(one.number)):
                core.carrier.release(one)
        before = {one.number: one for one in gone}
        for one in come:
            if not same_consumer(one, before.get(one.number)):
                core.carrier.consume(one)


def same_consumer(one: Subscriber, other: Subscriber | None) -> bool:
    """Whether a transport sees no difference between two subscriptions: then what it brings to the one goes, through
    the node's door, to the other.
    """
    return other is not None and (one.durable, one.attempts, one.bounds.concurrency, one.is_async) == (
        other.durable,
        other.attempts,
        other.bounds.concurrency,
        other.is_async,
    )
