"""Order per key over NATS: keys go in parallel, events of one key do not, and what an older build left drains."""

import asyncio
import itertools
from collections import defaultdict
from dataclasses import replace

import pytest

from graphbus_core.model.message import Event
from graphbus_core.runtime.subscriptions.subscriber import DONE, Ruling, Verdict
from graphbus_core.runtime.transports.nats.connection import BusSettings
from graphbus_core.runtime.transports.nats.key_places import PARTS, choose_part
from graphbus_core.runtime.transports.nats.retirement import BusConsumers
from graphbus_core.runtime.transports.nats.transport import NatsTransport
from tests.runtime.bounded import run as bounded_run
from tests.runtime.nats_server import NatsServer, needs_nats
from tests.runtime.test_nats import build, consumer, eventually, opened

_numbers = itertools.count(1)
DURABLE = "Shop.on /Order"


@pytest.fixture(scope="module")
def server():
    with NatsServer() as one:
        yield one


@pytest.fixture
def settings(server):
    return BusSettings(server.url(f"keys{next(_numbers)}"), ack_wait_s=2.0)


def keyed(ahandle, concurrency=64):
    """A handler of /Order whose events of one `k` come in order."""
    plain = consumer(DURABLE, lambda event, attempt: DONE)
    return replace(
        plain,
        topic="/Order",
        ahandle=ahandle,
        concurrency=concurrency,
        is_ordered=True,
        key_of=lambda event: repr(event.payload["k"]),
    )


def keys_of_different_parts(count):
    found = {}
    for number in itertools.count():
        found.setdefault(choose_part(repr(f"key {number}")), f"key {number}")
        if len(found) == count:
            return list(found.values())


async def publish(transport, marks):
    for number, (key, n) in enumerate(marks):
        await transport.apublish(Event(f"{key}-{n}-{number}", "/Order", "A", {"k": key, "n": n}))


def test_a_key_is_in_the_same_part_for_ever() -> None:
    """Events wait in the parts while a new version comes."""
    assert PARTS == 8
    assert [choose_part(repr(f"order {n}")) for n in range(6)] == [choose_part(repr(f"order {n}")) for n in range(6)]
    assert len({choose_part(repr(n)) for n in range(200)}) == PARTS


@needs_nats
def test_a_key_that_waits_holds_back_no_other(settings):
    """One handler stands still with the first key until the others are through."""
    seen, others_are_through = [], asyncio.Event()
    first, *others = keys_of_different_parts(4)

    async def handle(event, attempt=1):
        if event.payload["k"] == first and event.payload["n"] == 0:
            await asyncio.wait_for(others_are_through.wait(), 10)
        seen.append((event.payload["k"], event.payload["n"]))
        if len(seen) == 6:
            others_are_through.set()
        return DONE

    async def run():
        transport = NatsTransport(settings)
        transport.consume(keyed(handle))
        async with opened(transport):
            await publish(transport, [(key, n) for n in range(2) for key in (first, *others)])
            await eventually(lambda: len(seen) == 8)
            assert await transport.wait_until_settled(5)

    bounded_run(run())
    assert [mark for mark in seen if mark[0] == first] == seen[-2:] == [(first, 0), (first, 1)]


@needs_nats
def test_it_takes_no_more_at_once_than_it_says(settings):
    at_work, most, done = 0, 0, 0

    async def handle(event, attempt=1):
        nonlocal at_work, most, done
        at_work += 1
        most = max(most, at_work)
        await asyncio.sleep(0.02)
        at_work -= 1
        done += 1
        return DONE

    async def run():
        transport = NatsTransport(settings)
        transport.consume(keyed(handle, concurrency=2))
        async with opened(transport):
            await publish(transport, [(key, n) for n in range(3) for key in keys_of_different_parts(6)])
            await eventually(lambda: done == 18)

    bounded_run(run())
    assert most == 2


@needs_nats
def test_retries_two_processes_and_a_stop_between_overtake_nothing(settings):
    """One of two processes goes away in the middle; every fourth event fails once."""
    seen, failed = defaultdict(list), set()

    async def handle(event, attempt=1):
        mark = event.payload["k"], event.payload["n"]
        await asyncio.sleep(0.005)
        if mark[1] % 4 == 0 and mark not in failed:
            failed.add(mark)
            return Verdict(Ruling.RETRY, ValueError("once more"), 0.05, attempt)
        seen[mark[0]].append(mark[1])
        return DONE

    async def run():
        one, other = NatsTransport(settings), NatsTransport(settings)
        one.consume(keyed(handle))
        other.consume(keyed(handle))
        async with opened(one):
            async with opened(other):
                await publish(one, [(f"key {key}", n) for n in range(10) for key in range(5)])
                await eventually(lambda: sum(map(len, seen.values())) > 10)
            await publish(one, [(f"key {key}", n) for n in range(10, 14) for key in range(5)])
            await eventually(lambda: sum(map(len, seen.values())) >= 70, 20)

    bounded_run(run())
    for key, numbers in seen.items():
        assert list(dict.fromkeys(numbers)) == list(range(14)), (key, numbers)


@needs_nats
def test_a_handler_that_lost_its_key_is_given_what_its_parts_hold(settings):
    """And one that got a key is given what waited before, in its order."""
    seen = []

    async def stand_still(event, attempt=1):
        await asyncio.sleep(60)
        return DONE

    async def note(event, attempt=1):
        seen.append((event.payload["k"], event.payload["n"]))
        return DONE

    async def run():
        marks = [(key, n) for n in range(3) for key in ("a", "b")]
        places = {DURABLE: "/Order"}
        before = NatsTransport(settings, build=build(places))  # of a build without the key
        async with opened(before):
            await publish(before, marks)
        with_key = NatsTransport(settings, build=build(places))
        with_key.consume(keyed(stand_still))
        async with opened(with_key):
            held = with_key.names.build_consumer_name(DURABLE)

            async def all_are_routed():
                return (await with_key._js.consumer_info(with_key.names.stream, held)).num_pending == 0

            for _ in range(200):
                if await all_are_routed():
                    break
                await asyncio.sleep(0.02)
        without = NatsTransport(settings, build=build(places))
        plain = consumer(DURABLE, lambda event, attempt: DONE)
        without.consume(replace(plain, topic="/Order", ahandle=note))
        async with opened(without):
            await eventually(lambda: len(set(seen)) == 6, 20)
        assert {key: [n for k, n in dict.fromkeys(seen) if k == key] for key in "ab"} == {
            "a": [0, 1, 2],
            "b": [0, 1, 2],
        }

    bounded_run(run())
    assert not [c.name for c in BusConsumers(settings).list_all() if c.is_left_over or c.waiting]
