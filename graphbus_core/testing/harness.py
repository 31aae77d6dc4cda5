"""A runtime in a test: `with running([Shop, Inventory], provide=…) as app: …`, with a recording of all events.

    async with running([Shop], stand_ins=[Inventory]) as app:
        app.publish("/Order/Placed", {"sku": "apple"})
        done = await app.until("/Order/Done", timeout_s=1)
        assert app.calls("Inventory") == [("check_stock", {"sku": "apple"})]

Node classes are taken as they stand, with no build. A folder (of sources, or of a build) is built where it must be,
and run as `graphbus run` runs it. A stand-in answers for a node with valid samples of its contracts.
"""

from __future__ import annotations

import asyncio
import tempfile
import threading
import time
import warnings
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from graphbus_core import decorators
from graphbus_core.config import RuntimeConfig
from graphbus_core.contracts import Contract
from graphbus_core.errors import NotRunning, UsageError
from graphbus_core.model.message import Event
from graphbus_core.model.schema import PAYLOAD_PARAMETER, Schema, SchemaMethod
from graphbus_core.node_base import GraphBusNode
from graphbus_core.runtime.assembly import Assembly
from graphbus_core.runtime.executor import RuntimeExecutor
from graphbus_core.runtime.message_bus import MessageBus
from graphbus_core.runtime.payloads import MethodContract, PayloadChecks
from graphbus_core.testing.samples import sample

# A runtime of node classes as they stand in a test, with no build: what the decorators say is what counts.


class ClassExecutor(RuntimeExecutor):
    """`RuntimeExecutor`, with classes in place of artifacts."""

    def __init__(self, classes: Sequence[type[GraphBusNode]], payload_checks: str = "enforce", **settings: Any) -> None:
        self._classes, self._mode = classes, payload_checks
        super().__init__(".", **settings)

    def _build_assembly(self, *parts: Any) -> Assembly:
        return _ClassAssembly(self._classes, self._mode, *parts)


class _ClassAssembly(Assembly):
    """What is read from a build elsewhere is read from classes here."""

    def __init__(self, classes: Sequence[type[GraphBusNode]], mode: str, *parts: Any) -> None:
        super().__init__(*parts)
        # By class name, as the build names them, so that a test and a build publish to the same names.
        self._classes = {kind.__name__: kind for kind in classes}
        self._mode = mode
        self.doors = None  # there is no newer build to be reloaded

    def open_build(self) -> Any:
        """There is none."""

    def load_artifacts(self) -> None:
        """Read the decorators."""
        self.agent_defs, self.topics = [], []
        self.subscriptions = []
        methods: dict[tuple[str, str], MethodContract] = {}
        topics: dict[str, Mapping[str, Any]] = {}
        for name, kind in self._classes.items():
            for topic, handler in _list_subscriptions(kind):
                fields, converted = getattr(getattr(kind, handler, None), decorators.MAPPINGS, {}).get(topic, ({}, {}))
                mapping = {"map": fields, "convert": converted} if fields or converted else {}
                self.subscriptions.append({"agent": name, "topic": topic, "handler": handler, **mapping})
            for method, record in kind.get_schema_methods().items():
                methods[name, method] = _build_contract(method, record)
            for member in vars(kind).values():
                for topic, payload in getattr(member, decorators.PUBLICATIONS, ()):
                    if payload is not None:
                        topics[topic] = _build_schema(payload, "output") or {}
        self._outputs_of = {key: contract.output for key, contract in methods.items() if contract.output is not None}
        heard_topics = {s["topic"] for s in self.subscriptions}
        mode = self._mode if methods or topics else "off"
        # A topic that nobody hears has no handler to protect. Enforcing there would refuse what runs well in a build.
        self.checks = PayloadChecks(
            "warn" if mode == "enforce" and not heard_topics else mode, topics, methods, heard_topics
        )
        self.checks.declared = heard_topics

    def get_build_names(self) -> frozenset[str]:
        """The classes, whether they run here or not."""
        return frozenset(self._classes)

    def import_classes(self) -> dict[str, type[GraphBusNode]]:
        """The classes, those first that others depend on."""
        order: dict[str, type[GraphBusNode]] = {}

        def add(name: str, above: frozenset[str]) -> None:
            # Circles of dependencies are possible. Whoever is above already is not waited for.
            if name in order or name in above or name not in self._classes:
                return
            for needed in self._classes[name].get_dependencies():
                add(needed.partition(".")[0], above | {name})
            if name not in self.stand_ins and (self.chosen is None or name in self.chosen):
                order[name] = self._classes[name]

        for name in self._classes:
            add(name, frozenset())
        return order

    def _collect_outputs(self, name: str) -> dict[str, Any]:
        return {method: schema for (node, method), schema in self._outputs_of.items() if node == name}


