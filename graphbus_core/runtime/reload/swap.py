"""The swap: nodes whose code changed are drained, hand over their state, and the new ones take their places.

Why nothing is lost and nothing doubled: an event is with an old handler, or with a new one, and never between.

    doors closed      who comes waits; who is inside, and what they call, goes on (`doors`)
    nobody inside     from here on no code of the old nodes runs
    on_stop, state    old -> new, through JSON
    exchange          all subscriptions at once, under the bus's lock; a topic's plans are made anew
    on_start          of the new nodes; what they publish finds the new ones
    doors opened      who waited goes in, in the order in which they came, to the new node

Whatever fails before the doors open is taken back: the old nodes never lost their state. `on_stop` runs on new nodes
that had started, and `on_start` again on old ones where their `on_stop` had run.
"""

from __future__ import annotations

import contextvars
import logging
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from graphbus_core.errors import NodeFailed, RuntimeFault
from graphbus_core.node_base import GraphBusNode
from graphbus_core.runtime.assembly import Assembly
from graphbus_core.runtime.handling.deadline import run_within
from graphbus_core.runtime.handling.subscriber import Subscriber
from graphbus_core.runtime.reload.beside import GOES_ON, Beside, hand_over
from graphbus_core.runtime.reload.doors import Door
from graphbus_core.runtime.transports.port import Responder

log = logging.getLogger("graphbus.runtime")
LOOK_S = 0.001  # between two looks at who is still inside


@dataclass(frozen=True)
class Reloaded:
    """What a reload did. `broken_contracts` were forced; `paused_s` is how long the nodes that changed took nothing."""

    build_id: str
    changed: tuple[str, ...]
    added: tuple[str, ...]
    removed: tuple[str, ...]
    broken_contracts: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    paused_s: float = 0.0

    @property
    def anything(self) -> bool:
        """Whether any node is another one now."""
        return bool(self.changed or self.added or self.removed)


@dataclass
class _Before:
    """What a swap changes, as it was."""

    nodes: dict[str, GraphBusNode]
    subscriptions: list[Subscriber]
    generations: dict[str, int]
    stopped: list[str] = field(default_factory=list)
    begun: list[str] = field(default_factory=list)  # new nodes whose on_start ran
    exchanged: list[Subscriber] | None = None


def reload(running: Assembly, *, force: bool, timeout_s: float) -> Reloaded:
    """Take the newest build. Raises what `Beside` raises, and RuntimeFault where nodes do not come to rest in time."""
    new = Beside(running, force=force)
    new.make()
    try:
        swap = Swap(running, new, timeout_s)
        paused_s = swap.run()
    except BaseException:
        new.forget()
        raise
    told = new.difference
    built = str(new.loader.load_build_summary().get("build_id", ""))
    return Reloaded(built, told.changed, told.added, told.removed, new.broken_contracts, tuple(swap.problems), paused_s)


