"""`NatsTransport`: the port (`transports.port`) over one connection to NATS with JetStream."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import os
import re
import socket
import time
from collections.abc import Callable, Collection, Coroutine, Mapping, Sequence
from concurrent import futures
from dataclasses import replace
from typing import Any

from graphbus_core.artifacts import ArtifactFolder
from graphbus_core.errors import BadPayload, GraphBusError, RuntimeFault, TransportDown
from graphbus_core.model.message import Event, Message
from graphbus_core.runtime.payloads import describe_error
from graphbus_core.runtime.subscriptions.subscriber import Verdict
from graphbus_core.runtime.telemetry.observer import Observer
from graphbus_core.runtime.transports.nats.attempts import AttemptLog
from graphbus_core.runtime.transports.nats.confirmed import KEPT_S, ConfirmedLog
from graphbus_core.runtime.transports.nats.confirmed_files import ConfirmedFiles, find_folder
from graphbus_core.runtime.transports.nats.connection import (
    BusSettings,
    build_refusal,
    connect,
    ensure_consumer,
    prepare,
    read_consumers,
    recreate_consumer,
    require_safe_server,
)
from graphbus_core.runtime.transports.nats.consumer import ConsumerFeed, create_listener
from graphbus_core.runtime.transports.nats.key_places import ConsumerPlace, build_router, list_parts, share_room
from graphbus_core.runtime.transports.nats.leases import NodeLease
from graphbus_core.runtime.transports.nats.outbox import Outbox
from graphbus_core.runtime.transports.nats.outcomes import OutcomeLog
from graphbus_core.runtime.transports.nats.retirement import describe_left_over, list_consumers
from graphbus_core.runtime.transports.nats.rpc import NOBODY_S, RpcClient, RpcServer
from graphbus_core.runtime.transports.nats.servers import explain_refused_server
from graphbus_core.runtime.transports.nats.space import (
    SharedBuild,
    SpaceNames,
    build_seen_key,
    explain_restart,
    join_space,
    publish_build,
    refuse_breaking,
)
from graphbus_core.runtime.transports.nats.sweeper import ServerState, Sweeper, subject_matches
from graphbus_core.runtime.transports.port import Consumer, Responder, encode_event

log = logging.getLogger("graphbus.runtime")
LETTER_ROOM = 16 * 1024  # bytes that a dead letter has beside its event
MAX_ERROR_TEXT = 2_000
_UNSAFE_IN_KEY = re.compile(r"[^A-Za-z0-9_.-]+")


def _build_anew_key(name: str, created: str) -> str:
    return _UNSAFE_IN_KEY.sub("_", f"anew.{name}.{created}")


class NatsTransport:
    """Carries events and calls over NATS. `build` says what else belongs to it: handlers that run elsewhere, or later,
    have their place from the first event on, and contracts are held against those of the builds that are there.
    """

    name = "nats"
    local = False

    def __init__(self, settings: BusSettings | str, *, build: SharedBuild | None = None) -> None:
        self.settings = BusSettings(settings) if isinstance(settings, str) else settings
        self.names = SpaceNames(self.settings.space)
        self.build = build
        self._places: dict[str, NodeLease] = {}
        self._groups: dict[str, NodeLease] = {}  # of nodes that run in the same process
        self.observers: Sequence[Observer] = ()
        self._consumers: dict[int, Consumer] = {}
        self._responders: dict[str, Responder] = {}
        self._feeds: dict[tuple[int, str], ConsumerFeed] = {}  # by handler, and by the name of its consumer
        self._known_names: set[str] = set()  # of consumers that were there when this process came
        self._hearing: dict[int, Any] = {}  # subscriptions of handlers that last no longer than this process
        self._answering = RpcServer(self._responders, self._places, self._note_arrival)
        self._connection: Any = None
        self._js: Any = None
        self._bucket: Any = None
        self._outbox: Outbox | None = None
        self._asking: RpcClient | None = None
        self._outcomes: OutcomeLog | None = None
        self._sweeper: Sweeper | None = None
        self.alarm_listeners: list[Callable[[str], None]] = []  # are told of each alarm when it is raised
        self._seen: dict[str, dict[str, Any]] = {}  # how each consumer was written down last
        self.notices: list[str] = []  # what somebody should know of the space since `open`
        self._loop: asyncio.AbstractEventLoop | None = None
        self._started = self._closed = False

    # What travels

    def consume(self, consumer: Consumer) -> None:
        """Bring it every event of its topic, from `start` on; at once where that has been."""
        self._consumers[id(consumer)] = consumer
        if self._started and self._may_begin(consumer):
            self._schedule(self._begin_consuming(consumer))

    def _may_begin(self, consumer: Consumer) -> bool:
        """Not where its node runs in one place, and that is not here: then it begins when this process holds it."""
        place = self._places.get(consumer.node) if consumer.lasting else None
        return place is None or place.held

    def release(self, consumer: Consumer) -> None:
        """Bring it nothing more."""
        if self._consumers.pop(id(consumer), None) is not None and self._started:
            self._schedule(self._end_consuming(consumer))

    def reply(self, responder: Responder) -> None:
        """Answer calls of that node, from `start` on."""
        is_known = responder.node in self._responders
        self._responders[responder.node] = responder
        if (place := self._places.get(responder.node)) is not None:
            place.replace_node(responder.itself)
        if self._started and not is_known:
            self._schedule(self._let_in_anew(responder.node))

    def _schedule(self, work: Any) -> None:
        if self._loop is None or self._loop.is_closed():
            work.close()
            return
        asyncio.run_coroutine_threadsafe(work, self._loop)

    def publish(self, event: Event) -> futures.Future[None]:
        """Hand an event over; the future is done when it is stored. Raises BadPayload, TransportDown."""
        data = self._encode(event)
        if self._outbox is None or self._closed:
            raise TransportDown(f"The bus is not connected, so nothing can be published to '{event.topic}'.")
        return self._outbox.submit(
            self.names.build_topic_subject(event.topic), data, self._collect_headers(event.event_id)
        )

    def _encode(self, event: Event) -> bytes:
        """Raises BadPayload for what cannot travel, or is larger than the server takes."""
        data = encode_event(event)
        limit = self._max_event_bytes
        if limit is not None and len(data) > limit:
            raise BadPayload(
                f"An event of {event.topic} is too large for the bus: {len(data):,} bytes as JSON, and {limit:,} may "
                f"be. Publish where its data is kept, or raise `max_payload` of the server."
            )
        return data

    @property
    def _max_event_bytes(self) -> int | None:
        """What the server takes, less the room that a dead letter of the event needs."""
        limit = self._connection.max_payload if self._connection is not None else None
        return limit - LETTER_ROOM if limit else None

    def _collect_headers(self, message_id: str) -> dict[str, str]:
        headers = self._build_headers(message_id)
        for observer in self.observers:
            headers.update(observer.get_headers(message_id))
        return headers

    def _build_headers(self, message_id: str) -> dict[str, str]:
        headers = {"Nats-Msg-Id": message_id}
        if self.build is not None:
            headers["Graphbus-Build"] = self.build.contracts.digest
        return headers

    async def apublish(self, event: Event) -> None:
        """`publish`, and wait until it is stored."""
        data = self._encode(event)
        if self._outbox is None or self._closed:
            raise TransportDown(f"The bus is not connected, so nothing can be published to '{event.topic}'.")
        await self._outbox.asubmit(
            self.names.build_topic_subject(event.topic), data, self._collect_headers(event.event_id)
        )

    async def call(self, message: Message, timeout_s: float) -> Any:
        """Call a node of another process."""
        if self._asking is None or self._closed:
            raise TransportDown(f"The bus is not connected, so {message.dst}.{message.method} cannot be called.")
        headers = self._collect_headers(message.msg_id) if self.observers else None
        # Who holds a node that runs in one place may just have died: the next holder needs a lease's time to see that.
        more_s = self.settings.lease_s if self.build is not None and message.dst in self.build.alone else 0.0
        return await self._asking.call(message, timeout_s, headers, NOBODY_S + more_s)

    def runs_here(self, node: str) -> bool:
        """Whether this process may run calls of that node itself. Before and after its run it has nobody else."""
        place = self._places.get(node)
        return place is None or place.is_certain or not self._started

    def keep(self, node: str) -> Coroutine[Any, Any, None] | None:
        """What stores the state of that node, after a call that this process made of it."""
        place = self._places.get(node)
        return place.keep() if place is not None and place.stores_state and self._started else None

    # A life

    async def open(self) -> None:
        """Connect, and see that every durable name exists. Raises TransportDown."""
        self._loop, self._closed = asyncio.get_running_loop(), False
        who = f"graphbus {socket.gethostname()} {os.getpid()}"
        self._connection = await connect(self.settings, self._resume, who)
        try:
            require_safe_server(self._connection, self.settings)
            await self._connection.server_errors.or_refused(self._settle_in(self._loop))
        except BaseException as error:
            connection = self._connection
            await self.close()
            if isinstance(error, GraphBusError) or not isinstance(error, Exception):
                raise
            raise build_refusal(connection, self.settings, error) from None

    async def _settle_in(self, loop: asyncio.AbstractEventLoop) -> None:
        self._js, self._bucket = await prepare(self._connection, self.settings, self.names)
        if self.build is not None:
            self.names = await join_space(self._connection, self._js, self._bucket, self.names, self.build)
        outbox = Outbox(loop, self.settings.give_up_s, self.names.stream, self._tell_loss)
        await outbox.open(self._connection)
        self._outbox = outbox
        self._outcomes = OutcomeLog(self._connection, self._js, self.names, self.settings.ack_wait_s * 0.75)
        await self._outcomes.open()
        if self.loses_events:
            files = ConfirmedFiles(find_folder(self.settings.public_url), KEPT_S)
            confirmed = ConfirmedLog(self._connection, self.names, self.settings.ack_wait_s, files)
            await confirmed.open()
            self._outcomes.confirmed = confirmed
            outbox.confirmed = lambda subject, number, message_id: confirmed.tell_confirmed(
                subject, number, self.names.strip_part_from_id(subject, message_id)
            )
        self._answering.open(self._connection, self.names)
        asking = RpcClient(self._connection, self.names)
        await asking.open()
        self._asking = asking
        self._known_names = {info.name for info in await read_consumers(self._js, self.names.stream)}
        if self.build is not None:
            found = await list_consumers(self._js, self.names)
            self.notices = [
                describe_left_over(consumer, self.settings.public_url) for consumer in found if consumer.is_left_over
            ]
            for notice in self.notices:
                log.warning("%s", notice)
        lasting = {consumer.durable: consumer.topic for consumer in self._consumers.values() if consumer.lasting}
        for durable, topic in {**(self.build.places if self.build else {}), **lasting}.items():
            await self._ensure_consumer(durable, topic)

    async def _ensure_consumer(self, durable: str, topic: str) -> None:
        try:
            for place in self._list_places(durable, topic):
                await ensure_consumer(self._js, self.names.stream, place, self.settings)
        except Exception as error:
            raise TransportDown(f"The bus keeps no place for {durable}: {error or type(error).__name__}.") from None

    def _list_places(self, durable: str, topic: str) -> list[ConsumerPlace]:
        """The consumers of a handler: its own, and those of the parts of its keys."""
        subject, is_ordered = self.names.build_pattern_subject(topic), self._is_ordered(durable)
        parts = list_parts(self.names, durable)
        if not is_ordered:  # it may have had a key before
            parts = [part for part in parts if part.name in self._known_names]
        return [ConsumerPlace(self.names.build_consumer_name(durable), durable, subject, is_ordered), *parts]

    def _find_place(self, name: str) -> ConsumerPlace | None:
        places = (self._list_places(c.durable, c.topic) for c in list(self._consumers.values()) if c.lasting)
        return next((place for some in places for place in some if place.name == name), None)

    def _is_ordered(self, durable: str) -> bool:
        ordered = {consumer.durable for consumer in self._consumers.values() if consumer.is_ordered}
        return durable in ordered or (self.build is not None and durable in self.build.ordered)

    async def start(self) -> None:
        """Let events and calls in. A node that runs in one place gets none before this process holds it."""
        self._started = True
        local_nodes = dict.fromkeys(
            [
                *(lasting_consumer.node for lasting_consumer in self._consumers.values() if lasting_consumer.lasting),
                *self._responders,
            ]
        )
        alone = self.build.alone if self.build is not None else {}
        self._hold_groups(local_nodes)
        for name in local_nodes:
            if name in alone:
                self._hold_lease(name)
            else:
                await self._let_in(name)
        for consumer in list(self._consumers.values()):
            if not consumer.lasting:
                await self._begin_consuming(consumer)
        assert self._outcomes is not None
        self._sweeper = Sweeper(self, self._outcomes, self.settings.ack_wait_s, self._list_feeds)
        self._sweeper.listeners = self.alarm_listeners
        self._sweeper.open()
        await self._connection.flush()  # when this returns, the server knows who answers and who hears

    def _list_feeds(self) -> list[tuple[str, str, ConsumerFeed]]:
        feeds = [(name, key, feed) for (key, name), feed in self._feeds.items() if key in self._consumers]
        return [(name, self._consumers[key].durable, feed) for name, key, feed in feeds]

    def _tell_loss(self, before: int, now: int) -> None:
        text = (
            f"The stream {self.names.stream} went back: event {before} was confirmed to this process, and now the "
            f"server gives the number {now} again. What was not handled of {before - now + 1} events is gone."
        )
        if self._sweeper is not None and self.loses_events:
            self._sweeper.tell_loss(text)
        else:
            log.warning("%s", text)

    @property
    def loses_events(self) -> bool:
        """Whether the server is of a version that is known to lose what it stored. Others give numbers anew, too, after
        a restart: those of events that were done and removed.
        """
        return explain_refused_server(str(self._connection.connected_server_version)) is not None

    # What the sweeper asks

    async def read_state(self) -> ServerState:
        """The stream and all of its consumers, as the server has them now."""
        from nats.js import errors

        stream = self.names.stream
        try:
            consumers = {info.name: info for info in await read_consumers(self._js, stream)}
            wanted = self.names.events if self._has_keys else self.names.generation_events
            info = await self._js.stream_info(stream, subjects_filter=wanted)
        except errors.NotFoundError:
            return ServerState(None, {})
        return ServerState(info.state, consumers)

    @property
    def _has_keys(self) -> bool:
        return any(consumer.is_ordered for consumer in self._consumers.values())

    async def find_oldest(self, subject: str, after: int) -> tuple[int, float]:
        """The number of the oldest event of a subject after that number, and its age in seconds; (0, 0): none."""
        from nats.js import errors

        try:
            message = await self._js.get_msg(self.names.stream, after + 1, subject=subject, next=True)
        except (errors.NotFoundError, errors.APIError):
            return 0, 0.0
        return int(message.seq or 0), max(time.time() - message.time.timestamp(), 0.0) if message.time else 0.0

    def is_letter(self, subject: str) -> bool:
        """Whether that is the subject of a dead letter."""
        return subject_matches(self.names.dead_letters, subject)

    async def list_letters(self) -> Collection[str]:
        """The subjects of all dead letters."""
        from nats.js import errors

        try:
            info = await self._js.stream_info(self.names.dead_stream, subjects_filter=self.names.dead_letters)
        except errors.NotFoundError:
            return ()
        return info.state.subjects or ()

    async def was_recreated(self, name: str, created: str) -> bool:
        """Whether a process of the space made that consumer anew, as it was created then."""
        from nats.js import errors

        try:
            await self._bucket.get(_build_anew_key(name, created))
        except errors.KeyNotFoundError:
            return False
        return True

    async def recall(self, name: str) -> dict[str, Any] | None:
        """How the consumer was seen last, by whichever process."""
        from nats.js import errors

        with contextlib.suppress(errors.KeyNotFoundError, ValueError):
            seen = json.loads((await self._bucket.get(build_seen_key(name))).value or b"null")
            return seen if isinstance(seen, dict) else None
        return None

    async def remember(self, name: str, seen: dict[str, Any]) -> None:
        """Write down how a consumer is seen now, where that changed."""
        if self._seen.get(name) != seen:
            await self._bucket.put(build_seen_key(name), json.dumps(seen).encode())
            self._seen[name] = seen

    async def restore(self, name: str) -> None:
        """Make what the server has lost, as it was made at the start."""
        await prepare(self._connection, self.settings, self.names)
        if (place := self._find_place(name)) is not None:
            await ensure_consumer(self._js, self.names.stream, place, self.settings)

    async def recreate(self, name: str, created: str) -> None:
        """Make a consumer anew that stands still. Of all processes that see it, one does: who writes it down first."""
        from nats.js import errors

        with contextlib.suppress(errors.KeyWrongLastSequenceError):
            await self._bucket.create(_build_anew_key(name, created), b"")
            if (place := self._find_place(name)) is not None:
                await recreate_consumer(self._js, self.names.stream, place, self.settings)
        if (feed := next((feed for known, _, feed in self._list_feeds() if known == name), None)) is not None:
            await feed.skip_recorded()

    def get_watch(self) -> dict[str, Any] | None:
        """What the sweeper saw: readings of consumers, alarms, and whether all is well. None before the start."""
        return self._sweeper.to_stats() if self._sweeper is not None else None

    def _hold_groups(self, local_nodes: Collection[str]) -> None:
        """Try for the places of nodes that share an object. Where a process runs some of a group, it takes them one by
        one: whoever parts them by hand wants them to run."""
        members: dict[str, list[str]] = {}
        for name, group in self.build.groups.items() if self.build is not None else ():
            members.setdefault(group, []).append(name)
        for group, names in members.items():
            if missing := [name for name in names if name not in local_nodes]:
                if len(missing) < len(names):
                    log.info("%s share an object, and this process does not run all of them", ", ".join(names))
                continue
            self._groups[group] = self._build_group(group, names)
            self._groups[group].open()

    def _build_group(self, group: str, names: Sequence[str]) -> NodeLease:
        async def begin() -> None:
            """Each node takes its own place by itself."""

        async def end() -> None:
            for name in names:
                if (place := self._places.get(name)) is not None:
                    await place.give_up(f"it goes with {group}")

        key = self.names.build_node_key(f"with {group}")
        return NodeLease(self._bucket, f"the group of {group}", key, None, begin, end, self.settings.lease_s)

    def _hold_lease(self, name: str) -> None:
        """Try for the place of a node, and let its events in while it is held."""

        async def let_in() -> None:
            await self._let_in(name)

        async def keep_out() -> None:
            await self._keep_out(name)

        assert self.build is not None
        node = self._responders[name].itself if name in self.build.keeps and name in self._responders else None
        key = self.names.build_node_key(name)
        within = self._groups.get(self.build.groups.get(name, ""))
        lease_s = self.settings.lease_s
        self._places[name] = place = NodeLease(self._bucket, name, key, node, let_in, keep_out, lease_s, within)
        place.open()

    async def _let_in(self, name: str) -> None:
        for consumer in list(self._consumers.values()):
            if consumer.lasting and consumer.node == name:
                await self._begin_consuming(consumer)
        if name in self._responders:
            await self._answering.begin(name)

    async def _let_in_anew(self, name: str) -> None:
        """A node that the build did not have when this process started."""
        if self.build is not None and name in self.build.alone:
            self._hold_lease(name)
        else:
            await self._answering.begin(name)

    async def check_build(self, folder: ArtifactFolder, force: bool) -> None:
        """Hold a new build against those of the other processes, which go on with theirs."""
        if self.build is None:
            return
        new = SharedBuild.from_folder(folder, beside=self.build.beside)
        if not force:
            refuse_breaking(self.build.contracts, new.contracts)
        if (why := explain_restart(self.build, new, self._responders)) is not None:
            raise RuntimeFault(f"{why} That cannot change while this process runs: restart it. It goes on as it was.")

    async def switch_build(self, folder: ArtifactFolder, nodes: Collection[str]) -> None:
        """Say by which build this process works from now on, and give up nodes that are gone."""
        if self.build is not None:
            self.build = SharedBuild.from_folder(folder, beside=self.build.beside)
            with contextlib.suppress(Exception):  # the next process that joins is compared with an older one
                await publish_build(self._bucket, self.names, self.build)
        for name in [node for node in self._responders if node not in nodes]:
            del self._responders[name]
            await self._keep_out(name)
            if (place := self._places.pop(name, None)) is not None:
                await place.close()

    async def _keep_out(self, name: str) -> None:
        await self._answering.end(name)
        for consumer in list(self._consumers.values()):
            if consumer.lasting and consumer.node == name:
                await self._end_consuming(consumer)

    async def _begin_consuming(self, consumer: Consumer) -> None:
        if not consumer.lasting:
            subject = self.names.build_pattern_subject(consumer.topic)
            self._hearing[id(consumer)] = await self._connection.subscribe(subject, cb=create_listener(consumer))
            return
        await self._ensure_consumer(consumer.durable, consumer.topic)
        key = id(consumer)
        if (place := self._places.get(consumer.node)) is not None:
            consumer = replace(consumer, ahandle=place.build_fenced_handler(consumer), ahandle_many=None, concurrency=1)
        own, *parts = self._list_places(consumer.durable, consumer.topic)
        at_part = share_room(consumer, asyncio.Semaphore(max(consumer.concurrency, 1)))
        for part in parts:
            await self._open_feed(key, part.name, at_part)
        brought = build_router(self.names, consumer, self._store_again) if consumer.key_of is not None else consumer
        await self._open_feed(key, own.name, brought, consumer)

    async def _store_again(self, subject: str, data: bytes, message_id: str) -> None:
        """An event goes to a part of a handler's keys; it is as it was."""
        if self._outbox is None:
            raise TransportDown("The bus is not connected.")
        headers = self._collect_headers(self.names.strip_part_from_id(subject, message_id))
        await self._outbox.asubmit(subject, data, {**headers, "Nats-Msg-Id": message_id})

    async def _open_feed(self, key: int, name: str, consumer: Consumer, retrying: Consumer | None = None) -> None:
        arrived = self._note_arrival if self.observers else None
        assert self._outcomes is not None
        feed = ConsumerFeed(
            self._connection,
            self.names,
            name,
            consumer,
            self._store_dead_letter,
            self.settings.ack_wait_s,
            AttemptLog(self._js, self.names, name),
            self._outcomes,
            arrived,
            retrying,
        )
        self._feeds[key, name] = feed
        await feed.open()

    def _note_arrival(self, message_id: str, headers: Mapping[str, str] | None) -> None:
        for observer in self.observers:
            observer.on_arrived(message_id, headers or {})

    async def _end_consuming(self, consumer: Consumer) -> None:
        hearing = self._hearing.pop(id(consumer), None)
        for place in [place for place in self._feeds if place[0] == id(consumer)]:
            await self._feeds.pop(place).stop()
        if hearing is not None:
            with contextlib.suppress(Exception):
                await hearing.unsubscribe()

    async def wait_until_settled(self, timeout_s: float) -> bool:
        """Wait until nothing waits for handlers that run here; say whether that came true."""
        end = time.monotonic() + timeout_s
        names = [
            place.name
            for consumer in self._consumers.values()
            if consumer.lasting
            for place in self._list_places(consumer.durable, consumer.topic)
        ]
        while True:
            infos = [await self._js.consumer_info(self.names.stream, name) for name in names]
            if not any(consumer.num_pending or consumer.num_ack_pending for consumer in infos):
                return True
            if time.monotonic() > end:
                return False
            await asyncio.sleep(0.02)

    async def drain(self, timeout_s: float) -> bool:
        """Let no more in, and wait until what is under way is done."""
        end = time.monotonic() + timeout_s
        self._started = False
        if self._sweeper is not None:
            await self._sweeper.close()
        await self._answering.stop()
        for subscription in self._hearing.values():
            with contextlib.suppress(Exception):
                await subscription.unsubscribe()
        self._hearing.clear()
        for feed in self._feeds.values():
            await feed.stop()
        while self._answering.is_busy or any(feed.is_busy for feed in self._feeds.values()):
            if time.monotonic() >= end:
                return False
            await asyncio.sleep(0.005)
        for place in (*self._places.values(), *self._groups.values()):
            await place.close()
        if self._outcomes is not None:
            with contextlib.suppress(Exception):  # what is not written is handled once more, if ever
                state = await asyncio.wait_for(self.read_state(), 1.0)
                await asyncio.wait_for(self._outcomes.write(state.stream.first_seq), 1.0)
        return self._outbox is None or await self._outbox.flush(max(end - time.monotonic(), 0))

    async def close(self) -> None:
        """Send what was handed over, and disconnect."""
        if not self._closed and self._connection is not None:
            self._closed = True
            await self._disconnect()
        self._closed, self._started = True, False
        for of_this_run in (self._consumers, self._responders, self._feeds, self._hearing, self._places, self._groups):
            of_this_run.clear()  # another start brings its own

    async def _disconnect(self) -> None:
        if self._sweeper is not None:
            await self._sweeper.close()
        for feed in self._feeds.values():
            await feed.close()
        if self._outbox is not None:
            await self._outbox.flush(1.0 if self._connection.is_connected else 0.0)
            await self._outbox.close()
        for place in (*self._places.values(), *self._groups.values()):
            await place.close()
        if self._outcomes is not None and self._outcomes.confirmed is not None:
            self._outcomes.confirmed.close()
        with contextlib.suppress(Exception):
            await asyncio.wait_for(self._connection.flush(), 1.0)  # acknowledgements that stand in the buffer
        with contextlib.suppress(Exception):
            await self._connection.close()

    async def _resume(self) -> None:
        log.warning("the bus is back")
        if self._outbox is not None:
            await self._outbox.resume()
        for feed in list(self._feeds.values()):
            await feed.resume()
        if self._outcomes is not None and self._outcomes.confirmed is not None:
            await self._outcomes.confirmed.tell_anew()
        if self._sweeper is not None:
            self._sweeper.look_now()

    async def _store_dead_letter(self, consumer: Consumer, event: Event, verdict: Verdict) -> None:
        assert self._outbox is not None
        error = verdict.error
        letter = {
            "durable": consumer.durable,
            "topic": event.topic,
            "subscriber": consumer.durable.rsplit(" ", 1)[0],
            "reason": verdict.reason,
            "error": describe_error(error)[:MAX_ERROR_TEXT] if error is not None else "",
            "error_type": type(error).__name__ if error is not None else "",
            "count": verdict.attempts,
            "at": time.time(),
            "event": event.to_dict(),
        }
        subject = self.names.build_letter_subject(consumer.durable, event.event_id)
        data = json.dumps(letter, default=str, ensure_ascii=False, separators=(",", ":")).encode(
            "utf-8", "surrogatepass"
        )
        await asyncio.wrap_future(self._outbox.submit(subject, data, self._build_headers(subject)))