def _list_subscriptions(kind: type[GraphBusNode]) -> list[tuple[str, str]]:
    """(topic, handler) pairs, as the build reads them."""
    declared = kind.SUBSCRIBE
    # Both forms of the declaration, as the build reads them: a list means the usual handler.
    if isinstance(declared, Mapping):
        pairs = list(declared.items())
    else:
        pairs = [(topic, "handle_event") for topic in declared]
    for name in dir(kind):
        for topic in getattr(getattr(kind, name, None), decorators.SUBSCRIPTIONS, ()):
            pairs.append((topic, name))
    return pairs


def _build_contract(name: str, record: Mapping[str, Any]) -> MethodContract:
    """What `get_schema_methods` says of one method, as a build has it."""
    input_schema, output_schema = (
        Schema(schema) if (schema := _build_schema(record[f"{side}_schema"], side)) is not None else None
        for side in ("input", "output")
    )
    metadata = {PAYLOAD_PARAMETER: record["payload_parameter"]} if "payload_parameter" in record else {}
    return MethodContract.from_method(SchemaMethod(name, input_schema, output_schema, metadata=metadata))


def _build_schema(annotations: Any, side: str) -> dict[str, Any] | None:
    if annotations is None:
        return None
    json_schema = Contract.from_annotations(annotations, side=side).to_json_schema()
    return json_schema if isinstance(json_schema, dict) else None


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

    def list_payloads(self, topic: str) -> list[dict[str, Any]]:
        """The payloads that were published to a topic."""
        return [event.payload for event in list(self.events) if event.topic == topic]

    def wait_for(self, topic: str, timeout_s: float = 1.0, where: Callable[[Event], bool] = lambda e: True) -> Event:
        """The first event of `topic`, come or to come. Raises AssertionError that says what came instead."""
        end = time.monotonic() + timeout_s
        with self._came:
            while True:
                if (event := self._find(topic, where)) is not None:
                    return event
                if not self._came.wait(max(end - time.monotonic(), 0)) and time.monotonic() >= end:
                    raise self._build_missing_error(topic, timeout_s)

    async def until(self, topic: str, timeout_s: float = 1.0, where: Callable[[Event], bool] = lambda e: True) -> Event:
        """`wait_for` in async code."""
        end = time.monotonic() + timeout_s
        while (event := self._find(topic, where)) is None:
            if time.monotonic() >= end:
                raise self._build_missing_error(topic, timeout_s)
            await asyncio.sleep(0.001)
        return event

    def _find(self, topic: str, where: Callable[[Event], bool]) -> Event | None:
        return next((event for event in list(self.events) if event.topic == topic and where(event)), None)

    def _build_missing_error(self, topic: str, timeout_s: float) -> AssertionError:
        came = ", ".join(dict.fromkeys(event.topic for event in self.events)) or "nothing"
        return AssertionError(f"no event of {topic} came within {timeout_s:g} s; there came: {came}")


