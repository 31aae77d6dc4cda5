"""`MessageBus`: topics, subscribers, history, counts (seed 002 §5.3). It knows no node and no artifact.

    publish     sync: the sync handlers run in the calling thread, one event after the other, before it returns
    apublish    async: awaits every handler in order

Why an empty publish costs about as much as six calls: a plan is compiled once for each topic (`plan`), each thread
counts for itself (`frames`), an id is a number until somebody reads it (`model.message`), and whatever is not needed
by a topic (checks, journal, middleware, async handlers) is not asked about: such topics take the general road in
`delivery` and `awaited`.
"""

from __future__ import annotations

import itertools
import os
import threading
import weakref
from collections import deque
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from graphbus_core.errors import BadHandler, ConfigError
from graphbus_core.model.message import Event
from graphbus_core.runtime.delivery import counts
from graphbus_core.runtime.delivery.frames import Entry, Frame
from graphbus_core.runtime.delivery.home import HomeLoop
from graphbus_core.runtime.delivery.plan import Plan, Subscriber, compile_plan
from graphbus_core.runtime.delivery.redelivery import Redelivery
from graphbus_core.runtime.handling.checks import PayloadChecks
from graphbus_core.runtime.handling.handlers import (
    PLAIN,
    Form,
    Retry,
    form_of,
    is_async,
    retried,
    retried_async,
    taking_event,
)
from graphbus_core.runtime.handling.topics import is_pattern, matches, named
from graphbus_core.runtime.kept.dead_letters import DeadLetters

MAX_TOPICS = 10_000  # that one thread counts apart; beyond, the counts of old topics are summed up
ON_FULL = ("wait", "drop_oldest", "error")

Middleware = Callable[[Event, Callable[[Event], Any]], Any]

_alive: weakref.WeakSet[MessageBus] = weakref.WeakSet()
_new: Callable[[type[Event]], Event] = object.__new__


