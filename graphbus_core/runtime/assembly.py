"""`Assembly`: a build and what a start makes of it: modules, nodes, the bus, calls, what is kept (seed 002 §5.5).

Nothing of it starts or stops by itself: that is `lifecycle`. Order of making: artifacts, modules, nodes in the order of
their dependencies, subscriptions, saved state.
"""

from __future__ import annotations

import inspect
import logging
import weakref
from collections.abc import Callable, Coroutine, Iterable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar

from graphbus_core.config import RuntimeConfig
from graphbus_core.errors import BadHandler, ConfigError, NodeFailed, NotRunning, RuntimeFault, UnknownNode
from graphbus_core.gc_control import pause_garbage_collection
from graphbus_core.model.agent_def import AgentDefinition
from graphbus_core.model.graph import AgentGraph
from graphbus_core.node_base import GraphBusNode
from graphbus_core.runtime.calls import Calls
from graphbus_core.runtime.concurrency import BackgroundLoop, get_running_loop, run_synchronously
from graphbus_core.runtime.event_router import EventRouter
from graphbus_core.runtime.injection.node_factory import build_checks, convert_exit, import_class, make_node
from graphbus_core.runtime.injection.policy import GuardedBus, Policy
from graphbus_core.runtime.injection.providers import ConstructorArgument, Providers, list_wanted
from graphbus_core.runtime.loader import ArtifactLoader, FrozenModules, TopicData
from graphbus_core.runtime.message_bus import MessageBus, Middleware
from graphbus_core.runtime.payloads import PayloadChecks
from graphbus_core.runtime.persistence import run_store
from graphbus_core.runtime.persistence.dead_letters import DeadLetters
from graphbus_core.runtime.persistence.journal import Journal, mark_hook
from graphbus_core.runtime.persistence.run_store import RunStore
from graphbus_core.runtime.reload.call_gates import CallGates
from graphbus_core.runtime.subscriptions.field_mappings import DeliveryMapping
from graphbus_core.runtime.subscriptions.handlers import Bounds, Retry
from graphbus_core.runtime.topics import suggest_nearest
from graphbus_core.runtime.transports.port import Responder, Transport

T = TypeVar("T")
log = logging.getLogger("graphbus.runtime")
StandInFactory = Callable[
    [str, Mapping[str, Any]], GraphBusNode
]  # made from a node's name and the contracts of its results


