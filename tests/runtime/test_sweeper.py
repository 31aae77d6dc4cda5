"""The bus watches its own promise: what stands still is healed or told, what vanished is told, and nothing else is."""

import asyncio
import contextlib
import itertools
import time
import zlib
from dataclasses import replace

import pytest
from hypothesis import given, strategies as st

from graphbus_core.model.message import Event
from graphbus_core.runtime.subscriptions.subscriber import DONE, Ruling, Verdict
from graphbus_core.runtime.telemetry.prometheus import render_prometheus
from graphbus_core.runtime.transports.nats import dead_letters as dead_letters_module, transport as transport_module
from graphbus_core.runtime.transports.nats.connection import BusSettings
from graphbus_core.runtime.transports.nats.dead_letters import BusDeadLetters
from graphbus_core.runtime.transports.nats.sweeper import ConsumerReading, Remedy, Sweeper, Watch
from graphbus_core.runtime.transports.nats.transport import NatsTransport
from tests.runtime.bounded import run as bounded_run
from tests.runtime.nats_server import NatsServer, needs_nats
from tests.runtime.test_nats import build, consumer, eventually, opened

WAIT_S = 1.0
QUIET = ConsumerReading("c", "B.on /T", "t0", 0, 0, 0, 0, 0, 0, 0, False)
_numbers = itertools.count(1)


def watched(*readings, step_s=0.25, loses_events=False):
    watch, now, seen = Watch(WAIT_S, loses_events=loses_events), 0.0, []
    for reading in readings:
        seen.append((now, *watch.note(reading, now)))
        now += step_s
    return seen


def test_what_waits_and_does_not_move_is_healed_then_told_within_three_waits():
    seen = watched(*[replace(QUIET, stored=5, last_stored=5, pending=5)] * 20)
    heals = [(now, remedy) for now, _, remedy, _ in seen if remedy]
    alarms = [(now, alarm) for now, _, _, alarm in seen if alarm is not None]
    assert heals[:2] == [(1.0, Remedy.REBIND), (1.5, Remedy.RECREATE)]
    assert [(now, alarm.kind) for now, alarm in alarms] == [(2.0, "stands still")]  # once, and not at every look
    assert "5 events wait" in alarms[0][1].text
    assert seen[-1][1].still_s == 4.75


@pytest.mark.parametrize(
    "moving",
    [
        lambda n: replace(QUIET, pending=9, given_out=n),
        lambda n: replace(QUIET, pending=9, done=n),
        lambda n: replace(QUIET, pending=9, outcomes=n),
        lambda n: replace(QUIET, pending=9, busy=True),
        lambda n: QUIET,
    ],
)
def test_what_moves_or_works_or_has_nothing_to_do_is_left_alone(moving):
    assert not any(heal or alarm for _, _, heal, alarm in watched(*map(moving, range(30))))


def test_what_vanished_is_told_with_how_many_at_least():
    before = replace(QUIET, stored=50, last_stored=50, pending=40, given_out=10)
    (_, _, _, alarm) = watched(before, replace(before, pending=5, given_out=20))[1]
    assert (alarm.kind, "At least 25 events" in alarm.text) == ("vanished", True)
    (_, _, _, alarm) = watched(before, replace(before, last_stored=30), loses_events=True)[1]
    assert "went back from event 50 to 30" in alarm.text


def test_numbers_of_events_that_are_done_may_come_again():
    """Seen on 2.15.1 after kill -9: the last events were done and removed, and nothing was lost."""
    before = replace(QUIET, stored=0, last_stored=6725, done=6725)
    assert [alarm for *_, alarm in watched(before, replace(before, last_stored=6054, done=6054))] == [None, None]


STEPS = st.lists(st.sampled_from(["publish", "give", "again", "done", "restart"]), max_size=60)


@given(STEPS, st.integers(0, 10_000))
def test_no_history_of_a_server_that_loses_nothing_says_that_events_vanished(steps, seed):
    """Events are stored, given out, given out again, acknowledged; a restart forgets what it had given out."""
    stored, pending, given_out, unacknowledged = 0, 0, 0, 0
    watch = Watch(WAIT_S)
    for now, step in enumerate(steps):
        if step == "publish":
            stored, pending = stored + 1 + seed % 7, pending + 1 + seed % 7
        elif step == "give" and pending:
            pending, given_out, unacknowledged = pending - 1, given_out + 1, unacknowledged + 1
        elif step == "again" and unacknowledged:
            given_out += 1
        elif step == "done" and unacknowledged:
            unacknowledged -= 1
        elif step == "restart":
            pending, given_out, unacknowledged = pending + unacknowledged, given_out - unacknowledged, 0
        if (now + seed) % 3:
            continue  # between two looks
        reading = replace(
            QUIET, last_stored=stored, pending=pending, given_out=max(given_out, 0), unacknowledged=unacknowledged
        )
        alarm = watch.note(reading, now * 0.1)[2]
        assert alarm is None or alarm.kind != "vanished"


