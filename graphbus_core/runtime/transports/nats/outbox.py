"""What is on its way to the server: handed over from any thread, sent in order, kept until the server has stored it.

One message at a time waits for an answer only in a program that waits after each. Between, as many are under way as
`MAX_UNDER_WAY`: the server's answers come back in the order in which it stored them. What has no answer after a
while, or was under way when the connection broke, is sent again under the same `Nats-Msg-Id`, and the server drops the
second copy: so a sender never has to know whether the first one arrived.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import logging
import threading
import time
from collections import deque
from collections.abc import Awaitable, Callable
from concurrent import futures
from dataclasses import dataclass, field
from typing import Any

from graphbus_core.errors import TransportDown

log = logging.getLogger("graphbus.runtime")
MAX_UNDER_WAY = 2_000
AGAIN_S = 2.0  # without an answer; a healthy server answers in a millisecond
FULL = frozenset((10023, 10025, 10047, 10077))  # error codes of a store that is full, or out of resources for now


@dataclass(slots=True, eq=False)
class _Message:
    subject: str
    data: bytes
    headers: dict[str, str]
    done: futures.Future[None] | asyncio.Future[None]
    until: float  # monotonic: when the sender gives up
    sent_at: float = 0.0
    problem: str = ""


@dataclass(eq=False)
class Outbox:
    """For one connection. Everything but `submit` runs on its loop. `give_up_s`: how long the server may be away or
    full
    before a publish fails with TransportDown.
    """

    loop: asyncio.AbstractEventLoop
    give_up_s: float = 60.0
    stream: str = ""  # whose numbers must only grow
    went_back: Callable[[int, int], None] | None = None  # is told from and to which number they did not
    confirmed: Callable[[str, int, str], Awaitable[None]] | None = None  # is told subject, number, id of what is stored
    _highest: int = 0
    _connection: Any = None
    _inbox: str = ""
    _handed: deque[_Message] = field(default_factory=deque)
    _under_way: dict[str, _Message] = field(default_factory=dict)  # by token, in the order of sending
    _numbers: Any = field(default_factory=lambda: itertools.count(1))
    _news: asyncio.Event = field(default_factory=asyncio.Event)
    _woken: bool = False
    _thread: int = 0
    _tasks: list[asyncio.Task[None]] = field(default_factory=list)

    async def open(self, connection: Any) -> None:
        """Begin to send."""
        self._connection = connection
        self._thread = threading.get_ident()
        self._inbox = connection.new_inbox()
        await connection.subscribe(f"{self._inbox}.*", cb=self._receive_confirmation)
        self._tasks = [asyncio.create_task(self._send()), asyncio.create_task(self._resend_overdue())]

    def submit(self, subject: str, data: bytes, headers: dict[str, str]) -> futures.Future[None]:
        """Hand a message over, from any thread; what one thread hands over keeps its order."""
        future: futures.Future[None] = futures.Future()
        self._handed.append(_Message(subject, data, headers, future, time.monotonic() + self.give_up_s))
        # One wake-up for many: crossing threads costs as much as sending.
        if threading.get_ident() == self._thread:
            self._news.set()
        elif not self._woken:
            self._woken = True
            try:
                self.loop.call_soon_threadsafe(self._news.set)
            except RuntimeError:  # the loop is closed
                future.set_exception(
                    TransportDown("The connection to the bus is closed, and nothing can be published.")
                )
        return future

    async def asubmit(self, subject: str, data: bytes, headers: dict[str, str]) -> None:
        """The same on the loop itself, and wait until it is stored: nothing crosses a thread."""
        future: asyncio.Future[None] = self.loop.create_future()
        message = _Message(subject, data, headers, future, time.monotonic() + self.give_up_s)
        if self._handed or len(self._under_way) >= MAX_UNDER_WAY or not self._connection.is_connected:
            self._handed.append(message)  # behind what was handed over before
            self._news.set()
        else:
            await self._send_one(str(next(self._numbers)), message)
        await future

    @property
    def waiting_count(self) -> int:
        """Messages that the server has not confirmed."""
        return len(self._handed) + len(self._under_way)

    async def _send(self) -> None:
        while True:
            await self._news.wait()
            self._news.clear()
            self._woken = False
            while self._handed and len(self._under_way) < MAX_UNDER_WAY and self._connection.is_connected:
                await self._send_one(str(next(self._numbers)), self._handed.popleft())

    async def _send_one(self, token: str, message: _Message) -> None:
        self._under_way[token] = message
        message.sent_at = time.monotonic()
        try:
            await self._connection.publish(message.subject, message.data, f"{self._inbox}.{token}", message.headers)
        except Exception as error:
            if not self._connection.is_connected:
                return  # it is sent again when the connection is back
            del self._under_way[token]
            _settle(message, TransportDown(f"An event could not be sent to {message.subject}: {error or type(error)}."))

    async def _receive_confirmation(self, answer: Any) -> None:
        token = answer.subject[len(self._inbox) + 1 :]
        message = self._under_way.get(token)
        if message is None:
            return  # the second answer to a message that was sent twice
        stored: dict[str, Any] = {}
        try:
            stored = json.loads(answer.data) if answer.data else {"error": {"description": "no stream hears it"}}
            problem = stored.get("error")
        except (ValueError, AttributeError):
            problem = {"description": "its answer cannot be read"}
        if problem is None:
            del self._under_way[token]
            if stored.get("stream") == self.stream:
                self._note_number(stored)
            if self.confirmed is not None:  # of a dead letter, too
                await self.confirmed(message.subject, stored.get("seq", 0), message.headers["Nats-Msg-Id"])
            _settle(message, None)
        else:
            message.problem = str(problem.get("description") or problem)
            if problem.get("err_code") not in FULL and problem.get("code") not in (503, 500, None):
                del self._under_way[token]
                _settle(message, TransportDown(f"The server refused {message.subject}: {message.problem}."))
        if self._handed and not self._news.is_set():
            self._news.set()

    def _note_number(self, stored: dict[str, Any]) -> None:
        """A new event has a number above all that this process was told before, or the server forgot some of those."""
        number = stored.get("seq", 0)
        if number > self._highest:
            self._highest = number
        elif not stored.get("duplicate") and self.went_back is not None:
            before, self._highest = self._highest, number
            self.went_back(before, number)

    async def _resend_overdue(self) -> None:
        """Send again what has no answer, and give up what waited too long."""
        while True:
            await asyncio.sleep(AGAIN_S / 4)
            now = time.monotonic()
            for token, message in list(self._under_way.items()):
                if now > message.until:
                    del self._under_way[token]
                    _settle(message, _build_timeout_error(message, self.give_up_s))
                elif self._connection.is_connected and now - message.sent_at > AGAIN_S:
                    await self._send_one(token, message)
            while self._handed and now > self._handed[0].until:
                message = self._handed.popleft()
                _settle(message, _build_timeout_error(message, self.give_up_s))
            if self._handed:
                self._news.set()

    async def resume(self) -> None:
        """The connection is back: what was under way is sent again, in the same order, before anything new."""
        for token, message in list(self._under_way.items()):
            await self._send_one(token, message)
        self._news.set()

    async def flush(self, timeout_s: float) -> bool:
        """Wait until the server has confirmed everything; say whether that came true."""
        end = time.monotonic() + timeout_s
        while self.waiting_count:
            if time.monotonic() > end:
                return False
            self._news.set()
            await asyncio.sleep(0.005)
        return True

    async def close(self) -> None:
        """Send nothing more; whoever still waits is told."""
        for task in self._tasks:
            task.cancel()
        for task in self._tasks:
            with contextlib.suppress(asyncio.CancelledError):
                await task
        for message in [*self._under_way.values(), *self._handed]:
            _settle(message, TransportDown(f"The bus was closed before it confirmed an event of {message.subject}."))
        self._under_way.clear()
        self._handed.clear()


def _settle(message: _Message, error: Exception | None) -> None:
    if message.done.done():
        return
    if isinstance(message.done, futures.Future) and not message.done.set_running_or_notify_cancel():
        return
    if error is None:
        message.done.set_result(None)
    else:
        message.done.set_exception(error)


def _build_timeout_error(message: _Message, give_up_s: float) -> TransportDown:
    why = f": {message.problem}" if message.problem else ""
    return TransportDown(
        f"The bus did not confirm an event of {message.subject} within {give_up_s:g} s{why}. "
        f"It may be stored all the same; publish it again only if its handlers know doubles by their id."
    )