class Assembly:
    """The parts of one runtime. What a start makes anew is None, or empty, before it; `started` are the nodes whose
    `on_start` was called, in that order. A test gives `stand_ins`, which answer in place of nodes.
    """

    def __init__(
        self,
        config: RuntimeConfig,
        artifacts_dir: str,
        enable_message_bus: bool,
        middleware: Iterable[Middleware],
        providers: Providers,
        policy: Policy,
        chosen: frozenset[str] | None,
        transport: Transport,
    ) -> None:
        self.config, self.artifacts_dir, self.enable_message_bus = config, artifacts_dir, enable_message_bus
        self.providers, self.policy, self.chosen, self.transport = providers, policy, chosen, transport
        self.loader = self.open_build()
        self.graph: AgentGraph | None = None
        self.agent_defs: list[AgentDefinition] | None = None
        self.topics: list[TopicData] | None = None
        self.subscriptions: list[dict[str, Any]] | None = None
        self.nodes: dict[str, GraphBusNode] = {}
        self.bus: MessageBus | None = None
        self.router: EventRouter | None = None
        self.calls: Calls | None = None
        self.keeping: RunStore | None = None
        self.journal: Journal | None = None
        self.broken: dict[str, str] = {}  # nodes left out with skip_broken, and why
        self.started: list[str] = []
        self.stand_ins: dict[str, StandInFactory] = {}
        self.wants: dict[str, list[ConstructorArgument]] = {}
        self.checks: PayloadChecks | None = None
        self.modules: FrozenModules | None = None
        self.doors = CallGates() if config.reloadable else None
        self._begun = False
        self._kinds: dict[str, type[GraphBusNode]] | None = None
        self._middleware = tuple(middleware)
        self._own_home = BackgroundLoop()  # where there is no bus
        self._loaded: list[FrozenModules] = []  # of the running build, and of earlier ones as far as it uses them

    def open_build(self) -> ArtifactLoader:
        """The folder of the build. Raises ArtifactError."""
        return ArtifactLoader(self.artifacts_dir)

    def load_artifacts(self) -> None:
        """Read the build. Every file is verified before any code of it runs."""
        self.graph, self.agent_defs, self.topics, self.subscriptions = self.loader.load_all()
        self.checks = build_checks(self.config.payload_checks, self.agent_defs, self.topics)
        if self.doors is not None:
            _ = self.loader.folder.schemas  # read now: the next build is written over this one

    def import_classes(self) -> dict[str, type[GraphBusNode]]:
        """Import the frozen sources: the class of every node, dependencies first."""
        if self.agent_defs is None or self.graph is None:
            self.load_artifacts()
        assert self.agent_defs is not None
        assert self.graph is not None
        modules = self.modules = FrozenModules(self.loader.folder)
        self.loader.folder.read_rest()  # also what no run reads: nothing of an altered build runs
        assert self.calls is not None
        # Every node holds its `calls`. Not at `stop`: nodes may be asked afterwards what they saw.
        self._loaded = [modules]
        weakref.finalize(self.calls, _unload_all, self._loaded)
        agents = {agent.name: agent for agent in self.agent_defs}
        if unknown := (self.chosen or frozenset()) - agents.keys():
            raise UnknownNode(
                f"There is no node '{min(unknown)}' in this build.{suggest_nearest(min(unknown), agents)}"
            )
        order = dict.fromkeys(name for name in self.graph.get_agent_activation_order() if name in agents)
        classes: dict[str, type[GraphBusNode]] = {}
        for name in order | dict.fromkeys(agents):
            if name in self.stand_ins or (self.chosen is not None and name not in self.chosen):
                continue
            try:
                classes[name] = import_class(agents[name], modules)
            except Exception as e:
                self.reject_node(name, "made", e)
        return classes

    def _prepare_classes(self) -> None:
        """Import every class, and see that somebody provides what it wants, before any node is made."""
        self._connect_calls()
        if self.config.journal:
            self.providers.record_effects(Path(self.config.journal), self._find_cause)
        kinds = self._kinds = self.import_classes()
        self.wants = {name: arguments for name, kind in kinds.items() if (arguments := list_wanted(kind))}
        for name, why in self.providers.explain_missing(self.wants).items():
            self.reject_node(name, "made", RuntimeFault(why))
            kinds.pop(name)
            self.wants.pop(name)

    def _find_cause(self) -> str | None:
        """The id of the event or call at hand."""
        return self.bus.causes.find_current_cause() if self.bus is not None else None

    def initialize_nodes(self) -> dict[str, GraphBusNode]:
        """Make every node, dependencies first."""
        if self._kinds is None:
            self._prepare_classes()
            self.run_providers(self.providers.make(self.wants))
        assert self._kinds is not None
        self.nodes = {}
        self._connect_calls()
        for name, kind in self._kinds.items():
            bus = GuardedBus(self.bus, name, self.policy) if self.bus and self.policy.concerns(name) else self.bus
            try:
                provided = self.providers.build_arguments(self.wants.get(name, []))
                self.nodes[name] = make_node(kind, name, bus, self.calls, provided)
            except Exception as e:
                self.reject_node(name, "made", e)
        for name, make in self.stand_ins.items():
            self.nodes[name] = make(name, self._collect_outputs(name))
        self._kinds = None
        return self.nodes

    def _collect_outputs(self, name: str) -> dict[str, Any]:
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
            self.policy.require(node.name, "hear", subscription["topic"])
            try:
                mapping = self.build_mapping(subscription, self.modules)
                self.router.register_handler(subscription["topic"], node, subscription["handler"], mapping)
            except BadHandler as e:
                self.reject_node(node.name, "connected", e)
        assert self.calls is not None
        for node in self.nodes.values():
            if node.bus is None:
                node.bus = self.bus
            self.transport.reply(Responder(node.name, self.calls.answer, node))

    @staticmethod
    def build_mapping(subscription: Mapping[str, Any], modules: FrozenModules | None) -> DeliveryMapping | None:
        """What a subscription is delivered through; conversions are those of the frozen modules. Raises BadHandler."""
        try:
            return DeliveryMapping.from_subscription(
                subscription, modules.load if modules is not None else import_module
            )
        except (AttributeError, ImportError) as e:
            raise BadHandler(f"The mapping of {subscription['agent']}.{subscription['handler']}: {e}") from e

    def _make_bus(self) -> None:
        if self.bus is not None or not self.enable_message_bus:
            return
        config = self.config
        self.keeping = RunStore(config)
        self.journal = self.keeping.journal
        retry = Retry(config.retry_times, config.retry_backoff_s) if config.retry_times else None
        self.bus = MessageBus(
            config.history_limit,
            queue_limit=config.queue_limit,
            on_full=config.on_full,
            checks=self.checks,
            dead_letters=DeadLetters(config.dead_letter_limit, config.dead_letter_file),
            journal=self.keeping.ledger,
            retry=retry,
            bounds=Bounds(config.handler_timeout_s, config.handler_concurrency),
            timestamps=config.timestamps,
            together=config.async_together,
            wait_s=config.publisher_wait_s,
        )
        self.bus.registry.doors = self.doors
        self.bus.home.adopt(get_running_loop())
        self.bus.use_transport(self.transport)
        for middleware in self._middleware:
            self.bus.use(middleware)
        self._connect_calls()

    def _connect_calls(self) -> None:
        if self.calls is None:
            self.calls = Calls(self.config.call_timeout_s)
            self.calls.doors = self.doors
        self.calls.elsewhere = None if self.transport.local else self.transport
        self.connect(self.checks, self.get_build_names())

    def connect(self, checks: PayloadChecks | None, build: frozenset[str]) -> None:
        """Let calls and events be held against these contracts; `build` are the nodes of the build."""
        assert self.calls is not None
        self.calls.connect(self.nodes, self.bus, checks or PayloadChecks(), self.policy)
        self.calls.build = build
        if self.bus is not None and checks is not None:
            self.bus.set_checks(checks)

    def get_build_names(self) -> frozenset[str]:
        """Every node of the build, whether it runs here or not."""
        return frozenset(agent.name for agent in self.agent_defs or ())

    def reject_node(self, name: str, what: str, error: BaseException) -> None:
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

    # Steps of a start

    def begin(self) -> None:
        """Everything up to what nodes are to be given."""
        self.broken = {}
        with pause_garbage_collection():
            if self._begun or self.calls is not None:  # a second start: everything is read and made anew
                self.loader = self.open_build()
                self.unload()
            self._begun = True
            self.load_artifacts()
            self._make_bus()
            self._prepare_classes()

    def finish(self) -> None:
        """Make the nodes, connect them, and give them their state back."""
        with pause_garbage_collection():
            self.initialize_nodes()
            if self.enable_message_bus:
                self.setup_message_bus()
            if self.keeping is not None:
                self.keeping.restore(self.nodes)
            elif self.config.state_file:
                run_store.restore_state(self.config.state_file, self.nodes)

    def unload(self) -> None:
        """Let go of everything that a start made."""
        self.nodes, self.started = {}, []
        self.bus = self.router = self.calls = self.journal = self.keeping = None
        if self.modules is not None:
            self.modules.unload()
            self.modules = None

    # What is asynchronous in a start, a stop or a reload, for a thread that waits for it

    @property
    def home(self) -> BackgroundLoop:
        """The loop on which async hooks and providers of sync programs run."""
        return self.bus.home if self.bus is not None else self._own_home

    def run_providers(self, work: Coroutine[Any, Any, None]) -> None:
        """Run what providers do: here, as far as nothing is awaited; on the home loop where one of them is async."""
        if self.providers.asynchronous:
            return self.home.wait_for(work)
        plain = ConfigError("A provider that is a plain function gave something to await: write it as `async def`.")
        return run_synchronously(work, plain)

    def run_transport(self, work: Coroutine[Any, Any, T]) -> T:
        """Run what the transport does: on the home loop, where its connection lives."""
        if not self.transport.local and self.bus is not None:
            return self.home.wait_for(work)
        return run_synchronously(work)

    def run_hook(self, name: str, hook: str) -> None:
        """Run a hook of a node. Raises what it raises, and RuntimeFault where it calls `sys.exit`."""
        rest = self.arun_hook(name, hook)
        if rest is None:
            return
        if get_running_loop() is not None:
            rest.close()
            raise RuntimeError(f"{name}.{hook} is async: use `async with RuntimeExecutor(…)` inside an event loop")
        self.home.wait_for(rest)

    def arun_hook(self, name: str, hook: str) -> Coroutine[Any, Any, None] | None:
        """`hook` for async code: what is to be awaited yet, where the hook is async."""

        async def await_hook() -> None:
            with convert_exit(f"{name}.{hook}"), mark_hook(hook):
                await result

        with convert_exit(f"{name}.{hook}"), mark_hook(hook):
            result = getattr(self.nodes[name], hook)()
        return await_hook() if inspect.isawaitable(result) else None

    # State and reload

    def save_state(self, path: str | Path | None = None) -> int:
        """As `RuntimeExecutor.save_state` has it."""
        target = path or self.config.state_file
        if target is None:
            raise NotRunning("There is nowhere to save the state to; set RuntimeConfig.state_file or give a path.")
        if self.keeping is not None:
            return self.keeping.save(Path(target), self.nodes)
        return run_store.save_state(target, self.nodes)

    def install_build(
        self,
        loader: ArtifactLoader,
        checks: PayloadChecks,
        modules: FrozenModules,
        wants: dict[str, list[ConstructorArgument]],
    ) -> None:
        """Another build is the running one. Its nodes are in `nodes` and started; nothing in here may fail."""
        self.loader, self.checks = loader, checks
        self.graph, self.agent_defs, self.topics, self.subscriptions = loader.load_all()  # as it was read for `checks`
        self.wants |= wants
        for name in self.nodes:
            self.broken.pop(name, None)
        order = dict.fromkeys(name for name in self.graph.get_agent_activation_order() if name in self.nodes)
        self.started = list(order | dict.fromkeys(self.nodes))
        self.modules = modules
        for unused in [unused for unused in self._loaded if not modules.uses(unused)]:
            self._loaded.remove(unused)
            unused.unload()
        self._loaded.append(modules)


def _unload_all(loaded: list[FrozenModules]) -> None:
    for modules in loaded:
        modules.unload()