class Swap:
    """One swap. `problems` are what went wrong and stopped nothing: an `on_stop` that raised."""

    def __init__(self, running: Assembly, new: Beside, timeout_s: float) -> None:
        self._running, self._new, self._timeout_s = running, new, timeout_s
        told = new.difference
        self._names = (*told.changed, *told.added, *told.removed)
        assert running.doors is not None
        self._passing = running.doors.passing
        self._doors: list[Door] = [running.doors.of(name) for name in self._names]
        self.problems: list[str] = []

    def run(self) -> float:
        """Do it, and return how many seconds the doors were closed."""
        begun = time.monotonic()
        end = begun + self._timeout_s
        for door in self._doors:
            door.close()
        try:
            self._rest(end)
            with self._passing():
                self._exchange(end)
            self._settle()
        finally:
            for door in self._doors:
                door.open()
        return time.monotonic() - begun

    def _rest(self, end: float) -> None:
        """Wait until nobody is inside."""
        while busy := [door.node for door in self._doors if door.inside]:
            if time.monotonic() > end:
                raise RuntimeFault(
                    f"{', '.join(sorted(busy))} did not come to rest within {self._timeout_s:g} s: a handler or a call "
                    f"goes on. So the build was not reloaded. {GOES_ON}"
                )
            time.sleep(LOOK_S)

    def _exchange(self, end: float) -> None:
        running, new = self._running, self._new
        old = {name: running.nodes[name] for name in self._names if name in running.nodes}
        router = running.router
        before = _Before(
            old,
            router.of_nodes(old) if router is not None else [],
            {door.node: door.generation for door in self._doors},
        )
        try:
            for name in [one for one in reversed(running.started) if one in old]:
                before.stopped.append(name)
                self._stopped(name, end)
            hand_over(old, new.nodes)
            self._put(before)
            for name in new.nodes:
                self._hook(name, "on_start", end)
                before.begun.append(name)
        except BaseException as error:
            self._take_back(before, end)
            if isinstance(error, RuntimeFault):
                raise
            raise NodeFailed(f"The new build could not be taken: {type(error).__name__}: {error}. {GOES_ON}") from error

    def _put(self, before: _Before) -> None:
        """The new nodes are in their places, and hear what they are to hear."""
        running, new = self._running, self._new
        for name in before.nodes:
            if name not in new.nodes:
                del running.nodes[name]
        running.nodes.update(new.nodes)
        running.connect(new.checks, frozenset(agent.name for agent in new.agents))
        if running.router is None:
            return
        for door in self._doors:
            door.prepare()
        numbers = {one.durable: one.number for one in before.subscriptions}
        come = []
        for one in new.subscriptions:
            node = new.nodes.get(one["agent"])
            if node is not None:
                running.policy.demand(node.name, "hear", one["topic"])
                number = numbers.get(f"{node.name}.{one['handler']} {one['topic']}")
                come.append(running.router.made(one["topic"], node, one["handler"], number))
        self._lead(come)
        running.router.exchange(before.subscriptions, come)
        before.exchanged = come

    def _lead(self, come: list[Subscriber]) -> None:
        for door in self._doors:
            mine = {one.durable: one for one in come if getattr(one.owner, "name", None) == door.node}
            door.lead_to(mine)

    def _take_back(self, before: _Before, end: float) -> None:
        """Everything as it was."""
        running = self._running
        for name in reversed(before.begun):  # what it opened, the old node is to open again
            with suppress(Exception):
                self._hook(name, "on_stop", end)
        for name in self._new.nodes:
            if name not in before.nodes:
                running.nodes.pop(name, None)
        running.nodes.update(before.nodes)
        running.connect(running.checks, running.build_names())
        for door in self._doors:
            mine = [one for one in before.subscriptions if getattr(one.owner, "name", None) == door.node]
            door.lead_back(before.generations[door.node], {one.durable: one for one in mine})
        if before.exchanged is not None and running.router is not None:
            running.router.exchange(before.exchanged, before.subscriptions)
        for name in reversed(before.stopped):
            with suppress(Exception):  # it ran before; what it says now changes nothing of why this is taken back
                self._hook(name, "on_start", end)

    def _settle(self) -> None:
        """The new build is the running one. Nothing in here may fail."""
        running, new = self._running, self._new
        running.take(new.loader, new.checks, new.modules, new.wants)
        if running.transport.local:
            return
        assert running.calls is not None
        for name in (*new.difference.added, *new.difference.changed):
            running.transport.reply(Responder(name, running.calls.answer, new.nodes[name]))
        running.carried(running.transport.rebuilt(new.loader.folder, frozenset(running.nodes)))

    # Hooks

    def _stopped(self, name: str, end: float) -> None:
        try:
            self._hook(name, "on_stop", end)
        except Exception as e:  # as at a stop: it is told, and goes on
            self.problems.append(f"{name}.on_stop failed: {type(e).__name__}: {e}")
            log.error("%s", self.problems[-1])

    def _hook(self, name: str, hook: str, end: float) -> None:
        """In this context, which passes every door, also where it runs in a thread of its own."""
        context = contextvars.copy_context()
        work: Callable[[], Any] = partial(context.run, self._running.hook, name, hook)
        if not run_within(max(end - time.monotonic(), 0.1), work):
            raise RuntimeFault(f"{name}.{hook} did not end in time. {GOES_ON}")
