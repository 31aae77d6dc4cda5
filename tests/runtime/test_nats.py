"""What only NATS does: names, confirmation over a restart, places, builds that meet, dead letters, whole commands."""

import asyncio
import contextlib
import dataclasses
import inspect
import itertools
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from concurrent import futures
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from graphbus_core.cli.main import main
from graphbus_core.errors import ConfigError, ContractChanged, TransportDown
from graphbus_core.model.message import Event
from graphbus_core.runtime.executor import RuntimeExecutor
from graphbus_core.runtime.reload.compatibility import BuildContracts, find_breaking_changes
from graphbus_core.runtime.subscriptions.subscriber import DONE, Ruling, Verdict
from graphbus_core.runtime.topics import matches
from graphbus_core.runtime.transports.nats.connection import BusSettings, prepare
from graphbus_core.runtime.transports.nats.dead_letters import BusDeadLetters
from graphbus_core.runtime.transports.nats.space import SharedBuild, SpaceNames
from graphbus_core.runtime.transports.nats.transport import NatsTransport
from graphbus_core.runtime.transports.port import Consumer, Responder, create_transport
from tests import forking
from tests.runtime.bounded import ended, line, run as bounded_run
from tests.runtime.nats_server import NatsServer, needs_nats

EXAMPLES = Path(__file__).parents[2] / "examples"
_numbers = itertools.count(1)
words = st.text(st.characters(codec="utf-8", exclude_characters="/* ", exclude_categories=("Cc", "Zs")), min_size=1)
topics = st.lists(words.filter(lambda w: not any(c.isspace() for c in w)), min_size=1, max_size=4).map(
    lambda some: "/" + "/".join(some)
)


# Names


@given(topics, topics)
def test_a_topic_has_a_subject_of_its_own(one: str, other: str) -> None:
    """No two topics share one, and no word breaks out of its token."""
    names = SpaceNames("s")
    assert (names.build_topic_subject(one) == names.build_topic_subject(other)) == (one == other)
    tokens = names.build_topic_subject(one).split(".")
    assert len(tokens) == 3 + one.count("/")
    assert all(token and token.isascii() and not set(token) & set("*> \t") for token in tokens)


@given(topics, st.lists(st.sampled_from(["*", "**", "a*", "Order"]), min_size=1, max_size=4))
def test_a_pattern_covers_every_topic_that_it_matches(topic: str, pattern_words: list[str]) -> None:
    """What NATS cannot say exactly is said wider, never narrower."""
    pattern = "/" + "/".join(pattern_words)
    for some in (topic, "/Order", "/Order/Order", "/a/Order", "/abc"):
        if matches(pattern, some):
            assert _covers(SpaceNames("s").build_pattern_subject(pattern), SpaceNames("s").build_topic_subject(some)), (
                pattern,
                some,
            )


def _covers(subject: str, said: str) -> bool:
    given_tokens, tokens = said.split("."), subject.split(".")
    for place, token in enumerate(tokens):
        if token == ">":
            return len(given_tokens) > place
        if place >= len(given_tokens) or token not in ("*", given_tokens[place]):
            return False
    return len(tokens) == len(given_tokens)


def test_settings_read_addresses_and_refuse_others() -> None:
    """Several servers, a space, a password that is in no message."""
    settings = BusSettings("nats://a:4222,nats://u:secret@b/shop", environment={"NATS_CREDS": "/x.creds"})
    assert settings.servers == ["nats://a:4222", "nats://u:secret@b"]
    assert settings.space == "shop"
    assert settings.build_options() == {"user_credentials": "/x.creds"}
    assert BusSettings("localhost").space == "graphbus"
    for wrong in ("nats://", "kafka://x", "nats://h/a.b"):
        with pytest.raises(ConfigError):
            _ = BusSettings(wrong).servers, SpaceNames(BusSettings(wrong).space)


def test_a_missing_certificate_is_a_clear_error() -> None:
    """The message names the variables."""
    with pytest.raises(ConfigError, match="NATS_CA"):
        BusSettings("tls://h", environment={"NATS_CA": "/nowhere.pem"}).build_options()


# Builds that meet

