"""`RuntimeExecutor`: one running build, as programs use it: start, call, publish, ask, reload, stop (seed 002 §5.5).

No model, no negotiation and no build code is reachable from here. `assembly` makes the parts, `lifecycle` starts and
stops them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from graphbus_core.config import RuntimeConfig
from graphbus_core.errors import ConfigError, NotRunning, RuntimeFault
from graphbus_core.model.agent_def import AgentDefinition
from graphbus_core.model.message import Event
from graphbus_core.node_base import GraphBusNode
from graphbus_core.runtime.assembly import Assembly
from graphbus_core.runtime.calls import Calls
from graphbus_core.runtime.event_router import EventRouter
from graphbus_core.runtime.given.policy import Policy
from graphbus_core.runtime.given.providers import Providers
from graphbus_core.runtime.handling.home import running_loop
from graphbus_core.runtime.kept.dead_letters import DeadLetter
from graphbus_core.runtime.lifecycle import Lifecycle
from graphbus_core.runtime.message_bus import MessageBus, Middleware
from graphbus_core.runtime.signals import until_signal
from graphbus_core.runtime.telemetry.health import Health, health_of
from graphbus_core.runtime.transports.in_process import InProcess
from graphbus_core.runtime.transports.port import Transport

if TYPE_CHECKING:
    from graphbus_core.runtime.reload.swap import Reloaded


class RuntimeExecutor(Assembly):
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
            enable_message_bus = enable_message_bus and config.enable_message_bus
            artifacts_dir = config.artifacts_dir
        config = config or RuntimeConfig(artifacts_dir=str(artifacts_dir))
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
        super().__init__(
            config,
            str(artifacts_dir),
            enable_message_bus,
            middleware,
            provide if isinstance(provide, Providers) else Providers(provide),
            policy or Policy(),
            frozenset(nodes) if nodes is not None else None,
            transport,
        )
        self._life = Lifecycle(self)

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

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self.stop()

    async def __aenter__(self) -> Self:
        await self.astart()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None
    ) -> None:
        await self.astop()

    @property
    def is_running(self) -> bool:
        """Whether it is started and not stopped."""
        return self._life.is_running

    _is_running = is_running  # the seed's name

    @property
    def unfinished(self) -> list[str]:
        """What the last stop did not wait for."""
        return self._life.unfinished

    @property
    def stop_failures(self) -> list[str]:
        """What failed at the last stop, a sentence each: an `on_stop` that raised, a state that could not be saved."""
        return self._life.stop_failures

    def health(self) -> Health:
        """Whether it works and may be given work, and why not."""
        return health_of(self)

    def run_until_signal(self, ready: Callable[[], None] | None = None) -> int:
        """Wait, in the main thread, for SIGTERM or SIGINT and return its number; `stop` is still to be called.

        `ready` is called once a signal would be heard.
        """
        return until_signal(ready)

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
        if not self._life.changing.acquire(timeout=timeout_s):
            raise RuntimeFault("The runtime is being stopped or reloaded by somebody else, and that goes on.")
        try:
            if not self.is_running:
                raise NotRunning("The runtime does not run, so it cannot be reloaded: start it.")
            return reload(self, force=force, timeout_s=timeout_s)
        finally:
            self._life.changing.release()

    # While it runs

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
        if not (self.is_running or self.started) or self.calls is None:
            raise NotRunning("Runtime not started: call start() first, or use `with RuntimeExecutor(…)`.")
        return self.calls

    def _bus(self) -> MessageBus:
        if not self.enable_message_bus:
            raise NotRunning("Message bus not enabled: start with enable_message_bus=True to publish.")
        if not (self.is_running or self.started) or self.bus is None:
            raise NotRunning("Runtime not started: call start() first, or use `with RuntimeExecutor(…)`.")
        return self.bus


def run_runtime(
    artifacts_dir: str | Path | RuntimeConfig = ".graphbus", enable_message_bus: bool = True
) -> RuntimeExecutor:
    """Start a build and return the running executor."""
    executor = RuntimeExecutor(artifacts_dir, enable_message_bus)
    executor.start()
    return executor