@pytest.fixture(scope="module")
def server():
    with NatsServer() as one:
        yield one


@pytest.fixture
def space(server):
    return BusSettings(server.url(f"w{next(_numbers)}"), ack_wait_s=WAIT_S)


def transport(space, seen):
    made = NatsTransport(space, build=build({"B.on /T": "/T"}))
    made.consume(consumer("B.on /T", lambda event, attempt: seen.append(event.event_id) or DONE))
    return made


@needs_nats
def test_a_feed_whose_request_was_lost_is_bound_anew(space):
    """The server never heard what was asked for, and the worker waits for ever: once. Now it asks again."""
    seen = []

    async def run():
        one = transport(space, seen)
        async with opened(one):
            (feed,) = one._feeds.values()
            for subscription in feed._subscriptions:
                await subscription.unsubscribe()  # answers go nowhere: the server sends, and nobody hears
            await one.apublish(Event("e1", "/T", "A", {}))
            await eventually(lambda: seen)
            assert one.get_watch()["healthy"]

    bounded_run(run())


@needs_nats
def test_a_consumer_that_is_gone_is_made_again_and_told(space):
    seen = []

    async def run():
        one = transport(space, seen)
        async with opened(one):
            await one.apublish(Event("e1", "/T", "A", {}))
            await eventually(lambda: seen == ["e1"])
            await one._js.delete_consumer(one.names.stream, one.names.build_consumer_name("B.on /T"))
            began = time.monotonic()
            await eventually(lambda: one.get_watch()["alarms"])
            assert time.monotonic() - began < 3 * WAIT_S
            assert "The consumer of B.on /T is gone" in one.get_watch()["alarms"][0]["text"]
            await one.apublish(Event("e2", "/T", "A", {}))
            await eventually(lambda: seen == ["e1", "e2"])

    bounded_run(run())


@needs_nats
def test_a_worker_that_cannot_be_healed_says_so_within_three_waits(space, monkeypatch):
    seen = []

    async def run():
        one = transport(space, seen)
        async with opened(one):
            (feed,) = one._feeds.values()
            for subscription in feed._subscriptions:
                await subscription.unsubscribe()

            async def cannot():
                pass

            monkeypatch.setattr(feed, "resume", cannot)
            await one.apublish(Event("e1", "/T", "A", {}))
            began = time.monotonic()
            await eventually(lambda: not one.get_watch()["healthy"])
            assert time.monotonic() - began <= 3 * WAIT_S + 0.5  # the half is this machine's
            text = render_prometheus({"bus_watch": one.get_watch(), "message_bus": {}})
            assert "graphbus_bus_alarms_total 1" in text
            assert 'graphbus_consumer_pending{handler="B.on /T"}' in text
            assert 'graphbus_consumer_stored{handler="B.on /T"} 1' in text
            assert "graphbus_bus_heals_total" in text
            (reading,) = one.get_watch()["consumers"]
            assert 0 < reading["oldest_s"] < 60
            monkeypatch.undo()
            await feed.resume()
            await eventually(lambda: seen == ["e1"])
            await eventually(lambda: one.get_watch()["healthy"])

    bounded_run(run())


@needs_nats
def test_a_stream_that_is_gone_is_an_alarm(space):
    seen = []

    async def run():
        one = transport(space, seen)
        async with opened(one):
            await asyncio.sleep(WAIT_S / 2)
            await one._js.delete_stream(one.names.stream)
            await eventually(lambda: one.get_watch()["alarms"])
            assert "of B.on /T is gone from the server" in one.get_watch()["alarms"][0]["text"]
            for number in range(100):  # before its consumer is there again nobody hears an event
                await asyncio.wait_for(one.apublish(Event(f"e{number}", "/T", "A", {})), 20)
                await asyncio.sleep(0.1)
                if seen:
                    break
            assert seen

    bounded_run(run())


