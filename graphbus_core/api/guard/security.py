"""Who may speak to the server: token, Host, Origin, size and rate, checked before anything else sees a request.

Loopback is not protection by itself: any page in the user's browser can reach it. So every call but the page's own
files wants the token; `Host` must be ours (DNS rebinding), and an `Origin`, where a browser sends one, too.
"""

from __future__ import annotations

import hmac
import time
from collections.abc import Awaitable, Callable, Container, Mapping, MutableMapping
from typing import Any
from urllib.parse import parse_qs

from graphbus_core.api.failures import ErrorAnswer, as_failure, as_problem
from graphbus_core.api.guard.hosts import is_loopback
from graphbus_core.errors import ConfigError

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

MAX_BODY_BYTES = 1_000_000
RATE_PER_S = 500.0
BURST = 2_000.0
MIN_TOKEN = 8  # beyond loopback
OPEN_PATHS = ("/", "/favicon.ico")
OPEN_PREFIXES = ("/page/",)


def check_binding(host: str, token: str | None) -> None:
    """Refuse to listen where others can reach us without a token of the user's own, and one that can be guessed."""
    if not is_loopback(host) and not token:
        raise ConfigError(
            f"Refusing to listen on {host} without a token: anybody on that network could run your project. "
            "Set GRAPHBUS_TOKEN to a long secret, or listen on 127.0.0.1."
        )
    if not is_loopback(host) and token and len(token) < MIN_TOKEN:
        raise ConfigError(
            f"Refusing to listen on {host} with a GRAPHBUS_TOKEN of {len(token)} characters: it can be guessed. Take "
            f"{MIN_TOKEN} or more."
        )


def own_token(environ: Mapping[str, str]) -> str | None:
    """GRAPHBUS_TOKEN, if it is set to more than blanks. Raises ConfigError for what no header can carry."""
    token = environ.get("GRAPHBUS_TOKEN", "").strip()
    if not token.isascii() or not token.isprintable() or " " in token:
        raise ConfigError("GRAPHBUS_TOKEN holds what no header can carry: take letters, digits and signs of ASCII.")
    return token or None


class RateLimit:
    """So many requests a second, and so many at once."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._allowance = BURST
        self._asked_at = clock()

    def take(self) -> bool:
        """Whether one more may pass."""
        now = self._clock()
        self._allowance = min(BURST, self._allowance + (now - self._asked_at) * RATE_PER_S)
        self._asked_at = now
        if self._allowance < 1:
            return False
        self._allowance -= 1
        return True


class Guard:
    """An ASGI layer that refuses what may not come in, in the one shape of our errors."""

    def __init__(
        self,
        app: App,
        token: str,
        hosts: Container[str],
        max_body_bytes: int = MAX_BODY_BYTES,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.app = app
        self.token = token
        self.hosts = hosts
        self.max_body_bytes = max_body_bytes
        # Two, so that who has no token cannot use up what the owner may.
        self._owner, self._strangers = RateLimit(clock), RateLimit(clock)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        headers = {k.decode("latin-1").lower(): v.decode("latin-1") for k, v in scope.get("headers", ())}
        refusal = self._refusal(scope, headers)
        if refusal is not None:
            await _refuse(scope, receive, send, *refusal)
            return
        if scope["type"] == "http":
            await self.app(scope, self._bounded(receive), send)
        else:
            await self.app(scope, receive, send)

    def _refusal(self, scope: Scope, headers: dict[str, str]) -> tuple[int, str, str] | None:
        host = headers.get("host", "")
        if host not in self.hosts:
            return 403, "foreign_host", f"The Host header {host!r} is not this server's."
        origin = headers.get("origin")
        if origin is not None and origin.partition("://")[2] not in self.hosts:
            return 403, "foreign_origin", f"Calls from {origin} are not taken."
        path = scope["path"]
        is_page = scope["type"] == "http" and (path in OPEN_PATHS or path.startswith(OPEN_PREFIXES))
        if not is_page and not hmac.compare_digest(_token_of(scope, headers).encode(), self.token.encode()):
            if not self._strangers.take():
                return 429, "too_many_requests", "Too many requests without a token."
            return 401, "no_token", "Send the token that was printed at the start: `Authorization: Bearer TOKEN`."
        if not (self._strangers if is_page else self._owner).take():
            return 429, "too_many_requests", f"More than {RATE_PER_S:g} requests a second; wait a little."
        length = headers.get("content-length", "0")
        if not (length.isascii() and length.isdigit() and len(length) < 20) or int(length) > self.max_body_bytes:
            return 413, "body_too_large", f"A body may have {self.max_body_bytes} bytes."
        return None

    def _bounded(self, receive: Receive) -> Receive:
        seen = 0

        async def bounded() -> MutableMapping[str, Any]:
            nonlocal seen
            message = await receive()
            seen += len(message.get("body", b""))
            if seen > self.max_body_bytes:
                return {"type": "http.disconnect"}
            return message

        return bounded


def _token_of(scope: Scope, headers: dict[str, str]) -> str:
    scheme, _, token = headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer":
        return token.strip()
    if scope["type"] == "websocket":  # a browser cannot set a header on a WebSocket
        query: bytes = scope.get("query_string", b"")
        return parse_qs(query.decode("latin-1")).get("token", [""])[0]
    return ""


async def _refuse(scope: Scope, receive: Receive, send: Send, status: int, code: str, message: str) -> None:
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.close", "code": 1008, "reason": code})
        return
    is_v1 = scope["path"].startswith("/api/")
    said = ErrorAnswer(status, code, message)
    body = (as_problem if is_v1 else as_failure)(said).body
    kind = b"application/problem+json" if is_v1 else b"application/json"
    headers = [(b"content-type", kind), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
