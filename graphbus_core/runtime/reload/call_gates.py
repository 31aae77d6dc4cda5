"""The doors of nodes: through them goes whatever a node is given, and one that is closed lets nobody in for a while.

A runtime that can be reloaded has one door for each node. A reload closes those of the nodes that change, waits until
whoever is inside has left, swaps the nodes, and opens them. Who came meanwhile waits, and finds the new node.

Why a handler that a thread holds already is not danger: every handler remembers the generation of its door. A thread
that picked up the old one just before the swap, and calls it just after, is sent on to the handler's successor.

Who is inside any door may pass every closed one. Otherwise a handler that calls a node whose door is closed would wait
for the reload, and the reload for the handler.
"""

from __future__ import annotations

import itertools
import threading
import time
from collections.abc import Awaitable, Callable, Generator, Iterator, Mapping
from concurrent import futures
from contextlib import asynccontextmanager, contextmanager
from contextvars import ContextVar
from enum import Enum
from typing import Any

from graphbus_core.errors import DeadlineExceeded, RuntimeFault
from graphbus_core.model.message import Event
from graphbus_core.runtime.concurrency import get_running_loop
from graphbus_core.runtime.subscriptions.handlers import PLAIN, close_awaitable, is_awaitable
from graphbus_core.runtime.subscriptions.subscriber import Subscriber

LONGEST_S = 600.0  # at a closed door; a reload opens it after its own deadline, which is far shorter

Attempt = Callable[[Event], Any]
_generations = itertools.count(1)


class _Admission(Enum):
    """What a door says to who comes."""

    ENTERED = 1
    CLOSED = 2
    MOVED = 3  # the node is another one by now


class _Visit:
    """While active, whoever runs in this context is inside some door. A task that a handler left behind is not."""

    __slots__ = ("active",)

    def __init__(self) -> None:
        self.active = True


_VISIT: ContextVar[_Visit | None] = ContextVar("graphbus_visit", default=None)


@contextmanager
def _begin_visit() -> Iterator[None]:
    visit = _Visit()
    token = _VISIT.set(visit)
    try:
        yield
    finally:
        _VISIT.reset(token)
        visit.active = False


