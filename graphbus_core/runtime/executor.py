"""`RuntimeExecutor`: loads a build, makes its nodes, connects them, runs them, stops them (seed 002 §5.5).

No model, no negotiation and no build code is reachable from here. Order of a start: artifacts, modules, nodes in the
order of their dependencies, subscriptions, saved state, `on_start` in that same order. A stop goes the other way, and
returns within its deadline whatever hangs.
"""

from __future__ import annotations

import logging
import weakref
from collections.abc import Callable, Collection, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from graphbus_core.config import RuntimeConfig
from graphbus_core.errors import BadHandler, ConfigError, NodeFailed, NotRunning, RuntimeFault, UnknownNode
from graphbus_core.model.agent_def import AgentDefinition
from graphbus_core.model.graph import AgentGraph
from graphbus_core.node_base import GraphBusNode
from graphbus_core.runtime.calls import Calls
from graphbus_core.runtime.event_router import EventRouter
from graphbus_core.runtime.given.nodes import checks_of, class_of, make_node
from graphbus_core.runtime.given.policy import GuardedBus, Policy
from graphbus_core.runtime.given.providers import Providers, Wanted, wanted_by
from graphbus_core.runtime.handling.bounds import Bounds
from graphbus_core.runtime.handling.checks import PayloadChecks
from graphbus_core.runtime.handling.handlers import Retry
from graphbus_core.runtime.handling.home import HomeLoop, running_loop
from graphbus_core.runtime.handling.topics import nearest
from graphbus_core.runtime.importing import FrozenModules
from graphbus_core.runtime.kept.dead_letters import DeadLetters
from graphbus_core.runtime.kept.journal import Journal
from graphbus_core.runtime.kept.keeping import Keeping
from graphbus_core.runtime.loader import ArtifactLoader, TopicData
from graphbus_core.runtime.message_bus import MessageBus, Middleware
from graphbus_core.runtime.reload.doors import Doors
from graphbus_core.runtime.transports.in_process import InProcess
from graphbus_core.runtime.transports.port import Responder, Transport
from graphbus_core.runtime.using import Used

if TYPE_CHECKING:
    from graphbus_core.runtime.reload.swap import Reloaded

log = logging.getLogger("graphbus.runtime")
StandIn = Callable[[str, Mapping[str, Any]], GraphBusNode]  # made from a node's name and the contracts of its results


