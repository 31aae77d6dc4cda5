"""A replay gives the state of the run: what nodes did by themselves is not done twice, what was refused is not done."""

import contextlib
import json
from enum import StrEnum
from typing import NamedTuple

import pytest

from graphbus_core.config import RuntimeConfig
from graphbus_core.errors import BadPayload, ConfigError, LogDamaged, PayloadRejected, UsageError
from graphbus_core.runtime import RuntimeExecutor
from graphbus_core.runtime.message_bus import MessageBus
from graphbus_core.runtime.middleware import Logging, Redaction
from graphbus_core.runtime.persistence.journal import Journal, read_journal, read_payload_checks
from graphbus_core.runtime.persistence.replay import replay

COUNTING = {
    "agents/n.py": """
        import asyncio
        from graphbus_core import GraphBusNode, depends_on, publishes, schema_method, subscribe


        class Counter(GraphBusNode):
            def __init__(self):
                self.n = 0

            @subscribe("/Up")
            def on_up(self, payload):
                self.n += payload["n"]

            @schema_method(input_schema={"n": int})
            @subscribe("/Typed")
            def on_typed(self, payload):
                self.n += 100

            @schema_method(input_schema={"n": int}, output_schema={"n": int})
            def add(self, n):
                self.n += 1000
                return {"n": self.n}

            def get_state(self):
                return {"n": self.n}


        @depends_on("Counter")
        class Starter(GraphBusNode):
            HOW

            @publishes("/Up", {"n": int})
            def up(self):
                pass
    """
}
SYNC = """
            def on_start(self):
                self.publish("/Up", {"n": 1})
                self.call("Counter", "add", n=1)

            def on_stop(self):
                self.publish("/Up", {"n": 5})
"""
ASYNC = """
            async def on_start(self):
                await self.apublish("/Up", {"n": 1})
                await self.acall("Counter", "add", n=1)
                self.later = asyncio.create_task(self.soon())

            async def soon(self):
                await self.apublish("/Up", {"n": 2})

            async def on_stop(self):
                await self.apublish("/Up", {"n": 5})
"""


def build(make_build, how):
    return make_build({"agents/n.py": COUNTING["agents/n.py"].replace("            HOW\n", how)})


@pytest.mark.parametrize("how", [SYNC, ASYNC], ids=["sync", "async"])
def test_what_a_node_does_when_it_starts_or_stops_is_not_played_as_well(make_build, tmp_path, how):
    folder = build(make_build, how)
    with RuntimeExecutor(RuntimeConfig(artifacts_dir=str(folder), journal=str(tmp_path / "j"))) as first:
        first.publish("/Up", {"n": 10})
        first.bus.drain(5)
    records = list(read_journal(tmp_path / "j"))
    assert {r.hook for r in records if r.cause is None} == {"on_start", "on_stop", None}
    with RuntimeExecutor(str(folder)) as second:
        done = replay(read_journal(tmp_path / "j"), second)
    assert (done.events, done.calls) == (1, 0)
    assert second.nodes["Counter"].n == first.nodes["Counter"].n


def test_what_enforced_checks_refused_is_in_no_replay(make_build, tmp_path):
    folder = build(make_build, SYNC)
    config = RuntimeConfig(artifacts_dir=str(folder), journal=str(tmp_path / "j"), payload_checks="enforce")
    with RuntimeExecutor(config) as first:
        for topic in ("/Up", "/Typed"):
            with contextlib.suppress(PayloadRejected):
                first.publish(topic, {"n": "many"})
        with pytest.raises(PayloadRejected):
            first.call_method("Counter", "add", n="many")
        first.publish("/Up", {"n": 10})
    assert read_payload_checks(tmp_path / "j") == "enforce"
    assert sum(r.refused for r in read_journal(tmp_path / "j")) == 2  # the handler's own check is the handler's matter
    with RuntimeExecutor(RuntimeConfig(artifacts_dir=str(folder), payload_checks="enforce")) as second:
        done = replay(read_journal(tmp_path / "j"), second)
    assert done.refused == 2
    assert second.nodes["Counter"].n == first.nodes["Counter"].n


class Point(NamedTuple):
    x: int


class Kind(StrEnum):
    ONE = "one"


@pytest.mark.parametrize(
    "bad",
    [
        {1: "a", "1": "b"},
        {"x": (1, 2)},
        {"x": [{"y": Point(1)}]},
        {"x": {None: 1}},
        {"x": float("nan")},
        {"x": {True: 1}},
    ],
)
@pytest.mark.parametrize("hidden", [(), ("password",)])
def test_a_payload_that_would_come_back_as_another_is_refused(tmp_path, bad, hidden):
    bus = MessageBus(journal=Journal(tmp_path / "j"))
    bus.use(Redaction(*hidden))
    with pytest.raises(BadPayload, match=r"'/T' cannot be written to the journal: .*payloads must be JSON"):
        bus.publish("/T", bad)
    assert list(read_journal(tmp_path / "j")) == []


