"""Calls that come in: each is answered by the node that runs here, many of them at a time.

A node that several processes run has one queue group: each call goes to one of them. Calls of a node that runs in one
place go to everybody who believes to hold it, and who is not certain of that says nothing: in a queue group, the half
of them would go to a holder that stands still, and wait there until the connection is given up.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import time
from collections.abc import Callable, Mapping
from typing import Any

from graphbus_core.errors import BadPayload, DeadlineExceeded, TransportDown, UnknownNode
from graphbus_core.model.message import Message
from graphbus_core.runtime.concurrency import is_failure
from graphbus_core.runtime.transports.nats.leases import LeaseNotHeld, NodeLease
from graphbus_core.runtime.transports.nats.space import SpaceNames
from graphbus_core.runtime.transports.port import (
    Responder,
    decode_answer,
    decode_call,
    encode_call,
    encode_error,
    encode_result,
)

MAX_CONCURRENT_CALLS = 256

OnArrived = Callable[[str, Mapping[str, str] | None], None]


class RpcServer:
    """The answers of one process. `responders` and `places` are looked at anew for each call: a reload changes them."""

    def __init__(
        self,
        responders: Mapping[str, Responder],
        places: Mapping[str, NodeLease],
        arrived: OnArrived,
    ) -> None:
        self._responders, self._places, self._arrived = responders, places, arrived
        self._connection: Any = None
        self._names = SpaceNames()
        self._subscriptions: dict[str, Any] = {}
        self._at_work: set[asyncio.Task[None]] = set()
        self._room = asyncio.Semaphore(MAX_CONCURRENT_CALLS)

    def open(self, connection: Any, names: SpaceNames) -> None:
        """Use this connection."""
        self._connection, self._names = connection, names

    @property
    def is_busy(self) -> bool:
        """Whether a call is under way."""
        return bool(self._at_work)

    async def begin(self, node: str) -> None:
        """Answer calls of that node from now on."""
        responder = self._responders[node]

        async def accept_call(request: Any) -> None:
            await self._room.acquire()
            now = self._responders.get(node, responder)  # a reload may have brought another node
            task = asyncio.create_task(self._answer(now, request))
            self._at_work.add(task)
            task.add_done_callback(self._at_work.discard)

        queue = "" if node in self._places else "nodes"
        self._subscriptions[node] = await self._connection.subscribe(
            self._names.build_call_subject(node), queue=queue, cb=accept_call
        )

    async def end(self, node: str) -> None:
        """Answer calls of that node no more."""
        if (subscription := self._subscriptions.pop(node, None)) is not None:
            with contextlib.suppress(Exception):
                await subscription.unsubscribe()

    async def stop(self) -> None:
        """Let no call in any more; those under way go on."""
        for node in list(self._subscriptions):
            await self.end(node)

    async def _answer(self, responder: Responder, request: Any) -> None:
        try:
            try:
                message, timeout_s = decode_call(request.data)
                self._arrived(message.msg_id, request.headers)
                if (place := self._places.get(responder.node)) is not None:
                    result = await place.run_call(responder.answer, message, timeout_s)
                else:
                    result = await responder.answer(message, timeout_s)
                data = encode_result(result, f"{message.dst}.{message.method}")
                require_size(data, self._connection, f"The result of {message.dst}.{message.method}")
            except LeaseNotHeld:
                return  # who holds it answers
            except BaseException as error:
                if not is_failure(error):
                    raise
                data = encode_error(error)
            with contextlib.suppress(Exception):  # the caller has a deadline, and learns of it that way
                await self._connection.publish(request.reply, data)
        finally:
            self._room.release()


# Calls that go out: request and reply over one inbox of our own.
#
# `Client.request` of nats-py makes a name, a lock and two futures for each call. Here a call is a number, one future
# and one timer, which is a turn of the loop less.


NOBODY_S = 2.0  # how long a call waits for somebody to run the node
AGAIN_S = 0.05
HEADER_ROOM = 4 * 1024


def require_size(data: bytes, connection: Any, what: str) -> None:
    """Raise BadPayload where the server does not take so many bytes."""
    limit = connection.max_payload - HEADER_ROOM
    if len(data) > limit:
        raise BadPayload(
            f"{what} is too large for the bus: {len(data):,} bytes as JSON, and {limit:,} may be. "
            f"Pass where its data is kept, or raise `max_payload` of the server."
        )


class _NoResponder(Exception):
    """No process hears the subject."""


class RpcClient:
    """The calls of one connection. Everything runs on its loop."""

    def __init__(self, connection: Any, names: SpaceNames) -> None:
        self._connection, self._names = connection, names
        self._inbox = connection.new_inbox()
        self._numbers = itertools.count(1)
        self._waiting: dict[str, asyncio.Future[bytes | None]] = {}

    async def open(self) -> None:
        """Hear answers."""
        await self._connection.subscribe(f"{self._inbox}.*", cb=self._receive_answer)

    async def _receive_answer(self, answer: Any) -> None:
        waiting = self._waiting.get(answer.subject[len(self._inbox) + 1 :])
        if waiting is None or waiting.done():
            return  # too late
        if answer.headers and answer.headers.get("Status") == "503":
            waiting.set_exception(_NoResponder())
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
        data = encode_call(message, timeout_s)
        require_size(data, self._connection, f"The call of {what}")
        subject = self._names.build_call_subject(message.dst)
        end = time.monotonic() + timeout_s
        patience = time.monotonic() + min(timeout_s, patience_s)
        while True:
            try:
                answer = await self._request(subject, data, headers, end)
            except _NoResponder:
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
                return decode_answer(answer)

    async def _request(self, subject: str, data: bytes, headers: Mapping[str, str] | None, end: float) -> bytes | None:
        """The answer; None where none came in time."""
        loop, token = asyncio.get_running_loop(), str(next(self._numbers))
        waiting: asyncio.Future[bytes | None] = loop.create_future()
        self._waiting[token] = waiting
        timer = loop.call_later(max(end - time.monotonic(), 0.001), _give_up, waiting)
        try:
            await self._connection.publish(subject, data, f"{self._inbox}.{token}", headers)
            return await waiting
        finally:
            timer.cancel()
            del self._waiting[token]


def _give_up(waiting: asyncio.Future[bytes | None]) -> None:
    if not waiting.done():
        waiting.set_result(None)
