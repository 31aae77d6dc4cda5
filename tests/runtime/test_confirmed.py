"""What publishers were confirmed, held against outcomes: new events hide no loss, and a moment is none."""

import asyncio
import os

import pytest

from graphbus_core.runtime.transports.nats import confirmed as told
from graphbus_core.runtime.transports.nats.confirmed import ConfirmedLog
from graphbus_core.runtime.transports.nats.confirmed_files import ConfirmedFiles
from graphbus_core.runtime.transports.nats.space import SpaceNames

SUBJECT = "s.e.0.In"


class Wire:
    """Connections that hear each other, as far as they are not cut."""

    def __init__(self):
        self.heard, self.is_cut = [], False

    async def subscribe(self, subject, cb):
        self.heard.append((subject, cb))

    async def publish(self, subject, data):
        if self.is_cut:
            raise ConnectionError
        for pattern, hear in list(self.heard):
            head, _, last = pattern.rpartition(".")
            if subject.rpartition(".")[0] == head and last == "*":
                await hear(type("Message", (), {"data": data, "subject": subject}))


@pytest.fixture
def clock(monkeypatch):
    now = [100.0]
    monkeypatch.setattr(told.time, "monotonic", lambda: now[0])
    return now


async def two(wire):
    logs = [ConfirmedLog(wire, SpaceNames("s"), 2.0) for _ in range(2)]
    for log in logs:
        await log.open()
    return logs


async def publish(log, numbers):
    for number in numbers:
        await log.tell_confirmed(SUBJECT, number, f"e{number}")


def outcome(number):
    return number, told.zlib.crc32(f"e{number}".encode())


def test_what_is_gone_is_named_once_though_new_events_take_its_place(clock):
    async def run():
        publisher, worker = await two(Wire())
        await publish(publisher, range(10))
        for number in range(3):
            await worker.tell_outcome("c", outcome(number))
        assert worker.judge("c", worker.list_confirmed()[SUBJECT], 7) == 0
        await publish(publisher, range(10, 20))  # as many come as are lost now
        counts = []
        for _ in range(8):
            clock[0] += 0.5
            counts.append(worker.judge("c", worker.list_confirmed()[SUBJECT], 10))
        return counts

    counts = asyncio.run(run())
    assert [count for count in counts if count] == [7]


def test_a_shortness_of_a_moment_is_no_loss(clock):
    """Counts of one instant are asked for one after the other."""

    async def run():
        publisher, worker = await two(Wire())
        await publish(publisher, range(5))
        for number in range(40):
            clock[0] += 0.5
            stored = 5 if number % 3 == 2 else 4
            assert worker.judge("c", worker.list_confirmed()[SUBJECT], stored) == 0

    asyncio.run(run())


def test_what_a_cut_swallowed_is_told_anew_and_a_newcomer_is_told_all(clock):
    async def run():
        wire = Wire()
        publisher, worker = await two(wire)
        wire.is_cut = True
        await publish(publisher, range(4))
        await worker.tell_outcome("c", outcome(0))
        assert SUBJECT not in worker.list_confirmed()
        wire.is_cut = False
        for log in (publisher, worker):
            await log.tell_anew()
        newcomer = ConfirmedLog(wire, SpaceNames("s"), 2.0)
        await newcomer.open()
        for log in (worker, newcomer):
            clock[0] += 3
            assert log.judge("c", log.list_confirmed()[SUBJECT], 0) == 0
            clock[0] += 3
            assert log.judge("c", log.list_confirmed()[SUBJECT], 0) == 3
        clock[0] += told.KEPT_S + 1
        assert worker.list_confirmed() == {SUBJECT: []}

    asyncio.run(run())


