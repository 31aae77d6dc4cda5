"""Nodes that share an object run in the same process over NATS: a place is taken for all of them, or for none."""

import asyncio
import itertools
import time

import pytest

pytest.importorskip("nats")

from nats.js import errors

from graphbus_core.cli.main import main
from graphbus_core.runtime.executor import RuntimeExecutor
from graphbus_core.runtime.transports.nats.leases import NodeLease
from graphbus_core.runtime.transports.port import create_transport
from tests.runtime.nats_server import NatsServer, needs_nats

_numbers = itertools.count(1)
SHARED = "SEEN = []\n"
WRITER = """
from graphbus_core import GraphBusNode, schema_method
from shared import SEEN


class Writer(GraphBusNode):
    @schema_method(input_schema={"n": int}, output_schema={"ok": bool})
    def put(self, n):
        SEEN.append(n)
        return {"ok": True}
"""
READER = """
from graphbus_core import GraphBusNode, schema_method
from shared import SEEN


class Reader(GraphBusNode):
    @schema_method(input_schema={}, output_schema={"seen": int})
    def count(self):
        return {"seen": len(SEEN)}
"""


class Bucket:
    """A key-value bucket in memory."""

    def __init__(self):
        self.entries, self.revision = {}, 0

    async def get(self, key):
        if key not in self.entries:
            raise errors.KeyNotFoundError
        return self.entries[key]

    async def create(self, key, value):
        if key in self.entries:
            raise errors.KeyWrongLastSequenceError
        return self._write(key, value)

    async def update(self, key, value, last):
        if self.entries[key].revision != last:
            raise errors.KeyWrongLastSequenceError
        return self._write(key, value)

    async def delete(self, key, last=None):
        if key in self.entries and self.entries[key].revision == last:
            del self.entries[key]

    def _write(self, key, value):
        self.revision += 1
        self.entries[key] = type("Entry", (), {"revision": self.revision, "value": value})
        return self.revision


async def nothing():
    pass


class Process:
    """The places of a group of two nodes in one process."""

    def __init__(self, bucket):
        self.group = NodeLease(bucket, "group", "with", None, nothing, self._end, 60.0)
        self.nodes = [NodeLease(bucket, n, n, None, nothing, nothing, 60.0, self.group) for n in "ab"]

    async def _end(self):
        for node in self.nodes:
            await node.give_up("it goes with the group")

    async def try_all(self, *, nodes_first=False):
        places = [*self.nodes, self.group] if nodes_first else [self.group, *self.nodes]
        for place in places:
            if not place.held:
                await place._try_acquire(0, time.monotonic())

    @property
    def held(self):
        return [place.is_certain for place in (self.group, *self.nodes)]


def test_a_node_is_taken_only_where_its_group_is():
    async def run():
        bucket = Bucket()
        one, two = Process(bucket), Process(bucket)
        await one.try_all(nodes_first=True)
        assert one.held == [True, False, False]
        await two.try_all()
        assert two.held == [False, False, False]
        await one.try_all()
        assert one.held == [True, True, True]

    asyncio.run(run())


def test_a_group_that_is_lost_takes_its_nodes_along():
    async def run():
        bucket = Bucket()
        one, two = Process(bucket), Process(bucket)
        await one.try_all()
        await one.group.give_up("somebody else has it")
        assert one.held == [False, False, False]
        await two.try_all()
        await one.try_all()
        assert two.held == [True, True, True]
        assert one.held == [False, False, False]

    asyncio.run(run())


def test_a_node_of_a_group_whose_time_ran_out_is_not_certain():
    async def run():
        bucket = Bucket()
        one = Process(bucket)
        await one.try_all()
        one.group._until = 0.0
        assert one.held == [False, False, False]
        assert await one.nodes[0]._ensure_certain()  # it renews the place of the group first
        assert one.held == [True, True, True]
        one.group.held = False
        assert not await one.nodes[0]._ensure_certain()

    asyncio.run(run())


@pytest.fixture(scope="module")
def server():
    if needs_nats.args[0]:
        yield None
    else:
        with NatsServer() as one:
            yield one


@pytest.fixture(scope="module")
def artifacts(tmp_path_factory):
    folder = tmp_path_factory.mktemp("groups")
    (folder / "agents").mkdir()
    for name, source in (("shared", SHARED), ("writer", WRITER), ("reader", READER)):
        (folder / "agents" / f"{name}.py").write_text(source)
    assert main(["build", str(folder / "agents"), "--output-dir", str(folder / ".graphbus")]) == 0
    return folder / ".graphbus"


def whole(url, artifacts, nodes=None):
    return RuntimeExecutor(str(artifacts), nodes=nodes, transport=create_transport(url, artifacts))


def holds(side):
    return [place.is_certain for _, place in sorted(side.transport._places.items())]


def until(true, bound_s=60.0):
    end = time.monotonic() + bound_s
    while not true():
        assert time.monotonic() < end, "it did not come true"
        time.sleep(0.02)


@needs_nats
def test_of_two_processes_one_runs_both_nodes_and_then_the_other(server, artifacts):
    url = server.url(f"g{next(_numbers)}")
    with whole(url, artifacts) as two:
        with whole(url, artifacts) as one:
            until(lambda: sorted((*holds(one), *holds(two))) == [False, False, True, True])
            assert holds(one) in ([True, True], [False, False])
            assert one.call_method("Writer", "put", n=1)["ok"]
            assert one.call_method("Reader", "count") == two.call_method("Reader", "count")
        until(lambda: holds(two) == [True, True])


@needs_nats
def test_who_runs_a_part_of_a_group_runs_it(server, artifacts):
    url = server.url(f"g{next(_numbers)}")
    with whole(url, artifacts, ["Writer"]) as one, whole(url, artifacts, ["Reader"]) as two:
        until(lambda: holds(one) == [True] and holds(two) == [True])
        assert one.call_method("Writer", "put", n=1)["ok"]
