"""Consumers of a space: listed, and retired where no handler of its build is behind them any more.

A consumer outlives its handler: the server keeps events for it until it is retired. Each build that joins a space
writes down which handlers it has, so anybody can tell whose consumers are left.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass
from typing import Any, TypeVar

from graphbus_core.errors import TransportDown, UsageError
from graphbus_core.runtime.transports.nats.connection import (
    BusSettings,
    build_refusal,
    connect,
    read_consumers,
)
from graphbus_core.runtime.transports.nats.space import SpaceNames, build_seen_key

T = TypeVar("T")
ASK_S = 5.0


@dataclass(frozen=True)
class BusConsumer:
    """One consumer of a space. `handler`: whose it is; `is_wanted`: the build of the space has that handler;
    `readers`: requests for events that wait now; `oldest_s`: how old its oldest event without an outcome is.
    """

    name: str
    handler: str
    pending: int
    unacknowledged: int
    oldest_s: float
    readers: int
    is_wanted: bool

    @property
    def waiting(self) -> int:
        """Events that have no outcome."""
        return self.pending + self.unacknowledged

    @property
    def is_left_over(self) -> bool:
        """Whether nobody has its handler, and nobody asks for its events."""
        return not self.is_wanted and not self.readers

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it."""
        return {**vars(self), "left_over": self.is_left_over}


async def list_consumers(js: Any, names: SpaceNames) -> list[BusConsumer]:
    """Every consumer of the space."""
    from nats.js import errors

    wanted = await _read_wanted(js, names)
    consumers: list[BusConsumer] = []
    try:
        infos = await read_consumers(js, names.stream)
    except errors.NotFoundError:
        return []
    for info in infos:
        waiting = (info.num_pending or 0) + (info.num_ack_pending or 0)
        oldest_s = await _find_age(js, names, info) if waiting else 0.0
        # Without a record of what the space's builds have, nothing is said to be left over; nor is what is not ours.
        is_wanted = not wanted or names.strip_part(info.name) in wanted or not info.config.description
        handler = info.config.description or info.name
        pending, unacknowledged = info.num_pending or 0, info.num_ack_pending or 0
        readers = info.num_waiting or 0
        consumers.append(BusConsumer(info.name, handler, pending, unacknowledged, oldest_s, readers, is_wanted))
    return sorted(consumers, key=lambda consumer: (consumer.handler, consumer.name))


async def _read_wanted(js: Any, names: SpaceNames) -> set[str]:
    """Names of the consumers that the builds of the space have, of every generation; empty where none wrote it down."""
    from nats.js import errors

    wanted: set[str] = set()
    with contextlib.suppress(errors.NotFoundError):
        bucket = await js.key_value(names.bucket)
        # The server tells the keys at once. A watch over them, as `bucket.keys()` is, may end on a busy machine before
        # the first one came, and is an error where there is none.
        start = f"$KV.{names.bucket}.places."
        known = await js.stream_info(f"KV_{names.bucket}", subjects_filter=f"{start}>")
        for subject in known.state.subjects or {}:
            generation = subject.removeprefix(start)
            own = SpaceNames(names.space, "" if generation == "0" else generation)
            with contextlib.suppress(errors.KeyNotFoundError):  # it was taken back meanwhile
                places = json.loads((await bucket.get(f"places.{generation}")).value)
                wanted |= {own.build_consumer_name(durable) for durable in places}
    return wanted


async def _find_age(js: Any, names: SpaceNames, info: Any) -> float:
    with contextlib.suppress(Exception):
        after = info.ack_floor.stream_seq if info.ack_floor else 0
        message = await js.get_msg(names.stream, after + 1, subject=info.config.filter_subject, next=True)
        return float(max(time.time() - message.time.timestamp(), 0.0))
    return 0.0


