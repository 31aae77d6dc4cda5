"""Connections that ask for nothing: bounded in time and in number, so that whoever holds them shuts nobody out.

Uvicorn waits for ever for a request that is never sent whole, and its `limit_concurrency` refuses the owner with the
rest. Here such a connection is closed after `REQUEST_S`, and the oldest one makes room where there are `MAX_WAITING`.
"""

from __future__ import annotations

import asyncio
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

# A slow phone sends a request in a second or two.
REQUEST_S = 15.0  # from the first byte of a request to its last
MAX_WAITING = 256


class BoundedProtocol(H11Protocol):
    """uvicorn's HTTP/1.1 with these two bounds."""

    def __init__(self, *arguments: Any, **settings: Any) -> None:
        super().__init__(*arguments, **settings)
        self._due: asyncio.TimerHandle | None = None
        self._is_upgraded = False
        self._since = self.loop.time()

    @property
    def is_waiting(self) -> bool:
        """Whether we wait for the client to send the rest of a request, or its next one."""
        # Once it is whole we work on it, and the time is ours: no client is cut off for our slowness.
        return not self._is_upgraded and self.conn.their_state in (h11.IDLE, h11.SEND_BODY)

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait; let the one go that waits longest where too many do."""
        super().connection_made(transport)
        waiting = [c for c in self.connections if isinstance(c, BoundedProtocol) and c.is_waiting]
        if len(waiting) > MAX_WAITING:
            # The oldest waits longest for what it may never send. Refusing the newest would shut out the owner.
            min(waiting, key=lambda c: c._since).transport.abort()
        self._watch()

    def data_received(self, data: bytes) -> None:
        """As uvicorn; the time runs until the request is whole."""
        super().data_received(data)
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        """The end."""
        self._done()
        super().connection_lost(exc)

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """From here on it is a listener of the stream, who may be silent."""
        self._is_upgraded = True
        self._done()
        super().handle_websocket_upgrade(event)

    def _watch(self) -> None:
        if not self.is_waiting:
            self._done()
        elif self._due is None:
            # Not set anew with each byte: one byte every fourteen seconds would hold a place for ever.
            self._due = self.loop.call_later(REQUEST_S, self._too_late)

    def _done(self) -> None:
        if self._due is not None:
            self._due.cancel()
            self._due = None

    def _too_late(self) -> None:
        self._due = None
        if self.is_waiting and not self.transport.is_closing():
            self.transport.abort()
