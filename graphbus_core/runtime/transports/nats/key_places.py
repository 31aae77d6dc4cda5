"""Order per key over NATS: a handler has a place for each part of its keys, and one event at a time there.

Theory of operation
-------------------

The server keeps order where it gives out one event at a time: a pause before the next attempt, a process that died, a
lost message, all hold back what comes after. So a handler with a key has consumers of that kind, one for each *part*
of its keys (a hash of the key): events of one key are in one part, and the parts go in parallel, over all processes.

The stream does not know keys, and each handler has its own. So the handler's durable consumer, which has one event at
a time too, is a *router*: it stores each event anew under the subject of its part, and acknowledges it then.

    SPACE.e.0.Order.Created                       an event, as it was published
        -> CONSUMER            one at a time: stores it under the subject of its part, and is done with it
    SPACE.e.0+keys.CONSUMER.3                     the same event, for this handler
        -> CONSUMER-key3of8    one at a time: the handler

A router that dies between the two stores the event once more, under the same id: the server drops it, or, where its
window of ids has passed, gives it out once more, as it may any event. The next one is not routed before that, so an
event of a key never overtakes another.

A handler that has no key any more is given what its parts still hold. Nobody adds to them then.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from hashlib import blake2b

from graphbus_core.errors import TransportDown
from graphbus_core.model.message import Event
from graphbus_core.runtime.subscriptions.subscriber import DONE, Ruling, Verdict
from graphbus_core.runtime.transports.nats.space import PARTS, SpaceNames
from graphbus_core.runtime.transports.port import Consumer, encode_event

AGAIN_S = 0.5  # where an event could not be stored
UNLIMITED = 1_000_000_000  # attempts: that an event cannot be stored is never its own fault
Store = Callable[[str, bytes, str], Awaitable[None]]  # subject, data, id


@dataclass(frozen=True)
class ConsumerPlace:
    """A durable consumer, as the server is asked for it. `handler` is whose it is, by its durable name."""

    name: str
    handler: str
    subject: str
    is_ordered: bool = False


def list_parts(names: SpaceNames, durable: str) -> list[ConsumerPlace]:
    """The places of the parts of a handler's keys."""
    name = names.build_consumer_name(durable)
    return [
        ConsumerPlace(names.build_part_name(name, part), durable, names.build_part_subject(name, part), is_ordered=True)
        for part in range(PARTS)
    ]


def choose_part(key: str) -> int:
    """The part that a key is in: the same in every process, and for ever."""
    return int.from_bytes(blake2b(key.encode("utf-8", "surrogatepass"), digest_size=4).digest()) % PARTS


def build_router(names: SpaceNames, consumer: Consumer, store: Store) -> Consumer:
    """What the handler's own consumer brings its events to. `consumer` has a key."""
    key_of = consumer.key_of
    assert key_of is not None
    name = names.build_consumer_name(consumer.durable)

    async def route(event: Event, attempt: int = 1) -> Verdict:
        subject = names.build_part_subject(name, choose_part(key_of(event)))
        try:
            await store(subject, encode_event(event), f"{event.event_id} {name}")
        except TransportDown as error:
            return Verdict(Ruling.RETRY, error, AGAIN_S, attempt)
        return DONE

    return replace(consumer, ahandle=route, ahandle_many=None, concurrency=1, attempts=UNLIMITED)


def share_room(consumer: Consumer, room: asyncio.Semaphore) -> Consumer:
    """The handler at one of its parts: so many events are with it at once as it wants, over all parts."""
    ahandle = consumer.ahandle

    async def wait_and_handle(event: Event, attempt: int = 1) -> Verdict:
        async with room:
            return await ahandle(event, attempt)

    return replace(consumer, ahandle=wait_and_handle, ahandle_many=None, concurrency=1)
