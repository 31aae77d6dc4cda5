"""`NatsTransport`: the port (`transports.port`) over one connection to NATS with JetStream."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import os
import socket
import time
from collections.abc import Collection, Coroutine, Mapping, Sequence
from concurrent import futures
from dataclasses import replace
from typing import Any

from graphbus_core.artifacts import ArtifactFolder
from graphbus_core.errors import GraphBusError, RuntimeFault, TransportDown
from graphbus_core.model.message import Event, Message
from graphbus_core.runtime.handling.payloads import error_text
from graphbus_core.runtime.handling.subscriber import Verdict
from graphbus_core.runtime.telemetry.observer import Observer
from graphbus_core.runtime.transports.nats.answering import Answering
from graphbus_core.runtime.transports.nats.asking import NOBODY_S, RemoteCalls
from graphbus_core.runtime.transports.nats.builds import BuildOnBus, join, only_by_restart, refuse, tell
from graphbus_core.runtime.transports.nats.feed import ConsumerFeed, hearer
from graphbus_core.runtime.transports.nats.leases import NodeLease
from graphbus_core.runtime.transports.nats.names import SpaceNames
from graphbus_core.runtime.transports.nats.outbox import Outbox
from graphbus_core.runtime.transports.nats.server import BusSettings, connect, ensure_consumer, prepare, refused
from graphbus_core.runtime.transports.port import Consumer, Responder
from graphbus_core.runtime.transports.wire import event_bytes

log = logging.getLogger("graphbus.runtime")


class NatsTransport:
    """Carries events and calls over NATS. `build` says what else belongs to it: handlers that run elsewhere, or later,
    have their place from the first event on, and contracts are held against those of the builds that are there.
    """

    name = "nats"
    local = False

    def __init__(self, settings: BusSettings | str, *, build: BuildOnBus | None = None) -> None:
        self.settings = BusSettings(settings) if isinstance(settings, str) else settings
        self.names = SpaceNames(self.settings.space)
        self.build = build
        self._places: dict[str, NodeLease] = {}
        self.observers: Sequence[Observer] = ()
        self._consumers: dict[int, Consumer] = {}
        self._responders: dict[str, Responder] = {}
        self._feeds: dict[int, ConsumerFeed] = {}
        self._hearing: dict[int, Any] = {}  # subscriptions of handlers that last no longer than this process
        self._answering = Answering(self._responders, self._places, self._arrived)
        self._connection: Any = None
        self._js: Any = None
        self._bucket: Any = None
        self._outbox: Outbox | None = None
        self._asking: RemoteCalls | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._started = self._closed = False

    # What travels

    def consume(self, consumer: Consumer) -> None:
        """Bring it every event of its topic, from `start` on; at once where that has been."""
        self._consumers[id(consumer)] = consumer
        if self._started and self._may_begin(consumer):
            self._soon(self._begin(consumer))

    def _may_begin(self, consumer: Consumer) -> bool:
        """Not where its node runs in one place, and that is not here: then it begins when this process holds it."""
        place = self._places.get(consumer.node) if consumer.lasting else None
        return place is None or place.held

    def release(self, consumer: Consumer) -> None:
        """Bring it nothing more."""
        if self._consumers.pop(id(consumer), None) is not None and self._started:
            self._soon(self._end(consumer))

    def reply(self, responder: Responder) -> None:
        """Answer calls of that node, from `start` on."""
        known = responder.node in self._responders
        self._responders[responder.node] = responder
        if (place := self._places.get(responder.node)) is not None:
            place.moved_to(responder.itself)
        if self._started and not known:
            self._soon(self._let_in_anew(responder.node))

    def _soon(self, work: Any) -> None:
        if self._loop is None or self._loop.is_closed():
            work.close()
            return
        asyncio.run_coroutine_threadsafe(work, self._loop)

    def publish(self, event: Event) -> futures.Future[None]:
        """Hand an event over; the future is done when it is stored. Raises BadPayload, TransportDown."""
        data = event_bytes(event)
        if self._outbox is None or self._closed:
            raise TransportDown(f"The bus is not connected, so nothing can be published to '{event.topic}'.")
        return self._outbox.put(self.names.of_topic(event.topic), data, self._traced(event.event_id))

    def _traced(self, message_id: str) -> dict[str, str]:
        headers = self._headers(message_id)
        for observer in self.observers:
            headers.update(observer.headers(message_id))
        return headers

    def _headers(self, message_id: str) -> dict[str, str]:
        headers = {"Nats-Msg-Id": message_id}
        if self.build is not None:
            headers["Graphbus-Build"] = self.build.contracts.digest
        return headers

    async def apublish(self, event: Event) -> None:
        """`publish`, and wait until it is stored."""
        data = event_bytes(event)
        if self._outbox is None or self._closed:
            raise TransportDown(f"The bus is not connected, so nothing can be published to '{event.topic}'.")
        await self._outbox.aput(self.names.of_topic(event.topic), data, self._traced(event.event_id))

    async def call(self, message: Message, timeout_s: float) -> Any:
        """Call a node of another process."""
        if self._asking is None or self._closed:
            raise TransportDown(f"The bus is not connected, so {message.dst}.{message.method} cannot be called.")
        headers = self._traced(message.msg_id) if self.observers else None
        # Who holds a node that runs in one place may just have died: the next holder needs a lease's time to see that.
        more_s = self.settings.lease_s if self.build is not None and message.dst in self.build.alone else 0.0
        return await self._asking.call(message, timeout_s, headers, NOBODY_S + more_s)

    def here(self, node: str) -> bool:
        """Whether this process may run calls of that node itself. Before and after its run it has nobody else."""
        place = self._places.get(node)
        return place is None or place.certain or not self._started

    def keep(self, node: str) -> Coroutine[Any, Any, None] | None:
        """What stores the state of that node, after a call that this process made of it."""
        place = self._places.get(node)
        return place.keep() if place is not None and place.stores and self._started else None

    # A life

    async def open(self) -> None:
        """Connect, and see that every durable name exists. Raises TransportDown."""
        self._loop, self._closed = asyncio.get_running_loop(), False
        who = f"graphbus {socket.gethostname()} {os.getpid()}"
        self._connection = await connect(self.settings, self._back, who)
        try:
            await self._connection.server_errors.or_refused(self._settle_in(self._loop))
        except BaseException as error:
            connection = self._connection
            await self.close()
            if isinstance(error, GraphBusError) or not isinstance(error, Exception):
                raise
            raise refused(connection, self.settings, error) from None

    async def _settle_in(self, loop: asyncio.AbstractEventLoop) -> None:
        self._js, self._bucket = await prepare(self._connection, self.settings, self.names)
        if self.build is not None:
            self.names = await join(self._connection, self._js, self._bucket, self.names, self.build)
        outbox = Outbox(loop, self.settings.give_up_s)
        await outbox.open(self._connection)
        self._outbox = outbox
        self._answering.open(self._connection, self.names)
        asking = RemoteCalls(self._connection, self.names)
        await asking.open()
        self._asking = asking
        lasting = {one.durable: one.topic for one in self._consumers.values() if one.lasting}
        for durable, topic in {**(self.build.places if self.build else {}), **lasting}.items():
            await self._ensure(durable, topic)

    async def _ensure(self, durable: str, topic: str) -> str:
        settings = self.settings
        try:
            return await ensure_consumer(
                self._js, self.names, durable, self.names.of_pattern(topic), settings.ack_wait_s, settings.replicas
            )
        except Exception as error:
            raise TransportDown(f"The bus keeps no place for {durable}: {error or type(error).__name__}.") from None

    async def start(self) -> None:
        """Let events and calls in. A node that runs in one place gets none before this process holds it."""
        self._started = True
        here = dict.fromkeys([*(one.node for one in self._consumers.values() if one.lasting), *self._responders])
        alone = self.build.alone if self.build is not None else {}
        for name in here:
            if name in alone:
                self._hold(name)
            else:
                await self._let_in(name)
        for consumer in list(self._consumers.values()):
            if not consumer.lasting:
                await self._begin(consumer)
        await self._connection.flush()  # when this returns, the server knows who answers and who hears

    def _hold(self, name: str) -> None:
        """Try for the place of a node, and let its events in while it is held."""

        async def gained() -> None:
            await self._let_in(name)

        async def lost() -> None:
            await self._keep_out(name)

        assert self.build is not None
        node = self._responders[name].itself if name in self.build.keeps and name in self._responders else None
        key = self.names.place(name)
        self._places[name] = place = NodeLease(self._bucket, name, key, node, gained, lost, self.settings.lease_s)
        place.open()

    async def _let_in(self, name: str) -> None:
        for consumer in list(self._consumers.values()):
            if consumer.lasting and consumer.node == name:
                await self._begin(consumer)
        if name in self._responders:
            await self._answering.begin(name)

    async def _let_in_anew(self, name: str) -> None:
        """A node that the build did not have when this process started."""
        if self.build is not None and name in self.build.alone:
            self._hold(name)
        else:
            await self._answering.begin(name)

    async def fits(self, folder: ArtifactFolder, force: bool) -> None:
        """Hold a new build against those of the other processes, which go on with theirs."""
        if self.build is None:
            return
        new = BuildOnBus.of(folder, beside=self.build.beside)
        if not force:
            refuse(self.build.contracts, new.contracts)
        if (why := only_by_restart(self.build, new, self._responders)) is not None:
            raise RuntimeFault(f"{why} That cannot change while this process runs: restart it. It goes on as it was.")

    async def rebuilt(self, folder: ArtifactFolder, nodes: Collection[str]) -> None:
        """Say by which build this process works from now on, and give up nodes that are gone."""
        if self.build is not None:
            self.build = BuildOnBus.of(folder, beside=self.build.beside)
            with contextlib.suppress(Exception):  # the next process that joins is compared with an older one
                await tell(self._bucket, self.names, self.build)
        for name in [one for one in self._responders if one not in nodes]:
            del self._responders[name]
            await self._keep_out(name)
            if (place := self._places.pop(name, None)) is not None:
                await place.close()

    async def _keep_out(self, name: str) -> None:
        await self._answering.end(name)
        for consumer in list(self._consumers.values()):
            if consumer.lasting and consumer.node == name:
                await self._end(consumer)

    async def _begin(self, consumer: Consumer) -> None:
        if not consumer.lasting:
            subject = self.names.of_pattern(consumer.topic)
            self._hearing[id(consumer)] = await self._connection.subscribe(subject, cb=hearer(consumer))
            return
        name = await self._ensure(consumer.durable, consumer.topic)
        key = id(consumer)
        if (place := self._places.get(consumer.node)) is not None:
            consumer = replace(consumer, ahandle=place.fenced(consumer), ahandle_many=None, concurrency=1)
        arrived = self._arrived if self.observers else None
        feed = ConsumerFeed(self._connection, self.names, name, consumer, self._bury, self.settings.ack_wait_s, arrived)
        self._feeds[key] = feed
        await feed.open()

    def _arrived(self, message_id: str, headers: Mapping[str, str] | None) -> None:
        for observer in self.observers:
            observer.arrived(message_id, headers or {})

    async def _end(self, consumer: Consumer) -> None:
        feed, hearing = self._feeds.pop(id(consumer), None), self._hearing.pop(id(consumer), None)
        if feed is not None:
            await feed.stop()
        if hearing is not None:
            with contextlib.suppress(Exception):
                await hearing.unsubscribe()

    async def settled(self, timeout_s: float) -> bool:
        """Wait until nothing waits for handlers that run here; say whether that came true."""
        end = time.monotonic() + timeout_s
        names = [self.names.consumer(one.durable) for one in self._consumers.values() if one.lasting]
        while True:
            there = [await self._js.consumer_info(self.names.stream, name) for name in names]
            if not any(one.num_pending or one.num_ack_pending for one in there):
                return True
            if time.monotonic() > end:
                return False
            await asyncio.sleep(0.02)

    async def drain(self, timeout_s: float) -> bool:
        """Let no more in, and wait until what is under way is done."""
        end = time.monotonic() + timeout_s
        self._started = False
        await self._answering.stop()
        for subscription in self._hearing.values():
            with contextlib.suppress(Exception):
                await subscription.unsubscribe()
        self._hearing.clear()
        for feed in self._feeds.values():
            await feed.stop()
        while self._answering.busy or any(feed.busy for feed in self._feeds.values()):
            if time.monotonic() >= end:
                return False
            await asyncio.sleep(0.005)
        for place in self._places.values():
            await place.close()
        return self._outbox is None or await self._outbox.flush(max(end - time.monotonic(), 0))

    async def close(self) -> None:
        """Send what was handed over, and disconnect."""
        if not self._closed and self._connection is not None:
            self._closed = True
            await self._disconnect()
        self._closed, self._started = True, False
        for of_this_run in (self._consumers, self._responders, self._feeds, self._hearing, self._places):
            of_this_run.clear()  # another start brings its own

    async def _disconnect(self) -> None:
        for feed in self._feeds.values():
            await feed.close()
        if self._outbox is not None:
            await self._outbox.flush(1.0 if self._connection.is_connected else 0.0)
            await self._outbox.close()
        for place in self._places.values():
            await place.close()
        with contextlib.suppress(Exception):
            await asyncio.wait_for(self._connection.flush(), 1.0)  # acknowledgements that stand in the buffer
        with contextlib.suppress(Exception):
            await self._connection.close()

    async def _back(self) -> None:
        log.warning("the bus is back")
        if self._outbox is not None:
            await self._outbox.reconnected()
        for feed in list(self._feeds.values()):
            await feed.reconnected()

    async def _bury(self, consumer: Consumer, event: Event, verdict: Verdict) -> None:
        assert self._outbox is not None
        error = verdict.error
        letter = {
            "durable": consumer.durable,
            "topic": event.topic,
            "subscriber": consumer.durable.rsplit(" ", 1)[0],
            "reason": verdict.reason,
            "error": error_text(error) if error is not None else "",
            "error_type": type(error).__name__ if error is not None else "",
            "count": verdict.attempts,
            "at": time.time(),
            "event": event.to_dict(),
        }
        subject = self.names.letter(consumer.durable, event.event_id)
        data = json.dumps(letter, default=str).encode("utf-8", "surrogatepass")
        await asyncio.wrap_future(self._outbox.put(subject, data, self._headers(subject)))
