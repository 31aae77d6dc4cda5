"""`GraphBusClient` and `AsyncGraphBusClient`: every call of the API, and the stream, which goes on after a break.

The two share one list of calls; a test holds that list against the OpenAPI document.
"""

from __future__ import annotations

import asyncio
import ipaddress
import json
import time
from collections.abc import AsyncIterator, Awaitable, Iterator, Mapping
from typing import Any, Generic, TypeVar
from urllib.parse import quote, urlencode, urlsplit

import httpx

from graphbus_core.errors import GraphBusError

R = TypeVar("R")
Json = dict[str, Any]
TIMEOUT_S = 60.0
# With pauses up to two seconds that is half a minute: longer than a restart of the server takes.
RECONNECTS = 20  # in a row without a message, then the stream gives up


class ApiError(GraphBusError):
    """The server refused. `status`, `code` and `path` are the server's own."""

    def __init__(self, status: int, error: Mapping[str, Any]) -> None:
        # A proxy in between may answer without our form. Then its status is all there is to say.
        super().__init__(str(error.get("message") or f"HTTP {status}"))
        self.status = status
        self.code = str(error.get("code", ""))
        self.path = error.get("path")


class ClientCalls(Generic[R]):
    """What can be asked of a server. `R` is the answer, or something to await it."""

    def _send(self, method: str, path: str, body: Json | None = None, query: Mapping[str, Any] | None = None) -> R:
        raise AssertionError("a client sends")

    def health(self) -> R:
        """Whether the server answers."""
        return self._send("GET", "/health")

    def ready(self) -> R:
        """Whether the running program may be given work. Raises ApiError 503 with the reasons where it may not."""
        # The path's parts are quoted, also slashes: a name that holds one must not lead to another route.
        return self._send("GET", "/health/ready")

    def graph(self) -> R:
        """Nodes with positions, and typed links."""
        return self._send("GET", "/graph")

    def nodes(self) -> R:
        """Every node, in short."""
        return self._send("GET", "/nodes")

    def node(self, name: str) -> R:
        """One node, whole."""
        return self._send("GET", f"/nodes/{_quote_part(name)}")

    def call(self, node: str, method: str, payload: Json | None = None, timeout_s: float | None = None) -> R:
        """Call a method of a running node."""
        body = {"method": method, "payload": payload or {}, "timeout_s": timeout_s}
        return self._send("POST", f"/nodes/{_quote_part(node)}/call", body)

    def start_runtime(self, payload_checks: str = "enforce") -> R:
        """Start the runtime on the last build."""
        return self._send("POST", "/runtime/start", {"payload_checks": payload_checks})

    def stop_runtime(self) -> R:
        """Stop the runtime."""
        return self._send("POST", "/runtime/stop")

    def runtime(self) -> R:
        """State and statistics."""
        return self._send("GET", "/runtime")

    def history(self, limit: int = 100) -> R:
        """The newest events, newest first."""
        return self._send("GET", "/runtime/history", query={"limit": limit})

    def metrics(self) -> R:
        """Counters for a monitoring system."""
        return self._send("GET", "/metrics")

    def publish(self, topic: str, payload: Json, source: str = "api") -> R:
        """Publish an event."""
        return self._send("POST", "/publish", {"topic": topic, "payload": payload, "source": source})

    def dead_letters(self) -> R:
        """What could not be delivered."""
        return self._send("GET", "/dead-letters")

    def retry_dead_letter(self, letter_id: str) -> R:
        """Deliver one again."""
        return self._send("POST", f"/dead-letters/{_quote_part(letter_id)}/retry")

    def purge_dead_letters(self) -> R:
        """Forget them all."""
        return self._send("DELETE", "/dead-letters")

    def start_build(self, **settings: Any) -> R:
        """Start a build: `enable_agents`, `approve`, `dry_run`, `rounds`, `intent`, `model`, `humans`, or `resume`."""
        return self._send("POST", "/builds", settings)

    def builds(self) -> R:
        """Builds of this server, newest first."""
        return self._send("GET", "/builds")

    def build(self, build_id: str) -> R:
        """One of them."""
        return self._send("GET", f"/builds/{_quote_part(build_id)}")

    def cancel_build(self, build_id: str) -> R:
        """Stop one cleanly."""
        return self._send("POST", f"/builds/{_quote_part(build_id)}/cancel")

    def negotiations(self) -> R:
        """Every negotiation, newest first."""
        return self._send("GET", "/negotiations")

    def negotiation(self, negotiation_id: str, at: int | None = None) -> R:
        """One, as it stands or as it stood after fact number `at`."""
        query = {} if at is None else {"at": at}
        return self._send("GET", f"/negotiations/{_quote_part(negotiation_id)}", query=query)

    def negotiation_log(self, negotiation_id: str, after: int = 0, limit: int = 1_000) -> R:
        """Its facts after number `after`."""
        query = {"after": after, "limit": limit}
        return self._send("GET", f"/negotiations/{_quote_part(negotiation_id)}/log", query=query)

    def messages(self, after: int | str = 0, limit: int = 1_000) -> R:
        """Messages of the stream after number `after`, or after `STREAM:N`, without listening."""
        return self._send("GET", "/events", query={"after": after, "limit": limit})

    def questions(self) -> R:
        """What waits for an answer."""
        return self._send("GET", "/questions")

    def answer(self, question_id: str, body: Json) -> R:
        """Answer one."""
        return self._send("POST", f"/questions/{quote(question_id)}/answer", body)

    def mismatches(self) -> R:
        """Every link that does not fit."""
        return self._send("GET", "/mismatches")

    def check(self, producer: Any, consumer: Any) -> R:
        """Whether everything that the producer may send is taken by the consumer."""
        return self._send("POST", "/contracts/check", {"producer": producer, "consumer": consumer})

    def why(self, symbol: str) -> R:
        """Every proposal that made a node, a method or a field what it is."""
        return self._send("GET", f"/why/{quote(symbol)}")


