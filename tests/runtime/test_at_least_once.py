"""At least once per (event, handler) where a journal is on: after any death, and exactly once in a node's state."""

import json
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from graphbus_core.config import RuntimeConfig
from graphbus_core.errors import Locked
from graphbus_core.model.message import Event
from graphbus_core.runtime import RuntimeExecutor
from graphbus_core.runtime.message_bus import MessageBus
from graphbus_core.runtime.persistence.delivery_log import DeliveryLog, read_unfinished
from graphbus_core.runtime.persistence.journal import Journal, read_journal
from graphbus_core.runtime.persistence.run_store import Recovery, RunStore
from tests.runtime.bounded import joined

BENCHMARK = Path(__file__).parents[2] / "benchmarks" / "delivery.py"


class Died(KeyboardInterrupt):
    """The process dies here, as far as a test in one process can have it."""


def crashed(path, handlers, events, dies):
    """Publish `events` with `handlers`; the run dies where `dies(name, event)` says so. What was delivered."""
    journal = Journal(path)
    bus = MessageBus(journal=journal)
    got = []
    connect(bus, handlers, got, dies)
    try:
        for topic, payload in events:
            bus.publish(topic, payload)
    except Died:
        pass
    journal.close()  # without `DeliveryLog.close`: what was not written is lost
    # It is delivered again: who retried a dead letter of it would deliver it twice.
    assert not any(letter.reason == "stopped" for letter in bus.dead_letters)
    return got


def connect(bus, handlers, got, dies=lambda name, event: False):
    for name, (topic, says) in handlers.items():

        def handler(event, name=name, says=says):
            got.append((name, event.payload["n"], event.event_id))
            if says:
                bus.publish(says, event.payload)
            if dies(name, event):
                raise Died

        bus.subscribe(topic, handler, name)


def recovered(path, handlers):
    """What the next run delivers again, and how much is left after it."""
    ledger = DeliveryLog(Journal(path))
    bus = MessageBus(journal=ledger)
    got = []
    connect(bus, handlers, got)
    recovery = Recovery(path)
    recovery.deliver(bus, ledger)
    recovery.finish(ledger)
    ledger.close()
    return got


CHAIN = {"a": ("/In", "/Out"), "b": ("/In", None), "c": ("/Out", None)}


@pytest.mark.parametrize("dying", ["a", "b", "c"])
@pytest.mark.parametrize("at", [0, 1, 4])
def test_what_a_crash_left_undone_is_delivered_with_its_id(tmp_path, dying, at):
    events = [("/In", {"n": n}) for n in range(5)]
    path = tmp_path / "j"
    before = crashed(path, CHAIN, events, lambda name, event: (name, event.payload["n"]) == (dying, at))
    after = recovered(path, CHAIN)
    for who in CHAIN:
        for n in range(at + 1):
            ids = {i for name, m, i in before + after if (name, m) == (who, n)}
            assert len(ids) == 1, (who, n)  # nothing is lost, and what came twice has one id
    assert read_unfinished(path) == ({}, [])
    assert recovered(path, CHAIN) == []
    lines = [r.id for r in read_journal(path)]
    assert len(lines) == len(set(lines))  # nothing was published twice


def test_who_has_an_event_is_not_given_it_again(tmp_path):
    """Its `done` stands in the journal as soon as the next line is written."""
    path = tmp_path / "j"
    handlers = {"a": ("/In", None), "b": ("/In", "/Out")}  # b's publication writes a's `done`
    before = crashed(path, handlers, [("/In", {"n": 1})], lambda name, event: name == "b")
    after = recovered(path, handlers)
    assert [name for name, _, _ in before] == ["a", "b"]
    assert [name for name, _, _ in after] == ["b"]


