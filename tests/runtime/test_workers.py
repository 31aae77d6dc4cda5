"""Threads beside a loop: short work is waited for on the spot, long work never holds the loop up."""

import asyncio
import threading

import pytest

from graphbus_core.runtime.concurrency import MAX_SKIPPED_WAITS, ThreadTask, WorkerThreads
from tests.runtime.bounded import LONG_S, run as bounded_run


def test_what_work_gives_back_and_raises_arrives():
    """In a thread of another name than the loop's."""

    def fails():
        raise ValueError("broken")

    async def run():
        workers = WorkerThreads()
        errand = await workers.arun("name", lambda: threading.current_thread().name)
        assert errand.is_done()
        assert errand.result() == "graphbus-handler"
        for _ in range(3):
            with pytest.raises(ValueError, match="broken"):
                (await workers.arun("fails", fails)).result()
        workers.close()

    bounded_run(run())


def test_work_that_waits_leaves_the_loop_free():
    """Ten calls that all wait for the last of them: each would wait forever if the loop waited for one."""

    async def run():
        workers, all_here = WorkerThreads(), threading.Barrier(10)
        waiting = [workers.arun("waits", lambda: all_here.wait(LONG_S)) for _ in range(10)]
        done = await asyncio.gather(*waiting)
        assert sorted(one.result() for one in done) == list(range(10))
        workers.close()

    bounded_run(run())


def test_long_work_is_left_alone_more_and_more(monkeypatch):
    """The loop stands still for it a few times, not each time, and looks again at last: it may have become short."""
    tries = []

    async def run():
        workers = WorkerThreads()
        monkeypatch.setattr(ThreadTask, "wait_briefly", lambda errand: tries.append(errand) is not None)
        for _ in range(40):
            assert (await workers.arun("long", lambda: "done")).result() == "done"
        assert len(tries) == 6  # after 1, 2, 4, 8 and 16 that were left alone
        monkeypatch.setattr(ThreadTask, "wait_briefly", lambda errand: tries.append(errand) is None)
        for _ in range(2 * MAX_SKIPPED_WAITS):
            errand = await workers.arun("long", lambda: "done")
            assert await errand.wait_until_done(LONG_S)
        assert len(tries) > MAX_SKIPPED_WAITS  # each time again
        workers.close()

    bounded_run(run())


def test_what_did_not_begin_in_time_never_does():
    """One thread, held: the second is given up, and nobody runs it afterwards."""
    free, ran = threading.Event(), []

    async def run():
        workers = WorkerThreads(limit=1)
        held = asyncio.create_task(workers.arun("held", lambda: free.wait(LONG_S)))
        await asyncio.sleep(0.01)
        late = await workers.arun("late", lambda: ran.append("late"), 0.02)
        assert not late.is_done()
        free.set()
        assert (await held).result()
        assert (await workers.arun("next", lambda: ran.append("next"))).is_done()
        workers.close()

    bounded_run(run())
    assert ran == ["next"]


def test_a_method_that_raises_a_timeout_is_not_late():
    """Only the deadline of the call is one."""

    def times_out():
        raise TimeoutError("of its own")

    async def run():
        workers = WorkerThreads()
        errand = await workers.arun("own", times_out, LONG_S)
        with pytest.raises(TimeoutError, match="of its own"):
            errand.result()
        workers.close()

    bounded_run(run())