class GraphBusClient(ClientCalls[Any]):
    """The API in blocking calls. Raises ApiError for what the server refuses."""

    def __init__(self, base_url: str, token: str, timeout_s: float = TIMEOUT_S) -> None:
        self.base_url, self.token = base_url.rstrip("/"), token
        # Proxies from the environment are not asked on this machine: one of them would be handed the token.
        self._http = httpx.Client(
            base_url=self.base_url,
            headers=_build_headers(token),
            timeout=timeout_s,
            trust_env=not _is_near(self.base_url),
        )

    def _send(self, method: str, path: str, body: Json | None = None, query: Mapping[str, Any] | None = None) -> Any:
        return _read_answer(self._http.request(method, path, json=body, params=dict(query or {})))

    def events(self, after: int | str | None = None) -> Iterator[Json]:
        """Every message of the stream, each once and in order; after a break it reads on where it was.

        `after` is a number, or `STREAM:N`. A `gap` message stands for what is no longer kept, or what a restart of the
        server took. Raises ApiError where the server refuses, or stays away.
        """
        from websockets.exceptions import WebSocketException
        from websockets.sync.client import connect

        place, failures = StreamPosition(after), 0
        while True:
            try:
                with connect(
                    _build_stream_url(self.base_url, place), **_build_socket_options(self.base_url, self.token)
                ) as socket:
                    for frame in socket:
                        # Only a message shows that the connection is good; a server that takes it and drops it would
                        # reset the count for ever.
                        failures = 0
                        for message in json.loads(frame):
                            if place.note_message(message):
                                yield message
            except (OSError, WebSocketException) as e:
                if _is_refusal(e):
                    # The stream's refusal has no body. This call fails with the reason in it.
                    self.health()  # says why in the server's own words, where it was the token
                    raise ApiError(403, {"code": "refused", "message": f"The stream was refused: {e}"}) from e
                failures = _give_up(failures, e)
            # Also after a clean end: a server that restarts closes cleanly, and needs a moment.
            time.sleep(_compute_pause_s(failures))

    def close(self) -> None:
        """Let go of the connection."""
        self._http.close()

    def __enter__(self) -> GraphBusClient:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class AsyncGraphBusClient(ClientCalls[Awaitable[Any]]):
    """The API in calls to await. Raises ApiError for what the server refuses."""

    def __init__(self, base_url: str, token: str, timeout_s: float = TIMEOUT_S) -> None:
        self.base_url, self.token = base_url.rstrip("/"), token
        self._http = httpx.AsyncClient(
            base_url=self.base_url,
            headers=_build_headers(token),
            timeout=timeout_s,
            trust_env=not _is_near(self.base_url),
        )

    async def _send(
        self, method: str, path: str, body: Json | None = None, query: Mapping[str, Any] | None = None
    ) -> Any:
        return _read_answer(await self._http.request(method, path, json=body, params=dict(query or {})))

    async def events(self, after: int | str | None = None) -> AsyncIterator[Json]:
        """Every message of the stream, each once and in order; after a break it reads on where it was.

        `after` is a number, or `STREAM:N`. A `gap` message stands for what is no longer kept, or what a restart of the
        server took. Raises ApiError where the server refuses, or stays away.
        """
        from websockets.asyncio.client import connect
        from websockets.exceptions import WebSocketException

        place, failures = StreamPosition(after), 0
        while True:
            try:
                async with connect(
                    _build_stream_url(self.base_url, place), **_build_socket_options(self.base_url, self.token)
                ) as socket:
                    async for frame in socket:
                        failures = 0
                        for message in json.loads(frame):
                            if place.note_message(message):
                                yield message
            except (OSError, WebSocketException) as e:
                if _is_refusal(e):
                    await self.health()  # says why in the server's own words, where it was the token
                    raise ApiError(403, {"code": "refused", "message": f"The stream was refused: {e}"}) from e
                failures = _give_up(failures, e)
            await asyncio.sleep(_compute_pause_s(failures))

    async def aclose(self) -> None:
        """Let go of the connection."""
        await self._http.aclose()

    async def __aenter__(self) -> AsyncGraphBusClient:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()


