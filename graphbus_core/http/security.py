"""Who may speak to the server: token, Host, Origin, size and rate, checked before anything else sees a request.

Loopback is not protection by itself: any page in the user's browser can reach it. So every call but the page's own
files wants the token; `Host` must be ours (DNS rebinding), and an `Origin`, where a browser sends one, too.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import ipaddress
import re
import time
from collections.abc import Awaitable, Callable, Container, Iterable, Mapping, MutableMapping
from typing import Any

from graphbus_core.errors import ConfigError
from graphbus_core.http.errors import ErrorAnswer, render_failure, render_problem
from graphbus_core.services.questions.seats import Seat

# The names under which a server may be asked for: what `Host` and `Origin` may say (DNS rebinding).


LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
WILDCARDS = ("0.0.0.0", "::")
HTTP_PORT = 80
_NETLOC = re.compile(r"(\[[0-9a-f:.]+\]|[^:/@\[\]\s]+)(?::([0-9]{1,5}))?", re.ASCII)


class AllowedHosts:
    """Whether a server that listens on `host` and `port` is meant by what a request says.

    A server that listens everywhere is meant by every numeric address: only a *name* can be pointed elsewhere. A name
    of `allowed` (behind a proxy) counts with any port, `name:port` with that port or none.
    """

    def __init__(self, host: str, port: int, allowed: Iterable[str] = ()) -> None:
        self.port = port
        self.is_everywhere = strip_brackets(host) in WILDCARDS
        self.own = {*(LOOPBACK if self.is_everywhere or is_loopback(host) else ()), format_address(host).lower()}
        self.allowed = [
            match.groups() for allowed_name in allowed if (match := _NETLOC.fullmatch(allowed_name.strip().lower()))
        ]

    def __contains__(self, netloc: object) -> bool:
        match = _NETLOC.fullmatch(netloc.lower()) if isinstance(netloc, str) else None
        if match is None:
            return False
        name, port = match.groups()
        if any(name == allowed and (only is None or port in (None, only)) for allowed, only in self.allowed):
            return True
        is_ours = name in self.own or (self.is_everywhere and _is_ip_address(name))
        return is_ours and int(port or HTTP_PORT) == self.port


def strip_brackets(host: str) -> str:
    """An address without the brackets of a URL."""
    return host.strip().strip("[]")


def format_address(host: str) -> str:
    """An address as it stands in a URL."""
    return f"[{strip_brackets(host)}]" if ":" in host else host


def build_url(host: str, port: int) -> str:
    """The URL under which a browser on this machine reaches the server."""
    near = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(strip_brackets(host), host)
    return f"http://{format_address(near)}:{port}/"


def is_loopback(host: str) -> bool:
    """Whether an address to listen on reaches this machine alone."""
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(strip_brackets(host)).is_loopback
    except ValueError:
        return False


def _is_ip_address(name: str) -> bool:
    try:
        ipaddress.ip_address(strip_brackets(name))
    except ValueError:
        return False
    return True


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
# A browser sets no header on a WebSocket. It sends its token as a subprotocol, in base64url and without padding; the
# server takes the other one, so that the token is in no answer.
SUBPROTOCOL = "graphbus.v1"
TOKEN_SUBPROTOCOL = "graphbus.bearer."
IN_ADDRESS = (
    "A token in an address stands in logs and histories, so it is refused there. Send it as a header "
    "(`Authorization: Bearer TOKEN`), in a browser's WebSocket as a subprotocol."
)
# What somebody may ask for whose link is spent: to tell the table that it was not they who sat down.
DISPUTE = ("POST", "/api/v1/disputes")
# What a seat may ask for. All else is the operator's. `{table}`: its own, as `consents/RUN`.
SEAT_ROADS = {
    "": (
        *("GET (me|table)", "POST (sessions|links)", "GET questions", "POST questions/.+/answer"),
        *("POST claims", "(POST|DELETE) claims/.+", "POST disputes"),
    ),
    "consent": ("GET {table}",),
    "document": ("GET {table}", "POST {table}/(turns|sources)"),
    "team": ("GET {table}", "POST {table}/(turns|plans|words|syncs|landings)"),
    "build": (
        "GET (health|picture|nodes|mismatches|map|negotiations)",
        "GET (nodes|why|files|negotiations)/.+",
        "POST (try|contracts/check)",
    ),
}
INVITED_ROADS = ("GET (me|table)", "POST (sessions|disputes)")  # with an invitation, before one has a name


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


def read_own_token(environ: Mapping[str, str]) -> str | None:
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
        find_seat: Callable[[str], Seat | None] = lambda key: None,
        explain_key: Callable[[str], tuple[str, str]] = lambda key: ("", ""),
        find_spent: Callable[[str], Seat | None] = lambda key: None,
    ) -> None:
        self.app = app
        self.token = token
        self.find_seat, self.explain_key, self.find_spent = find_seat, explain_key, find_spent
        self.hosts = hosts
        self.max_body_bytes = max_body_bytes
        # Apart, so that who has no token cannot use up what the owner may, nor what those at a table may.
        self._owner, self._seats, self._strangers = RateLimit(clock), RateLimit(clock), RateLimit(clock)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        headers = {k.decode("latin-1").lower(): v.decode("latin-1") for k, v in scope.get("headers", ())}
        given = _extract_token(scope, headers)
        is_operator = hmac.compare_digest(given.encode(errors="replace"), self.token.encode())
        seat = None if is_operator or not given else self.find_seat(given)
        if seat is None and not is_operator and (scope.get("method"), scope["path"]) == DISPUTE:
            seat = self.find_spent(given)
        scope["graphbus.seat"], scope["graphbus.key"] = seat, given if seat is not None else ""
        refusal = self._find_refusal(scope, headers, is_operator, seat)
        if refusal is not None and refusal[1] == "no_token" and given and self.explain_key(given)[0]:
            refusal = (401, *self.explain_key(given))  # it opened something once: why it does not any more
        if refusal is not None:
            await _refuse(scope, receive, send, *refusal)
            return
        if scope["type"] == "http":
            await self.app(scope, self._limit_body(receive), send)
        else:
            await self.app(scope, receive, send)

    def _find_refusal(
        self, scope: Scope, headers: dict[str, str], is_operator: bool, seat: Seat | None
    ) -> tuple[int, str, str] | None:
        host = headers.get("host", "")
        if host not in self.hosts:
            return 403, "foreign_host", f"The Host header {host!r} is not this server's."
        origin = headers.get("origin")
        if origin is not None and origin.partition("://")[2] not in self.hosts:
            return 403, "foreign_origin", f"Calls from {origin} are not taken."
        if b"token" in (name.partition(b"=")[0] for name in scope.get("query_string", b"").split(b"&")):
            return 401, "token_in_address", IN_ADDRESS
        path = scope["path"]
        is_page = scope["type"] == "http" and (path in OPEN_PATHS or path.startswith(OPEN_PREFIXES))
        limit = self._owner if is_operator else self._strangers if seat is None else self._seats
        if not is_page and seat is not None and not may_seat_call(seat, scope):
            who = f"You sit here as {seat.name}." if seat.name else "Say first who you are (`POST /sessions`)."
            return 403, "operator_only", f"{who} Only the operator may do that."
        if not is_page and not is_operator and seat is None:
            if not self._strangers.take():
                return 429, "too_many_requests", "Too many requests without a token."
            return 401, "no_token", "Send the token that was printed at the start: `Authorization: Bearer TOKEN`."
        if not (self._strangers if is_page else limit).take():
            return 429, "too_many_requests", f"More than {RATE_PER_S:g} requests a second; wait a little."
        length = headers.get("content-length", "0")
        if not (length.isascii() and length.isdigit() and len(length) < 20) or int(length) > self.max_body_bytes:
            return 413, "body_too_large", f"A body may have {self.max_body_bytes} bytes."
        return None

    def _limit_body(self, receive: Receive) -> Receive:
        received_bytes = 0

        async def receive_limited() -> MutableMapping[str, Any]:
            nonlocal received_bytes
            message = await receive()
            received_bytes += len(message.get("body", b""))
            if received_bytes > self.max_body_bytes:
                return {"type": "http.disconnect"}
            return message

        return receive_limited


def may_seat_call(seat: Seat, scope: Scope) -> bool:
    """Whether a seat may ask for that. Whose question it is, the inbox says."""
    if scope["type"] != "http" or not scope["path"].startswith("/api/v1/"):
        return False
    kind, _, where = seat.table.partition("/")
    asked = f"{'GET' if scope['method'] == 'HEAD' else scope['method']} {scope['path'].removeprefix('/api/v1/')}"
    roads = INVITED_ROADS if seat.is_invitation else (*SEAT_ROADS[""], *SEAT_ROADS.get(kind, ()))
    return any(re.fullmatch(road.replace("{table}", f"{kind}s/{re.escape(where)}"), asked) for road in roads)


def _extract_token(scope: Scope, headers: dict[str, str]) -> str:
    scheme, _, token = headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer":
        return token.strip()
    for protocol in scope.get("subprotocols", ()):
        if protocol.startswith(TOKEN_SUBPROTOCOL):
            encoded = protocol.removeprefix(TOKEN_SUBPROTOCOL)
            try:
                return base64.urlsafe_b64decode(encoded + "=" * (-len(encoded) % 4)).decode()
            except (binascii.Error, ValueError):
                return ""
    return ""


async def _refuse(scope: Scope, receive: Receive, send: Send, status: int, code: str, message: str) -> None:
    is_socket = scope["type"] == "websocket"
    if is_socket:
        await receive()
        if "websocket.http.response" not in scope.get("extensions", {}):
            await send({"type": "websocket.close", "code": 1008, "reason": code})
            return
    is_v1 = scope["path"].startswith("/api/")
    answer = ErrorAnswer(status, code, message)
    body = (render_problem if is_v1 else render_failure)(answer).body
    kind = b"application/problem+json" if is_v1 else b"application/json"
    headers = [(b"content-type", kind), (b"content-length", str(len(body)).encode())]
    road = "websocket.http" if is_socket else "http"
    await send({"type": f"{road}.response.start", "status": status, "headers": headers})
    await send({"type": f"{road}.response.body", "body": body})


# What every answer says to a browser: run nothing of anybody else's, keep nothing private, be framed by nobody.
#
# And what spares it work: an ETag for what is read under `/api/v1`, so that what did not change is not sent again.


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


class SecurityHeadersMiddleware:
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

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                names = {name.lower() for name, _ in message.get("headers", ())}
                # Only what is missing: the seat pages set stricter ones.
                missing = [(k.encode(), v.encode()) for k, v in more.items() if k.encode() not in names]
                message = {**message, "headers": [*message.get("headers", ()), *missing]}
            await send(message)

        await self.app(scope, receive, send_with_headers)


class ETagMiddleware:
    """An ASGI layer that names what is read by its content, and sends it only where the client has another."""

    def __init__(self, app: App) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "GET":
            await self.app(scope, receive, send)
            return
        client_tags = dict(scope["headers"]).get(b"if-none-match", b"")
        held_starts: list[Message] = []

        async def send_tagged(message: Message) -> None:
            """Hold the head back until the body is there: its tag stands in the head."""
            if message["type"] == "http.response.start" and message["status"] == 200:
                held_starts.append(message)
                return
            if not held_starts:
                await send(message)
                return
            start, body = held_starts.pop(), message.get("body", b"")
            if not message.get("more_body") and len(body) <= HASHED_BYTES:
                tag = b'W/"' + hashlib.blake2b(body, digest_size=12).hexdigest().encode() + b'"'
                if tag in (client_tag.strip() for client_tag in client_tags.split(b",")):
                    start = {"type": start["type"], "status": 304, "headers": [(b"etag", tag)]}
                    message = {"type": message["type"], "body": b""}
                else:
                    start = {**start, "headers": [*start["headers"], (b"etag", tag)]}
            await send(start)
            await send(message)

        await self.app(scope, receive, send_tagged)