@needs_nats
def test_a_healthy_run_raises_no_alarm(space):
    seen = []

    async def run():
        one = transport(space, seen)
        async with opened(one):
            end = time.monotonic() + 4 * WAIT_S
            count = 0
            while time.monotonic() < end:
                await one.apublish(Event(f"e{count}", "/T", "A", {}))
                count += 1
                await asyncio.sleep(0.01)
            await eventually(lambda: len(seen) == count)
            assert one.get_watch()["alarms"] == []
            (reading,) = one.get_watch()["consumers"]
            assert reading["outcomes"] <= count

    bounded_run(run())


@needs_nats
def test_what_the_server_gives_out_no_more_is_given_out_again_and_what_is_done_is_not(space):
    """As after a wall clock that jumped: the server waits a day for whoever was given these, and that one is gone."""
    seen = []

    async def run():
        one = transport(space, seen)
        async with opened(one):
            name, stream, js = one.names.build_consumer_name("B.on /T"), one.names.stream, one._js
            (feed,) = one._feeds.values()
            await feed.stop()
            config = (await js.consumer_info(stream, name)).config
            await js.delete_consumer(stream, name)
            await js.add_consumer(stream, config.evolve(ack_wait=86_400.0))
            for number in range(5):
                await one.apublish(Event(f"e{number}", "/T", "A", {}))
            lost = await js.pull_subscribe_bind(name, stream)
            assert len(await lost.fetch(5, timeout=5)) == 5
            one._outcomes.note(name, (2, zlib.crc32(b"e1")))  # the second is done, and its acknowledgement was lost
            await feed.open()
            await eventually(lambda: len(seen) == 4)
            assert sorted(seen) == ["e0", "e2", "e3", "e4"]
            await eventually(lambda: one.get_watch()["consumers"][0]["stored"] == 0)
            assert one.get_watch()["heal_count"] >= 1
            assert one.get_watch()["alarms"] == []  # mended before the bound

    bounded_run(run())


def test_an_event_that_somebody_has_at_hand_is_not_withheld():
    """A handler that takes its time in another process, and a try that comes in an hour."""
    long = replace(QUIET, pending=0, unacknowledged=3, at_hand=3)
    assert not any(remedy or alarm for _, _, remedy, alarm in watched(*[long] * 40))


def test_events_behind_one_that_waits_for_its_next_try_are_owed_nothing():
    """The server gives out one at a time, and that one comes again in an hour: what is behind it waits, too."""
    behind = replace(QUIET, pending=9, unacknowledged=1, at_hand=1, is_full=True)
    assert not any(remedy or alarm for _, _, remedy, alarm in watched(*[behind] * 40))
    lost = replace(behind, at_hand=0)  # nobody has it any more
    assert any(remedy is Remedy.RECREATE for _, _, remedy, _ in watched(*[lost] * 12))


def test_what_is_withheld_while_others_move_is_seen():
    """Newer events flow; the oldest does not move: by its counts alone the consumer is alive."""
    flowing = [
        replace(QUIET, done=7, pending=2, unacknowledged=9, at_hand=4, given_out=n, outcomes=n) for n in range(12)
    ]
    seen = watched(*flowing)
    assert next(now for now, _, remedy, _ in seen if remedy is Remedy.RECREATE) == 1.5
    assert [alarm.kind for _, _, _, alarm in seen if alarm] == ["stands still"]
    assert "5 were given to a process that has them no more" in next(alarm.text for *_, alarm in seen if alarm)


def test_what_is_stored_and_not_counted_is_seen_and_what_others_want_is_not():
    stuck = replace(QUIET, stored=4, first=3, done=9)
    assert any(remedy is Remedy.RECREATE for _, _, remedy, _ in watched(*[stuck] * 12))
    wanted = replace(stuck, wanted_elsewhere=4)
    assert not any(remedy or alarm for _, _, remedy, alarm in watched(*[wanted] * 12))


def test_time_in_which_nobody_looked_counts_for_nothing():
    """The process stood still, or the server was away."""
    still = replace(QUIET, stored=5, last_stored=5, pending=5)
    watch = Watch(WAIT_S)
    for now in (0.0, 0.25, 60.0, 60.25):
        assert watch.note(still, now)[1:] == (None, None)


def test_a_consumer_that_is_made_anew_and_helps_nobody_is_an_alarm():
    readings = [replace(QUIET, pending=5, created=f"t{n // 7}") for n in range(12)]
    assert [(now, alarm.kind) for now, _, _, alarm in watched(*readings) if alarm] == [(2.0, "stands still")]


