"""Calls that go out: request and reply over one inbox of our own.

`Client.request` of nats-py makes a name, a lock and two futures for each call. Here a call is a number, one future and
one timer, which is a turn of the loop less.
"""

from __future__ import annotations

import asyncio
import itertools
import time
from collections.abc import Mapping
from typing import Any

from graphbus_core.errors import DeadlineExceeded, TransportDown, UnknownNode
from graphbus_core.model.message import Message
from graphbus_core.runtime.transports.nats.names import SpaceNames
from graphbus_core.runtime.transports.wire import answer_of, call_bytes

NOBODY_S = 2.0  # how long a call waits for somebody to run the node
AGAIN_S = 0.05


class _Nobody(Exception):
    """No process hears the subject."""


class RemoteCalls:
    """The calls of one connection. Everything runs on its loop."""

    def __init__(self, connection: Any, names: SpaceNames) -> None:
        self._connection, self._names = connection, names
        self._inbox = connection.new_inbox()
        self._numbers = itertools.count(1)
        self._waiting: dict[str, asyncio.Future[bytes | None]] = {}

    async def open(self) -> None:
        """Hear answers."""
        await self._connection.subscribe(f"{self._inbox}.*", cb=self._answered)

    async def _answered(self, answer: Any) -> None:
        waiting = self._waiting.get(answer.subject[len(self._inbox) + 1 :])
        if waiting is None or waiting.done():
            return  # too late
        if answer.headers and answer.headers.get("Status") == "503":
            waiting.set_exception(_Nobody())
        else:
            waiting.set_result(answer.data)

    async def call(
        self, message: Message, timeout_s: float, headers: Mapping[str, str] | None, patience_s: float = NOBODY_S
    ) -> Any:
        """Call a node of another process; wait `patience_s` where nobody runs it: it may move, or start.

        Raises what the node raises, UnknownNode, DeadlineExceeded, TransportDown.
        """
        from nats import errors

        what = f"{message.dst}.{message.method}"
        data = call_bytes(message, timeout_s)
        subject = self._names.of_calls(message.dst)
        end = time.monotonic() + timeout_s
        patience = time.monotonic() + min(timeout_s, patience_s)
        while True:
            try:
                answer = await self._asked(subject, data, headers, end)
            except _Nobody:
                if time.monotonic() > patience:
                    raise UnknownNode(
                        f"No process on this bus runs the node '{message.dst}', so {what} was not called."
                    ) from None
                await asyncio.sleep(AGAIN_S)
            except errors.Error as error:
                raise TransportDown(
                    f"{what} could not be called over the bus: {error or type(error).__name__}."
                ) from None
            else:
                if answer is None:
                    raise DeadlineExceeded(f"{what}, called by {message.src}, did not return in time.")
                return answer_of(answer)

    async def _asked(self, subject: str, data: bytes, headers: Mapping[str, str] | None, end: float) -> bytes | None:
        """The answer; None where none came in time."""
        loop, token = asyncio.get_running_loop(), str(next(self._numbers))
        waiting: asyncio.Future[bytes | None] = loop.create_future()
        self._waiting[token] = waiting
        timer = loop.call_later(max(end - time.monotonic(), 0.001), _late, waiting)
        try:
            await self._connection.publish(subject, data, f"{self._inbox}.{token}", headers)
            return await waiting
        finally:
            timer.cancel()
            del self._waiting[token]


def _late(waiting: asyncio.Future[bytes | None]) -> None:
    if not waiting.done():
        waiting.set_result(None)
