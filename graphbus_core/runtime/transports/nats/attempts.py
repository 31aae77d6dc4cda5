"""How many attempts at an event began: kept for events that the server gives out more than once.

The server counts how often it gave an event out. A worker that stood still, a connection that was cut, a server that
was started again, and a node that nobody holds all raise that count, and no handler saw the event. So an attempt at an
event that comes again is written down before the handler's first line, and whoever gets the event next reads it. The
first delivery costs nothing: what a kill in it leaves uncounted is one try.
"""

from __future__ import annotations

import logging
from hashlib import blake2b
from typing import Any

from graphbus_core.runtime.transports.nats.space import SpaceNames

log = logging.getLogger("graphbus.runtime")


class AttemptLog:
    """The attempts of one durable consumer. Every method raises what the connection raises."""

    def __init__(self, js: Any, names: SpaceNames, consumer: str) -> None:
        self._js, self._stream = js, names.attempt_stream
        self._prefix = names.build_attempt_prefix(consumer)

    def _build_subject(self, event_id: str) -> str:
        return f"{self._prefix}.{blake2b(event_id.encode('utf-8', 'surrogatepass'), digest_size=12).hexdigest()}"

    async def count(self, event_id: str) -> int:
        """How many attempts at that event began."""
        from nats.js import errors

        try:
            message = await self._js.get_last_msg(self._stream, self._build_subject(event_id))
        except errors.NotFoundError:
            return 0
        return int(message.data or b"0")

    async def record(self, event_id: str, count: int) -> None:
        """So many began. When this returns, the server has it, or it has no room: an event that waits for room which
        only its own handling can make would wait for ever, so then it is handled uncounted.
        """
        from nats.js import errors

        try:
            await self._js.publish(self._build_subject(event_id), b"%d" % count, stream=self._stream)
        except errors.APIError as error:
            log.warning("an attempt at %s is not counted: %s", event_id, error.description or error)

    async def forget(self, event_id: str) -> None:
        """The event is done."""
        await self._js.purge_stream(self._stream, subject=self._build_subject(event_id))
