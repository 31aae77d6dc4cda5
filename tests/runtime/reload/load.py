"""Reloads under load: publishers at a rate, a build every moment, and what became of each event.

Two nodes change at every reload: `Stage` handles an event and publishes another, `DeliveryLog` keeps what it hears in
its
state, which is handed over each time. So an event that is lost, doubled or overtaken shows in the last `DeliveryLog`.
"""

from __future__ import annotations

import asyncio
import textwrap
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from graphbus_core.build.builder import build_project
from graphbus_core.config import BuildConfig, RuntimeConfig
from graphbus_core.runtime import RuntimeExecutor
from graphbus_core.runtime.transports.port import create_transport

STAGE = """
    from graphbus_core import GraphBusNode, publishes, schema_method, subscribe

    VERSION = {version}


    class Stage(GraphBusNode):
        SYSTEM_PROMPT = "I pass on."

        def __init__(self):
            self.handled = 0

        @subscribe("/In")
        @publishes("/Out", {{"who": int, "n": int, "version": int}})
        {asynchronous}def on_in(self, payload):
            self.handled += 1
            self.publish("/Out", {{**payload, "version": VERSION}})

        def get_state(self):
            return {{"handled": self.handled}}

        def set_state(self, state):
            self.handled = state["handled"]
"""
LEDGER = """
    from graphbus_core import GraphBusNode, schema_method, subscribe

    VERSION = {version}


    class Ledger(GraphBusNode):
        SYSTEM_PROMPT = "I keep."

        def __init__(self):
            self.seen = []
            self.calls = 0

        @subscribe("/Out")
        {asynchronous}def on_out(self, payload):
            self.seen.append([payload["who"], payload["n"]])

        @schema_method(input_schema={{"by": int}}, output_schema={{"calls": int}})
        def count(self, by):
            self.calls += by
            return {{"calls": self.calls}}

        def get_state(self):
            return {{"seen": self.seen, "calls": self.calls}}

        def set_state(self, state):
            self.seen, self.calls = state["seen"], state["calls"]
"""
FEED = """
    from graphbus_core import GraphBusNode, publishes


    class Feed(GraphBusNode):
        SYSTEM_PROMPT = "I am what comes from outside."

        @publishes("/In", {"who": int, "n": int})
        def feed(self):
            pass
"""


def build(root: Path, version: int, *, asynchronous: bool) -> Path:
    """The project in that version, built."""
    word = "async " if asynchronous else ""
    (root / "agents").mkdir(parents=True, exist_ok=True)
    for name, text in (("stage", STAGE), ("ledger", LEDGER)):
        made = textwrap.dedent(text.format(version=version, asynchronous=word)).lstrip()
        (root / "agents" / f"{name}.py").write_text(made)
    (root / "agents" / "feed.py").write_text(textwrap.dedent(FEED).lstrip())
    build_project(BuildConfig(root_package=str(root), output_dir=str(root / ".graphbus")))
    return root / ".graphbus"


@dataclass
class Outcome:
    """What became of the events of one run."""

    reloads: int
    published: int
    seconds: float
    calls_made: int
    calls_kept: int
    handled: int
    dead: int
    paused_s: list[float] = field(default_factory=list)
    seen: list[tuple[int, int]] = field(default_factory=list)

    @property
    def lost(self) -> int:
        """Events that no `DeliveryLog` has."""
        return self.published - len(set(self.seen))

    @property
    def doubled(self) -> int:
        """Events that it has more than once."""
        return sum(many - 1 for many in Counter(self.seen).values())

    @property
    def overtaken(self) -> int:
        """Events that came after a later one of the same publisher."""
        last: dict[int, int] = {}
        out = 0
        for who, n in self.seen:
            out += n < last.get(who, -1)
            last[who] = max(n, last.get(who, -1))
        return out


