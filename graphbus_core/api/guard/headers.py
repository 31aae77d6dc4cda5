"""What every answer says to a browser: run nothing of anybody else's, keep nothing private, be framed by nobody.

And what spares it work: an ETag for what is read under `/api/v1`, so that what did not change is not sent again.
"""

from __future__ import annotations

import hashlib
from collections.abc import MutableMapping
from typing import Any

from graphbus_core.api.guard.security import OPEN_PATHS, OPEN_PREFIXES, App, Receive, Scope, Send

Message = MutableMapping[str, Any]
# Nothing inline, nothing from elsewhere: what a node, a model or another agent wrote can never become code here.
CSP = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
ALWAYS = {
    "content-security-policy": CSP,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}
# Hashing more would cost more than it saves; such an answer is rarely asked for twice.
HASHED_BYTES = 20_000_000  # a larger answer gets no ETag


class Headers:
    """An ASGI layer around everything, refusals too."""

    def __init__(self, app: App) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        path = scope["path"]
        is_page = path in OPEN_PATHS or path.startswith(OPEN_PREFIXES)
        # The page may be kept and asked about; data of the project must not lie in any cache.
        more = {**ALWAYS, "cache-control": "no-cache" if is_page else "no-store"}

        async def told(message: Message) -> None:
            if message["type"] == "http.response.start":
                names = {name.lower() for name, _ in message.get("headers", ())}
                # Only what is missing: the seat pages set stricter ones.
                missing = [(k.encode(), v.encode()) for k, v in more.items() if k.encode() not in names]
                message = {**message, "headers": [*message.get("headers", ()), *missing]}
            await send(message)

        await self.app(scope, receive, told)


class Tagged:
    """An ASGI layer that names what is read by its content, and sends it only where the client has another."""

    def __init__(self, app: App) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "GET":
            await self.app(scope, receive, send)
            return
        known = dict(scope["headers"]).get(b"if-none-match", b"")
        held: list[Message] = []

        async def told(message: Message) -> None:
            """Hold the head back until the body is there: its tag stands in the head."""
            if message["type"] == "http.response.start" and message["status"] == 200:
                held.append(message)
                return
            if not held:
                await send(message)
                return
            start, body = held.pop(), message.get("body", b"")
            if not message.get("more_body") and len(body) <= HASHED_BYTES:
                tag = b'W/"' + hashlib.blake2b(body, digest_size=12).hexdigest().encode() + b'"'
                if tag in (one.strip() for one in known.split(b",")):
                    start = {"type": start["type"], "status": 304, "headers": [(b"etag", tag)]}
                    message = {"type": message["type"], "body": b""}
                else:
                    start = {**start, "headers": [*start["headers"], (b"etag", tag)]}
            await send(start)
            await send(message)

        await self.app(scope, receive, told)
