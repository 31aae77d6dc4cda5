"""A small HTTP server on loopback that answers as Anthropic or OpenAI would, from a script: for tests and benchmarks.

    with ModelServer(script) as server:
        llm = LLMConfig(model="anthropic:claude-sonnet-5-5", api_key="test-key", base_url=server.anthropic_url)
        …
    server.received        # every request: agent, kind, model, prompt, when, and what was answered

It runs on a thread of its own, so that it also serves builds in other processes. It listens on a free port of the
loopback interface only.
"""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self

from graphbus_core.participants.llm.prompts import parse_addressee
from graphbus_core.testing.script import Script, Turn

# What the Anthropic Messages, OpenAI chat completions and OpenAI responses protocols look like on the wire.
#
# Only as much of each as their official clients need to read an answer of text: whole, streamed, or an error. Written
# after the providers' public references; nothing of it knows what is asked or answered.


PIECE_LENGTH = 160  # characters a streamed event
ERRORS = {
    400: "invalid_request_error",
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    429: "rate_limit_error",
    500: "api_error",
    503: "overloaded_error",
    529: "overloaded_error",
}


@dataclass(frozen=True)
class TokenUsage:
    """How much the answer claims to have used."""

    read: int
    written: int
    cached: int = 0


def extract_prompt(path: str, request: Mapping[str, Any]) -> str:
    """The whole text of a request, system first."""
    parts: list[Any] = [request.get("system"), request.get("instructions")]
    messages = request.get("messages") or request.get("input") or ()
    if isinstance(messages, str):
        parts.append(messages)
    else:
        parts += [m.get("content") for m in messages if isinstance(m, Mapping)]
    return "\n\n".join(text for part in parts for text in _iter_texts(part))


def _iter_texts(content: Any) -> Iterator[str]:
    if isinstance(content, str):
        yield content
    elif isinstance(content, list):
        for block in content:
            if isinstance(block, Mapping) and isinstance(block.get("text"), str):
                yield block["text"]


def detect_protocol(path: str) -> str | None:
    """`anthropic`, `chat` or `responses`, by the path of the request."""
    path = path.partition("?")[0].rstrip("/")
    for ending, name in (("/messages", "anthropic"), ("/chat/completions", "chat"), ("/responses", "responses")):
        if path.endswith(ending):
            return name
    return None


def build_error(protocol: str, turn: Turn) -> dict[str, Any]:
    """An error's body, as this provider writes it."""
    kind = ERRORS.get(turn.status, "api_error")
    message = turn.message or f"scripted {kind}"
    if protocol == "anthropic":
        return {"type": "error", "error": {"type": kind, "message": message}}
    return {"error": {"message": message, "type": kind, "param": None, "code": kind}}


def build_answer(protocol: str, model: str, turn: Turn, tokens: TokenUsage, number: int) -> dict[str, Any]:
    """The answer in one piece."""
    if protocol == "anthropic":
        return {
            "id": f"msg_{number}",
            "type": "message",
            "role": "assistant",
            "model": model,
            "content": [{"type": "text", "text": turn.text}] if turn.text else [],
            "stop_reason": _map_stop_reason(turn),
            "stop_sequence": None,
            "usage": _build_anthropic_usage(tokens),
        }
    if protocol == "chat":
        return {
            "id": f"chatcmpl-{number}",
            "object": "chat.completion",
            "created": 1_700_000_000,
            "model": model,
            "choices": [
                {"index": 0, "finish_reason": turn.finish, "message": {"role": "assistant", "content": turn.text}}
            ],
            "usage": _build_chat_usage(tokens),
        }
    return _build_response(model, turn, tokens, number, "incomplete" if turn.finish == "length" else "completed")


def stream_answer(protocol: str, model: str, turn: Turn, tokens: TokenUsage, number: int) -> Iterator[str]:
    """The answer as server-sent events, one string an event."""
    pieces = [turn.text[i : i + PIECE_LENGTH] for i in range(0, len(turn.text), PIECE_LENGTH)]
    if protocol == "anthropic":
        yield from _stream_anthropic(model, turn, tokens, number, pieces)
    elif protocol == "chat":
        yield from _stream_chat(model, turn, tokens, number, pieces)
    else:
        yield from _stream_responses(model, turn, tokens, number, pieces)


def build_error_event(protocol: str, turn: Turn) -> str:
    """The provider's way to fail in the middle of a stream."""
    failed = Turn(status=529, message=turn.message or "scripted: overloaded in the middle of a stream")
    if protocol == "anthropic":
        return _encode_event(build_error(protocol, failed), "error")
    if protocol == "responses":
        return _encode_event(
            {"type": "error", "code": "server_error", "message": failed.message, "sequence_number": 9}, "error"
        )
    return _encode_event(build_error(protocol, failed))


