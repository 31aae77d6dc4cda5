"""Order per key: events of one key one after the other, in their order, and all others at once."""

import asyncio
import random
import threading
import time
from collections import defaultdict

import pytest

from graphbus_core.artifacts import ArtifactFolder
from graphbus_core.cli.main import main
from graphbus_core.runtime.executor import RuntimeExecutor
from graphbus_core.runtime.message_bus import MessageBus
from graphbus_core.runtime.subscriptions.handlers import Bounds, Retry
from graphbus_core.runtime.transports.nats.space import SharedBuild


class Journal:
    """What a handler saw, by key; and how many were with it at once, of one key and in all."""

    def __init__(self):
        self.seen = defaultdict(list)
        self.at_work = defaultdict(int)
        self.most, self.most_of_a_key = 0, 0
        self.lock = threading.Lock()

    def begin(self, payload):
        with self.lock:
            key = payload.get("k")
            self.at_work[key] += 1
            self.most = max(self.most, sum(self.at_work.values()))
            if key is not None:
                self.most_of_a_key = max(self.most_of_a_key, self.at_work[key])

    def end(self, payload):
        with self.lock:
            self.at_work[payload.get("k")] -= 1
            self.seen[payload.get("k")].append(payload["n"])


@pytest.mark.parametrize("with_retries", [False, True])
def test_threads_that_publish_wait_for_their_key_alone(with_retries):
    bus, journal, failed = MessageBus(), Journal(), set()

    def hear(payload):
        journal.begin(payload)
        time.sleep(0.002)
        mark = payload["k"], payload["n"]
        if with_retries and payload["n"] % 5 == 0 and mark not in failed:
            failed.add(mark)
            journal.at_work[payload["k"]] -= 1
            raise ValueError("once more")
        journal.end(payload)

    bus.subscribe("/A", hear, "hear", key="k", retry=Retry(2, 0.001) if with_retries else None)
    numbers, lock = defaultdict(int), {k: threading.Lock() for k in "abc"}

    def publish(seed):
        choice = random.Random(seed)
        for _ in range(30):
            key = choice.choice("abc")
            with lock[key]:  # two publishers of one key: what is published first, is known
                numbers[key] += 1
                bus.publish("/A", {"k": key, "n": numbers[key]})

    threads = [threading.Thread(target=publish, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert dict(journal.seen) == {k: list(range(1, n + 1)) for k, n in numbers.items()}
    assert journal.most_of_a_key == 1
    assert journal.most > 1


def test_tasks_overtake_each_other_for_other_keys_only():
    """A handler before it that takes long for some events lets none of a key overtake another."""

    async def run():
        bus, journal, choice = MessageBus(), Journal(), random.Random(1)

        async def slow(payload):
            await asyncio.sleep(choice.random() / 100)

        async def hear(payload):
            journal.begin(payload)
            await asyncio.sleep(choice.random() / 500)
            journal.end(payload)

        bus.subscribe("/A", slow, "slow")
        bus.subscribe("/A", hear, "hear", key="k")
        await asyncio.gather(*(bus.apublish("/A", {"k": n % 3, "n": n}) for n in range(60)))
        assert dict(journal.seen) == {k: list(range(k, 60, 3)) for k in range(3)}
        assert journal.most_of_a_key == 1
        assert journal.most == 3

    asyncio.run(run())


def test_mailboxes_work_on_other_keys_meanwhile():

    async def run():
        bus, journal = MessageBus(), Journal()

        async def hear(payload):
            journal.begin(payload)
            await asyncio.sleep(0.002)
            journal.end(payload)

        bus.subscribe("/A", hear, "hear", key="k", bounds=Bounds(concurrency=8))
        for n in range(40):
            bus.publish("/A", {"k": n % 4, "n": n})
        await bus.adrain(5)
        assert dict(journal.seen) == {k: list(range(k, 40, 4)) for k in range(4)}
        assert journal.most_of_a_key == 1
        assert journal.most == 4

    asyncio.run(run())


def test_events_without_the_field_are_in_order_among_themselves():
    """A key of a wrong name costs speed, and no order."""

    async def run():
        bus, journal = MessageBus(), Journal()

        async def hear(payload):
            journal.begin(payload)
            await asyncio.sleep(0.001)
            journal.end(payload)

        bus.subscribe("/A", hear, "hear", key="no such field")
        await asyncio.gather(*(bus.apublish("/A", {"n": n}) for n in range(20)))
        assert journal.seen[None] == list(range(20))
        assert journal.most == 1

    asyncio.run(run())


def test_a_turn_that_is_thrown_away_holds_nobody_back():

    async def run():
        bus, begun, go, journal = MessageBus(), asyncio.Event(), asyncio.Event(), Journal()

        async def hear(payload):
            begun.set()
            if payload["n"] == 0:
                await go.wait()
            journal.end(payload)

        bus.subscribe("/A", hear, "hear", key="k")
        first = asyncio.create_task(bus.apublish("/A", {"k": 1, "n": 0}))
        await begun.wait()
        second = asyncio.create_task(bus.apublish("/A", {"k": 1, "n": 1}))
        third = asyncio.create_task(bus.apublish("/A", {"k": 1, "n": 2}))
        await asyncio.sleep(0.01)
        second.cancel()
        await asyncio.sleep(0)
        go.set()
        await asyncio.wait_for(asyncio.gather(first, third), 2)
        assert journal.seen[1] == [0, 2]

    asyncio.run(run())


SHOP = """
from graphbus_core import GraphBusNode, subscribe


class Shop(GraphBusNode):
    @subscribe("/Order/*", key="customer")
    def on_order(self, payload):
        pass
"""


def test_a_build_knows_the_key(tmp_path):
    """So every process that makes the handler's place on a bus makes it an ordered one."""
    (tmp_path / "shop.py").write_text(SHOP)
    assert main(["build", str(tmp_path), "--output-dir", str(tmp_path / "built")]) == 0
    build = SharedBuild.from_folder(ArtifactFolder(tmp_path / "built"))
    assert build.ordered == {"Shop.on_order /Order/*"}
    assert dict(build.places) == {"Shop.on_order /Order/*": "/Order/*"}
    with RuntimeExecutor(tmp_path / "built") as executor:
        assert [s.key for s in executor.bus.subscribers("/Order/Placed")] == ["customer"]


def test_who_takes_a_handlers_place_goes_on_in_its_lines():
    """As a reload does it: by the handler's durable name."""
    bus = MessageBus()

    def hear(payload):
        pass

    before, after = (bus.subscribe("/A", hear, "Shop.hear", key="k") for _ in range(2))
    assert before.order is after.order
    assert bus.subscribe("/B", hear, "Shop.hear", key="k").order is not before.order
