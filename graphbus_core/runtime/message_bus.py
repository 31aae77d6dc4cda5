"""`MessageBus`: topics, subscribers, history, counts (seed 002 §5.3). It knows no node and no artifact.

    publish     sync: the sync handlers run in the calling thread, one event after the other, before it returns
    apublish    async: awaits every handler in order

This is the face; `delivery.machine` tells how the whole works. Why an empty publish costs about
as much as five calls: a plan is compiled once for each topic, each thread counts for itself, an id is a number until
somebody reads it (`model.message`), and whatever a topic does not need is not asked about.
"""

from __future__ import annotations

import logging
import os
import weakref
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any

from graphbus_core.errors import BadHandler, ConfigError, PayloadRejected
from graphbus_core.model.message import Event
from graphbus_core.runtime.delivery import frames
from graphbus_core.runtime.delivery.async_dispatcher import AsyncDispatcher
from graphbus_core.runtime.delivery.core import (
    MAX_TOPICS as MAX_TOPICS,
    BusCore,
    Causation,
    Middleware as Middleware,
    choose_clock,
)
from graphbus_core.runtime.delivery.dispatcher import Dispatcher, FastPath, InFlight
from graphbus_core.runtime.delivery.outcomes import MiddlewareStack, Outcomes, Redelivery
from graphbus_core.runtime.delivery.plan import compile_plan
from graphbus_core.runtime.payloads import PayloadChecks
from graphbus_core.runtime.persistence.dead_letters import DeadLetter, DeadLetters
from graphbus_core.runtime.persistence.delivery_log import DeliveryLog
from graphbus_core.runtime.persistence.journal import Journal
from graphbus_core.runtime.subscriptions.field_mappings import DeliveryMapping
from graphbus_core.runtime.subscriptions.handlers import Bounds, Form, Retry, is_async
from graphbus_core.runtime.subscriptions.key_order import KeyOrder
from graphbus_core.runtime.subscriptions.subscriber import (
    InputCheck,
    Subscriber,
    create_subscriber,
    derive_durable_name,
)
from graphbus_core.runtime.telemetry.observer import Observer, build_wrappers
from graphbus_core.runtime.topics import get_topic_name, is_pattern
from graphbus_core.runtime.transports.port import Transport
from graphbus_core.runtime.transports.remote_bus import RemoteBus

if TYPE_CHECKING:
    from graphbus_core.runtime.reload.call_gates import CallGates

# Who hears what on one bus: subscriptions come, go, and are exchanged for those of another build.