def test_a_handler_that_failed_for_good_is_done_and_a_new_one_gets_nothing_old(tmp_path):
    path = tmp_path / "j"
    ledger = DeliveryLog(Journal(path))
    bus = MessageBus(journal=ledger)
    bus.subscribe("/T", lambda e: 1 / 0, "bad")
    bus.publish("/T", {"n": 1})
    ledger.close()
    assert len(bus.dead_letters) == 1
    assert recovered(path, {"bad": ("/T", None), "new": ("/T", None)}) == []


def test_refused_dropped_and_unheard_events_are_over(tmp_path):
    path = tmp_path / "j"
    ledger = DeliveryLog(Journal(path))
    bus = MessageBus(journal=ledger)
    bus.use(lambda event, next: next(event) if event.payload["n"] else None)
    bus.subscribe("/T", lambda e: None, "h")
    for topic, n in (("/T", 0), ("/T", 1), ("/Nobody", 2)):
        bus.publish(topic, {"n": n})
    ledger.close()
    assert read_unfinished(path) == ({}, [])


def test_two_runs_on_one_journal_are_refused(tmp_path):
    first = Journal(tmp_path / "j")
    with pytest.raises(Locked, match=r"another run \(process \d+\)"):
        Journal(tmp_path / "j")
    first.close()
    Journal(tmp_path / "j").close()


class TestRotation:
    def test_a_journal_that_grows_is_begun_anew_with_what_is_not_done(self, tmp_path):
        path = tmp_path / "j"
        ledger = DeliveryLog(Journal(path, max_bytes=4_000))
        bus = MessageBus(journal=ledger)
        open_, over = threading.Event(), threading.Event()

        def slow(event):
            if event.payload["n"] == 0:
                open_.set()
                over.wait(10)

        bus.subscribe("/T", slow, "slow")
        thread = threading.Thread(daemon=True, target=bus.publish, args=("/T", {"n": 0}))
        thread.start()
        open_.wait(5)
        for n in range(1, 200):
            bus.publish("/T", {"n": n})
        assert path.stat().st_size < 9_000
        assert sorted(p.name for p in tmp_path.iterdir()) == ["j", "j.1", "j.2", "j.3", "j.lock"]
        unfinished = read_unfinished(path)[0]  # the last ones may be in it: their outcomes are not written yet
        first = min(unfinished, key=lambda event_id: unfinished[event_id].offset)
        assert unfinished[first].offset < 1_000
        assert first in path.read_text()
        over.set()
        joined(thread)
        ledger.close()
        assert read_unfinished(path) == ({}, [])

    def test_a_journal_that_was_renamed_is_begun_anew(self, tmp_path, monkeypatch):
        monkeypatch.setattr("graphbus_core.runtime.persistence.journal.LOOK_S", 0.0)
        monkeypatch.setattr("graphbus_core.runtime.persistence.journal.LOOK_EVERY", 1)
        path = tmp_path / "j"
        ledger = DeliveryLog(Journal(path))
        bus = MessageBus(journal=ledger)
        bus.publish("/T", {"n": 1})
        path.rename(tmp_path / "old")
        bus.publish("/T", {"n": 2})
        bus.publish("/T", {"n": 3})
        ledger.close()
        assert [r.data["payload"]["n"] for r in read_journal(tmp_path / "old")] == [1, 2]
        assert [r.data["payload"]["n"] for r in read_journal(path)] == [3]

    def test_a_crash_between_the_two_renames_loses_nothing(self, tmp_path):
        path = tmp_path / "j"
        ledger = DeliveryLog(Journal(path))
        MessageBus(journal=ledger).publish("/T", {"n": 1})
        ledger.close()
        path.rename(tmp_path / "j.new")
        (tmp_path / "j.1").write_text("the old one\n")
        Journal(path).close()
        assert [r.data["payload"]["n"] for r in read_journal(path)] == [1]


