"""What is under way or waits on a bus, in all its threads, tasks and queues; and waiting until nothing is."""

from __future__ import annotations

import asyncio
import threading
import time
from collections import deque
from typing import Any

from graphbus_core.runtime.delivery.awaited import Flows
from graphbus_core.runtime.delivery.core import Core
from graphbus_core.runtime.delivery.frames import Frame


class UnderWay:
    """Looks at the parts of one bus."""

    def __init__(self, core: Core, flows: Flows) -> None:
        self._core = core
        self._flows = flows

    def waiting(self) -> dict[str, int]:
        """topic -> deliveries that are counted but not done: under way, or in a queue."""
        return self.waiting_of(self._core.frames.all)

    def forked(self) -> None:
        """This is a child process: what the parent's other threads were delivering stays theirs."""
        core = self._core
        core.lock = threading.RLock()
        core.tally.forked()
        core.home.forked()
        gone = core.frames.forked(core.lock)
        for topic, n in self.waiting_of(gone).items():
            core.tally.dropped(topic, n)
        for frame in gone:
            core.tally.fold(frame.every)
        self._flows.forked()

    def waiting_of(self, frames: list[Frame]) -> dict[str, int]:
        """`waiting`, with what these threads deliver and what any task does."""
        found: dict[str, int] = {}

        def add(topic: str, n: int) -> None:
            found[topic] = found.get(topic, 0) + n

        for frame in list(frames):
            event, plan = frame.current, frame.plan
            if event is not None:
                add(event.topic, plan.n if plan is not None else 0)
            for plan, _ in _copy(frame.queue):
                add(plan.topic, plan.n)
            for entry in list(frame.every.values()):
                if entry.flying:
                    add(entry.plan.topic, entry.flying * entry.plan.n)
        flows = dict.fromkeys([*self._flows.flying, *self._flows.queued])
        for flow in flows:
            topic, n = self._flows.flying.get(flow, ("", 0))
            add(topic, n)
            for plan, _ in _copy(flow.queue):
                add(plan.topic, plan.n)
        for box in list(self._flows.mailboxes.boxes.values()):
            for due in [*list(box.now.values()), *_copy(box.due)]:
                add(due.topic, 1)
        found.pop("", None)
        return found

    def busy(self) -> bool:
        """Whether any delivery is under way or waits, in whichever thread but this one."""
        own = threading.get_ident()
        if self._flows.flying or any(box.workers for box in list(self._flows.mailboxes.boxes.values())):
            return True
        for frame in list(self._core.frames.all):
            if frame.current is not None and frame.ident != own and frame.thread.is_alive():
                return True
            if any(entry.flying for entry in list(frame.aquick.values())):
                return True
        return False

    def drain(self, timeout_s: float | None = None) -> bool:
        """Wait until nothing is under way, at most `timeout_s`; say whether that came true."""
        end = None if timeout_s is None else time.monotonic() + timeout_s
        while self.busy():
            if end is not None and time.monotonic() >= end:
                return False
            time.sleep(0.001)
        return True

    async def adrain(self, timeout_s: float | None = None) -> bool:
        """`drain` for async code."""
        end = None if timeout_s is None else time.monotonic() + timeout_s
        while self.busy():
            if end is not None and time.monotonic() >= end:
                return False
            await asyncio.sleep(0.001)
        return True


def _copy(queue: deque[Any] | None) -> list[Any]:
    while True:
        try:
            return list(queue or ())
        except RuntimeError:  # its owner changed it meanwhile
            continue