def test_what_nobody_alive_knows_is_read_from_the_files_of_those_who_were_killed(clock, tmp_path):
    def begin():
        return ConfirmedLog(Wire(), SpaceNames("s"), 2.0, ConfirmedFiles(tmp_path / "space", 300.0))

    async def run():
        publisher, worker = begin(), begin()  # they never hear each other, and nobody closes them: kill -9
        await publish(publisher, range(9))
        await worker.tell_outcome("c", outcome(4))
        with open(next((tmp_path / "space").iterdir()), "ab") as file:
            file.write(b'[17.2, "c s.e.0')  # a kill tears the last line
        newcomer = begin()
        await newcomer.open()
        assert newcomer.judge("c", newcomer.list_confirmed()[SUBJECT], 2) == 0
        clock[0] += 3
        assert newcomer.judge("c", newcomer.list_confirmed()[SUBJECT], 2) == 6

    asyncio.run(run())


def test_files_that_are_too_old_to_be_judged_are_removed_and_others_stay(tmp_path, monkeypatch):
    files = ConfirmedFiles(tmp_path, 300.0)
    files.write("c x", [(1, 2)])
    assert [(what, outcomes) for what, outcomes, _ in files.read()] == [("c x", [(1, 2)])]
    later = told.time.time() + 200
    monkeypatch.setattr(told.time, "time", lambda: later)
    files.write("c x", [(2, 2)])  # another file: the first is more than half as old as it may be
    assert len(list(tmp_path.iterdir())) == 2
    os.utime(max(tmp_path.iterdir()), (later, later))
    monkeypatch.setattr(told.time, "time", lambda: later + 200)
    assert [outcomes for _, outcomes, _ in files.read()] == [[(2, 2)]]
    assert len(list(tmp_path.iterdir())) == 1


def test_a_disk_that_is_full_is_said_and_the_bus_goes_on(tmp_path, caplog):
    async def run():
        log = ConfirmedLog(Wire(), SpaceNames("s"), 2.0, ConfirmedFiles(tmp_path / "file" / "below", 300.0))
        (tmp_path / "file").write_text("")
        await publish(log, range(3))
        assert len(log.list_confirmed()[SUBJECT]) == 3

    asyncio.run(run())
    assert [record.message for record in caplog.records if "cannot be written down" in record.message][1:] == []
    assert "cannot be written down" in caplog.text


LETTER = "s.d.sink.l1"


async def bury(log, number, subject=LETTER):
    await log.tell_confirmed(subject, number, subject)


def count_gone(log, stored):
    letters = {s: told for s, told in log.list_confirmed().items() if s.startswith("s.d.")}
    return log.judge_letters(letters, stored)


def test_a_dead_letter_that_the_server_lost_is_told_once(clock):
    async def run():
        publisher, worker = await two(Wire())
        await bury(worker, 7)
        await bury(worker, 8, "s.d.sink.l2")
        found = []
        for stored in ((LETTER, "s.d.sink.l2"), ("s.d.sink.l2",), ("s.d.sink.l2",), ("s.d.sink.l2",)):
            found.append(count_gone(publisher, stored))
            clock[0] += 4.0
        return found

    assert asyncio.run(run()) == [0, 0, 1, 0]


def test_a_dead_letter_that_is_buried_anew_or_that_somebody_removed_is_none(clock):
    async def run():
        publisher, worker = await two(Wire())
        await bury(worker, 7)
        found = [count_gone(publisher, ())]
        clock[0] += 2.0  # the server took back that the event was done
        await bury(worker, 8)
        found.append(count_gone(publisher, (LETTER,)))
        await worker.tell_outcome(LETTER, (8, 0))  # as `graphbus dead-letters` does
        for _ in range(3):
            clock[0] += 4.0
            found.append(count_gone(publisher, ()))
        return found

    assert asyncio.run(run()) == [0] * 5


def test_what_is_too_old_to_be_judged_takes_no_room(clock):
    async def run():
        publisher, worker = await two(Wire())
        await bury(worker, 7)
        await worker.tell_outcome(LETTER, (7, 0))
        clock[0] += told.KEPT_S + 1
        await worker.tell_anew()
        return publisher.list_confirmed(), publisher._done, worker._mine

    assert asyncio.run(run()) == ({}, {}, {})
