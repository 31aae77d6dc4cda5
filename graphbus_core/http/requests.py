"""What HTTP itself asks of every call under `/api/v1`: HEAD, and a write that is sent twice and done once.

`Idempotency-Key` names a write. The first answer to it is kept for a day; who sends it again gets that answer, and
nothing is done again. The same key with another body is refused, and so is one whose first call is not over.
"""

from __future__ import annotations

import hashlib
import re
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field

from graphbus_core.http.errors import ErrorAnswer, render_problem
from graphbus_core.http.security import App, Message, Receive, Scope, Send

WRITES = ("POST", "PUT", "PATCH", "DELETE")
KEPT = 1_000  # answers
KEPT_S = 24 * 3_600.0
KEPT_BYTES = 1_000_000  # a larger answer is not kept
MAX_KEY = 255  # characters
KEY_PATTERN = "^[!-~]+$"  # visible ASCII
KEY = re.compile(KEY_PATTERN.encode())


class HeadMiddleware:
    """An ASGI layer that answers HEAD as GET, without the body."""

    def __init__(self, app: App) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "HEAD":
            await self.app(scope, receive, send)
            return

        async def send_head(message: Message) -> None:
            if message["type"] == "http.response.body":
                message = {**message, "body": b""}
            await send(message)

        await self.app({**scope, "method": "GET"}, receive, send_head)


@dataclass
class _Write:
    """A write that was named. `messages` are its answer, None while it is under way."""

    digest: bytes
    at: float
    messages: list[Message] | None = field(default=None)


class IdempotencyMiddleware:
    """An ASGI layer that does a named write once."""

    def __init__(self, app: App, clock: Callable[[], float] = time.monotonic) -> None:
        self.app, self.clock = app, clock
        self._writes: OrderedDict[tuple[str, ...], _Write] = OrderedDict()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        key = dict(scope["headers"]).get(b"idempotency-key") if scope["type"] == "http" else None
        seat = scope.get("graphbus.seat")
        # An invitation is many people's: the answer to one of them, a key, is never given to another.
        if key is None or scope["method"] not in WRITES or (seat is not None and seat.is_invitation):
            await self.app(scope, receive, send)
            return
        if len(key) > MAX_KEY or not KEY.fullmatch(key):
            why = f"Idempotency-Key: 1 to {MAX_KEY} letters, digits and signs of ASCII, without blanks."
            await _refuse(scope, receive, send, 422, "invalid", why)
            return
        body = await _read_body(receive)
        if body is None:
            return  # whoever asked has gone
        name = (seat.id if seat is not None else "", key.decode("latin-1"), scope["method"], scope["path"])
        digest = hashlib.sha256(scope.get("query_string", b"") + b"\n" + body).digest()
        self._drop_old()
        known = self._writes.get(name)
        if known is None:
            await self._do(name, _Write(digest, self.clock()), scope, body, send)
        elif known.digest != digest:
            why = "This Idempotency-Key was sent with another body. Take a new key for another call."
            await _refuse(scope, receive, send, 422, "key_reused", why)
        elif known.messages is None:
            why = "The first call with this Idempotency-Key is under way. Ask again in a moment."
            await _refuse(scope, receive, send, 409, "conflict", why)
        else:
            for message in known.messages:
                await send(message)

    async def _do(self, name: tuple[str, ...], write: _Write, scope: Scope, body: bytes, send: Send) -> None:
        self._writes[name] = write
        messages: list[Message] = []

        async def keep(message: Message) -> None:
            messages.append(message)
            await send(message)

        try:
            await self.app(scope, _replay(body), keep)
        finally:
            size = sum(len(message.get("body", b"")) for message in messages)
            # A fault of the server may be tried again under the same name: nobody knows how far the first came.
            if messages and messages[0].get("status", 500) < 500 and size <= KEPT_BYTES:
                write.messages = messages
            else:
                self._writes.pop(name, None)

    def _drop_old(self) -> None:
        while self._writes and (
            len(self._writes) >= KEPT or next(iter(self._writes.values())).at < self.clock() - KEPT_S
        ):
            self._writes.popitem(last=False)


async def _read_body(receive: Receive) -> bytes | None:
    body: bytes = b""
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            return None
        body += message.get("body", b"")
        if not message.get("more_body"):
            return body


def _replay(body: bytes) -> Receive:
    """The body once more, for whoever comes behind."""
    waiting: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive() -> Message:
        return waiting.pop() if waiting else {"type": "http.disconnect"}

    return receive


async def _refuse(scope: Scope, receive: Receive, send: Send, status: int, code: str, message: str) -> None:
    await render_problem(ErrorAnswer(status, code, message))(scope, receive, send)
