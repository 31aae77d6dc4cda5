"""How a runtime comes up and goes down: hooks of nodes, waiting for a signal, a stop with a deadline."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import inspect
import logging
import threading
import time
from collections.abc import Callable, Coroutine, Iterator
from functools import partial
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from graphbus_core.errors import ConfigError, GraphBusError, RuntimeFault
from graphbus_core.node_base import GraphBusNode
from graphbus_core.runtime.given.nodes import exit_is_failure
from graphbus_core.runtime.handling.deadline import run_within
from graphbus_core.runtime.handling.home import running_loop
from graphbus_core.runtime.kept import state
from graphbus_core.runtime.kept.journal import by_hook
from graphbus_core.runtime.loader import ArtifactLoader
from graphbus_core.runtime.signals import until_signal
from graphbus_core.runtime.telemetry.health import Health, health_of

if TYPE_CHECKING:
    from graphbus_core.config import RuntimeConfig
    from graphbus_core.runtime.calls import Calls
    from graphbus_core.runtime.given.providers import Providers, Wanted
    from graphbus_core.runtime.handling.home import HomeLoop
    from graphbus_core.runtime.importing import FrozenModules
    from graphbus_core.runtime.kept.keeping import Keeping
    from graphbus_core.runtime.message_bus import MessageBus
    from graphbus_core.runtime.transports.port import Transport

log = logging.getLogger("graphbus.runtime")


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


class Lifecycle:
    """The part of `RuntimeExecutor` that starts and stops. `unfinished` names what a stop did not wait for, and
    `stop_failures` says what failed at a stop: an `on_stop` that raised, a state that could not be saved.
    """

    if TYPE_CHECKING:
        config: RuntimeConfig
        nodes: dict[str, GraphBusNode]
        bus: MessageBus | None
        calls: Calls | None
        keeping: Keeping | None
        _own_home: HomeLoop
        providers: Providers
        transport: Transport
        _modules: FrozenModules | None

        artifacts_dir: str
        enable_message_bus: bool
        loader: ArtifactLoader
        broken: dict[str, str]
        _wants: dict[str, list[Wanted]]

        def open_build(self) -> ArtifactLoader: ...
        def load_artifacts(self) -> None: ...
        def initialize_nodes(self) -> dict[str, GraphBusNode]: ...
        def setup_message_bus(self) -> None: ...
        def _make_bus(self) -> None: ...
        def _load_kinds(self) -> None: ...
        def save_state(self) -> int: ...
        def _broke(self, name: str, what: str, error: BaseException) -> None: ...
        def _unload(self) -> None: ...

    def __init__(self) -> None:
        self.unfinished: list[str] = []
        self.stop_failures: list[str] = []
        self._started: list[str] = []
        self._is_running = False
        self._stopping = threading.RLock()

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
            self._carried(self.transport.start())
            if self.keeping is not None and self.bus is not None:
                self.keeping.recover(self.bus)
                self.keeping.recovery_over()
        except BaseException:
            self._abandon()
            raise
        self._is_running = True
        log.info("runtime ready: %d nodes", len(self.nodes))

    async def astart(self) -> None:
        """`start` on the running loop: async providers, hooks and handlers run here."""
        if self._is_running:
            return
        try:
            self._begin()
            await self.providers.make(self._wants)
            self._finish()
            await self.transport.open()
        except BaseException:
            self._abandon()
            await self.providers.close()
            raise
        if self.bus is not None:
            self.bus.home.adopt(asyncio.get_running_loop())
        try:
            for name in list(self.nodes):
                await self._astart_node(name)
            await self.transport.start()
            if self.keeping is not None and self.bus is not None:
                self.keeping.recover(self.bus)
                await self.bus.adrain()
                self.keeping.recovery_over()
        except BaseException:
            self._abandon()
            await self.providers.close()
            raise
        self._is_running = True

    def _prepare(self) -> None:
        try:
            self._begin()
            self._apart(self.providers.make(self._wants))
            self._finish()
            self._carried(self.transport.open())
        except BaseException:
            self._abandon()
            self._apart(self.providers.close())
            raise

    def _begin(self) -> None:
        """Everything up to what nodes are to be given."""
        self.unfinished = []
        self.stop_failures = []
        self.broken = {}
        with _no_collection():
            if self._modules is not None:  # a second start: everything is made anew
                self.loader = self.open_build()
                self._unload()
            self.load_artifacts()
            self._make_bus()
            self._load_kinds()

    def _finish(self) -> None:
        """Make the nodes, connect them, and give them their state back."""
        with _no_collection():
            self.initialize_nodes()
            if self.enable_message_bus:
                self.setup_message_bus()
            if self.keeping is not None:
                self.keeping.restore(self.nodes)
            elif self.config.state_file:
                state.restore(self.config.state_file, self.nodes)

    def _apart(self, work: Coroutine[Any, Any, Any]) -> None:
        """Run what providers do: here, as far as nothing is awaited; on the home loop where one of them is async."""
        if self.providers.asynchronous:
            (self.bus.home if self.bus is not None else self._own_home).wait_for(work)
            return
        try:
            work.send(None)
        except StopIteration:
            return
        work.close()
        raise ConfigError("A provider that is a plain function gave something to await: write it as `async def`.")

    def _carried(self, work: Coroutine[Any, Any, Any]) -> Any:
        """Run what the transport does: on the home loop, where its connection lives."""
        if not self.transport.local and self.bus is not None:
            return self.bus.home.wait_for(work)
        try:
            work.send(None)
        except StopIteration as done:
            return done.value
        work.close()
        raise RuntimeFault("A transport that says it is local has to wait for something.")

    def _run_hooks(self, hook: str) -> None:
        for name in list(self.nodes):
            self._started.append(name)
            try:
                self._hook(name, hook)
            except Exception as e:
                self._started.remove(name)
                self._broke(name, "started", e)

    async def _astart_node(self, name: str) -> None:
        try:
            with exit_is_failure(f"{name}.on_start"), by_hook("on_start"):
                result = self.nodes[name].on_start()
                if inspect.isawaitable(result):
                    await result
            self._started.append(name)
        except Exception as e:
            self._broke(name, "started", e)

    def _hook(self, name: str, hook: str) -> None:
        with exit_is_failure(f"{name}.{hook}"), by_hook(hook):
            self._run_hook(name, hook)

    def _run_hook(self, name: str, hook: str) -> None:
        result = getattr(self.nodes[name], hook)()
        if not inspect.isawaitable(result):
            return

        async def awaited() -> None:
            await result

        if running_loop() is not None:
            raise RuntimeError(f"{name}.{hook} is async: use `async with RuntimeExecutor(…)` inside an event loop")
        if self.bus is not None:
            self.bus.home.wait_for(awaited())
        else:
            asyncio.run(awaited())

    def stop(self, timeout_s: float | None = None) -> None:
        """Let what is under way finish, run `on_stop`, save the state. Returns within `timeout_s`, come what may.

        What did not finish is in `unfinished` and in the log. Default: RuntimeConfig.stop_timeout_s.
        """
        timeout_s = self.config.stop_timeout_s if timeout_s is None else timeout_s
        end = time.monotonic() + timeout_s
        if not self._stopping.acquire(timeout=max(timeout_s, 0)):
            return  # another thread stops it, and is not done yet
        try:
            if not self._is_running:  # also where a signal comes in the middle of a stop
                return
            self._is_running = False
            self._within("the transport's deliveries", end, lambda: self._carried(self._drained(end)))
            if self.bus is not None and not self.bus.drain(max(end - time.monotonic(), 0) * 0.8):
                self._left("deliveries under way")
            for name in reversed(self._started):
                self._within(f"{name}.on_stop", end, partial(self._hook, name, "on_stop"))
            self._started.clear()
            if self.config.state_file:
                self._within("saving the state", end, self.save_state)
            self._within("closing what was provided", end, lambda: self._apart(self.providers.close()))
            self._within("closing the transport", end, lambda: self._carried(self.transport.close()))
            self._close(max(end - time.monotonic(), 0))
        finally:
            self._stopping.release()

    async def astop(self, timeout_s: float | None = None) -> None:
        """`stop` on the running loop."""
        if not self._is_running:
            return
        self._is_running = False
        end = time.monotonic() + (self.config.stop_timeout_s if timeout_s is None else timeout_s)
        await self._drained(end)
        if self.bus is not None and not await self.bus.adrain(max(end - time.monotonic(), 0) * 0.8):
            self._left("deliveries under way")
            for who in await self.bus.cancel_async(min(max(end - time.monotonic(), 0) * 0.5, 1.0)):
                self._left(who)
        for name in reversed(self._started):
            try:
                if not await self._astop_node(name, end):
                    self._left(f"{name}.on_stop")
            except Exception as e:
                self._failed_to_stop(f"{name}.on_stop", e)
        self._started.clear()
        if self.config.state_file:
            self._within("saving the state", end, self.save_state)
        try:
            await asyncio.wait_for(self.providers.close(), max(end - time.monotonic(), 0.05))
        except Exception as e:
            self._failed_to_stop("closing what was provided", e)
        try:
            await asyncio.wait_for(self.transport.close(), max(end - time.monotonic(), 0.05))
        except Exception as e:
            self._failed_to_stop("closing the transport", e)
        self._close(max(end - time.monotonic(), 0))

    async def _drained(self, end: float) -> None:
        if self.bus is not None and self.bus.carried is not None:
            for what in await self.bus.carried.drain(end):
                self._left(what)

    async def _astop_node(self, name: str, end: float) -> bool:
        """Run `on_stop` until `end` at most, and say whether it finished. In a task of its own, which can be left."""
        given: list[Any] = []

        def call() -> None:
            with exit_is_failure(f"{name}.on_stop"), by_hook("on_stop"):
                given.append(self.nodes[name].on_stop())

        async def awaited() -> None:
            with exit_is_failure(f"{name}.on_stop"), by_hook("on_stop"):
                await given[0]

        if not run_within(end - time.monotonic(), call):
            return False
        if not inspect.isawaitable(given[0]):
            return True

        task = asyncio.create_task(awaited())
        done, _ = await asyncio.wait([task], timeout=max(end - time.monotonic(), 0))
        if not done:
            task.cancel()
            await asyncio.wait([task], timeout=0.05)  # so that it can close what it has open
            return False
        if task.cancelled():
            raise RuntimeFault(f"{name}.on_stop raised CancelledError.")
        task.result()
        return True

    def _within(self, what: str, end: float, work: Callable[[], Any]) -> None:
        """Run `work` until `end` at most; what goes wrong is logged."""
        try:
            if not run_within(end - time.monotonic(), work):
                self._left(what)
        except Exception as error:
            self._failed_to_stop(what, error)

    def _failed_to_stop(self, what: str, error: Exception) -> None:
        log.error("%s failed: %r", what, error, exc_info=error)
        said = str(error) if isinstance(error, GraphBusError) else f"{type(error).__name__}: {error}"
        self.stop_failures.append(f"{what} failed: {said}")

    def _left(self, what: str) -> None:
        self.unfinished.append(what)
        log.warning("stopped without waiting any longer for: %s", what)

    def _close(self, timeout_s: float) -> None:
        if self._modules is not None:
            self._modules.keep_code()
        if self.calls is not None:
            self.calls.close()
        if self.bus is not None:
            self.bus.close()
            if self.bus.carried is not None:
                self.bus.carried.close()
            self.bus.home.close(min(timeout_s, 1.0))
        if self.keeping is not None:
            self.keeping.close(lines_may_come=bool(self.unfinished))

    def _abandon(self) -> None:
        """A start that failed: stop what was started, quietly."""
        for name in reversed(self._started):
            with contextlib.suppress(Exception):
                self._hook(name, "on_stop")
        self._started.clear()
        if self.keeping is not None:
            self.keeping.close()
        self._unload()

    @property
    def is_running(self) -> bool:
        """Whether it is started and not stopped."""
        return self._is_running

    def health(self) -> Health:
        """Whether it works and may be given work, and why not."""
        return health_of(self)

    def run_until_signal(self, ready: Callable[[], None] | None = None) -> int:
        """Wait, in the main thread, for SIGTERM or SIGINT and return its number; `stop` is still to be called.

        `ready` is called once a signal would be heard.
        """
        return until_signal(ready)

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
