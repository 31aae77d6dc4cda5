"""What a started runtime is asked to do: call, publish, tell of itself, keep state, try again, take another build."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from graphbus_core.errors import NotRunning
from graphbus_core.model.agent_def import AgentDefinition
from graphbus_core.model.message import Event
from graphbus_core.node_base import GraphBusNode
from graphbus_core.runtime.calls import Calls
from graphbus_core.runtime.event_router import EventRouter
from graphbus_core.runtime.kept import state
from graphbus_core.runtime.kept.dead_letters import DeadLetter
from graphbus_core.runtime.kept.journal import Journal
from graphbus_core.runtime.lifecycle import Lifecycle
from graphbus_core.runtime.message_bus import MessageBus


class Used(Lifecycle):
    """The part of `RuntimeExecutor` that is used while it runs."""

    if TYPE_CHECKING:
        agent_defs: list[AgentDefinition] | None
        router: EventRouter | None
        journal: Journal | None

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
