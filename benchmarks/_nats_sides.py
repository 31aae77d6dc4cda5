"""The two sides of the roads: raw nats-py by hand, and the runtime with one node, over the same server."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from typing import Any, ClassVar, NamedTuple

from graphbus_core import GraphBusNode, schema_method, subscribe
from graphbus_core.config import RuntimeConfig
from graphbus_core.runtime.transports.nats.connection import BusSettings
from graphbus_core.runtime.transports.nats.transport import NatsTransport
from graphbus_core.testing.harness import ClassExecutor
from tests.runtime.nats_server import NatsServer

PAYLOAD = {"id": 17, "sku": "apple", "qty": 3, "note": "as ordered"}


def order() -> dict[str, Any]:
    """A payload that says when it was handed over: publisher and handler are of one process, and read one clock."""
    return {**PAYLOAD, "at": time.perf_counter()}


class Sink(GraphBusNode):
    """Keeps for each event how long it was on its way."""

    took: ClassVar[list[float]] = []

    @subscribe("/Order/Created")
    def on_created(self, payload):
        Sink.took.append(time.perf_counter() - payload["at"])

    @schema_method(input_schema={"n": int}, output_schema={"n": int})
    def add(self, n):
        return {"n": n + 1}


class AsyncSink(GraphBusNode):
    """The same, async."""

    @subscribe("/Order/Created")
    async def on_created(self, payload):
        Sink.took.append(time.perf_counter() - payload["at"])


class Raw:
    """nats-py by hand: one connection, a pull consumer, an acknowledgement after the handler, ids against doubles."""

    def __init__(self, server: NatsServer, space: str, *, aside: bool = False) -> None:
        self.took: list[float] = []
        self._aside = aside  # whether a handler may block, as ours may: then it runs in a thread
        self._ended = False
        self._loop = asyncio.new_event_loop()
        threading.Thread(target=self._loop.run_forever, daemon=True).start()
        self._number = 0
        self._space = space
        self.do(self._open(server))

    def do(self, work: Any) -> Any:
        """Run it on the loop, and wait."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(120)

    async def _open(self, server: NatsServer) -> None:
        import nats
        from nats.js import api

        self._nc = await nats.connect(f"nats://127.0.0.1:{server.port}")
        self._js = self._nc.jetstream()
        config = {"retention": api.RetentionPolicy.INTEREST, "discard": api.DiscardPolicy.NEW}
        await self._js.add_stream(name=self._space, subjects=[f"{self._space}.>"], duplicate_window=120, **config)
        sub = await self._js.pull_subscribe(f"{self._space}.orders", durable="sink", stream=self._space)
        self._task = asyncio.create_task(self._consume(sub))

    async def _consume(self, sub: Any) -> None:
        import nats

        while True:
            try:
                messages = await sub.fetch(64, timeout=5)
            except (TimeoutError, asyncio.CancelledError, nats.errors.Error):
                if self._nc.is_closed or self._ended:
                    return
                continue
            for message in messages:
                event = json.loads(message.data)
                if self._aside:
                    await asyncio.to_thread(self._handle, event["payload"])
                else:
                    self._handle(event["payload"])
                await message.ack()

    def _handle(self, payload: dict[str, Any]) -> None:
        self.took.append(time.perf_counter() - payload["at"])

    def _message(self, payload: dict[str, Any]) -> tuple[bytes, dict[str, str]]:
        self._number += 1
        event = {"event_id": f"e{self._number}", "topic": "/Order/Created", "payload": payload}
        return json.dumps(event).encode(), {"Nats-Msg-Id": f"{self._space}{self._number}"}

    def sync(self, count: int) -> None:
        for _ in range(count):
            self.do(self._publish(order()))

    async def _publish(self, payload: dict[str, Any]) -> None:
        data, headers = self._message(payload)
        await self._js.publish(f"{self._space}.orders", data, headers=headers)

    def pipelined(self, count: int) -> None:
        self.do(self._pipelined(count))

    async def _pipelined(self, count: int) -> None:
        sent = []
        for _ in range(count):
            data, headers = self._message(order())
            sent.append(await self._js.publish_async(f"{self._space}.orders", data, headers=headers))
            if len(sent) == 1_000:
                await asyncio.gather(*sent)
                sent = []
        await asyncio.gather(*sent)

    def awaited(self, count: int) -> None:
        async def all_of() -> None:
            for _ in range(count):
                await self._publish(order())

        self.do(all_of())

    def close(self) -> None:
        async def end() -> None:
            self._ended = True
            self._task.cancel()
            await self._nc.close()

        self.do(end())
        self._loop.call_soon_threadsafe(self._loop.stop)


class Ours:
    """The runtime with one node, over the same server."""

    def __init__(self, server: NatsServer, space: str, kind: type[GraphBusNode] = Sink, **more: Any) -> None:
        self.transport = NatsTransport(BusSettings(server.url(space)))
        config = RuntimeConfig(timestamps=True)
        self.runtime = ClassExecutor([kind], "off", config=config, transport=self.transport, **more)
        self.runtime.start()

    @property
    def took(self) -> list[float]:
        return Sink.took

    def sync(self, count: int) -> None:
        for _ in range(count):
            self.runtime.publish("/Order/Created", order())

    def pipelined(self, count: int) -> None:
        """As a handler publishes: handed over one after the other, confirmed together."""
        bus, outbox = self.runtime.bus, self.transport._outbox
        assert bus is not None
        assert outbox is not None

        async def all_of() -> None:
            for start in range(0, count, 1_000):
                for _ in range(min(1_000, count - start)):
                    bus.publish("/Order/Created", order())
                while outbox.waiting_count:
                    await asyncio.sleep(0.0005)

        bus.home.wait_for(all_of())

    def awaited(self, count: int) -> None:
        bus = self.runtime.bus
        assert bus is not None

        async def all_of() -> None:
            for _ in range(count):
                await bus.apublish("/Order/Created", order())

        bus.home.wait_for(all_of())

    def close(self) -> None:
        self.runtime.stop()


class Run(NamedTuple):
    """Some events from publish to the end of their handler."""

    cpu_us: float  # processor time an event
    rate: float  # events a second
    took: list[float]  # seconds of each, from publish to the handler's first line


def measured(side: Any, road: str, count: int) -> Run:
    """Publish so many events on a road, and wait until the last is handled."""
    before = len(side.took)
    goal = before + count
    cpu, wall = time.process_time(), time.perf_counter()
    getattr(side, road)(count)
    end = time.monotonic() + 120
    while (seen := len(side.took)) < goal:
        assert time.monotonic() < end, f"{road}: {goal - seen} events did not arrive"
        time.sleep(0.001)
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    return Run(cpu / count * 1e6, count / wall, side.took[before:goal])