class RuntimeExecutor(Used):
    """One running build. Also a context manager, sync and async: started on entering, stopped on leaving.

    Give the folder of the build, or a whole RuntimeConfig. `provide` gives nodes their constructor arguments
    (`given.providers`), `policy` says who may do what, and of the build only `nodes` are run, where they are named.
    `transport` carries events and calls (`transports.port`); without one all of it happens in this process.
    """

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
        self.transport: Transport = transport or InProcess()
        if not self.transport.local and (self.config.journal or not self.enable_message_bus):
            raise ConfigError(
                f"{self.transport.name} keeps the events, and needs the message bus: leave "
                f"{'the journal' if self.config.journal else 'enable_message_bus=False'} out."
            )
        self.loader = self.open_build()
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
        self.providers = provide if isinstance(provide, Providers) else Providers(provide)
        self.policy = policy or Policy()
        self.stand_ins: dict[str, StandIn] = {}  # for tests: who answers in place of a node
        self._chosen = frozenset(nodes) if nodes is not None else None
        self._kinds: dict[str, type[GraphBusNode]] | None = None
        self._wants: dict[str, list[Wanted]] = {}
        self._middleware = tuple(middleware)
        self._own_home = HomeLoop()  # where there is no bus
        self._modules: FrozenModules | None = None
        self._shared: list[FrozenModules] = []  # of builds that ran before, as far as the running one uses them
        self.doors = Doors() if self.config.reloadable else None
        self._checks: PayloadChecks | None = None
        super().__init__()

    def open_build(self) -> ArtifactLoader:
        """The folder of the build. Raises ArtifactError."""
        return ArtifactLoader(self.artifacts_dir)

    def load_artifacts(self) -> None:
        """Read the build. Every file is verified before any code of it runs."""
        self.graph, self.agent_defs, self.topics, self.subscriptions = self.loader.load_all()
        self._checks = checks_of(self.config.payload_checks, self.agent_defs, self.topics)
        if self.doors is not None:
            _ = self.loader.folder.schemas  # read now: the next build is written over this one

    def kinds(self) -> dict[str, type[GraphBusNode]]:
        """Import the frozen sources: the class of every node, dependencies first."""
        if self.agent_defs is None or self.graph is None:
            self.load_artifacts()
        assert self.agent_defs is not None
        assert self.graph is not None
        modules = self._modules = FrozenModules(self.loader.folder)
        self.loader.folder.read_rest()  # also what no run reads: nothing of an altered build runs
        assert self.calls is not None
        # Every node holds its `calls`. Not at `stop`: nodes may be asked afterwards what they saw.
        weakref.finalize(self.calls, modules.unload)
        agents = {agent.name: agent for agent in self.agent_defs}
        if unknown := (self._chosen or frozenset()) - agents.keys():
            raise UnknownNode(f"There is no node '{min(unknown)}' in this build.{nearest(min(unknown), agents)}")
        order = dict.fromkeys(name for name in self.graph.get_agent_activation_order() if name in agents)
        found: dict[str, type[GraphBusNode]] = {}
        for name in order | dict.fromkeys(agents):
            if name in self.stand_ins or (self._chosen is not None and name not in self._chosen):
                continue
            try:
                found[name] = class_of(agents[name], modules)
            except Exception as e:
                self._broke(name, "made", e)
        return found

    def _load_kinds(self) -> None:
        """Import every class, and see that somebody provides what it wants, before any node is made."""
        self._connect_calls()
        kinds = self._kinds = self.kinds()
        self._wants = {name: wanted for name, kind in kinds.items() if (wanted := wanted_by(kind))}
        for name, why in self.providers.missing(self._wants).items():
            self._broke(name, "made", RuntimeFault(why))
            kinds.pop(name)
            self._wants.pop(name)

    def initialize_nodes(self) -> dict[str, GraphBusNode]:
        """Make every node, dependencies first."""
        if self._kinds is None:
            self._load_kinds()
            self._apart(self.providers.make(self._wants))
        assert self._kinds is not None
        self.nodes = {}
        self._connect_calls()
        for name, kind in self._kinds.items():
            bus = GuardedBus(self.bus, name, self.policy) if self.bus and self.policy.concerns(name) else self.bus
            try:
                provided = self.providers.arguments(self._wants.get(name, []))
                self.nodes[name] = make_node(kind, name, bus, self.calls, provided)
            except Exception as e:
                self._broke(name, "made", e)
        for name, make in self.stand_ins.items():
            self.nodes[name] = make(name, self._outputs(name))
        self._kinds = None
        return self.nodes

    def _outputs(self, name: str) -> dict[str, Any]:
        """Method -> what it gives back, as JSON Schema, as far as that is declared."""
        agents = {agent.name: agent for agent in self.agent_defs or ()}
        methods = agents[name].methods if name in agents else []
        return {m.name: m.output_schema.json_schema for m in methods if m.output_schema is not None}

    def setup_message_bus(self) -> None:
        """Make the bus and connect every subscription of the build."""
        self._make_bus()
        assert self.bus is not None
        self.router = EventRouter(self.bus, self.nodes)
        self.bus._dispatcher = self.router
        for subscription in self.subscriptions or []:
            node = self.nodes.get(subscription["agent"])
            if node is None or node.name in self.stand_ins:
                continue
            self.policy.demand(node.name, "hear", subscription["topic"])
            try:
                self.router.register_handler(subscription["topic"], node, subscription["handler"])
            except BadHandler as e:
                self._broke(node.name, "connected", e)
        assert self.calls is not None
        for node in self.nodes.values():
            if node.bus is None:
                node.bus = self.bus
            self.transport.reply(Responder(node.name, self.calls.answer, node))

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
        self.bus.registry.doors = self.doors
        self.bus.home.adopt(running_loop())
        self.bus.carry(self.transport)
        for middleware in self._middleware:
            self.bus.use(middleware)
        self._connect_calls()

    def _connect_calls(self) -> None:
        if self.calls is None:
            self.calls = Calls(self.config.call_timeout_s)
            self.calls.doors = self.doors
        self.calls.elsewhere = None if self.transport.local else self.transport
        self._connect(self._checks, self.build_names())

    def _connect(self, checks: PayloadChecks | None, build: frozenset[str]) -> None:
        """Let calls and events be held against these contracts; `build` are the nodes of the build."""
        assert self.calls is not None
        self.calls.connect(self.nodes, self.bus, checks or PayloadChecks(), self.policy)
        self.calls.build = build
        if self.bus is not None and checks is not None:
            self.bus.hold_against(checks)

    def build_names(self) -> frozenset[str]:
        """Every node of the build, whether it runs here or not."""
        return frozenset(agent.name for agent in self.agent_defs or ())

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

    def reload(self, *, force: bool = False, timeout_s: float | None = None) -> Reloaded:
        """Take the newest build of the folder, while everything else goes on (`runtime.reload`).

        Raises ContractChanged where a contract breaks (with `force` it is taken all the same), NodeFailed,
        ArtifactError, and RuntimeFault where a node does not come to rest within `timeout_s` (default:
        RuntimeConfig.stop_timeout_s). Whatever is raised, the running build goes on. In an event loop:
        `await asyncio.to_thread(executor.reload)`.
        """
        from graphbus_core.runtime.reload.swap import (
            reload,  # loads the judges of contracts, which most runs never need
        )

        if self.doors is None or type(self).open_build is not RuntimeExecutor.open_build:
            raise NotRunning("This runtime cannot be reloaded: start it with RuntimeConfig(reloadable=True).")
        if running_loop() is not None:
            raise RuntimeFault("A reload waits, and this is an event loop: `await asyncio.to_thread(executor.reload)`.")
        timeout_s = self.config.stop_timeout_s if timeout_s is None else timeout_s
        if not self._stopping.acquire(timeout=timeout_s):
            raise RuntimeFault("The runtime is being stopped or reloaded by somebody else, and that goes on.")
        try:
            if not self._is_running:
                raise NotRunning("The runtime does not run, so it cannot be reloaded: start it.")
            return reload(self, force=force, timeout_s=timeout_s)
        finally:
            self._stopping.release()

    def _unload(self) -> None:
        self.nodes = {}
        self.bus = self.router = self.calls = self.journal = self.keeping = None
        if self._modules is not None:
            self._modules.unload()
            self._modules = None


def run_runtime(
    artifacts_dir: str | Path | RuntimeConfig = ".graphbus", enable_message_bus: bool = True
) -> RuntimeExecutor:
    """Start a build and return the running executor."""
    executor = RuntimeExecutor(artifacts_dir, enable_message_bus)
    executor.start()
    return executor
