"""What a reload needs of the runtime that it changes: a `RuntimeExecutor`, which knows this room and is not known."""

from __future__ import annotations

from collections.abc import Coroutine, Mapping
from typing import Any, Protocol

from graphbus_core.config import RuntimeConfig
from graphbus_core.model.agent_def import AgentDefinition
from graphbus_core.model.graph import AgentGraph
from graphbus_core.node_base import GraphBusNode
from graphbus_core.runtime.calls import Calls
from graphbus_core.runtime.event_router import EventRouter
from graphbus_core.runtime.given.policy import Policy
from graphbus_core.runtime.given.providers import Providers, Wanted
from graphbus_core.runtime.handling.checks import PayloadChecks
from graphbus_core.runtime.importing import FrozenModules
from graphbus_core.runtime.loader import ArtifactLoader, TopicData
from graphbus_core.runtime.message_bus import MessageBus
from graphbus_core.runtime.reload.doors import Doors
from graphbus_core.runtime.transports.port import Transport


class Running(Protocol):
    """A started runtime. What begins with `_` is its own, and written by a reload alone."""

    artifacts_dir: str
    config: RuntimeConfig
    loader: ArtifactLoader
    graph: AgentGraph | None
    agent_defs: list[AgentDefinition] | None
    topics: list[TopicData] | None
    subscriptions: list[dict[str, str]] | None
    nodes: dict[str, GraphBusNode]
    broken: dict[str, str]
    bus: MessageBus | None
    router: EventRouter | None
    calls: Calls | None
    doors: Doors | None
    policy: Policy
    providers: Providers
    transport: Transport
    _checks: PayloadChecks | None
    _chosen: frozenset[str] | None
    _modules: FrozenModules | None
    _shared: list[FrozenModules]
    _started: list[str]
    _wants: dict[str, list[Wanted]]

    @property
    def stand_ins(self) -> Mapping[str, Any]: ...
    def build_names(self) -> frozenset[str]: ...
    def _apart(self, work: Coroutine[Any, Any, Any]) -> None: ...
    def _carried(self, work: Coroutine[Any, Any, Any]) -> Any: ...
    def _connect(self, checks: PayloadChecks | None, build: frozenset[str]) -> None: ...
    def _hook(self, name: str, hook: str) -> None: ...
