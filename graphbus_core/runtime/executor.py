"""`RuntimeExecutor`: one running build, as programs use it: start, call, publish, ask, reload, stop (seed 002 §5.5).

No model, no negotiation and no build code is reachable from here. `assembly` makes the parts, `lifecycle` starts and
stops them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, Self

from graphbus_core.config import RuntimeConfig
from graphbus_core.errors import ConfigError, NotRunning, RuntimeFault
from graphbus_core.model.agent_def import AgentDefinition
from graphbus_core.model.graph import AgentGraph
from graphbus_core.model.message import Event
from graphbus_core.node_base import GraphBusNode
from graphbus_core.runtime.assembly import Assembly, StandInFactory
from graphbus_core.runtime.calls import Calls
from graphbus_core.runtime.concurrency import get_running_loop
from graphbus_core.runtime.event_router import EventRouter
from graphbus_core.runtime.injection.policy import Policy
from graphbus_core.runtime.injection.providers import Providers
from graphbus_core.runtime.lifecycle import Lifecycle, wait_for_signal
from graphbus_core.runtime.loader import ArtifactLoader, TopicData
from graphbus_core.runtime.message_bus import MessageBus, Middleware
from graphbus_core.runtime.persistence import run_store
from graphbus_core.runtime.persistence.dead_letters import DeadLetter
from graphbus_core.runtime.persistence.journal import Journal
from graphbus_core.runtime.persistence.run_store import RunStore
from graphbus_core.runtime.transports.in_process import InProcess
from graphbus_core.runtime.transports.port import Transport, create_transport

if TYPE_CHECKING:
    from graphbus_core.runtime.reload.swap import ReloadResult

# Health and readiness of a running build, as a supervisor or a load balancer asks for them.


class HealthSource(Protocol):
    """What is looked at: a `RuntimeExecutor`."""

    broken: dict[str, str]
    bus: MessageBus | None
    keeping: RunStore | None

    @property
    def is_running(self) -> bool: ...


@dataclass(frozen=True)
class Health:
    """`live`: it works, and a restart would mend nothing. `ready`: it may be given work. `reasons` say why not."""

    live: bool
    ready: bool
    reasons: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it."""
        return {"live": self.live, "ready": self.ready, "reasons": list(self.reasons)}


def check_health(executor: HealthSource) -> Health:
    """Look at a runtime; it takes microseconds and waits for nothing."""
    if not executor.is_running:
        return Health(False, False, ("the runtime is not started, or it is stopped",))
    reasons = [f"the node {name} was left out: {why}" for name, why in executor.broken.items()]
    bus = executor.bus
    live = True
    if bus is not None:
        waiting = sum(bus.count_waiting().values())
        if waiting >= bus.queue_limit:
            reasons.append(f"{waiting} deliveries wait, and {bus.queue_limit} is the bound of a queue")
        if bus.dead_letters.unstored:
            reasons.append(f"{bus.dead_letters.unstored} dead letters could not be written to {bus.dead_letters.file}")
    if executor.keeping is not None and (why := executor.keeping.find_problem()) is not None:
        reasons.append(why)
        live = False
    watch = getattr(getattr(executor, "transport", None), "get_watch", lambda: None)()
    if watch is not None and not watch["healthy"]:
        reasons.append(watch["alarms"][-1]["text"])
    return Health(live, not reasons, tuple(reasons))


def _delegate(name: str) -> Any:
    """What a part of the executor has under that name: to be read, not to be set."""
    return property(attrgetter(name))


