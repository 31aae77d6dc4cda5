"""A runtime in a test: `with running([Shop, Inventory], provide=…) as app: …`, with a recording of all events.

    async with running([Shop], stand_ins=[Inventory]) as app:
        app.publish("/Order/Placed", {"sku": "apple"})
        done = await app.bus.until("/Order/Done", timeout_s=1)
        assert app.calls("Inventory") == [("check_stock", {"sku": "apple"})]

Node classes are taken as they stand, with no build. A folder (of sources, or of a build) is built where it must be,
and run as `graphbus run` runs it. A stand-in answers for a node with valid samples of its contracts.
"""

from __future__ import annotations

import asyncio
import tempfile
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from graphbus_core.config import RuntimeConfig
from graphbus_core.errors import UsageError
from graphbus_core.model.message import Event
from graphbus_core.node_base import GraphBusNode
from graphbus_core.runtime.executor import RuntimeExecutor
from graphbus_core.testing.assembled import Assembled
from graphbus_core.testing.samples import sample

MAX_EVENTS = 100_000


class Recording:
    """Every event of the runtime under test, oldest first; and waiting for one."""

    def __init__(self) -> None:
        self.events: deque[Event] = deque(maxlen=MAX_EVENTS)
        self._came = threading.Condition()

    def __call__(self, event: Event, next: Callable[[Event], Any]) -> Any:
        with self._came:
            self.events.append(event)
            self._came.notify_all()
        return next(event)

    def of(self, topic: str) -> list[dict[str, Any]]:
        """The payloads that were published to a topic."""
        return [event.payload for event in list(self.events) if event.topic == topic]

    def wait_for(self, topic: str, timeout_s: float = 1.0, where: Callable[[Event], bool] = lambda e: True) -> Event:
        """The first event of `topic`, come or to come. Raises AssertionError that says what came instead."""
        end = time.monotonic() + timeout_s
        with self._came:
            while True:
                if (found := self._found(topic, where)) is not None:
                    return found
                if not self._came.wait(max(end - time.monotonic(), 0)) and time.monotonic() >= end:
                    raise self._missing(topic, timeout_s)

    async def until(self, topic: str, timeout_s: float = 1.0, where: Callable[[Event], bool] = lambda e: True) -> Event:
        """`wait_for` in async code."""
        end = time.monotonic() + timeout_s
        while (found := self._found(topic, where)) is None:
            if time.monotonic() >= end:
                raise self._missing(topic, timeout_s)
            await asyncio.sleep(0.001)
        return found

    def _found(self, topic: str, where: Callable[[Event], bool]) -> Event | None:
        return next((event for event in list(self.events) if event.topic == topic and where(event)), None)

    def _missing(self, topic: str, timeout_s: float) -> AssertionError:
        came = ", ".join(dict.fromkeys(event.topic for event in self.events)) or "nothing"
        return AssertionError(f"no event of {topic} came within {timeout_s:g} s; there came: {came}")


class Running:
    """A runtime under test. `bus` is the recording, `executor` or the assembled nodes are behind it."""

    def __init__(
        self,
        agents: str | Path | Sequence[type[GraphBusNode]],
        *,
        provide: Mapping[Any, Any] | None = None,
        stand_ins: Iterable[str | type] = (),
        answers: Mapping[str, Any] | None = None,
        policy: Any = None,
        payload_checks: str = "enforce",
    ) -> None:
        self.bus = Recording()
        self._made: list[tuple[str, str, dict[str, Any]]] = []
        self._answers = dict(answers or {})
        self._stand_ins = [one if isinstance(one, str) else one.__name__ for one in stand_ins]
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._inner: RuntimeExecutor | Assembled
        if isinstance(agents, str | Path):
            folder = self._built(Path(agents))
            config = RuntimeConfig(artifacts_dir=str(folder), payload_checks=payload_checks)
            self._inner = RuntimeExecutor(config, middleware=[self.bus], provide=provide, policy=policy)
        else:
            classes = [*agents, *(one for one in stand_ins if isinstance(one, type) and one not in agents)]
            self._inner = Assembled(classes, middleware=[self.bus], provide=provide, policy=policy)
        self._inner.stand_ins.update(dict.fromkeys(self._stand_ins, self._stand_in))

    def _built(self, folder: Path) -> Path:
        if (folder / "manifest.json").exists() or (folder / "build_summary.json").exists():
            return folder
        if not folder.is_dir():
            raise UsageError(
                f"{folder} is not a folder: give one of sources, or of a build, or a list of node classes."
            )
        from graphbus_core.build.builder import build_project
        from graphbus_core.config import BuildConfig

        self._folder = tempfile.TemporaryDirectory(prefix="graphbus-test-")
        build_project(BuildConfig(root_package=str(folder), output_dir=self._folder.name))
        return Path(self._folder.name)

    def _stand_in(self, name: str, contracts: Mapping[str, Any]) -> GraphBusNode:
        """A node that answers for another one: what the test says, else a valid sample of the contract."""
        made, answers = self._made, self._answers

        class StandIn(GraphBusNode):
            def __getattr__(self, method: str) -> Any:
                if method not in contracts and f"{name}.{method}" not in answers:
                    raise AttributeError(method)

                def answer(**payload: Any) -> Any:
                    made.append((name, method, payload))
                    said = answers.get(f"{name}.{method}")
                    if callable(said):
                        return said(**payload)
                    return said if said is not None else sample(contracts[method])

                return answer

        node = StandIn()
        node.name = name
        return node

    # Use

    @property
    def nodes(self) -> Mapping[str, GraphBusNode]:
        """Every node by name."""
        return self._inner.nodes

    def publish(self, topic: str, payload: dict[str, Any] | None = None) -> Event:
        """Publish as the program outside would."""
        return self._inner.publish(topic, payload or {})

    async def apublish(self, topic: str, payload: dict[str, Any] | None = None) -> Event:
        """`publish`, and await the handlers."""
        return await self._inner.apublish(topic, payload or {})

    def call(self, node: str, method: str, **payload: Any) -> Any:
        """Call a method of a node."""
        return self._inner.call_method(node, method, **payload)

    def calls(self, stand_in: str) -> list[tuple[str, dict[str, Any]]]:
        """What a stand-in was asked: (method, arguments)."""
        return [(method, payload) for name, method, payload in self._made if name == stand_in]

    @property
    def dead_letters(self) -> list[Any]:
        """What failed."""
        return list(self._inner.bus.dead_letters) if self._inner.bus is not None else []

    def __enter__(self) -> Self:
        self._inner.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        try:
            self._inner.stop()
        finally:
            if self._folder is not None:
                self._folder.cleanup()

    async def __aenter__(self) -> Self:
        await self._inner.astart()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None
    ) -> None:
        try:
            await self._inner.astop()
        finally:
            if self._folder is not None:
                self._folder.cleanup()


def running(agents: str | Path | Sequence[type[GraphBusNode]], **settings: Any) -> Running:
    """A runtime for a test, as a context manager, sync and async. See `Running` for the settings."""
    return Running(agents, **settings)