class Registry:
    """Of one bus. `retry` and `bounds` are those of handlers that say nothing themselves. With `doors` (a runtime that
    can be reloaded) whatever a node handles goes through its door.
    """

    def __init__(
        self, core: BusCore, outcomes: Outcomes, causes: Causation, retry: Retry | None, bounds: Bounds | None
    ):
        self._core, self._outcomes, self._causes = core, outcomes, causes
        self._retry, self._bounds = retry, bounds
        self._orders: dict[tuple[str, str], KeyOrder] = {}  # by durable name: a reload goes on in the same lines
        self.doors: CallGates | None = None

    def build_subscriber(
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
        key: str | None = None,
        check: Callable[[Any], Any] | None = None,
        mapping: DeliveryMapping | None = None,
        number: int | None = None,
    ) -> Subscriber:
        """A subscription, not heard of yet; with the `number` of another one it takes its place in the order."""
        core = self._core
        node = getattr(owner, "name", None)
        order = None
        if key is not None:
            durable = derive_durable_name(name, handler, get_topic_name(topic) or str(topic))
            order = self._orders.setdefault((durable, key), KeyOrder(key))
        subscriber = create_subscriber(
            core.subscriptions.assign_number() if number is None else number,
            topic,
            handler,
            name,
            alone=alone,
            owner=owner,
            handler_name=handler_name,
            retry=retry or self._retry,
            bounds=bounds.fill_from(self._bounds) if bounds is not None else self._bounds,
            check=InputCheck(check, core.checks.is_enforced, self._outcomes.report_input_violation)
            if check is not None
            else None,
            mapping=mapping,
            order=order,
            aside=lambda event, work: self._causes.wrap_for_thread(event.event_id, subscriber.durable, work),
            again=lambda: self._causes.restart_numbering(subscriber.durable),
            around=[
                *(m.around for m in core.middleware if hasattr(m, "around")),
                *build_wrappers(core.observers),
                # Outermost, so that neither a timeout nor a span counts the time before a closed door.
                *([self.doors.get(node).wrap_attempt] if self.doors is not None and node is not None else ()),
            ],
        )
        return subscriber

    def add(self, subscriber: Subscriber) -> None:
        """It hears from the next event on."""
        core = self._core
        with core.lock:
            core.subscriptions.add(subscriber)
            core.invalidate_plans(None if is_pattern(subscriber.topic) else subscriber.topic)
        if core.carrier is not None:
            core.carrier.consume(subscriber)

    def remove(self, which: Callable[[Subscriber], bool]) -> int:
        """Take subscriptions back and return how many there were."""
        core = self._core
        with core.lock:
            removed = core.subscriptions.remove(which)
            if removed:
                core.invalidate_plans()
        if core.carrier is not None:
            for subscriber in removed:
                core.carrier.release(subscriber)
        return len(removed)

    def replace(self, removed: Sequence[Subscriber], added: Sequence[Subscriber]) -> None:
        """Put some in the place of others at once: no event falls between them. One that comes with the number and
        durable name of one that goes takes over what waits for it.
        """
        core = self._core
        removed_numbers = {subscriber.number for subscriber in removed}
        with core.lock:
            core.subscriptions.remove(lambda subscriber: subscriber.number in removed_numbers)
            for subscriber in added:
                core.subscriptions.add(subscriber)
            core.invalidate_plans()
        if core.carrier is None:
            return
        added_by_number = {subscriber.number: subscriber for subscriber in added}
        for subscriber in removed:
            if not is_same_consumer(subscriber, added_by_number.get(subscriber.number)):
                core.carrier.release(subscriber)
        removed_by_number = {subscriber.number: subscriber for subscriber in removed}
        for subscriber in added:
            if not is_same_consumer(subscriber, removed_by_number.get(subscriber.number)):
                core.carrier.consume(subscriber)


def is_same_consumer(subscriber: Subscriber, other: Subscriber | None) -> bool:
    """Whether a transport sees no difference between two subscriptions: then what it brings to the one goes, through
    the node's door, to the other.
    """
    return other is not None and (
        subscriber.durable,
        subscriber.attempts,
        subscriber.bounds.concurrency,
        subscriber.is_async,
        subscriber.key,
    ) == (
        other.durable,
        other.attempts,
        other.bounds.concurrency,
        other.is_async,
        other.key,
    )


ON_FULL = ("wait", "drop_oldest", "error")

log = logging.getLogger("graphbus.runtime")
_alive: weakref.WeakSet[MessageBus] = weakref.WeakSet()