class RuntimeExecutor:
    """One running build. Also a context manager, sync and async: started on entering, stopped on leaving.

    Give the folder of the build, or a whole RuntimeConfig. `provide` gives nodes their constructor arguments
    (`given.providers`), `policy` says who may do what, and of the build only `nodes` are run, where they are named.
    `bus` is the URL of one over NATS (`nats://host/space`), which other processes share; `transport` carries events and
    calls over something else (`transports.port`). Without both all of it happens in this process.
    """

    # What it is made of. What a start makes anew is None, or empty, before it.
    config: RuntimeConfig = _delegate("_parts.config")
    artifacts_dir: str = _delegate("_parts.artifacts_dir")
    enable_message_bus: bool = _delegate("_parts.enable_message_bus")
    loader: ArtifactLoader = _delegate("_parts.loader")
    graph: AgentGraph | None = _delegate("_parts.graph")
    agent_defs: list[AgentDefinition] | None = _delegate("_parts.agent_defs")
    topics: list[TopicData] | None = _delegate("_parts.topics")
    subscriptions: list[dict[str, Any]] | None = _delegate("_parts.subscriptions")
    nodes: dict[str, GraphBusNode] = _delegate("_parts.nodes")
    bus: MessageBus | None = _delegate("_parts.bus")
    message_bus: MessageBus | None = _delegate("_parts.bus")
    router: EventRouter | None = _delegate("_parts.router")
    event_router: EventRouter | None = _delegate("_parts.router")
    calls: Calls | None = _delegate("_parts.calls")
    transport: Transport = _delegate("_parts.transport")
    keeping: RunStore | None = _delegate("_parts.keeping")
    journal: Journal | None = _delegate("_parts.journal")
    broken: dict[str, str] = _delegate("_parts.broken")  # nodes left out with skip_broken, and why
    is_running: bool = _delegate("_life.is_running")  # started and not stopped
    _is_running = is_running  # the seed's name
    unfinished: list[str] = _delegate("_life.unfinished")  # what the last stop did not wait for
    # What failed at the last stop, a sentence each: an `on_stop` that raised, a state that could not be saved.
    stop_failures: list[str] = _delegate("_life.stop_failures")
    stand_ins: dict[str, StandInFactory] = _delegate("_parts.stand_ins")  # what a test puts in the place of nodes

    def __init__(
        self,
        artifacts_dir: str | Path | RuntimeConfig = ".graphbus",
        enable_message_bus: bool = True,
        *,
        config: RuntimeConfig | None = None,
        middleware: Iterable[Middleware] = (),
        provide: Mapping[Any, Any] | Providers | None = None,
        policy: Policy | None = None,
        nodes: Collection[str] | None = None,
        transport: Transport | None = None,
        bus: str | None = None,
    ) -> None:
        if isinstance(artifacts_dir, RuntimeConfig):
            config = artifacts_dir
            enable_message_bus = enable_message_bus and config.enable_message_bus
            artifacts_dir = config.artifacts_dir
        config = config or RuntimeConfig(artifacts_dir=str(artifacts_dir))
        if bus is not None:
            if transport is not None:
                raise ConfigError("A bus is a transport over NATS: give `bus` or `transport`, not both.")
            transport = create_transport(bus, str(artifacts_dir))
        transport = transport or InProcess()
        if config.journal and not enable_message_bus:
            raise ConfigError(
                "A journal is kept by the message bus, and there is to be none: leave one of the two out."
            )
        if not transport.local and (config.journal or not enable_message_bus):
            raise ConfigError(
                f"{transport.name} keeps the events, and needs the message bus: leave "
                f"{'the journal' if config.journal else 'enable_message_bus=False'} out."
            )
        self._parts = self._build_assembly(
            config,
            str(artifacts_dir),
            enable_message_bus,
            middleware,
            provide if isinstance(provide, Providers) else Providers(provide),
            policy or Policy(),
            frozenset(nodes) if nodes is not None else None,
            transport,
        )
        self._life = Lifecycle(self._parts)

    def _build_assembly(self, *parts: Any) -> Assembly:
        return Assembly(*parts)

    # Start and stop

    def start(self) -> None:
        """Load, make, connect and start everything. Does nothing where it runs already.

        Raises ArtifactError, or NodeFailed for the first node that cannot be made or started (with `skip_broken` such
        a node is left out, and its reason is in `broken`).
        """
        self._life.start()

    async def astart(self) -> None:
        """`start` on the running loop: async providers, hooks and handlers run here."""
        await self._life.astart()

    def stop(self, timeout_s: float | None = None) -> None:
        """Let what is under way finish, run `on_stop`, save the state. Returns within `timeout_s`, come what may.

        What did not finish is in `unfinished` and in the log. Default: RuntimeConfig.stop_timeout_s.
        """
        self._life.stop(timeout_s)

    async def astop(self, timeout_s: float | None = None) -> None:
        """`stop` on the running loop."""
        await self._life.astop(timeout_s)

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    async def __aenter__(self) -> Self:
        await self.astart()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.astop()

    def health(self) -> Health:
        """Whether it works and may be given work, and why not."""
        return check_health(self)

    def run_until_signal(self, ready: Callable[[], None] | None = None) -> int:
        """Wait, in the main thread, for SIGTERM or SIGINT and return its number; `stop` is still to be called.

        `ready` is called once a signal would be heard.
        """
        return wait_for_signal(ready)

    def reload(self, *, force: bool = False, timeout_s: float | None = None) -> ReloadResult:
        """Take the newest build of the folder, while everything else goes on (`runtime.reload`).

        Raises ContractChanged where a contract breaks (with `force` it is taken all the same), NodeFailed,
        ArtifactError, and RuntimeFault where a node does not come to rest within `timeout_s` (default:
        RuntimeConfig.stop_timeout_s). Whatever is raised, the running build goes on. In an event loop:
        `await asyncio.to_thread(executor.reload)`.
        """
        from graphbus_core.runtime.reload.swap import (
            reload,  # loads the judges of contracts, which most runs never need
        )

        if self._parts.doors is None:
            raise NotRunning("This runtime cannot be reloaded: start it with RuntimeConfig(reloadable=True).")
        if get_running_loop() is not None:
            raise RuntimeFault("A reload waits, and this is an event loop: `await asyncio.to_thread(executor.reload)`.")
        timeout_s = self.config.stop_timeout_s if timeout_s is None else timeout_s
        if not self._life.changing.acquire(timeout=timeout_s):
            raise RuntimeFault("The runtime is being stopped or reloaded by somebody else, and that goes on.")
        try:
            if not self.is_running:
                raise NotRunning("The runtime does not run, so it cannot be reloaded: start it.")
            return reload(self._parts, force=force, timeout_s=timeout_s)
        finally:
            self._life.changing.release()

    # While it runs

    def call_method(self, node_name: str, method_name: str, **kwargs: Any) -> Any:
        """Call a method of a node and return what it returns; an async method is awaited.

        Raises RuntimeError before `start`, ValueError for an unknown node, AttributeError for an unknown method.
        """
        return self._require_calls().call(node_name, method_name, kwargs)

    async def acall_method(self, node_name: str, method_name: str, **kwargs: Any) -> Any:
        """`call_method` for async code."""
        return await self._require_calls().acall(node_name, method_name, kwargs)

    def request(
        self,
        node_name: str,
        method_name: str,
        payload: dict[str, Any] | None = None,
        *,
        context: dict[str, Any] | None = None,
        timeout_s: float | None = None,
        source: str = "runtime",
        here: bool = False,
    ) -> Any:
        """`call_method` with a context that travels along and a deadline (DeadlineExceeded).

        With `here` a sync method runs in the caller's own thread: the caller has made one for it, and stops waiting.
        """
        calls = self._require_calls()
        return calls.call(
            node_name, method_name, payload or {}, src=source, context=context, timeout_s=timeout_s, here=here
        )

    def publish(self, topic: str, payload: dict[str, Any], source: str = "runtime") -> Event:
        """Publish an event. Raises RuntimeError before `start` and without a bus."""
        return self._require_bus().publish(topic, payload, source)

    async def apublish(self, topic: str, payload: dict[str, Any], source: str = "runtime") -> Event:
        """Publish an event and await its handlers."""
        return await self._require_bus().apublish(topic, payload, source)

    def get_node(self, name: str) -> GraphBusNode | None:
        """The node of that name, or None."""
        return self.nodes.get(name)

    def get_all_nodes(self) -> dict[str, GraphBusNode]:
        """Every node by name."""
        return dict(self.nodes)

    def get_stats(self) -> dict[str, Any]:
        """`is_running`, `nodes_count`, `message_bus` (None without one), and more."""
        watch = getattr(self.transport, "get_watch", lambda: None)()
        return {
            **({"bus_watch": watch} if watch is not None else {}),
            "is_running": self.is_running,
            "nodes_count": len(self.nodes),
            "message_bus": self.bus.get_stats() if self.bus is not None else None,
            "nodes_active": list(self.nodes),
            "nodes_broken": dict(self.broken),
            "calls": self.calls.made if self.calls else 0,
            "calls_failed": self.calls.failed if self.calls else 0,
            "journal_written": self.journal.written if self.journal else 0,
            "events_recovered": self.keeping.recovered if self.keeping else 0,
        }

    def retry_dead_letters(self, letters: Iterable[DeadLetter] | None = None) -> tuple[int, int]:
        """Deliver dead letters once more; how many went well, and how many did not and are kept.

        One with hidden fields is kept: what they held is not known.
        Inside an event loop use `aretry_dead_letters` (RuntimeFault where a handler is async).
        """
        bus, chosen = self._select_undelivered(letters)
        succeeded = sum(bus.retry_dead_letter(letter) for letter in chosen if not letter.redacted)
        return succeeded, len(chosen) - succeeded

    async def aretry_dead_letters(self, letters: Iterable[DeadLetter] | None = None) -> tuple[int, int]:
        """`retry_dead_letters` for async code."""
        bus, chosen = self._select_undelivered(letters)
        succeeded = sum([await bus.aretry_dead_letter(letter) for letter in chosen if not letter.redacted])
        return succeeded, len(chosen) - succeeded

    @property
    def agent_definitions(self) -> list[AgentDefinition]:
        """Every agent of the build."""
        return self.agent_defs or []

    # The steps of a start, one by one

    def load_artifacts(self) -> None:
        """Read the build. Every file is verified before any code of it runs. Raises ArtifactError."""
        self._parts.load_artifacts()

    def initialize_nodes(self) -> dict[str, GraphBusNode]:
        """Make every node, dependencies first."""
        return self._parts.initialize_nodes()

    def setup_message_bus(self) -> None:
        """Make the bus and connect every subscription of the build."""
        self._parts.setup_message_bus()

    def save_state(self, path: str | Path | None = None) -> int:
        """Save what nodes keep, all or nothing, and return how many there were. Raises RuntimeFault.

        What the file holds for nodes that are not here (left out, or not of this build) stays in it.
        """
        return self._parts.save_state(path)

    def restore_state(self, path: str | Path) -> int:
        """Give nodes back what `save_state` saved."""
        return run_store.restore_state(path, self.nodes)

    def _select_undelivered(self, letters: Iterable[DeadLetter] | None) -> tuple[MessageBus, list[DeadLetter]]:
        bus = self._require_bus()
        return bus, [letter for letter in (bus.dead_letters if letters is None else letters) if not letter.delivered]

    def _require_calls(self) -> Calls:
        calls = self._parts.calls
        if calls is None or not (self._life.is_running or self._parts.started):
            raise NotRunning("Runtime not started: call start() first, or use `with RuntimeExecutor(…)`.")
        return calls

    def _require_bus(self) -> MessageBus:
        parts = self._parts
        if not parts.enable_message_bus:
            raise NotRunning("Message bus not enabled: start with enable_message_bus=True to publish.")
        if parts.bus is None or not (self._life.is_running or parts.started):
            raise NotRunning("Runtime not started: call start() first, or use `with RuntimeExecutor(…)`.")
        return parts.bus


def run_runtime(
    artifacts_dir: str | Path | RuntimeConfig = ".graphbus", enable_message_bus: bool = True
) -> RuntimeExecutor:
    """Start a build and return the running executor."""
    executor = RuntimeExecutor(artifacts_dir, enable_message_bus)
    executor.start()
    return executor
