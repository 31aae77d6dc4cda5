"""What counts as an attempt over NATS, and what is refused where it is published."""

import asyncio
import itertools
import json
import time

import pytest

from graphbus_core import GraphBusNode, subscribe
from graphbus_core.cli.main import main
from graphbus_core.errors import BadPayload, RemoteError
from graphbus_core.model.message import Event
from graphbus_core.runtime.subscriptions.subscriber import DONE, Ruling, Verdict
from graphbus_core.runtime.transports.nats.connection import BusSettings
from graphbus_core.runtime.transports.nats.consumer import CRASHES
from graphbus_core.runtime.transports.nats.dead_letters import BusDeadLetters
from graphbus_core.runtime.transports.nats.transport import NatsTransport
from graphbus_core.testing.harness import ClassExecutor
from tests.runtime.bounded import run as bounded_run
from tests.runtime.nats_server import NatsServer, needs_nats
from tests.runtime.test_nats import build, consumer, eventually, opened

pytestmark = needs_nats
_numbers = itertools.count(1)


@pytest.fixture(scope="module")
def server():
    with NatsServer() as one:
        yield one


@pytest.fixture
def space(server):
    return BusSettings(server.url(f"t{next(_numbers)}"), ack_wait_s=1.5, lease_s=1.0)


def until(true, bound_s=30.0):
    end = time.monotonic() + bound_s
    while not true():
        assert time.monotonic() < end, "it did not come true"
        time.sleep(0.01)


async def take_and_drop(transport, durable, times):
    """A worker that stands still before its handler's first line, so often: the server gives the event out anew."""
    name = transport.names.build_consumer_name(durable)
    for _ in range(times):
        subscription = await transport._js.pull_subscribe_bind(name, stream=transport.names.stream)
        (message,) = await subscription.fetch(1, timeout=10)
        await message.nak()
        await subscription.unsubscribe()


@pytest.mark.parametrize("dropped", [1, 4, 30])
def test_what_no_handler_began_is_no_attempt(space, dropped):
    """Thirty deliveries that no handler saw: it still has its two attempts, and its event is not buried."""
    seen = []

    def handle(event, attempt):
        seen.append(attempt)
        failed = ValueError("once")
        return DONE if attempt == 2 else Verdict(Ruling.RETRY, failed, 0.01, attempt)

    async def run():
        first = NatsTransport(space, build=build({"B.on /T": "/T"}))
        async with opened(first):
            await first.apublish(Event("e1", "/T", "A", {}))
            await take_and_drop(first, "B.on /T", dropped)
        second = NatsTransport(space, build=build({"B.on /T": "/T"}))
        second.consume(consumer("B.on /T", handle, attempts=2))
        async with opened(second):
            await eventually(lambda: len(seen) == 2)
            await asyncio.sleep(0.2)
            info = await second._js.stream_info(second.names.attempt_stream)
            await eventually_settled(second)
            assert info.state.messages <= 1
        assert await asyncio.to_thread(BusDeadLetters(space).list_all) == []

    bounded_run(run())
    assert seen == [1, 2]


async def eventually_settled(transport):
    for _ in range(200):
        if (await transport._js.stream_info(transport.names.attempt_stream)).state.messages == 0:
            return
        await asyncio.sleep(0.02)
    raise AssertionError("the count of a done event stayed")


def test_attempts_are_counted_over_processes(space):
    """The second process goes on where the first one failed; the last attempt makes the letter, with the true count."""
    seen = []

    def fail(event, attempt):
        seen.append(attempt)
        if attempt == 3:
            return Verdict(Ruling.DEAD, ValueError("no"), attempts=attempt)
        return Verdict(Ruling.RETRY, ValueError("no"), 0.3, attempt)

    async def run():
        for _ in range(2):
            transport = NatsTransport(space, build=build({"B.on /T": "/T"}))
            transport.consume(consumer("B.on /T", fail, attempts=3))
            async with opened(transport):
                if not seen:
                    await transport.apublish(Event("e1", "/T", "A", {}))
                count = len(seen)
                await eventually(lambda count=count: len(seen) > count)
        transport = NatsTransport(space, build=build({"B.on /T": "/T"}))
        transport.consume(consumer("B.on /T", fail, attempts=3))
        async with opened(transport):
            await eventually(lambda: len(seen) == 3)
            while not (letters := await asyncio.to_thread(BusDeadLetters(space).list_all)):
                await asyncio.sleep(0.02)
            assert [letter.count for letter in letters] == [3]

    bounded_run(run())
    assert seen == [1, 2, 3]


def test_an_event_that_begins_and_never_ends_is_buried_in_the_end(space):
    """A handler that stops its process: its attempts count, also where nobody learns how they ended."""
    seen = []

    def stop(event, attempt):
        seen.append(attempt)
        return Verdict(Ruling.STOPPED, KeyboardInterrupt(), attempts=attempt, reason="stopped")

    async def run():
        transport = NatsTransport(space, build=build({"B.on /T": "/T"}))
        transport.consume(consumer("B.on /T", stop))
        async with opened(transport):
            await transport.apublish(Event("e1", "/T", "A", {}))
            while not (letters := await asyncio.to_thread(BusDeadLetters(space).list_all)):
                await asyncio.sleep(0.05)
            assert "never came to an end" in letters[0].error

    bounded_run(run())
    assert seen == list(range(1, CRASHES + 2))


