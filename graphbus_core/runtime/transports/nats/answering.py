"""Calls that come in: each is answered by the node that runs here, many of them at a time.

A node that several processes run has one queue group: each call goes to one of them. Calls of a node that runs in one
place go to everybody who believes to hold it, and who is not certain of that says nothing: in a queue group, the half
of them would go to a holder that stands still, and wait there until the connection is given up.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Mapping
from typing import Any

from graphbus_core.runtime.transports.nats.leases import NodeLease, NotHeld
from graphbus_core.runtime.transports.nats.names import SpaceNames
from graphbus_core.runtime.transports.port import Responder
from graphbus_core.runtime.transports.wire import call_of, error_bytes, result_bytes

AT_ONCE = 256

Arrived = Callable[[str, Mapping[str, str] | None], None]


class Answering:
    """The answers of one process. `responders` and `places` are looked at anew for each call: a reload changes them."""

    def __init__(
        self,
        responders: Mapping[str, Responder],
        places: Mapping[str, NodeLease],
        arrived: Arrived,
    ) -> None:
        self._responders, self._places, self._arrived = responders, places, arrived
        self._connection: Any = None
        self._names = SpaceNames()
        self._subscriptions: dict[str, Any] = {}
        self._at_work: set[asyncio.Task[None]] = set()
        self._room = asyncio.Semaphore(AT_ONCE)

    def open(self, connection: Any, names: SpaceNames) -> None:
        """Use this connection."""
        self._connection, self._names = connection, names

    @property
    def busy(self) -> bool:
        """Whether a call is under way."""
        return bool(self._at_work)

    async def begin(self, node: str) -> None:
        """Answer calls of that node from now on."""
        responder = self._responders[node]

        async def called(request: Any) -> None:
            await self._room.acquire()
            now = self._responders.get(node, responder)  # a reload may have brought another node
            task = asyncio.create_task(self._answer(now, request))
            self._at_work.add(task)
            task.add_done_callback(self._at_work.discard)

        queue = "" if node in self._places else "nodes"
        self._subscriptions[node] = await self._connection.subscribe(self._names.of_calls(node), queue=queue, cb=called)

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
                message, timeout_s = call_of(request.data)
                self._arrived(message.msg_id, request.headers)
                if (place := self._places.get(responder.node)) is not None:
                    result = await place.answered(responder.answer, message, timeout_s)
                else:
                    result = await responder.answer(message, timeout_s)
                data = result_bytes(result, f"{message.dst}.{message.method}")
            except NotHeld:
                return  # who holds it answers
            except Exception as error:
                data = error_bytes(error)
            with contextlib.suppress(Exception):  # the caller has a deadline, and learns of it that way
                await self._connection.publish(request.reply, data)
        finally:
            self._room.release()