OBJECT = {"type": "object", "properties": {"id": {"type": "integer"}}, "required": ["id"]}
TEXT_ID = {"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]}
WIDER = {"type": "object", "properties": {"id": {"type": "integer"}, "note": {"type": "string"}}, "required": ["id"]}


def test_a_changed_contract_is_named_with_its_proof() -> None:
    """Both directions count, because both builds send and hear."""
    old = BuildContracts("a", {"/Order/Created": OBJECT}, {"Shop.order": {"input": OBJECT, "output": None}})
    new = BuildContracts("b", {"/Order/Created": TEXT_ID}, {})
    found = find_breaking_changes(old, new)
    assert found[0].startswith("The contract of /Order/Created changed:")
    assert '{"id":' in found[0]
    assert found[1].startswith("Shop.order is gone")
    assert find_breaking_changes(old, BuildContracts("c", {"/Order/Created": WIDER}, dict(old.methods))) == []
    assert find_breaking_changes(old, BuildContracts("a", {}, {})) == []


# Over a server


@pytest.fixture(scope="module")
def server():
    if not needs_nats.args[0]:
        with NatsServer() as one:
            yield one
    else:
        yield None


@pytest.fixture
def space(server):
    return BusSettings(server.url(f"n{next(_numbers)}"), ack_wait_s=1.5, lease_s=60.0)


def consumer(durable, handle, node="B", attempts=1):
    async def ahandle(event, attempt=1):
        return handle(event, attempt)

    return Consumer(durable, durable.split()[-1], node, True, attempts, 1, ahandle)


def build(places=None, contracts=None, alone=None, keeps=(), beside=False):
    return SharedBuild(contracts or BuildContracts("d", {}, {}), places or {}, alone or {}, frozenset(keeps), beside)


@contextlib.asynccontextmanager
async def opened(*transports):
    try:
        for one in transports:
            await one.open()
            await one.start()
        yield
    finally:
        for one in transports:
            await one.drain(5.0)
            await one.close()


async def eventually(true, bound_s=60.0):
    end = time.monotonic() + bound_s
    while not true():
        assert time.monotonic() < end, "it did not come true"
        await asyncio.sleep(0.01)


@needs_nats
def test_nobody_there_is_a_clear_error():
    """The address is named, its password is not."""
    transport = NatsTransport(BusSettings("nats://u:secret@127.0.0.1:1/x", connect_s=1.0))
    with pytest.raises(TransportDown, match=r"127\.0\.0\.1:1") as told:
        bounded_run(transport.open())
    assert "secret" not in str(told.value)


@needs_nats
def test_what_is_published_waits_for_a_handler_that_comes_later(space):
    """The build says which handlers belong to it, so nothing is lost before the first of them runs."""
    seen = []

    async def run():
        place = {"B.on /T": "/T"}
        first = NatsTransport(space, build=build(place))
        async with opened(first):
            await first.apublish(Event("e1", "/T", "A", {"n": 1}))
            await first.apublish(Event("e1", "/T", "A", {"n": 1}))  # the same id: the server keeps one
        second = NatsTransport(space, build=build(place))
        second.consume(consumer("B.on /T", lambda event, attempt: seen.append(event.event_id) or DONE))
        async with opened(second):
            await eventually(lambda: seen)
            await asyncio.sleep(0.2)

    bounded_run(run())
    assert seen == ["e1"]


@needs_nats
def test_events_under_way_survive_a_restart_of_the_server():
    """`kill -9` of the server in the middle: everything confirmed arrives, under its own id, in order."""
    seen: list[str] = []

    async def run(server):
        space = BusSettings(server.url(), ack_wait_s=1.5)
        transport = NatsTransport(space, build=build({"B.on /T": "/T"}))
        transport.consume(consumer("B.on /T", lambda event, attempt: seen.append(event.event_id) or DONE))
        async with opened(transport):
            handed = [transport.publish(Event(f"e{n}", "/T", "A", {"n": n})) for n in range(500)]
            await eventually(lambda: len(seen) > 20)
            server.kill()
            handed += [transport.publish(Event(f"e{n}", "/T", "A", {"n": n})) for n in range(500, 1000)]
            await asyncio.sleep(0.3)
            await asyncio.to_thread(server.start)
            done = await asyncio.wait_for(asyncio.gather(*map(asyncio.wrap_future, handed)), 60)
            assert len(done) == 1000
            await eventually(lambda: len(set(seen)) == 1000, 60)

    with NatsServer() as server:
        bounded_run(run(server))
    once = list(dict.fromkeys(seen))
    assert once == [f"e{n}" for n in range(1000)]


@needs_nats
def test_a_full_store_refuses_and_forgets_nothing():
    """The publisher is told, or waits until there is room; what was stored before is handled."""
    seen: list[str] = []

    async def run(server):
        space = BusSettings(server.url(), max_bytes=30_000, give_up_s=1.0)
        place = {"B.on /T": "/T"}
        first = NatsTransport(space, build=build(place))
        async with opened(first):
            handed = [first.publish(Event(f"e{n}", "/T", "A", {"n": "x" * 500})) for n in range(80)]
            results = await asyncio.gather(*map(asyncio.wrap_future, handed), return_exceptions=True)
        stored = [f"e{n}" for n, result in enumerate(results) if result is None]
        refused = [result for result in results if result is not None]
        assert stored
        assert refused
        assert all(isinstance(one, TransportDown) for one in refused)
        assert "maximum bytes" in str(refused[0])
        second = NatsTransport(space, build=build(place))
        second.consume(consumer("B.on /T", lambda event, attempt: seen.append(event.event_id) or DONE))
        async with opened(second):
            await eventually(lambda: len(seen) >= len(stored))
            await second.apublish(Event("after", "/T", "A", {}))  # there is room again
            await eventually(lambda: "after" in seen)
        assert set(stored) <= set(seen)

    with NatsServer() as server:
        bounded_run(run(server))


@needs_nats
def test_a_dead_letter_is_listed_retried_and_gone(space):
    """Once for each event and handler; a retry goes to a process that runs the node, and says what came of it."""
    broken = [True]

    def handle(event, attempt):
        return Verdict(Ruling.DEAD, ValueError("poison"), attempts=attempt) if broken else DONE

    letters = BusDeadLetters(space)

    async def run():
        transport = NatsTransport(space, build=build({"B.on /T": "/T"}))
        transport.consume(consumer("B.on /T", handle))
        async with opened(transport):
            for n in range(3):
                await transport.apublish(Event(f"e{n}", "/T", "A", {"n": n}))
            while len(await asyncio.to_thread(letters.list_all)) < 3:
                await asyncio.sleep(0.05)
            listed = await asyncio.to_thread(letters.list_all)
            assert [(one.subscriber, one.event["payload"], one.error) for one in listed] == [
                ("B.on", {"n": n}, "poison") for n in range(3)
            ]
            failed = await asyncio.to_thread(letters.retry, listed[:1])
            assert [why for _, why in failed] == ["ValueError: poison"]
            broken.clear()
            assert await asyncio.to_thread(letters.retry, listed[:1]) == []
            assert [one.id for one in await asyncio.to_thread(letters.list_all)] == [one.id for one in listed[1:]]
        failed = await asyncio.to_thread(letters.retry, listed[1:2])
        assert failed[0][1].startswith("no process on this bus runs B.on")
        assert await asyncio.to_thread(letters.purge, [one.id for one in listed]) == 2

    bounded_run(run())


async def answer(message, timeout_s):
    return None


class Counter:
    """A node that counts, as far as a place needs one."""

    def __init__(self):
        self.count = 0

    def get_state(self):
        return {"count": self.count}

    def set_state(self, state):
        self.count = state["count"]


@needs_nats
def test_a_node_with_state_runs_in_one_process_and_its_state_goes_on(space):
    """Two processes run it, one has its events; when that one stops, the other goes on from its count."""

    def transport(node):
        made = NatsTransport(space, build=build({"C.on /T": "/T"}, alone={"C": "it keeps state"}, keeps=["C"]))
        made.reply(Responder("C", answer, node))

        def handle(event, attempt):
            node.count += 1
            return DONE

        made.consume(consumer("C.on /T", handle, node="C"))
        return made

    async def run():
        nodes = Counter(), Counter()
        first, second = map(transport, nodes)
        async with opened(second), opened(first):
            for n in range(10):
                await first.apublish(Event(f"e{n}", "/T", "A", {}))
            await eventually(lambda: sum(node.count for node in nodes) == 10)
            await asyncio.sleep(0.3)
            assert sorted(node.count for node in nodes) == [0, 10]
        third = Counter()
        async with opened(transport(third)) as _:
            await eventually(lambda: third.count == 10)

    bounded_run(run())


@needs_nats
def test_a_holder_that_was_paused_writes_nothing_over_the_next(space):
    """It missed its lease without knowing: its state is not stored, and its event counts for the new holder."""
    place = {"C.on /T": "/T"}
    space = dataclasses.replace(space, lease_s=3.0)  # long enough to be renewed on a busy machine

    async def run():
        old, new = Counter(), Counter()
        made = []
        for node in (old, new):
            transport = NatsTransport(space, build=build(place, alone={"C": "state"}, keeps=["C"]))
            transport.reply(Responder("C", answer, node))

            def handle(event, attempt, node=node):
                node.count += 1
                return DONE

            transport.consume(consumer("C.on /T", handle, node="C"))
            made.append(transport)
        first, second = made
        async with opened(first):
            await first.apublish(Event("e0", "/T", "A", {}))
            await eventually(lambda: old.count == 1)
            await eventually(lambda: not any(feed.is_busy for feed in first._feeds.values()))
            held = first._places["C"]
            held._task.cancel()  # as a process that stands still: it believes that it holds the node
            async with opened(second):
                await eventually(lambda: "C" in second._places and second._places["C"].held)
                assert new.count == 1
                fenced = held.build_fenced_handler(consumer("C.on /T", lambda event, attempt: DONE, node="C"))
                verdict = await fenced(Event("late", "/T", "A", {}))
                assert verdict.ruling is Ruling.STOPPED
                assert not held.held

    bounded_run(run())


@needs_nats
def test_an_event_counts_once_in_a_state_however_late_and_often_it_comes_again(space):
    """Published again after hundreds of others, to a server that forgot its id; and brought twice at the same time."""
    space = dataclasses.replace(space, duplicates_s=0.2)

    def transport(node):
        made = NatsTransport(space, build=build({"C.on /T": "/T"}, alone={"C": "it keeps state"}, keeps=["C"]))
        made.reply(Responder("C", answer, node))
        made.consume(consumer("C.on /T", node.count_one, node="C"))
        return made

    class Counting(Counter):
        def count_one(self, event, attempt):
            self.count += 1
            return DONE

    async def run():
        first, second = Counting(), Counting()
        bus = transport(first)
        async with opened(bus):
            for n in range(600):
                await bus.apublish(Event(f"e{n}", "/T", "A", {}))
            await eventually(lambda: first.count == 600)
            await asyncio.sleep(0.5)
            await bus.apublish(Event("e3", "/T", "A", {}))
            await bus.apublish(Event("new", "/T", "A", {}))
            await eventually(lambda: first.count == 601)
            fenced = bus._places["C"].build_fenced_handler(consumer("C.on /T", first.count_one, node="C"))
            twice = Event("twice", "/T", "A", {})
            assert await asyncio.gather(fenced(twice), fenced(twice)) == [DONE, DONE]
            assert first.count == 602
        bus = transport(second)
        async with opened(bus):
            await eventually(lambda: second.count == 602)
            await bus.apublish(Event("e5", "/T", "A", {}))
            await bus.apublish(Event("newer", "/T", "A", {}))
            await eventually(lambda: second.count == 603)

    bounded_run(run())


@needs_nats
def test_a_build_that_does_not_fit_is_refused_and_may_run_beside(space):
    """The proof is in the message; beside, it has consumers of its own; one that fits shares them."""
    old = BuildContracts("old", {"/T": OBJECT}, {})
    new = BuildContracts("new12345", {"/T": TEXT_ID}, {})
    wider = BuildContracts("wider", {"/T": WIDER}, {})
    seen = {"old": [], "beside": []}

    def transport(name, contracts, beside=False):
        made = NatsTransport(space, build=build({"B.on /T": "/T"}, contracts, beside=beside))
        made.consume(consumer("B.on /T", lambda event, attempt: seen[name].append(event.event_id) or DONE))
        return made

    async def run():
        first = transport("old", old)
        async with opened(first):
            with pytest.raises(ContractChanged, match="The contract of /T changed"):
                await transport("beside", new).open()
            beside = transport("beside", new, beside=True)
            async with opened(beside):
                await first.apublish(Event("e1", "/T", "A", {"id": 1}))
                await beside.apublish(Event("e2", "/T", "A", {"id": "x"}))
                await eventually(lambda: seen["old"] and seen["beside"])
                await asyncio.sleep(0.1)
            assert seen == {"old": ["e1"], "beside": ["e2"]}
            shares = NatsTransport(space, build=build({"B.on /T": "/T"}, wider))
            async with opened(shares):
                await shares.apublish(Event("e3", "/T", "A", {"id": 2}))
                await eventually(lambda: "e3" in seen["old"])

    bounded_run(run())


# Whole commands


def built(tmp_path, name):
    """A build of a copy of an example: where it stands in this checkout, a build reads all of that, too."""
    target, copy = tmp_path / ".graphbus", tmp_path / name
    shutil.copytree(
        EXAMPLES / name, copy, ignore=shutil.ignore_patterns(".graphbus", "__pycache__"), dirs_exist_ok=True
    )
    assert main(["build", str(copy / "agents"), "--output-dir", str(target)]) == 0
    return target


def graphbus(*args, **more):
    return forking.Popen(
        [sys.executable, "-m", "graphbus_core.cli.main", *map(str, args)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        **more,
    )


@contextlib.contextmanager
def waiting(*args):
    """A command that runs until it is stopped; given when it says that it is ready."""
    process = graphbus("run", *args, "--wait", "--json")
    try:
        said = line(process)
        assert "ready" in said, (said, process.communicate(timeout=60))
        yield process
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            process.communicate(timeout=60)
        finally:
            ended(process)


@needs_nats
@pytest.mark.timeout(400)  # it starts processes, on a machine that may be busy
def test_hello_runs_over_nats_unchanged_in_two_processes(space, tmp_path):
    """One process has the guest book, another greets; a third asks what is in it."""
    artifacts = built(tmp_path, "hello")
    with waiting(artifacts, "--bus", space.url, "--nodes", "GuestBook"):
        asks = graphbus(
            *("run", artifacts, "--bus", space.url, "--nodes", "Greeter"),
            *("--publish", "/Hello/Asked", "--payload", '{"name": "Ada"}'),
        )
        try:
            _out, err = asks.communicate(timeout=120)
        finally:
            ended(asks)
        assert asks.returncode == 0, err

        with RuntimeExecutor(artifacts, nodes=["Greeter"], transport=create_transport(space.url, artifacts)) as reader:

            def read():
                return reader.call_method("GuestBook", "read")

            end = time.monotonic() + 200  # against a hang: each of the processes may have to wait for a processor
            while read() != {"greetings": ["Hello, Ada!"]}:
                assert time.monotonic() < end, read()
                time.sleep(0.05)


@needs_nats
@pytest.mark.timeout(400)
def test_a_run_that_publishes_does_not_end_before_its_own_handlers(space, tmp_path):
    """The guest book runs in one place, so its events begin to come a moment after the start: they are waited for."""
    artifacts = built(tmp_path, "hello")
    for node, topic, payload, said in (
        ("GuestBook", "/Hello/Greeted", '{"message": "Hi"}', "/Hello/Greeted: 1 published, 1 delivered"),
        ("Greeter", "/Hello/Greeted", '{"message": "Ho"}', "/Hello/Greeted: 1 published, for other processes"),
    ):
        one = graphbus(
            *("run", artifacts, "--bus", space.url, "--nodes", node, "--stop-timeout", "60"),
            *("--publish", topic, "--payload", payload),
        )
        try:
            out, err = one.communicate(timeout=180)
        finally:
            ended(one)
        assert one.returncode == 0, err
        assert said in out.splitlines()


BENCHMARK = Path(__file__).parents[2] / "benchmarks" / "nats.py"
STEPS = [("FetcherService", "fetch_headlines"), ("CleanerService", "clean"), ("FormatterService", "format_digest")]


@needs_nats
@pytest.mark.parametrize("name", ["news_pipeline", "seed_negotiation"])
def test_the_pipelines_give_the_same_over_nats_as_in_one_process(space, tmp_path, name):
    """Each step is called from a runtime that does not run it; every result is that of one process."""
    artifacts = built(tmp_path, name)
    feed = {"source": str(EXAMPLES / "news_pipeline" / "feeds" / "harbour_rss.xml")} if name == "news_pipeline" else {}

    def results(runtime, kinds):
        payload, made = feed, []
        for node, method in STEPS:
            wanted = inspect.signature(getattr(kinds.get_node(node), method)).parameters
            try:
                payload = runtime.call_method(node, method, **{k: v for k, v in payload.items() if k in wanted})
            except TypeError as error:  # before its negotiation the pipeline does not fit, and says so alike
                return [*made, str(error)]
            made.append(payload)
        return made

    with RuntimeExecutor(artifacts) as alone:
        expected = results(alone, alone)
        transports = [create_transport(space.url, artifacts) for _ in range(2)]
        nodes = {agent.name for agent in alone.agent_definitions}
        caller = nodes - {"FetcherService", "CleanerService", "FormatterService"} or {"FormatterService"}
        with (
            RuntimeExecutor(artifacts, nodes=nodes - caller, transport=transports[0]),
            RuntimeExecutor(artifacts, nodes=caller, transport=transports[1]) as runtime,
        ):
            assert results(runtime, alone) == expected
    assert len(expected) >= 2
    assert expected[0]["headlines"]


@needs_nats
@pytest.mark.timeout(400)
def test_workers_start_again_where_one_dies_and_stop_together(space, tmp_path):
    """Three processes; one is killed and comes back; SIGTERM ends them all."""
    artifacts = built(tmp_path, "hello")
    whole = graphbus("run", artifacts, "--bus", space.url, "--workers", "2", "--json")
    try:
        first = json.loads(line(whole))
        assert first["ready"] == ["Greeter", "GuestBook"]
        assert json.loads(line(whole))["ready"] == ["Greeter", "GuestBook"]
        children = Path(f"/proc/{whole.pid}/task/{whole.pid}/children").read_text().split()
        assert len(children) == 2
        os.kill(int(children[0]), signal.SIGKILL)
        assert json.loads(line(whole))["ready"] == ["Greeter", "GuestBook"]
        whole.send_signal(signal.SIGTERM)
        assert whole.wait(60) == 0
        for child in children:
            assert not Path(f"/proc/{child}").exists()
    finally:
        ended(whole)


def test_workers_without_a_bus_are_bad_usage(tmp_path, capsys):
    """Processes that share nothing would do everything twice."""
    artifacts = built(tmp_path, "hello")
    assert main(["run", str(artifacts), "--workers", "2"]) == 2
    assert "--workers needs a bus" in capsys.readouterr().err
    assert main(["run", str(artifacts), "--bus", "kafka://x"]) == 2
    assert "not a bus that GraphBus knows" in capsys.readouterr().err


def test_a_future_of_a_closed_outbox_fails():
    """Nobody waits for what can no longer be sent."""
    from graphbus_core.runtime.transports.nats.outbox import Outbox

    loop = asyncio.new_event_loop()
    loop.close()
    sent = Outbox(loop).submit("s", b"", {})
    assert isinstance(sent, futures.Future)
    with pytest.raises(TransportDown):
        sent.result(5)


@needs_nats
@pytest.mark.timeout(400)
def test_killed_again_and_again_nothing_is_lost(tmp_path):
    """The benchmark's matrix with few kills: workers, publisher, server, network, a full store."""
    matrix = subprocess.Popen(
        [sys.executable, str(BENCHMARK), "kills", "--kills", os.environ.get("GRAPHBUS_NATS_KILLS", "5")],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,  # so that its server and workers end with it
    )
    try:
        out, _ = matrix.communicate(timeout=360)
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(matrix.pid, signal.SIGKILL)
        ended(matrix)
    assert matrix.returncode == 0, out
    assert "lost 0; under a second id 0" in out


@pytest.mark.parametrize(
    ("code", "refusals", "made"), [(10065, 2, True), (10058, 2, True), (10065, 99, False), (1, 1, False)]
)
def test_a_space_that_another_process_makes_at_the_same_moment_is_no_error(code, refusals, made):
    """The server says so while it is still at the other's: those subjects overlap, or that name is in use."""
    from nats.js.errors import BadRequestError, NotFoundError

    class Server:
        def __init__(self):
            self.left = refusals

        def jetstream(self, timeout):
            return self

        async def stream_info(self, name):
            raise NotFoundError(code=404)

        async def add_stream(self, config):
            self.left -= 1
            if self.left >= 0:
                raise BadRequestError(code=400, err_code=code, description="subjects overlap")

        async def create_key_value(self, **given):
            return given["bucket"]

    names = SpaceNames("orders")
    asked = prepare(Server(), BusSettings.from_environment("nats://127.0.0.1:1/orders"), names)
    with contextlib.nullcontext() if made else pytest.raises(TransportDown, match="subjects overlap"):
        assert asyncio.run(asked)[1] == names.bucket