class Load:
    """One runtime that is reloaded while `publishers` publish at `rate` events a second, all together."""

    def __init__(
        self,
        root: Path,
        *,
        publishers: int = 4,
        rate: float = 1_000,
        asynchronous: bool = False,
        bus: str | None = None,
    ) -> None:
        self.root, self.publishers, self.rate, self.asynchronous = root, publishers, rate, asynchronous
        folder = build(root, 0, asynchronous=asynchronous)
        self.executor = RuntimeExecutor(
            RuntimeConfig(artifacts_dir=str(folder), reloadable=True, history_limit=10, stop_timeout_s=60.0),
            transport=create_transport(bus, folder) if bus is not None else None,
        )
        self._over = threading.Event()
        self._published = [0] * publishers
        self._calls = 0
        self._paused: list[float] = []

    def run(self, reloads: int) -> Outcome:
        """Do so many reloads; every one is a new build of both nodes."""
        begun = time.monotonic()
        if self.asynchronous:
            asyncio.run(self._in_a_loop(reloads))
        else:
            self._in_threads(reloads)
        seconds = time.monotonic() - begun
        ledger, bus = self.executor.nodes["Ledger"], self.executor.bus
        assert bus is not None
        return Outcome(
            reloads,
            sum(self._published),
            seconds,
            self._calls,
            ledger.calls,
            self.executor.nodes["Stage"].handled,
            len(bus.dead_letters),
            self._paused,
            [(who, n) for who, n in ledger.seen],
        )

    def _reload(self, version: int) -> None:
        build(self.root, version, asynchronous=self.asynchronous)
        told = self.executor.reload(timeout_s=60)
        assert set(told.changed) == {"Stage", "Ledger"}, told
        self._paused.append(told.paused_s)

    # Publishers in threads, as a sync program has them

    def _in_threads(self, reloads: int) -> None:
        with self.executor:
            threads = [threading.Thread(target=self._publish, args=(who,)) for who in range(self.publishers)]
            for thread in threads:
                thread.start()
            try:
                for version in range(1, reloads + 1):
                    self._reload(version)
            finally:
                self._over.set()
                for thread in threads:
                    thread.join(60)
            assert not any(thread.is_alive() for thread in threads), "a publisher hangs"
            self._arrived()

    def _arrived(self) -> None:
        """Over a bus handlers are done later."""
        end = time.monotonic() + 60
        while len(self.executor.nodes["Ledger"].seen) < sum(self._published) and time.monotonic() < end:
            time.sleep(0.02)

    def _publish(self, who: int) -> None:
        pause_s = self.publishers / self.rate
        due = time.monotonic()
        while not self._over.is_set():
            self.executor.publish("/In", {"who": who, "n": self._published[who]})
            self._published[who] += 1
            if who == 0 and self._published[who] % 10 == 0:
                self.executor.call_method("Ledger", "count", by=1)
                self._calls += 1
            due += pause_s
            time.sleep(max(due - time.monotonic(), 0))

    # Publishers in one event loop: half of them await their handlers, half leave them to mailboxes

    async def _in_a_loop(self, reloads: int) -> None:
        async with self.executor:
            tasks = [asyncio.create_task(self._apublish(who)) for who in range(self.publishers)]
            try:
                for version in range(1, reloads + 1):
                    await asyncio.to_thread(self._reload, version)
            finally:
                self._over.set()
                await asyncio.wait_for(asyncio.gather(*tasks), 60)
            assert self.executor.bus is not None
            assert await self.executor.bus.adrain(60)

    async def _apublish(self, who: int) -> None:
        pause_s = self.publishers / self.rate
        due = time.monotonic()
        while not self._over.is_set():
            event = {"who": who, "n": self._published[who]}
            if who % 2:
                self.executor.publish("/In", event)
            else:
                await self.executor.apublish("/In", event)
            self._published[who] += 1
            if who == 0 and self._published[who] % 10 == 0:
                await self.executor.acall_method("Ledger", "count", by=1)
                self._calls += 1
            due += pause_s
            await asyncio.sleep(max(due - time.monotonic(), 0))