class CallGate:
    """Of one node, through all its reloads."""

    def __init__(self, node: str) -> None:
        self.node = node
        self.inside = 0
        self.generation = self._made_for = next(_generations)  # no number twice, so that none is taken for another
        self._lock = threading.Lock()
        self._opens: futures.Future[None] | None = None  # done when it opens; None: it is open
        self._successors: Mapping[str, Subscriber] = {}

    # For a reload

    def close(self) -> None:
        """Let nobody in from now on."""
        with self._lock:
            if self._opens is None:
                self._opens = futures.Future()

    def open(self) -> None:
        """Let everybody in, in the order in which they came."""
        with self._lock:
            opens, self._opens = self._opens, None
        if opens is not None:
            opens.set_result(None)

    def prepare(self) -> None:
        """Handlers that are put behind it from now on are of the node to come."""
        self._made_for = next(_generations)

    def switch_to(self, successors: Mapping[str, Subscriber]) -> None:
        """From now on the node is the one to come: its handlers by their durable names."""
        with self._lock:
            self.generation, self._successors = self._made_for, dict(successors)

    def switch_back(self, generation: int, successors: Mapping[str, Subscriber]) -> None:
        """The node is an earlier one again."""
        with self._lock:
            self.generation = self._made_for = generation
            self._successors = dict(successors)

    # For who comes

    def _enter(self, generation: int) -> _Admission:
        visit = _VISIT.get()
        with self._lock:
            if generation != self.generation:
                return _Admission.MOVED
            if self._opens is not None and (visit is None or not visit.active):
                return _Admission.CLOSED
            self.inside += 1
            return _Admission.ENTERED

    def _leave(self) -> None:
        with self._lock:
            self.inside -= 1

    def _wait(self, timeout_s: float = LONGEST_S) -> None:
        opens = self._opens
        if opens is not None:
            try:
                opens.result(timeout_s)
            except futures.TimeoutError:
                raise DeadlineExceeded(f"{self.node} is being reloaded, and was not ready in time.") from None

    async def _await(self) -> None:
        import asyncio

        opens = self._opens
        if opens is not None:
            await asyncio.wrap_future(opens)

    def wrap_attempt(self, durable: str, call: Attempt, *, asynchronous: bool) -> Attempt:
        """`call`, one attempt of a handler, behind this door. As `handling.subscriber.AttemptWrapper` has it."""
        generation = self._made_for

        async def run_async(event: Event) -> Any:
            while (admission := self._enter(generation)) is _Admission.CLOSED:
                await self._await()
            returned = (
                self._run_inside(call, event) if admission is _Admission.ENTERED else self._forward(durable, event)
            )
            return await returned if is_awaitable(returned) else returned

        def run_sync(event: Event) -> Any:
            while (admission := self._enter(generation)) is _Admission.CLOSED:
                if get_running_loop() is not None:
                    return run_async(event)  # the machine awaits what a plain function gives back
                self._wait()
            return self._run_inside(call, event) if admission is _Admission.ENTERED else self._forward(durable, event)

        return run_async if asynchronous else run_sync

    def _run_inside(self, call: Attempt, event: Event) -> Any:
        visit = _Visit()
        token = _VISIT.set(visit)
        returned = None
        try:
            returned = call(event)
        finally:
            _VISIT.reset(token)
            if returned is None or type(returned) in PLAIN or not is_awaitable(returned):
                visit.active = False
                self._leave()
            else:
                returned = _AwaitableInside(self, visit, returned)
        return returned

    def _forward(self, durable: str, event: Event) -> Any:
        successor = self._successors.get(durable)
        if successor is None:
            raise RuntimeFault(f"{durable.rpartition(' ')[0]} no longer hears {event.topic}: the build was reloaded.")
        return (successor.once or successor.deliver)(event)

    @contextmanager
    def enter_call(self, timeout_s: float | None) -> Iterator[None]:
        """Around a direct call of the node, in a thread. Raises DeadlineExceeded; RuntimeFault in an event loop."""
        end = time.monotonic() + (LONGEST_S if timeout_s is None else timeout_s)
        while self._enter(self.generation) is not _Admission.ENTERED:
            if get_running_loop() is not None:
                raise RuntimeFault(
                    f"{self.node} is being reloaded, and this is an event loop, which cannot wait: use `await "
                    f"self.acall('{self.node}', …)`."
                )
            self._wait(max(end - time.monotonic(), 0))
        with self._stay_inside():
            yield

    @asynccontextmanager
    async def aenter_call(self) -> Any:
        """`enter_call` for async code."""
        while self._enter(self.generation) is not _Admission.ENTERED:
            await self._await()
        with self._stay_inside():
            yield

    @contextmanager
    def _stay_inside(self) -> Iterator[None]:
        try:
            with _begin_visit():
                yield
        finally:
            self._leave()


class _AwaitableInside:
    """What a handler gave to be awaited: until that is over, or given up, it is inside."""

    def __init__(self, door: CallGate, visit: _Visit, awaitable: Awaitable[Any]) -> None:
        self._door, self._visit, self._given = door, visit, awaitable

    def __await__(self) -> Generator[Any, None, Any]:
        token = _VISIT.set(self._visit)
        try:
            return (yield from self._given.__await__())
        finally:
            try:
                _VISIT.reset(token)
            except ValueError:  # a loop that was thrown away ends this in another context
                _VISIT.set(None)
            self._leave()

    def _leave(self) -> None:
        if self._visit.active:
            self._visit.active = False
            self._door._leave()

    def __del__(self) -> None:
        # Nobody awaited it: a mailbox was full, or the loop was stopped.
        if self._visit.active:
            close_awaitable(self._given)
            self._leave()


class CallGates:
    """One for each node of a runtime."""

    def __init__(self) -> None:
        self._doors: dict[str, CallGate] = {}
        self._lock = threading.Lock()

    def get(self, node: str) -> CallGate:
        """The door of that node, made when it is first asked for."""
        door = self._doors.get(node)
        if door is None:
            with self._lock:
                door = self._doors.setdefault(node, CallGate(node))
        return door

    @contextmanager
    def pass_all(self) -> Iterator[None]:
        """What runs in here passes every closed door: hooks of the nodes that are being swapped."""
        with _begin_visit():
            yield