def test_closing_ends_although_a_wait_swallows_the_cancellation():
    """As `asyncio.wait_for` of Python 3.11 does where what it waits for ends in the same moment."""
    looks = []

    class Swallowing(Sweeper):
        async def sweep(self):
            looks.append(1)
            with contextlib.suppress(asyncio.CancelledError):
                await asyncio.sleep(60)

    async def run():
        one = Swallowing(None, None, 0.1, lambda: ())
        one.open()
        await eventually(lambda: looks)
        await asyncio.wait_for(one.close(), 5)

    bounded_run(run())
    assert looks == [1]


@needs_nats
def test_what_the_server_lost_while_no_process_looked_is_told_by_the_next(space):
    """All workers are down, and the consumer is gone with what waited for it. Who comes next makes it, and says so."""
    seen = []

    async def run():
        async with opened(transport(space, seen)) as _:
            pass
        one = transport(space, seen)
        await one.open()
        await one.start()
        (feed,) = one._feeds.values()
        await feed.stop()
        for number in range(3):
            await one.apublish(Event(f"e{number}", "/T", "A", {}))
        await eventually(lambda: [r["pending"] for r in one.get_watch()["consumers"]] == [3])
        await one._js.delete_consumer(one.names.stream, one.names.build_consumer_name("B.on /T"))
        await one.close()
        other = transport(space, seen)
        async with opened(other):
            await eventually(lambda: other.get_watch()["alarms"])
            (alarm,) = other.get_watch()["alarms"]
            assert "The consumer of B.on /T was gone from the server, and was made again. 3 events" in alarm["text"]

    bounded_run(run())


@needs_nats
def test_who_joins_a_space_in_good_order_hears_of_nothing(space):
    seen = []

    async def join(event_id):
        one = transport(space, seen)
        async with opened(one):
            await one.apublish(Event(event_id, "/T", "A", {}))
            await eventually(lambda: seen[-1:] == [event_id])
            await asyncio.sleep(WAIT_S)
            assert one.get_watch()["alarms"] == []

    for event_id in ("e0", "e1", "e2"):
        bounded_run(join(event_id))


@needs_nats
def test_a_server_that_does_not_say_how_its_consumers_are_is_an_alarm(space, monkeypatch):
    async def run():
        one = transport(space, [])
        async with opened(one):

            async def cannot():
                raise TimeoutError

            monkeypatch.setattr(one, "read_state", cannot)
            began = time.monotonic()
            await eventually(lambda: not one.get_watch()["healthy"])
            assert time.monotonic() - began <= 3 * WAIT_S + 0.5  # the half is this machine's
            assert "does not say how the events" in one.get_watch()["alarms"][0]["text"]
            monkeypatch.undo()
            await eventually(lambda: one.get_watch()["healthy"])

    bounded_run(run())


@needs_nats
def test_a_dead_letter_that_a_losing_server_lost_is_told_and_one_that_somebody_removed_is_not(
    space, monkeypatch, tmp_path
):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    for module in (transport_module, dead_letters_module):  # as if the server were of a version that loses events
        monkeypatch.setattr(module, "explain_refused_server", lambda version: "It loses events.")

    async def run():
        one = NatsTransport(replace(space, allow_server=True), build=build({"B.on /T": "/T"}))
        one.consume(consumer("B.on /T", lambda event, attempt: Verdict(Ruling.DEAD, reason="poison")))
        letters = BusDeadLetters(one.settings)
        async with opened(one):
            for name in ("removed", "lost"):
                await one.apublish(Event(name, "/T", "A", {}))
            listed = await eventually_listed(letters, 2)
            removed, lost = sorted(listed, key=lambda letter: letter.event["event_id"] != "removed")
            assert await asyncio.to_thread(letters.purge, [removed.id]) == 1
            await one._js.delete_msg(one.names.dead_stream, int(lost.id.removeprefix("dl-")))
            await eventually(lambda: one.get_watch()["alarms"])
            await asyncio.sleep(2 * WAIT_S)
            assert [alarm["text"] for alarm in one.get_watch()["alarms"]] == [
                "1 events whose dead letters were confirmed are gone: nobody removed the letters."
            ]

    bounded_run(run())


async def eventually_listed(letters, count):
    end = time.monotonic() + 10
    while len(listed := await asyncio.to_thread(letters.list_all)) < count:
        assert time.monotonic() < end
        await asyncio.sleep(0.05)
    return listed
