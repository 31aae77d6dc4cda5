"""`RuntimeExecutor`: loads a build, makes its nodes, connects them, runs them, stops them (seed 002 §5.5).

No model, no negotiation and no build code is reachable from here. Order of a start: artifacts, modules, nodes in the
order of their dependencies, subscriptions, saved state, `on_start` in that same order. A stop goes the other way, and
returns within its deadline whatever hangs.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import weakref
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from graphbus_core.config import RuntimeConfig
from graphbus_core.errors import BadHandler, ConfigError, NodeFailed, NotRunning, RuntimeFault
from graphbus_core.model.agent_def import AgentDefinition
from graphbus_core.model.graph import AgentGraph
from graphbus_core.model.message import Event
from graphbus_core.node_base import GraphBusNode
from graphbus_core.runtime.calls import Calls
from graphbus_core.runtime.event_router import EventRouter
from graphbus_core.runtime.handling.bounds import Bounds
from graphbus_core.runtime.handling.checks import PayloadChecks
from graphbus_core.runtime.handling.handlers import Retry
from graphbus_core.runtime.handling.home import running_loop
from graphbus_core.runtime.importing import FrozenModules
from graphbus_core.runtime.kept import state
from graphbus_core.runtime.kept.dead_letters import DeadLetter, DeadLetters
from graphbus_core.runtime.kept.journal import Journal
from graphbus_core.runtime.kept.keeping import Keeping
from graphbus_core.runtime.lifecycle import Lifecycle
from graphbus_core.runtime.loader import ArtifactLoader, TopicData
from graphbus_core.runtime.message_bus import MessageBus, Middleware
from graphbus_core.runtime.nodes import checks_of, make_node

log = logging.getLogger("graphbus.runtime")


class RuntimeExecutor(Lifecycle):
    """One running build. Also a context manager, sync and async: started on entering, stopped on leaving.

    Give the folder of the build, or a whole RuntimeConfig.
    """

    def __init__(
        self,
        artifacts_dir: str | Path | RuntimeConfig = ".graphbus",
        enable_message_bus: bool = True,
        *,
        config: RuntimeConfig | None = None,
        middleware: Iterable[Middleware] = (),
    ) -> None:
        if isinstance(artifacts_dir, RuntimeConfig):
            config = artifacts_dir
            self.artifacts_dir = config.artifacts_dir
            self.enable_message_bus = enable_message_bus and config.enable_message_bus
        else:
            self.artifacts_dir = str(artifacts_dir)
            self.enable_message_bus = enable_message_bus
        self.config = config or RuntimeConfig(artifacts_dir=self.artifacts_dir)
        if self.config.journal and not self.enable_message_bus:
            raise ConfigError(
                "A journal is kept by the message bus, and there is to be none: leave one of the two out."
            )
        self.loader = ArtifactLoader(self.artifacts_dir)
        self.graph: AgentGraph | None = None
        self.agent_defs: list[AgentDefinition] | None = None
        self.topics: list[TopicData] | None = None
        self.subscriptions: list[dict[str, str]] | None = None
        self.nodes: dict[str, GraphBusNode] = {}
        self.bus: MessageBus | None = None
        self.router: EventRouter | None = None
        self.calls: Calls | None = None
        self.keeping: Keeping | None = None
        self.journal: Journal | None = None
        self.broken: dict[str, str] = {}  # nodes left out with skip_broken, and why
        self._middleware = tuple(middleware)
        self._modules: FrozenModules | None = None
        self._checks: PayloadChecks | None = None
        super().__init__()

    # Start

    def start(self) -> None:
        """Load, make, connect and start everything. Does nothing where it runs already.

        Raises ArtifactError, or NodeFailed for the first node that cannot be made or started (with `skip_broken` such
        a node is left out, and its reason is in `broken`).
        """
        if self._is_running:
            return
        self._prepare()
        try:
            self._run_hooks("on_start")
            if self.keeping is not None and self.bus is not None:
                self.keeping.recover(self.bus)
                self.keeping.recovery_over()
        except BaseException:
            self._abandon()
            raise
        self._is_running = True
        log.info("runtime ready: %d nodes", len(self.nodes))

    async def astart(self) -> None:
        """`start` on the running loop: async hooks and handlers run here."""
        if self._is_running:
            return
        self._prepare()
        if self.bus is not None:
            self.bus.home.adopt(asyncio.get_running_loop())
        try:
            for name in list(self.nodes):
                await self._astart_node(name)
            if self.keeping is not None and self.bus is not None:
                self.keeping.recover(self.bus)
                await self.bus.adrain()
                self.keeping.recovery_over()
        except BaseException:
            self._abandon()
            raise
        self._is_running = True

    def _prepare(self) -> None:
        self.unfinished = []
        self.stop_failures = []
        self.broken = {}
        with _no_collection():
            self._load_and_connect()

    def _load_and_connect(self) -> None:
        if self._modules is not None:  # a second start: everything is made anew
            self.loader = ArtifactLoader(self.artifacts_dir)
            self._unload()
        try:
            self.load_artifacts()
            self._make_bus()
            self.initialize_nodes()
            if self.enable_message_bus:
                self.setup_message_bus()
            if self.keeping is not None:
                self.keeping.restore(self.nodes)
            elif self.config.state_file:
                state.restore(self.config.state_file, self.nodes)
        except BaseException:
            self._abandon()
            raise

    def load_artifacts(self) -> None:
        """Read the build. Every file is verified before any code of it runs."""
        self.graph, self.agent_defs, self.topics, self.subscriptions = self.loader.load_all()
        self._checks = checks_of(self.config.payload_checks, self.agent_defs, self.topics)

    def initialize_nodes(self) -> dict[str, GraphBusNode]:
        """Import the frozen sources and make every node, dependencies first."""
        if self.agent_defs is None or self.graph is None:
            self.load_artifacts()
        assert self.agent_defs is not None
        assert self.graph is not None
        self.nodes = {}
        self._connect_calls()
        assert self.calls is not None
        modules = self._modules = FrozenModules(self.loader.folder)
        self.loader.folder.read_rest()  # also what no run reads: nothing of an altered build runs
        # Every node holds its `calls`. Not at `stop`: nodes may be asked afterwards what they saw.
        weakref.finalize(self.calls, modules.unload)
        agents = {agent.name: agent for agent in self.agent_defs}
        order = dict.fromkeys(name for name in self.graph.get_agent_activation_order() if name in agents)
        for name in order | dict.fromkeys(agents):
            try:
                self.nodes[name] = make_node(agents[name], modules, self.bus, self.calls)
            except Exception as e:
                self._broke(name, "made", e)
        return self.nodes

    def setup_message_bus(self) -> None:
        """Make the bus and connect every subscription of the build."""
        self._make_bus()
        assert self.bus is not None
        self.router = EventRouter(self.bus, self.nodes)
        self.bus._dispatcher = self.router
        for subscription in self.subscriptions or []:
            node = self.nodes.get(subscription["agent"])
            if node is None:
                continue
            node.bus = self.bus
            try:
                self.router.register_handler(subscription["topic"], node, subscription["handler"])
            except BadHandler as e:
                self._broke(node.name, "connected", e)
        for node in self.nodes.values():
            node.bus = self.bus

    def _make_bus(self) -> None:
        if self.bus is not None or not self.enable_message_bus:
            return
        config = self.config
        self.keeping = Keeping(config)
        self.journal = self.keeping.journal
        retry = Retry(config.retry_times, config.retry_backoff_s) if config.retry_times else None
        self.bus = MessageBus(
            config.history_limit,
            queue_limit=config.queue_limit,
            on_full=config.on_full,
            checks=self._checks,
            dead_letters=DeadLetters(config.dead_letter_limit, config.dead_letter_file),
            journal=self.keeping.ledger,
            retry=retry,
            bounds=Bounds(config.handler_timeout_s, config.handler_concurrency),
            timestamps=config.timestamps,
            together=config.async_together,
            wait_s=config.publisher_wait_s,
        )
        self.bus.home.adopt(running_loop())
        for middleware in self._middleware:
            self.bus.use(middleware)
        self._connect_calls()

    def _connect_calls(self) -> None:
        if self.calls is None:
            self.calls = Calls(self.config.call_timeout_s)
        self.calls.connect(self.nodes, self.bus, self._checks or PayloadChecks())

    def _broke(self, name: str, what: str, error: BaseException) -> None:
        reason = f"{type(error).__name__}: {error}" if not isinstance(error, BadHandler | RuntimeFault) else str(error)
        if not self.config.skip_broken:
            raise NodeFailed(
                f"The node {name} could not be {what}: {reason} (skip_broken, or --skip-broken, starts without it.)"
            ) from error
        log.error("left out %s, which could not be %s: %s", name, what, reason)
        self.broken[name] = reason
        node = self.nodes.pop(name, None)
        if node is not None and self.router is not None:
            self.router.unregister_node(node)

    # Use

    def call_method(self, node_name: str, method_name: str, **kwargs: Any) -> Any:
        """Call a method of a node and return what it returns; an async method is awaited.

        Raises RuntimeError before `start`, ValueError for an unknown node, AttributeError for an unknown method.
        """
        return self._running().call(node_name, method_name, kwargs)

    async def acall_method(self, node_name: str, method_name: str, **kwargs: Any) -> Any:
        """`call_method` for async code."""
        return await self._running().acall(node_name, method_name, kwargs)

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
        calls = self._running()
        return calls.call(
            node_name, method_name, payload or {}, src=source, context=context, timeout_s=timeout_s, here=here
        )

    def publish(self, topic: str, payload: dict[str, Any], source: str = "runtime") -> Event:
        """Publish an event. Raises RuntimeError before `start` and without a bus."""
        return self._bus().publish(topic, payload, source)

    async def apublish(self, topic: str, payload: dict[str, Any], source: str = "runtime") -> Event:
        """Publish an event and await its handlers."""
        return await self._bus().apublish(topic, payload, source)

    def get_node(self, name: str) -> GraphBusNode | None:
        """The node of that name, or None."""
        return self.nodes.get(name)

    def get_all_nodes(self) -> dict[str, GraphBusNode]:
        """Every node by name."""
        return dict(self.nodes)

    def get_stats(self) -> dict[str, Any]:
        """`is_running`, `nodes_count`, `message_bus` (None without one), and more."""
        return {
            "is_running": self._is_running,
            "nodes_count": len(self.nodes),
            "message_bus": self.bus.get_stats() if self.bus is not None else None,
            "nodes_active": list(self.nodes),
            "nodes_broken": dict(self.broken),
            "calls": self.calls.made if self.calls else 0,
            "calls_failed": self.calls.failed if self.calls else 0,
            "journal_written": self.journal.written if self.journal else 0,
            "events_recovered": self.keeping.recovered if self.keeping else 0,
        }

    def save_state(self, path: str | Path | None = None) -> int:
        """Save what nodes keep, all or nothing, and return how many there were. Raises RuntimeFault.

        What the file holds for nodes that are not here (left out, or not of this build) stays in it.
        """
        target = path or self.config.state_file
        if target is None:
            raise NotRunning("There is nowhere to save the state to; set RuntimeConfig.state_file or give a path.")
        if self.keeping is not None:
            return self.keeping.save(Path(target), self.nodes)
        return state.save(target, self.nodes)

    def restore_state(self, path: str | Path) -> int:
        """Give nodes back what `save_state` saved."""
        return state.restore(path, self.nodes)

    def retry_dead_letters(self, letters: Iterable[DeadLetter] | None = None) -> tuple[int, int]:
        """Deliver dead letters once more; how many went well, and how many did not and are kept.

        One with hidden fields is kept: what they held is not known.
        Inside an event loop use `aretry_dead_letters` (RuntimeFault where a handler is async).
        """
        bus = self._bus()
        chosen = [one for one in (letters if letters is not None else bus.dead_letters) if not one.delivered]
        done = sum(bus.retry_dead_letter(letter) for letter in chosen if not letter.redacted)
        return done, len(chosen) - done

    async def aretry_dead_letters(self, letters: Iterable[DeadLetter] | None = None) -> tuple[int, int]:
        """`retry_dead_letters` for async code."""
        bus = self._bus()
        chosen = [one for one in (letters if letters is not None else bus.dead_letters) if not one.delivered]
        done = sum([await bus.aretry_dead_letter(letter) for letter in chosen if not letter.redacted])
        return done, len(chosen) - done

    @property
    def is_running(self) -> bool:
        """Whether it is started and not stopped."""
        return self._is_running

    @property
    def agent_definitions(self) -> list[AgentDefinition]:
        """Every agent of the build."""
        return self.agent_defs or []

    @property
    def message_bus(self) -> MessageBus | None:
        """The bus."""
        return self.bus

    @property
    def event_router(self) -> EventRouter | None:
        """The router."""
        return self.router

    def _running(self) -> Calls:
        if (not self._is_running and not self._started) or self.calls is None:
            raise NotRunning("Runtime not started: call start() first, or use `with RuntimeExecutor(…)`.")
        return self.calls

    def _bus(self) -> MessageBus:
        if not self.enable_message_bus:
            raise NotRunning("Message bus not enabled: start with enable_message_bus=True to publish.")
        if (not self._is_running and not self._started) or self.bus is None:
            raise NotRunning("Runtime not started: call start() first, or use `with RuntimeExecutor(…)`.")
        return self.bus

    def _unload(self) -> None:
        self.nodes = {}
        self.bus = self.router = self.calls = self.journal = self.keeping = None
        if self._modules is not None:
            self._modules.unload()
            self._modules = None


@contextlib.contextmanager
def _no_collection() -> Iterator[None]:
    """A start makes many objects and drops none: looking for garbage meanwhile costs a fifth of it."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def run_runtime(
    artifacts_dir: str | Path | RuntimeConfig = ".graphbus", enable_message_bus: bool = True
) -> RuntimeExecutor:
    """Start a build and return the running executor."""
    executor = RuntimeExecutor(artifacts_dir, enable_message_bus)
    executor.start()
    return executor