def test_a_context_that_would_come_back_as_another_is_refused(shop, tmp_path):
    with RuntimeExecutor(RuntimeConfig(artifacts_dir=str(shop), journal=str(tmp_path / "j"))) as executor:
        with pytest.raises(BadPayload, match=r"context that Inventory.check_stock .* tuple"):
            executor.request("Inventory", "check_stock", {"sku": "apple"}, context={"user": (1, 2)})
        assert executor.request("Inventory", "check_stock", {"sku": "apple"}, context={"user": [1, 2]})


def test_a_payload_that_comes_back_equal_is_kept(tmp_path):
    bus = MessageBus(journal=Journal(tmp_path / "j"))
    good = {"x": [1, 2.5, None, True, {"y": Kind.ONE}], "z": {}}
    bus.publish("/T", good)
    assert [r.data["payload"] for r in read_journal(tmp_path / "j")] == [good]


HEADER = '{"journal": "graphbus", "version": 1}\n'
EVENT = {"event_id": "e", "topic": "/T", "src": "x", "timestamp": 1.0, "cause": None, "payload": {}}


@pytest.mark.parametrize(
    ("text", "error", "says"),
    [
        ('{"journal":"graphbus"}\n', UsageError, "not a journal"),
        ('{"journal":"graphbus","version":"9"}\n', UsageError, "not a journal"),
        ('{"journal":"graphbus","version":9}\n', UsageError, "version 9"),
        ("[" * 100_000 + "\n", UsageError, "not a journal"),
        (HEADER + '{"event":{"event_id":"x"}}\n', LogDamaged, "line 2, is damaged: event has no text 'topic'"),
        (HEADER + '{"event":[]}\n', LogDamaged, "line 2"),
        (HEADER + '{"note":{}}\n', LogDamaged, "unknown kind 'note'"),
        (HEADER + "[" * 100_000 + "\n", LogDamaged, "line 2"),
        *[
            (HEADER + json.dumps({"event": {**EVENT, field: wrong}}) + "\n", LogDamaged, field)
            for field, wrong in (("payload", []), ("timestamp", "now"), ("cause", 3), ("src", None))
        ],
    ],
)
def test_a_journal_that_is_none_is_named_with_its_line(tmp_path, text, error, says):
    (tmp_path / "j").write_text(text)
    with pytest.raises(error, match=says):
        list(read_journal(tmp_path / "j"))


def test_a_journal_of_an_earlier_version_is_read(tmp_path):
    (tmp_path / "j").write_text(HEADER + json.dumps({"event": EVENT}) + "\n")
    (record,) = read_journal(tmp_path / "j")
    assert (record.data["topic"], record.hook, record.refused) == ("/T", None, False)
    assert read_payload_checks(tmp_path / "j") == "off"


def test_a_journal_without_a_bus_is_refused(shop, tmp_path):
    with pytest.raises(ConfigError, match="journal"):
        RuntimeExecutor(RuntimeConfig(artifacts_dir=str(shop), journal=str(tmp_path / "j"), enable_message_bus=False))
    assert not (tmp_path / "j").exists()


def test_hidden_fields_of_direct_calls_are_hidden_in_the_journal_and_reach_the_method(shop, tmp_path):
    config = RuntimeConfig(artifacts_dir=str(shop), journal=str(tmp_path / "j"))
    with RuntimeExecutor(config, middleware=[Redaction("sku", "user")]) as executor:
        assert executor.request("Inventory", "check_stock", {"sku": "apple"}, context={"user": "ada"})["left"] == 3
    text = (tmp_path / "j").read_text()
    assert "check_stock" in text
    assert "apple" not in text
    assert "ada" not in text


@pytest.mark.parametrize("first", [True, False])
def test_the_log_of_events_hides_what_another_middleware_hides(caplog, first):
    """The docs' own line: `[Redaction("password"), Logging()]`, in either order."""
    caplog.set_level("INFO", "graphbus.events")
    bus = MessageBus()
    got = []
    bus.subscribe("/T", got.append, "x")
    for middleware in [Redaction("password"), Logging()][:: 1 if first else -1]:
        bus.use(middleware)
    bus.publish("/T", {"user": "ada", "password": "hunter2"})
    assert got[0].payload["password"] == "hunter2"
    assert "ada" in caplog.text
    assert "hunter2" not in caplog.text