def test_an_event_whose_attempts_cannot_be_counted_for_want_of_room_is_handled(space, caplog):
    """Only its own handling makes room: who waited for it would wait for ever."""
    seen = []

    async def run():
        first = NatsTransport(space, build=build({"B.on /T": "/T"}))
        async with opened(first):
            config = (await first._js.stream_info(first.names.attempt_stream)).config
            await first._js.update_stream(config.evolve(max_bytes=1, discard="new"))
            await first.apublish(Event("e1", "/T", "A", {}))
            await take_and_drop(first, "B.on /T", 1)
        second = NatsTransport(space, build=build({"B.on /T": "/T"}))
        second.consume(consumer("B.on /T", lambda event, attempt: seen.append(event.event_id) or DONE))
        async with opened(second):
            await eventually(lambda: seen == ["e1"])

    bounded_run(run())
    assert "is not counted" in caplog.text


class Large(GraphBusNode):
    """Publishes what its event says."""

    tries: list = []

    @subscribe("/In", retries=1, backoff_s=0.01)
    def on_in(self, payload):
        self.tries.append(payload)
        what = {"large": "x" * 2_000_000, "set": {1, 2}, "deep": None, "nan": float("nan")}[payload["what"]]
        if payload["what"] == "deep":
            what = []
            for _ in range(100_000):
                what = [what]
        self.publish("/Out", {"what": what})

    def give(self, count):
        return {"text": "x" * count}


@pytest.fixture
def runtime(space):
    Large.tries.clear()
    executor = ClassExecutor([Large], "off", transport=NatsTransport(space))
    executor.start()
    yield executor
    executor.stop()


BAD = {"large": "too large", "set": "cannot travel", "deep": "cannot travel", "nan": "cannot travel"}


@pytest.mark.parametrize("what", BAD)
def test_a_handler_that_publishes_what_cannot_travel_fails_like_any_other(runtime, space, what):
    """Its retry, then its letter; and what comes after it is handled."""
    runtime.publish("/In", {"what": what})
    letters = BusDeadLetters(space)
    until(letters.list_all)
    (letter,) = letters.list_all()
    assert (letter.error_type, letter.count, letter.subscriber) == ("BadPayload", 2, "Large.on_in")
    assert BAD[what] in letter.error
    assert len(Large.tries) == 2


def test_what_is_too_large_is_refused_where_it_is_published_with_the_limit(runtime):
    with pytest.raises(BadPayload, match=r"2,000,\d+ bytes as JSON, and 1,032,192 may be"):
        runtime.publish("/Else", {"text": "x" * 2_000_000})
    for odd in ({1, 2}, float("nan"), object(), (1, 2), {1: 2}, b"bytes"):
        with pytest.raises(BadPayload, match="/Else cannot travel as JSON"):
            runtime.publish("/Else", {"odd": odd})


def test_the_letter_of_the_largest_event_is_kept(runtime, space):
    """A letter is larger than its event, and text that is no ASCII must not make it larger still."""

    def publish(size):
        runtime.publish("/In", {"what": "é" * size})

    size = 1_032_192 // 2
    while True:
        try:
            publish(size)
        except BadPayload:
            size -= 16
        else:
            break
    letters = BusDeadLetters(space)
    until(letters.list_all)
    assert letters.list_all()[0].error_type == "KeyError"


def test_a_call_that_is_too_large_says_so_at_once(space):
    there = ClassExecutor([Large], "off", transport=NatsTransport(space))

    class Asker(GraphBusNode):
        pass

    here = ClassExecutor([Large, Asker], "off", nodes={"Asker"}, transport=NatsTransport(space))
    there.start()
    here.start()
    try:
        began = time.monotonic()
        with pytest.raises((BadPayload, RemoteError), match="too large"):
            here.call_method("Large", "give", count=2_000_000)
        with pytest.raises(BadPayload, match="too large"):
            here.call_method("Large", "give", count="x" * 2_000_000)
        assert time.monotonic() - began < 10
        assert len(here.call_method("Large", "give", count=10)["text"]) == 10
    finally:
        here.stop()
        there.stop()


NODES = """
from graphbus_core import GraphBusNode, subscribe


class Grows(GraphBusNode):
    @subscribe("/In")
    def on_in(self, payload):
        self.publish("/Out", {"text": "x" * payload["size"]})
"""


@pytest.mark.parametrize(("size", "code"), [(10, 0), (2_000_000, 1)])
def test_a_run_that_publishes_ends_with_the_code_of_what_its_handlers_published(make_build, space, capsys, size, code):
    folder = make_build({"agents/n.py": NODES})
    command = ["run", str(folder), "--bus", space.url, "--publish", "/In", "--payload", json.dumps({"size": size})]
    assert main(command) == code
    assert ("too large" in capsys.readouterr().err) == bool(code)


def test_a_run_that_publishes_what_is_too_large_says_the_limit(make_build, space, capsys):
    folder = make_build({"agents/n.py": NODES})
    payload = json.dumps({"text": "x" * 1_100_000})
    code = main(["run", str(folder), "--bus", space.url, "--publish", "/In", "--payload", payload])
    assert code in (1, 2)
    assert "1,032,192" in capsys.readouterr().err