class BusConsumers:
    """Lists and retires them over a connection of its own. Every method raises TransportDown."""

    def __init__(self, settings: BusSettings) -> None:
        self._settings = settings
        self._names = SpaceNames(settings.space)

    def list_all(self) -> list[BusConsumer]:
        """Every consumer of the space."""
        return asyncio.run(self._run_connected(lambda js: list_consumers(js, self._names)))

    def retire(self, names: Collection[str], *, force: bool = False) -> list[BusConsumer]:
        """Remove these (by name or by handler), or all that are left over; what was removed.

        Raises UsageError, and removes nothing, where one is in use, or where events wait for one and not `force`.
        """
        return asyncio.run(self._run_connected(lambda js: self._retire(js, names, force)))

    async def _retire(self, js: Any, names: Collection[str], force: bool) -> list[BusConsumer]:
        consumers = await list_consumers(js, self._names)
        chosen = [c for c in consumers if (c.name in names or c.handler in names if names else c.is_left_over)]
        known = {name for consumer in consumers for name in (consumer.name, consumer.handler)}
        if unknown := [name for name in names if name not in known]:
            raise UsageError(f"There is no consumer {', '.join(unknown)} on this bus; `consumers list` shows them.")
        if used := [c for c in chosen if not c.is_left_over]:
            why = "a process asks for its events" if used[0].readers else "the build of this space has its handler"
            raise UsageError(f"{used[0].handler} is in use: {why}. Stop its processes, and run a build without it.")
        if (waiting := [c for c in chosen if c.waiting]) and not force:
            what = ", ".join(f"{c.waiting} for {c.handler}" for c in waiting)
            raise UsageError(
                f"Events wait there still: {what}. Run a build that has the handler until they are done, or throw "
                f"them away with --force."
            )
        for consumer in chosen:
            await js.delete_consumer(self._names.stream, consumer.name)
            with contextlib.suppress(Exception):  # nobody looks at it again
                await (await js.key_value(self._names.bucket)).delete(build_seen_key(consumer.name))
            for stream, subject in (
                (self._names.attempt_stream, f"{self._names.build_attempt_prefix(consumer.name)}.>"),
                (self._names.outcome_stream, f"{self._names.build_outcome_prefix(consumer.name)}.>"),
            ):
                with contextlib.suppress(Exception):  # they end by their age
                    await js.purge_stream(stream, subject=subject)
        return chosen

    async def _run_connected(self, work: Callable[[Any], Awaitable[T]]) -> T:
        async def ignore_reconnect() -> None:
            """A short errand asks again by itself."""

        connection = await connect(self._settings, ignore_reconnect, "graphbus consumers")
        try:
            js = connection.jetstream(timeout=ASK_S)
            result: T = await connection.server_errors.or_refused(_await(work(js)))
            return result
        except (TransportDown, UsageError):
            raise
        except Exception as error:
            if connection.server_errors.refusal.done():
                raise build_refusal(connection, self._settings, error) from None
            raise TransportDown(f"The consumers could not be read: {error or type(error).__name__}.") from None
        finally:
            await connection.close()


async def _await(work: Awaitable[T]) -> T:
    return await work


async def find_left_over(settings: BusSettings) -> list[tuple[str, BusConsumer]]:
    """(space, consumer) of whatever builds left in the spaces of a server. Raises what the library raises."""

    async def ignore_reconnect() -> None:
        """A short errand."""

    connection = await connect(settings, ignore_reconnect, "graphbus doctor")
    try:
        js = connection.jetstream(timeout=ASK_S)
        names = [stream.config.name for stream in await js.streams_info()]
        spaces = [name for name in names if f"KV_{name}-nodes" in names]
        left_over = [(space, await list_consumers(js, SpaceNames(space))) for space in spaces]
        return [(space, consumer) for space, some in left_over for consumer in some if consumer.is_left_over]
    finally:
        await connection.close()


def describe_left_over(consumer: BusConsumer, url: str) -> str:
    """What somebody should know of a consumer that nobody has a handler for. `url`: of the bus, with its space."""
    waits = f"{consumer.waiting} wait" if consumer.waiting else "none waits"
    return (
        f"No build of this bus has {consumer.handler} any more, and the server keeps events for it ({waits} now). "
        f"`graphbus run consumers retire --bus {url}` ends that."
    )
