"""Consumers of handlers that nobody has any more: named by build, run and doctor, and retired by a command."""

import asyncio
import itertools
import json
import sys

import pytest

from graphbus_core.errors import UsageError
from graphbus_core.model.message import Event
from graphbus_core.runtime.subscriptions.subscriber import DONE
from graphbus_core.runtime.transports.nats.connection import BusSettings
from graphbus_core.runtime.transports.nats.retirement import BusConsumers, find_left_over
from graphbus_core.runtime.transports.nats.transport import NatsTransport
from tests import forking
from tests.runtime.bounded import run as bounded_run
from tests.runtime.nats_server import NatsServer, needs_nats
from tests.runtime.test_nats import build, consumer, eventually, opened

_numbers = itertools.count(1)
COMMAND = [sys.executable, "-m", "graphbus_core.cli.main"]


@pytest.fixture(scope="module")
def server():
    with NatsServer() as one:
        yield one


@pytest.fixture
def settings(server):
    return BusSettings(server.url(f"places{next(_numbers)}"))


def joined(settings, places, *events, seen=None):
    """A process of a build with these handlers joins, publishes, and ends. With `seen` it handles the first."""

    async def run():
        transport = NatsTransport(settings, build=build(places))
        if seen is not None:
            durable = next(iter(places))
            transport.consume(consumer(durable, lambda event, _: seen.append(event.event_id) or DONE))
        async with opened(transport):
            for number, topic in enumerate(events):
                await transport.apublish(Event(f"e{number}", topic, "A", {}))
            if seen is not None:
                await eventually(lambda: seen)
            return transport.notices

    return bounded_run(run())


@needs_nats
def test_a_consumer_without_a_handler_is_named_and_retired(settings):
    joined(settings, {"Old.on /Old": "/Old", "New.on /New": "/New"}, "/Old", "/New")
    consumers = BusConsumers(settings)
    assert [(c.handler, c.pending, c.is_left_over) for c in consumers.list_all()] == [
        ("New.on /New", 1, False),
        ("Old.on /Old", 1, False),
    ]
    (notice,) = joined(settings, {"New.on /New": "/New"})
    assert "No build of this bus has Old.on /Old any more" in notice
    assert f"graphbus run consumers retire --bus {settings.public_url}" in notice
    (found,) = [c for space, c in bounded_run(find_left_over(settings)) if space == settings.space]
    assert (found.handler, found.waiting) == ("Old.on /Old", 1)
    with pytest.raises(UsageError, match=r"1 for Old\.on /Old"):
        consumers.retire([])
    with pytest.raises(UsageError, match=r"New\.on /New is in use"):
        consumers.retire(["New.on /New"])
    with pytest.raises(UsageError, match=r"There is no consumer Nobody\.on"):
        consumers.retire(["Nobody.on"])
    assert [c.handler for c in consumers.retire([], force=True)] == ["Old.on /Old"]
    assert [c.handler for c in consumers.list_all()] == ["New.on /New"]
    assert joined(settings, {"New.on /New": "/New"}) == []


@needs_nats
def test_a_handler_that_an_older_process_still_runs_is_not_left_over(settings):
    async def run():
        old = NatsTransport(settings, build=build({"Old.on /Old": "/Old"}))
        old.consume(consumer("Old.on /Old", lambda event, _: DONE))
        new = NatsTransport(settings, build=build({"New.on /New": "/New"}))
        async with opened(old), opened(new):
            assert new.notices == []

    bounded_run(run())


@needs_nats
def test_the_commands_list_and_retire(settings):
    joined(settings, {"Old.on /Old": "/Old", "New.on /New": "/New"})
    joined(settings, {"New.on /New": "/New"})

    def run(*words):
        command = [*COMMAND, "run", "consumers", *words, "--bus", settings.url]
        return forking.run(command, capture_output=True, text=True, timeout=60)

    assert "Old.on /Old: 0 wait, 0 are given out, nobody has this handler" in run("list").stdout
    rows = [json.loads(line) for line in run("list", "--json").stdout.splitlines()]
    assert [(row["handler"], row["left_over"]) for row in rows] == [("New.on /New", False), ("Old.on /Old", True)]
    retired = run("retire")
    assert (retired.returncode, retired.stdout) == (
        0,
        "retired Old.on /Old; 0 events that waited for it are thrown away\n",
    )
    assert "Nothing was retired" in run("retire").stdout
    assert run("retire", "New.on /New").returncode == 2
    assert run("purge").returncode == 2


@needs_nats
def test_consumers_and_events_of_the_first_naming_drain_after_an_upgrade(server, settings):
    """A store as 0.2.0 left it: a space without records of places, attempts or outcomes, and events that wait."""
    seen = []

    async def left_behind():
        import nats
        from nats.js import api

        connection = await nats.connect(f"nats://127.0.0.1:{server.port}")
        js, space = connection.jetstream(), settings.space
        await js.add_stream(
            name=space,
            subjects=[f"{space}.e.>"],
            retention=api.RetentionPolicy.INTEREST,
            discard=api.DiscardPolicy.NEW,
            duplicate_window=120.0,
        )
        await js.add_stream(name=f"{space}-dead", subjects=[f"{space}.d.>"], max_msgs_per_subject=1)
        await js.create_key_value(bucket=f"{space}-nodes", history=1)
        # The names that 0.2.0 gave: of the handler, and a digest of that.
        old = api.ConsumerConfig(
            durable_name="B-on-T-9265823ef8",
            filter_subject=f"{space}.e.0.T",
            ack_policy=api.AckPolicy.EXPLICIT,
            ack_wait=30.0,
            max_deliver=-1,
            max_ack_pending=10_000,
        )
        await js.add_consumer(space, old)
        event = {"event_id": "old", "topic": "/T", "src": "A", "payload": {}, "timestamp": None, "cause": None}
        await js.publish(f"{space}.e.0.T", json.dumps(event).encode(), headers={"Nats-Msg-Id": "old"})
        await connection.close()

    asyncio.run(left_behind())
    assert [c.name for c in BusConsumers(settings).list_all()] == ["B-on-T-9265823ef8"]  # the bucket is empty
    joined(settings, {"B.on /T": "/T"}, seen=seen)
    assert seen == ["old"]
    (found,) = BusConsumers(settings).list_all()
    assert (found.name, found.waiting) == ("B-on-T-9265823ef8", 0)


def test_a_build_names_the_handlers_that_are_gone(tmp_path):
    source = """
from graphbus_core import GraphBusNode, subscribe


class Shop(GraphBusNode):
    @subscribe("/Order")
    def on_order(self, payload): ...
    @subscribe("/Refund")
    def on_refund(self, payload): ...
"""
    (tmp_path / "agents").mkdir()
    for text, gone in ((source, []), (source.partition('    @subscribe("/Refund")')[0], ["Shop.on_refund /Refund"])):
        (tmp_path / "agents" / "shop.py").write_text(text)
        command = [*COMMAND, "build", "agents", "-o", ".graphbus"]
        told = forking.run([*command, "--json"], cwd=tmp_path, capture_output=True, text=True, timeout=60)
        assert json.loads(told.stdout)["gone_handlers"] == gone
    (tmp_path / "agents" / "shop.py").write_text(source.replace("on_refund", "on_return"))
    told = forking.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert "Gone since" not in told.stdout
    (tmp_path / "agents" / "shop.py").write_text(source)
    told = forking.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert "Gone since the last build: Shop.on_return /Refund." in told.stdout
