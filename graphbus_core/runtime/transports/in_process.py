"""The first transport: no broker. All nodes in one runtime, or in several runtimes of one process that share a `Hub`.

    RuntimeExecutor(folder)                                                          one runtime: the bus delivers
    hub = Hub()
    RuntimeExecutor(folder, transport=InProcess(hub), nodes={"Shop"})                several: as over a broker,
    RuntimeExecutor(folder, transport=InProcess(hub), nodes={"Inventory"})           with nothing to install

In one runtime publishing is `MessageBus.publish` itself, down to the compiled plan: nothing stands between. A hub keeps
events in memory as a broker would, as bytes: it is for tests of nodes that are to be spread, and it forgets everything
when the process ends.
"""

from __future__ import annotations

import asyncio
import contextlib
import heapq
import itertools
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Collection
from concurrent import futures
from dataclasses import dataclass, field
from typing import Any

from graphbus_core.artifacts import ArtifactFolder
from graphbus_core.errors import DeadlineExceeded, TransportDown, UnknownNode
from graphbus_core.model.message import Event, Message
from graphbus_core.runtime.concurrency import is_failure
from graphbus_core.runtime.subscriptions.subscriber import Ruling
from graphbus_core.runtime.topics import matches
from graphbus_core.runtime.transports.port import (
    Consumer,
    Responder,
    decode_answer,
    decode_call,
    decode_event,
    encode_call,
    encode_error,
    encode_event,
    encode_result,
)

MAX_KNOWN = 10_000  # event ids that a hub knows again
MAX_WAITING = 100_000  # events that one durable name may leave lying
_STORED: futures.Future[None] = futures.Future()
_STORED.set_result(None)


@dataclass(frozen=True)
class HubDeadLetter:
    """A dead letter of a hub."""

    durable: str
    event: Event
    error: str
    attempts: int


@dataclass(eq=False)
class _HubQueue:
    """What waits for one durable name: in order, and what is to be given again at its time."""

    consumer: Consumer
    ready: deque[tuple[bytes, int]] = field(default_factory=deque)
    later: list[tuple[float, int, bytes, int]] = field(default_factory=list)
    wakers: list[tuple[asyncio.AbstractEventLoop, asyncio.Event]] = field(default_factory=list)
    is_taken: bool = False  # where events are ordered: one of them is with a handler

    def wake(self) -> None:
        for loop, waker in list(self.wakers):
            with contextlib.suppress(RuntimeError):  # a loop that ended meanwhile
                loop.call_soon_threadsafe(waker.set)


