"""The running program as front ends control it: start, stop, call, publish, and what happened."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from typing import Any

from graphbus_core.config import RuntimeConfig
from graphbus_core.model.message import Event
from graphbus_core.runtime import RuntimeExecutor
from graphbus_core.workspace.errors import Conflict, NotFound, nearest

Observer = Callable[[str, Mapping[str, Any]], object]


class RuntimeControl:
    """One runtime at a time. `ready` makes sure that there is a build, and returns its folder."""

    def __init__(self, ready: Callable[[], str], observe: Observer) -> None:
        self.ready = ready
        self.observe = observe
        self._executor: RuntimeExecutor | None = None
        self._lock = threading.RLock()

    def start(self, payload_checks: str = "enforce") -> dict[str, Any]:
        """Start the last build. Raises Conflict where it runs already, ArtifactError for an altered build."""
        with self._lock:
            if self._executor is not None and self._executor.is_running:
                raise Conflict("The runtime runs already. Stop it first.")
            config = RuntimeConfig(artifacts_dir=self.ready(), payload_checks=payload_checks)
            executor = RuntimeExecutor(config, middleware=[self._tap])
            executor.start()
            self._executor = executor
        self.observe("runtime", {"state": "running", "nodes": len(executor.nodes)})
        return executor.get_stats()

    def stop(self) -> dict[str, Any]:
        """Stop it. Raises Conflict where it does not run."""
        with self._lock:
            executor = self._running()
            executor.stop()
        self.observe("runtime", {"state": "stopped", "nodes": 0})
        return {**executor.get_stats(), "unfinished": list(executor.unfinished)}

    def close(self) -> None:
        """Stop it if it runs."""
        with self._lock:
            if self._executor is not None and self._executor.is_running:
                self._executor.stop()

    def stats(self) -> dict[str, Any]:
        """State and statistics, also when it does not run."""
        executor = self._executor
        return executor.get_stats() if executor else {"is_running": False, "nodes_count": 0, "message_bus": None}

    def call(self, node: str, method: str, payload: dict[str, Any], timeout_s: float | None = None) -> Any:
        """Call a method of a running node. Raises NotFound, Conflict, PayloadRejected, DeadlineExceeded."""
        executor = self._running()
        if node not in executor.nodes:
            raise NotFound(f"There is no node {node!r} in the runtime.{nearest(node, executor.nodes)}")
        known = [m.name for a in executor.agent_definitions if a.name == node for m in a.methods]
        if method not in known:
            raise NotFound(f"{node} has no method {method!r}.{nearest(method, known)}")
        self.observe("message", {"src": "api", "dst": node, "method": method, "payload": payload})
        return executor.request(node, method, payload, timeout_s=timeout_s, source="api")

    def publish(self, topic: str, payload: dict[str, Any], source: str) -> str:
        """Publish an event and return its id."""
        return self._running().publish(topic, payload, source).event_id

    def history(self, limit: int) -> list[Event]:
        """The newest events, newest first; empty where nothing runs."""
        bus = self._executor.bus if self._executor else None
        return bus.get_message_history(limit) if bus else []

    def dead_letters(self) -> list[dict[str, Any]]:
        """What could not be delivered."""
        bus = self._executor.bus if self._executor else None
        return [letter.to_dict() for letter in bus.dead_letters] if bus else []

    def retry(self, letter_id: str) -> bool:
        """Deliver one again; whether it went well."""
        bus = self._running().bus
        letter = bus.dead_letters.get(letter_id) if bus else None
        if bus is None or letter is None:
            raise NotFound(f"There is no dead letter {letter_id!r}.")
        return bool(bus.retry_dead_letter(letter))

    def purge(self) -> int:
        """Forget all of them; how many there were."""
        bus = self._executor.bus if self._executor else None
        return bus.dead_letters.purge() if bus else 0

    def _running(self) -> RuntimeExecutor:
        if self._executor is None or not self._executor.is_running:
            raise Conflict("The runtime does not run. Start it first: POST /runtime/start.")
        return self._executor

    def _tap(self, event: Event, next: Callable[[Event], Any]) -> Any:
        told = {"event_id": event.event_id, "topic": event.topic, "src": event.src, "payload": event.payload}
        self.observe("event", {**told, "cause": event.cause})
        return next(event)