def _encode_event(data: Any, name: str | None = None) -> str:
    text = data if isinstance(data, str) else json.dumps(data)
    return (f"event: {name}\n" if name else "") + f"data: {text}\n\n"


def _map_stop_reason(turn: Turn) -> str:
    return {"length": "max_tokens", "content_filter": "refusal"}.get(turn.finish, "end_turn")


def _build_anthropic_usage(tokens: TokenUsage) -> dict[str, int]:
    return {
        "input_tokens": tokens.read - tokens.cached,
        "cache_read_input_tokens": tokens.cached,
        "cache_creation_input_tokens": 0,
        "output_tokens": tokens.written,
    }


def _build_chat_usage(tokens: TokenUsage) -> dict[str, Any]:
    return {
        "prompt_tokens": tokens.read,
        "completion_tokens": tokens.written,
        "total_tokens": tokens.read + tokens.written,
        "prompt_tokens_details": {"cached_tokens": tokens.cached},
    }


def _stream_anthropic(model: str, turn: Turn, tokens: TokenUsage, number: int, pieces: list[str]) -> Iterator[str]:
    start = build_answer("anthropic", model, Turn(), TokenUsage(tokens.read, 1, tokens.cached), number)
    yield _encode_event({"type": "message_start", "message": {**start, "stop_reason": None}}, "message_start")
    block = {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}
    yield _encode_event(block, "content_block_start")
    yield _encode_event({"type": "ping"}, "ping")
    for piece in pieces:
        delta = {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": piece}}
        yield _encode_event(delta, "content_block_delta")
    yield _encode_event({"type": "content_block_stop", "index": 0}, "content_block_stop")
    end = {
        "type": "message_delta",
        "delta": {"stop_reason": _map_stop_reason(turn), "stop_sequence": None},
        "usage": {"output_tokens": tokens.written},
    }
    yield _encode_event(end, "message_delta")
    yield _encode_event({"type": "message_stop"}, "message_stop")


def _stream_chat(model: str, turn: Turn, tokens: TokenUsage, number: int, pieces: list[str]) -> Iterator[str]:
    def build_chunk(delta: dict[str, Any] | None, finish: str | None = None, usage: Any = None) -> str:
        choices = [] if delta is None else [{"index": 0, "delta": delta, "finish_reason": finish}]
        base = {"id": f"chatcmpl-{number}", "object": "chat.completion.chunk", "created": 1_700_000_000}
        return _encode_event({**base, "model": model, "choices": choices, "usage": usage})

    yield build_chunk({"role": "assistant", "content": ""})
    for piece in pieces:
        yield build_chunk({"content": piece})
    yield build_chunk({}, turn.finish)
    yield build_chunk(None, None, _build_chat_usage(tokens))
    yield _encode_event("[DONE]")


def _build_response(model: str, turn: Turn, tokens: TokenUsage, number: int, status: str) -> dict[str, Any]:
    message = {
        "id": f"msg_{number}",
        "type": "message",
        "role": "assistant",
        "status": status,
        "content": [{"type": "output_text", "text": turn.text, "annotations": [], "logprobs": []}],
    }
    return {
        "id": f"resp_{number}",
        "object": "response",
        "created_at": 1_700_000_000,
        "status": status,
        "model": model,
        "output": [message],
        "error": None,
        "incomplete_details": {"reason": "max_output_tokens"} if status == "incomplete" else None,
        "instructions": None,
        "metadata": {},
        "parallel_tool_calls": True,
        "temperature": 1.0,
        "tool_choice": "auto",
        "tools": [],
        "top_p": 1.0,
        "usage": {
            "input_tokens": tokens.read,
            "input_tokens_details": {"cached_tokens": tokens.cached, "cache_write_tokens": 0},
            "output_tokens": tokens.written,
            "output_tokens_details": {"reasoning_tokens": 0},
            "total_tokens": tokens.read + tokens.written,
        },
    }


def _stream_responses(model: str, turn: Turn, tokens: TokenUsage, number: int, pieces: list[str]) -> Iterator[str]:
    sequence = iter(range(10_000_000))

    def build_event(kind: str, **data: Any) -> str:
        return _encode_event({"type": kind, "sequence_number": next(sequence), **data}, kind)

    begun = {**_build_response(model, turn, tokens, number, "in_progress"), "output": [], "usage": None}
    yield build_event("response.created", response=begun)
    item = {"id": f"msg_{number}", "type": "message", "role": "assistant", "status": "in_progress", "content": []}
    yield build_event("response.output_item.added", output_index=0, item=item)
    place = {"item_id": item["id"], "output_index": 0, "content_index": 0}
    part = {"type": "output_text", "text": "", "annotations": [], "logprobs": []}
    yield build_event("response.content_part.added", **place, part=part)
    for piece in pieces:
        yield build_event("response.output_text.delta", **place, delta=piece, logprobs=[])
    yield build_event("response.output_text.done", **place, text=turn.text, logprobs=[])
    ended = build_answer("responses", model, turn, tokens, number)
    yield build_event("response.output_item.done", output_index=0, item=ended["output"][0])
    kind = "response.incomplete" if ended["status"] == "incomplete" else "response.completed"
    yield build_event(kind, response=ended)


# The rule of thumb of the providers. Tests compare counts with each other, never with a bill.
CHARACTERS_PER_TOKEN = 4
BODY_MAX = 64 * 1024 * 1024


@dataclass
class Received:
    """One request. Times are `time.monotonic()`; `ended` is None while it is under way or after a stall."""

    agent: str
    kind: str
    model: str
    prompt: str
    key: str
    streamed: bool
    at: float
    turn: Turn
    request: Mapping[str, Any]  # its body, as it was sent
    ended: float | None = None


class ModelServer:
    """Serve `script`. `caching` counts the longest prefix shared with an earlier prompt as read from a cache.

    `answered` counts answers that were sent whole. Safe to use from one thread while it runs; `received` only grows.
    """

    def __init__(self, script: Script, caching: bool = False) -> None:
        self.script = script
        self.caching = caching
        self.received: list[Received] = []
        self.under_way = 0
        self.most_under_way = 0
        self.port = 0
        self._loop = asyncio.new_event_loop()
        self._ready = threading.Event()
        self._closing: asyncio.Event | None = None
        # A daemon: a test that is killed must not leave a server behind.
        self._thread = threading.Thread(target=self._run, name="model-server", daemon=True)

    @property
    def anthropic_url(self) -> str:
        """The base URL for Anthropic's client."""
        # Loopback and a free port, so that tests run beside each other and nobody from outside reaches them.
        return f"http://127.0.0.1:{self.port}"

    @property
    def openai_url(self) -> str:
        """The base URL for OpenAI's client."""
        return f"http://127.0.0.1:{self.port}/v1"

    def start(self) -> Self:
        """Listen; returns when the port is open."""
        self._thread.start()
        # Bounded: a port that cannot be had fails the test instead of hanging it.
        if not self._ready.wait(10):
            raise RuntimeError("the scripted server found no port on loopback in 10 s")
        return self

    def stop(self) -> None:
        """Close every connection and end the thread."""
        if self._closing is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._closing.set)
        self._thread.join(10)

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, kind: type[BaseException] | None, e: BaseException | None, tb: TracebackType | None) -> None:
        self.stop()

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_until_complete(self._serve())
        self._loop.close()

    async def _serve(self) -> None:
        self._closing = asyncio.Event()
        connections: set[asyncio.Task[None]] = set()

        async def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            task = asyncio.current_task()
            if task is not None:
                connections.add(task)
                task.add_done_callback(connections.discard)
            try:
                while await self._serve_one(reader, writer):
                    pass
            except (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, asyncio.CancelledError):
                pass
            finally:
                writer.close()

        server = await asyncio.start_server(accept, "127.0.0.1", 0, limit=1024 * 1024)
        self.port = server.sockets[0].getsockname()[1]
        self._ready.set()
        await self._closing.wait()
        server.close()
        for task in list(connections):
            task.cancel()
        await asyncio.gather(*connections, return_exceptions=True)

    async def _serve_one(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        """Answer one request; whether the connection may carry another."""
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        request, *lines = head.split("\r\n")
        method, path, _ = request.split(" ", 2)
        headers = {k.strip().lower(): v.strip() for k, _, v in (line.partition(":") for line in lines) if k}
        length = int(headers.get("content-length") or 0)
        body = await reader.readexactly(length) if 0 < length <= BODY_MAX else b""
        protocol = detect_protocol(path)
        if method != "POST" or protocol is None:
            return await self._send(writer, 404, build_error("chat", Turn(status=404, message=f"no {path}")))
        try:
            request_body = json.loads(body)
        except ValueError:
            return await self._send(writer, 400, build_error(protocol, Turn(status=400, message="no JSON")))
        self.under_way += 1
        self.most_under_way = max(self.most_under_way, self.under_way)
        try:
            return await self._send_turn(writer, protocol, request_body, headers)
        finally:
            self.under_way -= 1

    async def _send_turn(
        self, writer: asyncio.StreamWriter, protocol: str, request_body: Mapping[str, Any], headers: Mapping[str, str]
    ) -> bool:
        prompt = extract_prompt(protocol, request_body)
        model = str(request_body.get("model", ""))
        agent, kind = parse_addressee(prompt)
        turn = self.script.turn(agent, kind, prompt, model)
        key = headers.get("x-api-key") or headers.get("authorization", "").removeprefix("Bearer ")
        stream = bool(request_body.get("stream"))
        tokens = self._count_tokens(prompt, turn)
        entry = Received(agent, kind, model, prompt, key, stream, time.monotonic(), turn, request_body)
        self.received.append(entry)
        await asyncio.sleep(turn.delay_s)
        if turn.fault == "close":
            return False
        if turn.status != 200:
            message = turn.message.replace("{key}", key)
            failed = build_error(protocol, Turn(status=turn.status, message=message))
            entry.ended = time.monotonic()
            return await self._send(writer, turn.status, failed, turn.retry_after_s)
        if turn.fault == "garbage":
            return await self._send_bytes(writer, 200, b'{"id": "x", "content": [{"type": "te')
        if not stream:
            if turn.fault:
                return False
            entry.ended = time.monotonic()
            return await self._send(writer, 200, build_answer(protocol, model, turn, tokens, len(self.received)))
        whole = await self._stream(writer, protocol, model, turn, tokens)
        if whole:
            entry.ended = time.monotonic()
        return whole

    def _count_tokens(self, prompt: str, turn: Turn) -> TokenUsage:
        read = turn.input_tokens if turn.input_tokens is not None else len(prompt) // CHARACTERS_PER_TOKEN
        written_tokens = (
            turn.output_tokens if turn.output_tokens is not None else len(turn.text) // CHARACTERS_PER_TOKEN
        )
        cached = 0
        if self.caching:
            shared = max((measure_common_prefix(prompt, r.prompt) for r in self.received), default=0)
            cached = min(read, shared // CHARACTERS_PER_TOKEN)
        return TokenUsage(read, written_tokens, cached)

    async def _stream(
        self, writer: asyncio.StreamWriter, protocol: str, model: str, turn: Turn, tokens: TokenUsage
    ) -> bool:
        """Send the events; whether all of them went out and the connection is still good."""
        writer.write(
            b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncache-control: no-cache\r\n"
            b"transfer-encoding: chunked\r\n\r\n"
        )
        events = list(stream_answer(protocol, model, turn, tokens, len(self.received)))
        if turn.fault:
            events = events[: max(1, len(events) // 2)]
        if turn.fault == "garbage_stream":
            events.append("data: {this is not JSON\n\n")
        if turn.fault == "error_event":
            events.append(build_error_event(protocol, turn))
        for event in events:
            if writer.is_closing():  # the client gave up
                return False
            data = event.encode()
            writer.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
            if turn.drip_s:
                await writer.drain()
                await asyncio.sleep(turn.drip_s)
        await writer.drain()
        if turn.fault == "stall":
            await asyncio.sleep(3_600)  # until the client gives up, or the server stops
        if turn.fault:
            return False
        writer.write(b"0\r\n\r\n")
        await writer.drain()
        return True

    async def _send(
        self, writer: asyncio.StreamWriter, status: int, body: Mapping[str, Any], retry_after_s: float | None = None
    ) -> bool:
        return await self._send_bytes(writer, status, json.dumps(body).encode(), retry_after_s)

    async def _send_bytes(
        self, writer: asyncio.StreamWriter, status: int, body: bytes, retry_after_s: float | None = None
    ) -> bool:
        wait = ""
        if retry_after_s is not None:  # whole seconds in the header that all read; the exact time in the other
            wait = f"retry-after: {max(0, round(retry_after_s))}\r\nretry-after-ms: {retry_after_s * 1000:.0f}\r\n"
        head = (
            f"HTTP/1.1 {status} Scripted\r\ncontent-type: application/json\r\n{wait}content-length: {len(body)}\r\n\r\n"
        )
        writer.write(head.encode() + body)
        await writer.drain()
        return True


def measure_common_prefix(a: str, b: str) -> int:
    """How many characters two texts share from their beginning."""
    low, high = 0, min(len(a), len(b))
    while low < high:  # by halves: prompts are long, and slices compare at the speed of memory
        middle = (low + high + 1) // 2
        if a[:middle] == b[:middle]:
            low = middle
        else:
            high = middle - 1
    return low
