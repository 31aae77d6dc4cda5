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
from collections.abc import Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self

from graphbus_core.participants.llm.words.writing import whom
from graphbus_core.testing import wire
from graphbus_core.testing.script import Script, Turn

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
                while await self._one(reader, writer):
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

    async def _one(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        """Answer one request; whether the connection may carry another."""
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        request, *lines = head.split("\r\n")
        method, path, _ = request.split(" ", 2)
        headers = {k.strip().lower(): v.strip() for k, _, v in (line.partition(":") for line in lines) if k}
        length = int(headers.get("content-length") or 0)
        body = await reader.readexactly(length) if 0 < length <= BODY_MAX else b""
        protocol = wire.protocol_of(path)
        if method != "POST" or protocol is None:
            return await self._send(writer, 404, wire.error("chat", Turn(status=404, message=f"no {path}")))
        try:
            asked = json.loads(body)
        except ValueError:
            return await self._send(writer, 400, wire.error(protocol, Turn(status=400, message="no JSON")))
        self.under_way += 1
        self.most_under_way = max(self.most_under_way, self.under_way)
        try:
            return await self._answer(writer, protocol, asked, headers)
        finally:
            self.under_way -= 1

    async def _answer(
        self, writer: asyncio.StreamWriter, protocol: str, asked: Mapping[str, Any], headers: Mapping[str, str]
    ) -> bool:
        prompt = wire.prompt_of(protocol, asked)
        model = str(asked.get("model", ""))
        agent, kind = whom(prompt)
        turn = self.script.turn(agent, kind, prompt, model)
        key = headers.get("x-api-key") or headers.get("authorization", "").removeprefix("Bearer ")
        stream = bool(asked.get("stream"))
        tokens = self._tokens(prompt, turn)
        entry = Received(agent, kind, model, prompt, key, stream, time.monotonic(), turn, asked)
        self.received.append(entry)
        await asyncio.sleep(turn.delay_s)
        if turn.fault == "close":
            return False
        if turn.status != 200:
            message = turn.message.replace("{key}", key)
            failed = wire.error(protocol, Turn(status=turn.status, message=message))
            entry.ended = time.monotonic()
            return await self._send(writer, turn.status, failed, turn.retry_after_s)
        if turn.fault == "garbage":
            return await self._send_bytes(writer, 200, b'{"id": "x", "content": [{"type": "te')
        if not stream:
            if turn.fault:
                return False
            entry.ended = time.monotonic()
            return await self._send(writer, 200, wire.whole(protocol, model, turn, tokens, len(self.received)))
        whole = await self._stream(writer, protocol, model, turn, tokens)
        if whole:
            entry.ended = time.monotonic()
        return whole

    def _tokens(self, prompt: str, turn: Turn) -> wire.Tokens:
        read = turn.input_tokens if turn.input_tokens is not None else len(prompt) // CHARACTERS_PER_TOKEN
        written = turn.output_tokens if turn.output_tokens is not None else len(turn.text) // CHARACTERS_PER_TOKEN
        cached = 0
        if self.caching:
            shared = max((common_prefix(prompt, r.prompt) for r in self.received), default=0)
            cached = min(read, shared // CHARACTERS_PER_TOKEN)
        return wire.Tokens(read, written, cached)

    async def _stream(
        self, writer: asyncio.StreamWriter, protocol: str, model: str, turn: Turn, tokens: wire.Tokens
    ) -> bool:
        """Send the events; whether all of them went out and the connection is still good."""
        writer.write(
            b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncache-control: no-cache\r\n"
            b"transfer-encoding: chunked\r\n\r\n"
        )
        events = list(wire.streamed(protocol, model, turn, tokens, len(self.received)))
        if turn.fault:
            events = events[: max(1, len(events) // 2)]
        if turn.fault == "garbage_stream":
            events.append("data: {this is not JSON\n\n")
        if turn.fault == "error_event":
            events.append(wire.error_event(protocol, turn))
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


def common_prefix(a: str, b: str) -> int:
    """How many characters two texts share from their beginning."""
    low, high = 0, min(len(a), len(b))
    while low < high:  # by halves: prompts are long, and slices compare at the speed of memory
        middle = (low + high + 1) // 2
        if a[:middle] == b[:middle]:
            low = middle
        else:
            high = middle - 1
    return low