class Hub:
    """Keeps events for the runtimes of one process. `letters` are the dead letters of all of them."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._lines: dict[str, _HubQueue] = {}
        self._known: OrderedDict[str, None] = OrderedDict()
        self._numbers = itertools.count()
        self.nodes: dict[str, list[tuple[InProcess, Responder]]] = {}
        self.letters: list[HubDeadLetter] = []

    def get_queue(self, consumer: Consumer) -> _HubQueue:
        """The one of a durable name, made where it is new."""
        with self._lock:
            return self._lines.setdefault(consumer.durable, _HubQueue(consumer))

    def forget(self, consumer: Consumer) -> None:
        """Nobody comes back for it."""
        with self._lock:
            self._lines.pop(consumer.durable, None)

    def publish(self, event: Event) -> None:
        """Keep an event for everybody who hears it. Raises BadPayload, and TransportDown where a line is full."""
        data, event_id = encode_event(event), event.event_id
        with self._lock:
            if event_id in self._known:
                return
            lines = [line for line in self._lines.values() if matches(line.consumer.topic, event.topic)]
            if full := [line.consumer.durable for line in lines if len(line.ready) >= MAX_WAITING]:
                raise TransportDown(f"{MAX_WAITING} events wait for '{full[0]}': start what runs it.")
            self._known[event_id] = None
            if len(self._known) > MAX_KNOWN:
                self._known.popitem(last=False)
            for line in lines:
                line.ready.append((data, 1))
        for line in lines:
            line.wake()

    def take(self, line: _HubQueue) -> tuple[bytes, int] | None:
        """What is next, or None: what was to be given again comes first when it is time."""
        with self._lock:
            if line.consumer.is_ordered and (line.is_taken or (line.later and line.later[0][0] > time.monotonic())):
                return None
            line.is_taken = bool(line.later or line.ready)
            if line.later and line.later[0][0] <= time.monotonic():
                _, _, data, attempt = heapq.heappop(line.later)
                return data, attempt
            return line.ready.popleft() if line.ready else None

    def give_back(self, line: _HubQueue, data: bytes, attempt: int, after_s: float) -> None:
        """It was not done: give it again, after so long."""
        with self._lock:
            heapq.heappush(line.later, (time.monotonic() + after_s, next(self._numbers), data, attempt))
        line.wake()


class InProcess:
    """No broker: see above. Also the pattern of a transport for those who write one."""

    def __init__(self, hub: Hub | None = None) -> None:
        self.name = "the transport in this process"
        self.local = hub is None
        self.hub = hub or Hub()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._consumers: list[Consumer] = []
        self._responders: list[Responder] = []
        self._tasks: dict[Consumer, list[asyncio.Task[None]]] = {}
        self._begun = self._ending = False

    # What a runtime offers

    def consume(self, consumer: Consumer) -> None:
        """Bring it its events."""
        self.hub.get_queue(consumer)
        self._consumers.append(consumer)
        if self._begun and self._loop is not None:
            self._loop.call_soon_threadsafe(self._run, consumer)

    def release(self, consumer: Consumer) -> None:
        """Bring it nothing more."""
        self._consumers.remove(consumer)
        if not consumer.lasting:
            self.hub.forget(consumer)
        if self._loop is not None:
            self._loop.call_soon_threadsafe(lambda: [task.cancel() for task in self._tasks.pop(consumer, [])])

    def reply(self, responder: Responder) -> None:
        """Answer calls of that node."""
        self._responders.append(responder)

    # Events

    def publish(self, event: Event) -> futures.Future[None]:
        """Keep an event: in memory, so it is stored at once."""
        self.hub.publish(event)
        return _STORED

    async def apublish(self, event: Event) -> None:
        """`publish`."""
        self.hub.publish(event)

    def _run(self, consumer: Consumer) -> None:
        line = self.hub.get_queue(consumer)
        work = [asyncio.ensure_future(self._pump(consumer, line)) for _ in range(consumer.concurrency)]
        self._tasks[consumer] = work

    async def _pump(self, consumer: Consumer, line: _HubQueue) -> None:
        """Give one durable name its events, one after the other."""
        waker = asyncio.Event()
        line.wakers.append((asyncio.get_running_loop(), waker))
        try:
            while not self._ending:
                waker.clear()
                if (due := self.hub.take(line)) is not None:
                    try:
                        await self._give_event(consumer, line, *due)
                    finally:
                        line.is_taken = False
                    if consumer.is_ordered:
                        line.wake()
                    continue
                pause_s = max(line.later[0][0] - time.monotonic(), 0.0) if line.later else None
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(waker.wait(), pause_s)
        finally:
            line.wakers = [entry for entry in line.wakers if entry[1] is not waker]

    async def _give_event(self, consumer: Consumer, line: _HubQueue, data: bytes, attempt: int) -> None:
        event = decode_event(data)
        verdict = await consumer.ahandle(event, attempt)
        match verdict.ruling:
            case Ruling.RETRY:
                self.hub.give_back(line, data, verdict.attempts + 1, verdict.after_s)
            case Ruling.DEAD:
                self.hub.letters.append(
                    HubDeadLetter(consumer.durable, decode_event(data), repr(verdict.error), attempt)
                )
            case Ruling.STOPPED:
                self.hub.give_back(line, data, attempt, 0.0)
                raise verdict.error or asyncio.CancelledError

    # Calls

    async def call(self, message: Message, timeout_s: float) -> Any:
        """Call a node of another runtime on this hub."""
        data = encode_call(message, timeout_s)
        for transport, responder in self.hub.nodes.get(message.dst, ()):
            if transport._loop is not None and not transport._ending:
                work = asyncio.run_coroutine_threadsafe(transport._answer(responder, data), transport._loop)
                try:
                    return decode_answer(await asyncio.wait_for(asyncio.wrap_future(work), timeout_s))
                except TimeoutError:
                    what = f"{message.dst}.{message.method}, called by {message.src}"
                    raise DeadlineExceeded(f"{what}, did not return in time.") from None
        raise UnknownNode(f"No runtime that runs '{message.dst}' is there now: start one.")

    def runs_here(self, node: str) -> bool:
        """A hub has no leases: every runtime runs its own copy."""
        return True

    def keep(self, node: str) -> None:
        """A hub stores no states."""

    async def _answer(self, responder: Responder, data: bytes) -> bytes:
        message, timeout_s = decode_call(data)
        try:
            result = await responder.answer(message, timeout_s)
            return encode_result(result, f"{message.dst}.{message.method}")
        except BaseException as error:
            if not is_failure(error):
                raise
            return encode_error(error)

    # Life

    async def open(self) -> None:
        """Nothing to connect to."""
        self._ending = False
        self._loop = asyncio.get_running_loop() if not self.local else None

    async def start(self) -> None:
        """Let events and calls in."""
        self._begun = True
        if self.local:
            return
        for responder in self._responders:
            self.hub.nodes.setdefault(responder.node, []).append((self, responder))
        for consumer in self._consumers:
            self._run(consumer)

    async def wait_until_settled(self, timeout_s: float) -> bool:
        """Wait until nothing waits for handlers that run here; say whether that came true."""
        end = time.monotonic() + timeout_s
        while any(line.ready or line.later for line in map(self.hub.get_queue, self._consumers)):
            if time.monotonic() > end:
                return False
            await asyncio.sleep(0.005)
        return True

    async def check_build(self, folder: ArtifactFolder, force: bool) -> None:
        """Nobody here asks."""

    async def switch_build(self, folder: ArtifactFolder, nodes: Collection[str]) -> None:
        """Calls of a node that is gone find nobody; those of a new one are answered."""
        for node in {responder.node for responder in self._responders}:
            mine = [entry for entry in self._responders if entry.node == node][-1]
            others = [entry for entry in self.hub.nodes.get(node, []) if entry[0] is not self]
            self.hub.nodes[node] = [*others, *([(self, mine)] if node in nodes else [])]

    async def drain(self, timeout_s: float) -> bool:
        """Let no more in."""
        self._ending = True
        for consumer in self._tasks:
            self.hub.get_queue(consumer).wake()
        tasks = [task for consumer_tasks in self._tasks.values() for task in consumer_tasks]
        return not tasks or not (await asyncio.wait(tasks, timeout=timeout_s))[1]

    async def close(self) -> None:
        """End what is left."""
        self._ending = True
        for responder in self._responders:
            mine = [entry for entry in self.hub.nodes.get(responder.node, []) if entry[0] is not self]
            self.hub.nodes[responder.node] = mine
        tasks = [task for consumer_tasks in self._tasks.values() for task in consumer_tasks]
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks, timeout=1.0)
        for consumer in self._consumers:
            if not consumer.lasting:
                self.hub.forget(consumer)
        self._consumers, self._responders, self._tasks = [], [], {}
        self._begun, self._loop = False, None