NODES = {
    "agents/keeper.py": """
        from pathlib import Path

        from graphbus_core import Event, GraphBusNode, subscribe


        class Keeper(GraphBusNode):
            SYSTEM_PROMPT = "I add up."

            def __init__(self):
                self.sum = 0

            @subscribe("/Add")
            def on_add(self, payload):
                self.sum += payload["n"]
                once = Path(payload.get("once", "."))
                if not once.exists():
                    once.touch()
                    raise KeyboardInterrupt

            def total(self):
                return self.sum

            def get_state(self):
                return {"sum": self.sum}

            def set_state(self, state):
                self.sum = state["sum"]
    """
}


SLOW = {
    "agents/slow.py": """
        import time
        from pathlib import Path

        from graphbus_core import GraphBusNode


        class Slow(GraphBusNode):
            SYSTEM_PROMPT = "I am never at rest."

            def work(self, folder):
                (Path(folder) / "begun").touch()
                end = time.monotonic() + 20
                while not (Path(folder) / "enough").exists() and time.monotonic() < end:
                    time.sleep(0.01)

            def get_state(self):
                return {"half": True}
    """
}


class TestState:
    """An event is done for a node with state only when a snapshot that holds it is on the disk."""

    @staticmethod
    def config(folder, tmp_path, **more):
        more = {"state_every_s": 1_000.0, **more}
        return RuntimeConfig(
            artifacts_dir=str(folder), journal=str(tmp_path / "j"), state_file=str(tmp_path / "s"), **more
        )

    def abandoned(self, executor):
        """As if the process had died: nothing more is written."""
        executor.keeping._snapshots.close()
        executor.journal.close()

    def test_without_a_snapshot_everything_is_delivered_again_to_the_old_state(self, make_build, tmp_path):
        folder = make_build(NODES)
        executor = RuntimeExecutor(self.config(folder, tmp_path))
        executor.start()
        for n in (1, 2, 3):
            executor.publish("/Add", {"n": n})
        self.abandoned(executor)
        with RuntimeExecutor(self.config(folder, tmp_path)) as again:
            assert again.call_method("Keeper", "total") == 6
            assert again.get_stats()["events_recovered"] == 3

    def test_a_snapshot_that_the_journal_does_not_know_of_holds_its_events(self, make_build, tmp_path, monkeypatch):
        """The crash comes between the snapshot and the `done` lines: the state says itself what it holds."""
        folder = make_build(NODES)
        executor = RuntimeExecutor(self.config(folder, tmp_path))
        executor.start()
        executor.publish("/Add", {"n": 1})
        monkeypatch.setattr(DeliveryLog, "confirm_saved", lambda self, held: None)
        executor.save_state()
        monkeypatch.undo()
        executor.publish("/Add", {"n": 2})
        self.abandoned(executor)
        assert len(read_unfinished(tmp_path / "j")[0]) == 2
        with RuntimeExecutor(self.config(folder, tmp_path)) as again:
            assert again.call_method("Keeper", "total") == 3
            assert again.get_stats()["events_recovered"] == 1
        assert json.loads((tmp_path / "s").read_text())["journal"]["held"] != []
        assert read_unfinished(tmp_path / "j") == ({}, [])

    def test_a_clean_stop_leaves_nothing_to_do(self, make_build, tmp_path):
        folder = make_build(NODES)
        for _ in range(2):
            with RuntimeExecutor(self.config(folder, tmp_path)) as executor:
                executor.publish("/Add", {"n": 5})
                assert executor.get_stats()["events_recovered"] == 0
        assert json.loads((tmp_path / "s").read_text())["nodes"] == {"Keeper": {"sum": 10}}

    def test_half_an_effect_is_not_saved(self, make_build, tmp_path):
        """What Ctrl-C cut off comes again, to the state before: its half stood in the last snapshot, and came twice."""
        config = self.config(make_build(NODES), tmp_path)
        with RuntimeExecutor(config) as executor:
            executor.publish("/Add", {"n": 1})
            executor.save_state()
            executor.publish("/Add", {"n": 2})
            with pytest.raises(KeyboardInterrupt):
                executor.publish("/Add", {"n": 4, "once": str(tmp_path / "once")})
        assert json.loads((tmp_path / "s").read_text())["nodes"] == {"Keeper": {"sum": 1}}
        with RuntimeExecutor(config) as again:
            assert again.call_method("Keeper", "total") == 7
            assert again.get_stats()["events_recovered"] == 2
        assert read_unfinished(tmp_path / "j") == ({}, [])

    def test_who_hangs_at_the_end_takes_nothing_from_the_others(self, make_build, tmp_path, monkeypatch):
        """What they had done was in the state that was saved, and came again all the same."""
        monkeypatch.setattr("graphbus_core.runtime.persistence.run_store.QUIET_S", 0.05)
        config = self.config(make_build(NODES | SLOW), tmp_path)
        executor = RuntimeExecutor(config)
        executor.start()
        executor.publish("/Add", {"n": 1})
        slow = threading.Thread(daemon=True, target=lambda: executor.call_method("Slow", "work", folder=str(tmp_path)))
        slow.start()
        for _ in range(1_000):
            if (tmp_path / "begun").exists():
                break
            time.sleep(0.01)
        executor.save_state()
        (tmp_path / "enough").touch()
        joined(slow)
        self.abandoned(executor)
        assert json.loads((tmp_path / "s").read_text())["nodes"] == {"Keeper": {"sum": 1}}
        with RuntimeExecutor(config) as again:
            assert again.call_method("Keeper", "total") == 1
            assert again.get_stats()["events_recovered"] == 0

    def test_snapshots_are_taken_under_load(self, make_build, tmp_path):
        folder = make_build(NODES)
        with RuntimeExecutor(self.config(folder, tmp_path, state_every_s=0.01)) as executor:
            threads = [
                threading.Thread(daemon=True, target=lambda: [executor.publish("/Add", {"n": 1}) for _ in range(300)])
                for _ in range(4)
            ]
            for t in threads:
                t.start()
            joined(*threads)
        assert json.loads((tmp_path / "s").read_text())["nodes"] == {"Keeper": {"sum": 1200}}