class StreamPosition:
    """Where a listener stands: which stream, and the number of the last message that it saw."""

    def __init__(self, after: int | str | None) -> None:
        self.after = None if after is None else str(after)
        # With the name of the stream a number is safe: after a restart the same number means another message.
        self._stream = self.after.rpartition(":")[0] if self.after else ""

    def note_message(self, message: Json) -> bool:
        """Note a message; whether it is for the user (`hello` is not)."""
        if message["kind"] in ("hello", "gap"):
            self._stream = message["data"].get("stream") or self._stream
        # Before it is handed over: whoever stops in the middle goes on behind this message and not at it.
        seq = message["seq"]
        self.after = f"{self._stream}:{seq}" if self._stream else str(seq)
        return bool(message["kind"] != "hello")


def _is_near(base_url: str) -> bool:
    """Whether the server is on this machine: then no proxy has to do with it, and none may see the token."""
    host = urlsplit(base_url).hostname or ""
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _build_socket_options(base_url: str, token: str) -> dict[str, Any]:
    # No limit on frames: batches are bounded by the server.
    near = {"proxy": None} if _is_near(base_url) else {}
    return {"max_size": None, "additional_headers": _build_headers(token), **near}


def _is_refusal(error: Exception) -> bool:
    """Whether trying again would change nothing."""
    from websockets.exceptions import ConnectionClosed, InvalidStatus

    if isinstance(error, InvalidStatus):
        return bool(400 <= error.response.status_code < 500)
    return isinstance(error, ConnectionClosed) and error.rcvd is not None and error.rcvd.code == 1008


def _build_headers(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def _quote_part(text: str) -> str:
    return quote(text, safe="")


def _build_stream_url(base_url: str, place: StreamPosition) -> str:
    query = {"batch": 1, **({} if place.after is None else {"after": place.after})}
    return f"{base_url.replace('http', 'ws', 1)}/events/stream?{urlencode(query)}"


def _compute_pause_s(failures: int) -> float:
    return min(0.05 * 2.0**failures, 2.0)


def _give_up(failures: int, error: Exception) -> int:
    if failures >= RECONNECTS:
        raise ApiError(0, {"message": f"The stream is gone: {error}"}) from error
    return failures + 1


def _read_answer(answer: httpx.Response) -> Any:
    try:
        data = answer.json()
    except ValueError:
        # A proxy's page of HTML: its status says more than a parser's error.
        data = {}
    if answer.is_success:
        return data
    raise ApiError(answer.status_code, data.get("error", {}) if isinstance(data, dict) else {})