class MessageBus(FastPath):
    """The bus. Every public method may be called from any thread, and from inside a handler.

    `max_history` events are kept. `queue_limit` bounds what waits: the events that handlers publish, and the
    deliveries to an async handler that cannot be awaited; `on_full` says what happens then. With `together` the async
    handlers of one event run at once. `wait_s` bounds how long a sync publisher waits for async handlers.
    """

    def __init__(
        self,
        max_history: int = 1_000,
        *,
        queue_limit: int = 10_000,
        on_full: str = "wait",
        checks: PayloadChecks | None = None,
        dead_letters: DeadLetters | None = None,
        journal: Journal | DeliveryLog | None = None,
        retry: Retry | None = None,
        bounds: Bounds | None = None,
        timestamps: bool = False,
        together: bool = False,
        wait_s: float | None = 30.0,
    ) -> None:
        if max_history < 1 or queue_limit < 1:
            raise ConfigError("max_history and queue_limit must be 1 or more.")
        if on_full not in ON_FULL:
            raise ConfigError(f"on_full is {on_full!r}; use {', '.join(ON_FULL)}.")
        self.queue_limit = queue_limit
        self.on_full = on_full
        self.dead_letters = dead_letters if dead_letters is not None else DeadLetters()
        core = self._core = BusCore(
            queue_limit,
            on_full,
            checks or PayloadChecks(),
            self.dead_letters,
            DeliveryLog(journal) if isinstance(journal, Journal) else journal,
            choose_clock(timestamps),
            deque(maxlen=max_history),
            together,
            wait_s,
        )
        self.home, self.tally = core.home, core.tally
        self._outcomes = Outcomes(core)
        chain = self._chain = MiddlewareStack(core, self._outcomes)
        machine = Dispatcher(core, self._outcomes, chain)
        machine.flows = AsyncDispatcher(core, self._outcomes, chain, machine)
        super().__init__(core, machine, machine.flows)
        self.registry = Registry(core, self._outcomes, machine.causes, retry, bounds)
        self._redelivery = Redelivery(core, machine.causes)
        self._under_way = InFlight(core, self._flows)
        self.causes = machine.causes  # on whose behalf a thread or a task is at work
        self.carried: RemoteBus | None = None
        self.observers: tuple[Observer, ...] = ()
        self._router: Any = None
        _alive.add(self)

    def use_transport(self, transport: Transport) -> None:
        """Publish over this transport from now on. Where it is local, the bus delivers by itself, as it always did."""
        if not transport.local:
            core = self._core
            core.carrier = self.carried = RemoteBus(core, self._outcomes, self._chain, self._flows, transport)
            core.invalidate_plans()

    @property
    def checks(self) -> PayloadChecks:
        """The contracts that payloads are held against."""
        return self._core.checks

    def set_checks(self, checks: PayloadChecks) -> None:
        """Hold payloads against these contracts from now on."""
        with self._core.lock:
            if self._core.checks is not checks:
                self._core.checks = checks
                self._core.invalidate_plans()

    # Publishing

    def publisher(self, topic: str, source: str = "system") -> Callable[[dict[str, Any]], Event]:
        """A function that publishes to one topic: `send = bus.publisher("/Order/Created")`, `send({"id": 1})`."""
        publish = self.publish

        def send(payload: dict[str, Any]) -> Event:
            return publish(topic, payload, source)

        return send

    def dispatch_event(self, event: Event) -> None:
        """Deliver an event that exists already to all subscribers of its topic, without publishing it anew."""
        self._machine.redeliver(event, self._core.find_plan(event.topic))

    def deliver_to(self, subscribers: tuple[Subscriber, ...], event: Event) -> None:
        """Deliver an event that exists already to these subscribers alone."""
        self._machine.redeliver(event, compile_plan(event.topic, subscribers, returned=self._core.returned))

    # Subscribing

    def subscribe(
        self,
        topic: str,
        handler: Callable[..., Any],
        subscriber_name: str = "unknown",
        *,
        retry: Retry | None = None,
        bounds: Bounds | None = None,
        key: str | None = None,
    ) -> Subscriber:
        """Call `handler` with every event of `topic`, or of the topics that a pattern matches, from the next on.

        Events with the same `key`, a field of the payload, are handled one after the other, in their order.

        Raises BadHandler (a ValueError) for what cannot be called, or never with an event.
        """
        subscriber = self.registry.build_subscriber(
            topic, handler, subscriber_name, alone=Form.EVENT, retry=retry, bounds=bounds, key=key
        )
        self.registry.add(subscriber)
        return subscriber

    def unsubscribe(self, topic: str, handler: Callable[..., Any]) -> None:
        """Take every subscription of `handler` to `topic` back, from the next event on."""
        name = get_topic_name(topic)
        self.remove(lambda s: s.topic == name and s.handler == handler)

    def remove(self, which: Callable[[Subscriber], bool]) -> int:
        """Take subscriptions back and return how many there were."""
        return self.registry.remove(which)

    def use(self, middleware: Middleware) -> None:
        """Put `middleware(event, next)` around every delivery, inside those that are there already.

        It is a plain function that returns what `next(event)` returns (for async deliveries something to await), and
        may hand on another event; an event that it does not hand on counts as dropped. Where it has a method
        `mask(event)`, history, journal and dead letters keep what that returns. Where it has a method `used_by(bus)`,
        that is called, and `bus.shown(event)` is an event as all of them would have it shown. What a method `around`
        returns stands around each attempt of every handler that subscribes from then on (`handling.idempotent`).
        """
        if not callable(middleware) or is_async(middleware):
            raise BadHandler(
                f"{middleware!r} is not middleware: give a plain function of (event, next) that returns next(event)."
            )
        core = self._core
        with core.lock:
            if not getattr(middleware, "looks_on", False):  # an observer that only wants to meet its bus
                core.middleware = (*core.middleware, middleware)
            mask = getattr(middleware, "mask", None)
            if callable(mask):
                core.masks = (*core.masks, mask)
            if callable(used_by := getattr(middleware, "used_by", None)):
                used_by(self)
            core.invalidate_plans()

    def observe(self, observer: Observer) -> None:
        """Let somebody look on: at what is published, and at handlers that are subscribed from now on."""
        with self._core.lock:
            self.observers = self._core.observers = (*self.observers, observer)
            self._core.invalidate_plans()
        if self.carried is not None:
            self.carried.observe(self.observers)

    def subscribers(self, topic: str) -> tuple[Subscriber, ...]:
        """Who hears an event of `topic`, in the order of delivery."""
        return self._core.find_subscribers(get_topic_name(topic))

    def get_subscribers(self, topic: str) -> list[str]:
        """The names of who hears `topic`."""
        return [s.name for s in self.subscribers(topic)]

    def get_all_topics(self) -> list[str]:
        """Topics and patterns that somebody subscribed to."""
        with self._core.lock:
            return [topic for topic, _ in self._core.subscriptions.iter_topics()]

    # What happened

    def get_message_history(self, limit: int = 100) -> list[Event]:
        """The last events, newest first, at most `limit`."""
        return self._core.list_recent(limit)

    def clear_history(self) -> None:
        """Forget the history."""
        self._core.history.clear()

    def flow(self, event_id: str) -> list[Event]:
        """What led to an event and what came of it, oldest first, as far as the history reaches."""
        return self._core.trace_flow(event_id)

    def shown(self, event: Event) -> Event:
        """The event as it may be shown and kept: without what the middleware hides."""
        return self._core.redact(event)

    def get_stats(self) -> dict[str, Any]:
        """Counts in total and per topic (seed 002 §5.3), exact when nothing is under way.

        For each topic and in total: every event's subscribers at publish = delivered + failed + dropped + in flight.
        """
        core = self._core
        with core.lock:
            topics = {topic: len(subscribers) for topic, subscribers in core.subscriptions.iter_topics()}
            return {
                **frames.summarize_counts(core.frames.all, core.tally, self._under_way.count_waiting()),
                "total_subscriptions": sum(topics.values()),
                "topics_with_subscribers": len(topics),
                "history_size": len(core.history),
                "dead_letters": len(core.dead_letters),
                "dead_letters_lost": core.dead_letters.lost,
            }

    def reset_stats(self) -> None:
        """Count from zero again."""
        with self._core.lock:
            self._core.tally.reset(self._core.frames.all)

    # Waiting and ending

    def count_waiting(self) -> dict[str, int]:
        """topic -> deliveries that are counted but not done: under way, or in a queue."""
        return self._under_way.count_waiting()

    def is_busy(self) -> bool:
        """Whether any delivery is under way or waits, in whichever thread but this one."""
        return self._under_way.is_busy()

    def drain(self, timeout_s: float | None = None) -> bool:
        """Wait until nothing is under way, at most `timeout_s`; say whether that came true.

        Not for use inside an event loop that has handlers to run: use `adrain` there.
        """
        return self._under_way.drain(timeout_s)

    async def adrain(self, timeout_s: float | None = None) -> bool:
        """`drain` for async code."""
        return await self._under_way.adrain(timeout_s)

    async def cancel_async(self, timeout_s: float | None = None) -> list[str]:
        """Cancel the async handlers that were left to mailboxes; what they had not done counts as failed or dropped.

        Waits for their end, at most `timeout_s`, and names those that go on all the same.
        """
        return await self._flows.mailboxes.cancel(timeout_s)

    def close(self) -> None:
        """Refuse, with NotRunning, whatever is published from now on. What happened can still be asked for."""
        with self._core.lock:
            self._core.closed = True
            self._core.invalidate_plans()

    # Dead letters

    def retry_dead_letter(self, letter: DeadLetter, payload: dict[str, Any] | None = None) -> bool:
        """Deliver a dead letter once more, to the subscriber that failed; say whether it went well.

        A letter that never reached any subscriber goes to whoever listens now; one that stays is named in the log, and
        why. `payload` takes the place of its own, and must fit the topic's contract. Raises UsageError where it does
        not, and for a letter whose fields were hidden, and RuntimeFault in an event loop that would have to wait for
        itself: use `aretry_dead_letter` there.
        """
        return self._redelivery.retry(letter, payload)

    async def aretry_dead_letter(self, letter: DeadLetter, payload: dict[str, Any] | None = None) -> bool:
        """`retry_dead_letter` for async code: awaits the handler."""
        return await self._redelivery.aretry(letter, payload)

    # For direct calls

    def block_snapshot(self, node: str) -> AbstractContextManager[None]:
        """While a direct call runs in a node: no snapshot of it is taken meanwhile."""
        return self._core.block_snapshot_of(node)

    def note_refusal(self, message_id: str) -> None:
        """An event or call that is in the journal already was refused: nobody gets it."""
        if self._core.ledger is not None:
            self._core.ledger.record_refusal(message_id)

    def note_violation(self, event: Event, where: str, error: PayloadRejected) -> None:
        """A direct call broke a contract: count it and keep it."""
        self._outcomes.record_violation(event, where, error)

    # Inside

    def _reset_after_fork(self) -> None:
        """This is a child process: the other threads, and what they were delivering, stayed in the parent."""
        self._under_way.reset_after_fork()

    @property
    def _subscriptions(self) -> dict[str, list[tuple[Callable[..., Any], str]]]:
        with self._core.lock:
            return self._core.subscriptions.list_handlers()

    @property
    def _message_history(self) -> deque[Event]:
        return self._core.history

    @property
    def _stats(self) -> dict[str, int]:
        stats = self.get_stats()
        return {name: stats[name] for name in ("messages_published", "messages_delivered", "errors")}

    @property
    def _dispatcher(self) -> Any:
        return self._core.dispatcher if self._core.dispatcher is not None else self._router

    @_dispatcher.setter
    def _dispatcher(self, dispatcher: Any) -> None:
        """Seed 002 §5.5 sets the router here. A router of this bus is attached anyway; another one is asked too."""
        attached = getattr(dispatcher, "attached_to", None) is self
        with self._core.lock:
            self._core.dispatcher = None if attached else dispatcher
            self._core.invalidate_plans()

    def __repr__(self) -> str:
        stats = self.get_stats()
        return (
            f"MessageBus(topics={stats['topics_with_subscribers']}, subscriptions={stats['total_subscriptions']}, "
            f"published={stats['messages_published']}, delivered={stats['messages_delivered']})"
        )


def _reset_buses_after_fork() -> None:
    for bus in list(_alive):
        bus._reset_after_fork()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_reset_buses_after_fork)