def test_hidden_fields_are_a_dead_letter_and_reach_no_handler(tmp_path):
    path = tmp_path / "j"
    journal = Journal(path)
    journal.write_event(Event("event_1", "/T", "me", {"n": 1, "password": "***"}))
    journal.close()
    ledger = DeliveryLog(Journal(path))
    bus = MessageBus(journal=ledger)
    bus.subscribe("/T", lambda e: pytest.fail("it is not what was published"), "h")
    Recovery(path).deliver(bus, ledger)
    ledger.close()
    assert [letter.redacted for letter in bus.dead_letters] == [True]
    assert read_unfinished(path) == ({}, [])


def test_killed_again_and_again_under_load():
    """The benchmark, with few kills: nothing acknowledged is lost, and a node's state is exact."""
    done = subprocess.run(
        [sys.executable, str(BENCHMARK), "kills", "--kills", "4"], capture_output=True, text=True, timeout=100
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "0 lost" in done.stdout


def test_lines_that_cannot_be_read_are_named(tmp_path):
    """Written over by something else: what stands in the other lines is delivered, and the run says what is not."""
    path = tmp_path / "j.jsonl"
    ledger = DeliveryLog(Journal(path))
    for n in range(5):
        ledger.record_event(Event(f"event_{n}", "/T", "me", {"n": n}), frozenset(["s /T"]))
    ledger.close()
    lines = path.read_bytes().splitlines(keepends=True)
    lines[2] = b"\xff\x00 not ours\n"
    lines[4] = lines[4].replace(b'"topic"', b'"topic', 1)
    path.write_bytes(b"".join(lines))
    found, damaged = read_unfinished(path)
    assert list(found) == ["event_0", "event_2", "event_4"]
    assert damaged == [3, 5]
    keeping = RunStore(RuntimeConfig(journal=str(path)))
    assert "2 lines" in keeping.damaged
    assert "the first is line 3" in keeping.damaged
    keeping.close()