class Running:
    """A runtime under test: `executor` runs it, `bus` is its message bus, and `recording` has all of its events."""

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
        self.recording = Recording()
        self._made: list[tuple[str, str, dict[str, Any]]] = []
        self._answers = dict(answers or {})
        self._stand_ins = [stand_in if isinstance(stand_in, str) else stand_in.__name__ for stand_in in stand_ins]
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self.executor: RuntimeExecutor
        if isinstance(agents, str | Path):
            folder = self._ensure_built(Path(agents))
            config = RuntimeConfig(artifacts_dir=str(folder), payload_checks=payload_checks)
            self.executor = RuntimeExecutor(config, middleware=[self.recording], provide=provide, policy=policy)
        else:
            classes = [
                *agents,
                *(stand_in for stand_in in stand_ins if isinstance(stand_in, type) and stand_in not in agents),
            ]
            self.executor = ClassExecutor(classes, middleware=[self.recording], provide=provide, policy=policy)
        self.executor.stand_ins.update(dict.fromkeys(self._stand_ins, self._stand_in))

    def _ensure_built(self, folder: Path) -> Path:
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
        made_calls, answers = self._made, self._answers

        class StandIn(GraphBusNode):
            def __getattr__(self, method: str) -> Any:
                if method not in contracts and f"{name}.{method}" not in answers:
                    raise AttributeError(method)

                def answer(**payload: Any) -> Any:
                    made_calls.append((name, method, payload))
                    prepared = answers.get(f"{name}.{method}")
                    if callable(prepared):
                        return prepared(**payload)
                    return prepared if prepared is not None else sample(contracts[method])

                return answer

        node = StandIn()
        node.name = name
        return node

    # Use

    @property
    def bus(self) -> MessageBus:
        """The message bus of this runtime. Raises NotRunning before it is started."""
        if (bus := self.executor.bus) is None:
            raise NotRunning("The runtime under test has no bus before it is started: use it as a context manager.")
        return bus

    async def until(self, topic: str, timeout_s: float = 1.0, where: Callable[[Event], bool] = lambda e: True) -> Event:
        """The first event of `topic`, come or to come. Raises AssertionError that says what came instead."""
        return await self.recording.until(topic, timeout_s, where)

    def wait_for(self, topic: str, timeout_s: float = 1.0, where: Callable[[Event], bool] = lambda e: True) -> Event:
        """`until`, for a test that is not a coroutine."""
        return self.recording.wait_for(topic, timeout_s, where)

    def list_payloads(self, topic: str) -> list[dict[str, Any]]:
        """The payloads that were published to a topic."""
        return self.recording.list_payloads(topic)

    @property
    def nodes(self) -> Mapping[str, GraphBusNode]:
        """Every node by name."""
        return self.executor.nodes

    def publish(self, topic: str, payload: dict[str, Any] | None = None) -> Event:
        """Publish as the program outside would."""
        return self.executor.publish(topic, payload or {})

    async def apublish(self, topic: str, payload: dict[str, Any] | None = None) -> Event:
        """`publish`, and await the handlers."""
        return await self.executor.apublish(topic, payload or {})

    def call(self, node: str, method: str, **payload: Any) -> Any:
        """Call a method of a node."""
        return self.executor.call_method(node, method, **payload)

    def calls(self, stand_in: str) -> list[tuple[str, dict[str, Any]]]:
        """What a stand-in was asked: (method, arguments)."""
        return [(method, payload) for name, method, payload in self._made if name == stand_in]

    @property
    def dead_letters(self) -> list[Any]:
        """What failed."""
        return list(self.executor.bus.dead_letters) if self.executor.bus is not None else []

    def __enter__(self) -> Self:
        self.executor.start()
        _lend_old_names(self.bus, self.recording)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        try:
            self.executor.stop()
        finally:
            if self._folder is not None:
                self._folder.cleanup()

    async def __aenter__(self) -> Self:
        await self.executor.astart()
        _lend_old_names(self.bus, self.recording)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None
    ) -> None:
        try:
            await self.executor.astop()
        finally:
            if self._folder is not None:
                self._folder.cleanup()


def _lend_old_names(bus: MessageBus, recording: Recording) -> None:
    """Until 0.3 the recording was called `bus`: tests that ask it there go on, with a warning."""

    def lend(name: str) -> Callable[..., Any]:
        def call(*args: Any, **settings: Any) -> Any:
            what = f"app.bus.{name} is app.{name}: app.bus is the message bus."
            warnings.warn(what, DeprecationWarning, stacklevel=2)
            return getattr(recording, name)(*args, **settings)

        return call

    for name in ("until", "wait_for", "list_payloads"):
        setattr(bus, name, lend(name))
    vars(bus)["events"] = recording.events


def running(agents: str | Path | Sequence[type[GraphBusNode]], **settings: Any) -> Running:
    """A runtime for a test, as a context manager, sync and async. See `Running` for the settings."""
    return Running(agents, **settings)