class MessageBus(Redelivery):
    """The bus. Every public method may be called from any thread, and from inside a handler.

    `max_history` events are kept. `queue_limit` bounds what waits: the events that handlers publish, and the
    deliveries to an async handler that cannot be awaited; `on_full` says what happens then.
    """

    def __init__(
        self,
        max_history: int = 1_000,
        *,
        queue_limit: int = 10_000,
        on_full: str = "wait",
        checks: PayloadChecks | None = None,
        dead_letters: DeadLetters | None = None,
        journal: Any = None,
        retry: Retry | None = None,
        timestamps: bool = False,
    ) -> None:
        if max_history < 1 or queue_limit < 1:
            raise ConfigError("max_history and queue_limit must be 1 or more.")
        if on_full not in ON_FULL:
            raise ConfigError(f"on_full is {on_full!r}; use {', '.join(ON_FULL)}.")
        self.queue_limit = queue_limit
        self.on_full = on_full
        self.checks = checks or PayloadChecks()
        self.dead_letters = dead_letters if dead_letters is not None else DeadLetters()
        self.home = HomeLoop()
        self.tally = counts.Tally()
        self._retry = retry
        self._history: deque[Event] = deque(maxlen=max_history)
        self._record = self._history.append
        self._lock = threading.RLock()
        self._here = threading.local()
        self._frames: list[Frame] = []
        self._numbers = itertools.count(1)
        self._exact: dict[str, list[Subscriber]] = {}
        self._patterns: dict[str, list[Subscriber]] = {}
        self._plans: dict[str, Plan] = {}
        self._version: object = object()
        self._middleware: tuple[Middleware, ...] = ()
        self._masks: tuple[Callable[[Event], Event], ...] = ()
        self._foreign_dispatcher: Any = None
        self._async_subscribers = 0
        self._router: Any = None
        super().__init__(journal=journal, timestamps=timestamps)
        self._change()
        _alive.add(self)

    # Publishing

    def publish(self, topic: str, payload: dict[str, Any], source: str = "system") -> Event:
        """Publish to `topic` and return the event; every sync handler has run by then.

        Inside a handler the event waits until the event at hand has reached all its handlers. A handler that raises
        stops nobody else: it is counted, logged, and kept as a dead letter. Raises BadPayload for anything but a dict,
        PayloadRejected where checks are enforced, QueueFull where a queue is full and that is the setting.
        """
        try:
            frame = self._here.frame
            entry = frame.entries[topic]
        except (AttributeError, KeyError, TypeError):
            return self._publish(topic, payload, source)
        if entry.version is not self._version or type(payload) is not dict or frame.current is not None:
            return self._publish(topic, payload, source)
        plan = entry.plan  # a handler may change subscriptions and publish here again, which binds the entry anew
        event = _new(Event)
        try:
            frame.current = event
            event._id = entry.seq = entry.seq + 1
            event.topic = topic
            event.src = source
            event.payload = payload
            event.timestamp = event.cause = None
            self._record(event)
            try:
                given = plan.run(event if plan.wants_event else payload)
            except BaseException as error:
                given = self._recover(frame, plan, event, error)
            if given is not None and type(given) not in PLAIN:
                self._given(frame, plan, event, given)
            if frame.queue is not None:
                self._drain_frame(frame)
        finally:
            frame.current = None
        return event

    def publisher(self, topic: str, source: str = "system") -> Callable[[dict[str, Any]], Event]:
        """A function that publishes to one topic: `send = bus.publisher("/Order/Created")`, `send({"id": 1})`."""
        publish = self.publish

        def send(payload: dict[str, Any]) -> Event:
            return publish(topic, payload, source)

        return send

    def dispatch_event(self, event: Event) -> None:
        """Deliver an event that exists already to all subscribers of its topic, without publishing it anew."""
        self._redeliver(event, self._plan(event.topic))

    def deliver_to(self, subscribers: tuple[Subscriber, ...], event: Event) -> None:
        """Deliver an event that exists already to these subscribers alone."""
        self._redeliver(event, compile_plan(event.topic, subscribers, returned=self._returned))

    # Subscribing

    def subscribe(
        self, topic: str, handler: Callable[..., Any], subscriber_name: str = "unknown", *, retry: Retry | None = None
    ) -> Subscriber:
        """Call `handler` with every event of `topic`, or of the topics that a pattern matches, from the next on.

        Raises BadHandler (a ValueError) for what cannot be called, or never with an event.
        """
        return self.add(topic, handler, subscriber_name, alone=Form.EVENT, retry=retry)

    def add(
        self,
        topic: str,
        handler: Callable[..., Any],
        name: str,
        *,
        alone: Form,
        owner: object = None,
        handler_name: str = "",
        retry: Retry | None = None,
        check: Callable[[Any], Any] | None = None,
    ) -> Subscriber:
        """`subscribe` with everything that a router knows; `check` is the handler's own input contract."""
        if not (topic := named(given := topic)):
            raise BadHandler(
                f"{name} subscribes to {given!r}, which is no topic: give a name such as '/Order/Created', as text or "
                f"as a Topic."
            )
        form = form_of(handler, alone=alone, name=name)
        asynchronous = is_async(handler)
        call: Callable[..., Any] = handler
        retry = retry or self._retry
        if check is not None:
            call, form = self._checked(taking_event(call, form), check, name), Form.EVENT
        if retry is not None and retry.times:
            wrap = retried_async if asynchronous else retried
            call, form = wrap(taking_event(call, form), retry), Form.EVENT
        subscriber = Subscriber(
            next(self._numbers),
            topic,
            name,
            handler,
            call,
            taking_event(call, form),
            form,
            asynchronous,
            owner,
            handler_name,
            retry,
        )
        with self._lock:
            kind = self._patterns if is_pattern(topic) else self._exact
            kind.setdefault(topic, []).append(subscriber)
            self._async_subscribers += asynchronous
            self._change()
        return subscriber

    def unsubscribe(self, topic: str, handler: Callable[..., Any]) -> None:
        """Take every subscription of `handler` to `topic` back, from the next event on."""
        name = named(topic)
        self.remove(lambda s: s.topic == name and s.handler == handler)

    def remove(self, which: Callable[[Subscriber], bool]) -> int:
        """Take subscriptions back and return how many there were."""
        gone = 0
        with self._lock:
            for kind in (self._exact, self._patterns):
                for topic in list(kind):
                    kept = [s for s in kind[topic] if not which(s)]
                    gone += len(kind[topic]) - len(kept)
                    self._async_subscribers -= sum(s.is_async for s in kind[topic]) - sum(s.is_async for s in kept)
                    if kept:
                        kind[topic] = kept
                    else:
                        del kind[topic]
            if gone:
                self._change()
        return gone

    def use(self, middleware: Middleware) -> None:
        """Put `middleware(event, next)` around every delivery, inside those that are there already.

        It is a plain function that returns what `next(event)` returns (for async deliveries something to await), and
        may hand on another event; an event that it does not hand on counts as dropped. Where it has a method
        `mask(event)`, history, journal and dead letters keep what that returns. Where it has a method `used_by(bus)`,
        that is called, and `bus.shown(event)` is an event as all of them would have it shown.
        """
        if not callable(middleware) or is_async(middleware):
            raise BadHandler(
                f"{middleware!r} is no middleware: give a plain function of (event, next) that returns next(event)."
            )
        with self._lock:
            self._middleware = (*self._middleware, middleware)
            mask = getattr(middleware, "mask", None)
            if callable(mask):
                self._masks = (*self._masks, mask)
            if callable(used_by := getattr(middleware, "used_by", None)):
                used_by(self)
            self._change()

    def subscribers(self, topic: str) -> tuple[Subscriber, ...]:
        """Who hears an event of `topic`, in the order of delivery."""
        topic = named(topic)
        with self._lock:
            heard = list(self._exact.get(topic, ()))
            for pattern, listeners in self._patterns.items():
                if matches(pattern, topic):
                    heard += listeners
        return tuple(sorted(heard, key=lambda s: s.number))

    def get_subscribers(self, topic: str) -> list[str]:
        """The names of who hears `topic`."""
        return [s.name for s in self.subscribers(topic)]

    def get_all_topics(self) -> list[str]:
        """Topics and patterns that somebody subscribed to."""
        with self._lock:
            return [*self._exact, *self._patterns]

    # What happened

    def get_message_history(self, limit: int = 100) -> list[Event]:
        """The last events, newest first, at most `limit`."""
        while True:
            try:
                events = list(itertools.islice(reversed(self._history), max(limit, 0)))
            except RuntimeError:  # another thread published meanwhile
                continue
            return events

    def clear_history(self) -> None:
        """Forget the history."""
        self._history.clear()

    def flow(self, event_id: str) -> list[Event]:
        """What led to an event and what came of it, oldest first, as far as the history reaches."""
        events = self.get_message_history(len(self._history))[::-1]
        by_id = {e.event_id: e for e in events}
        root = event_id
        seen = {root}
        while (event := by_id.get(root)) and event.cause in by_id and event.cause not in seen:
            root = event.cause
            seen.add(root)
        reached = {root}
        for event in events:
            if event.cause in reached:
                reached.add(event.event_id)
        return [e for e in events if e.event_id in reached]

    def get_stats(self) -> dict[str, Any]:
        """Counts in total and per topic (seed 002 §5.3), exact when nothing is under way.

        For each topic and in total: every event's subscribers at publish = delivered + failed + dropped + in flight.
        """
        with self._lock:
            topics = {t: len(s) for t, s in (*self._exact.items(), *self._patterns.items())}
            return {
                **counts.summary(self._frames, self.tally, self._waiting()),
                "total_subscriptions": sum(topics.values()),
                "topics_with_subscribers": len(topics),
                "history_size": len(self._history),
                "dead_letters": len(self.dead_letters),
            }

    def reset_stats(self) -> None:
        """Count from zero again."""
        with self._lock:
            self.tally.reset(self._frames)

    def close(self) -> None:
        """Refuse, with NotRunning, whatever is published from now on. What happened can still be asked for."""
        with self._lock:
            self._closed = True
            self._change()

    # Inside

    def _forked(self) -> None:
        """This is a child process: the other threads, and what they were delivering, stayed in the parent."""
        self._lock = threading.RLock()
        self.tally.forked()
        self.home.forked()
        own = threading.get_ident()
        here = [frame for frame in self._frames if frame.ident == own]
        self._frames = [frame for frame in self._frames if frame.ident != own]
        for topic, n in self._waiting().items():
            self.tally.dropped(topic, n)
        for frame in self._frames:
            self.tally.fold(frame.every)
        self._frames = here
        self._flying.clear()
        self._mailboxes.clear()
        self._tasks.clear()

    @property
    def _subscriptions(self) -> dict[str, list[tuple[Callable[..., Any], str]]]:
        with self._lock:
            kinds = (*self._exact.items(), *self._patterns.items())
            return {topic: [(s.handler, s.name) for s in subscribers] for topic, subscribers in kinds}

    @property
    def _message_history(self) -> deque[Event]:
        return self._history

    @property
    def _stats(self) -> dict[str, int]:
        stats = self.get_stats()
        return {name: stats[name] for name in ("messages_published", "messages_delivered", "errors")}

    @property
    def _dispatcher(self) -> Any:
        return self._foreign_dispatcher if self._foreign_dispatcher is not None else self._router

    @_dispatcher.setter
    def _dispatcher(self, dispatcher: Any) -> None:
        """Seed 002 §5.5 sets the router here. A router of this bus is attached anyway; another one is asked too."""
        attached = getattr(dispatcher, "attached_to", None) is self
        with self._lock:
            self._foreign_dispatcher = None if attached else dispatcher
            self._change()

    def _change(self) -> None:
        """Something changed: no plan made before is used for an event published from now on. Under the lock."""
        self._plans = {}
        self._general = bool(
            self._middleware
            or self._journal is not None
            or self._timestamps
            or self._foreign_dispatcher is not None
            or self._async_subscribers
        )
        self._version = object()

    def _plan(self, topic: str) -> Plan:
        with self._lock:
            plan = self._plans.get(topic)
            if plan is None:
                self.checks.demand_known(topic, (*self._exact, *self._patterns))
                if len(self._plans) >= MAX_TOPICS:
                    self._plans = {}
                plan = self._plans[topic] = self._compiled(topic)
            return plan

    def _compiled(self, topic: str) -> Plan:
        subscribers, check = self.subscribers(topic), self.checks.of_topic(topic)
        plan = compile_plan(topic, subscribers, check, self._violated, self._returned)
        if check is None or self.checks.enforced:
            return plan
        return replace(plan, noted=compile_plan(topic, subscribers, returned=self._returned))

    def _frame(self) -> Frame:
        try:
            frame: Frame = self._here.frame
        except AttributeError:
            frame = self._here.frame = Frame()
            with self._lock:
                if len(self._frames) >= 64:
                    dead = [f for f in self._frames if not f.thread.is_alive()]
                    for gone in dead:
                        self.tally.fold(gone.every)
                        self._frames.remove(gone)
                self._frames.append(frame)
        return frame

    def _entry(self, frame: Frame, topic: str) -> Entry:
        """This thread's entry for `topic`, bound to the plan of now."""
        entry = frame.every.get(topic)
        if entry is None or entry.version is not self._version:
            with self._lock:
                plan = self._plan(topic)
                if entry is None:
                    if len(frame.every) >= MAX_TOPICS:
                        self.tally.fold(frame.every)
                        frame.every.clear()
                        frame.quick.clear()
                    entry = Entry()
                entry.bind(plan, self._version)
                frame.every[topic] = entry
                if self._general:
                    frame.quick.pop(topic, None)
                else:
                    frame.quick[topic] = entry
        return entry

    def __repr__(self) -> str:
        stats = self.get_stats()
        return (
            f"MessageBus(topics={stats['topics_with_subscribers']}, subscriptions={stats['total_subscriptions']}, "
            f"published={stats['messages_published']}, delivered={stats['messages_delivered']})"
        )


def _after_fork() -> None:
    for bus in list(_alive):
        bus._forked()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
