"""The running program as front ends control it: start, stop, call, publish, and what happened."""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from graphbus_core.config import RuntimeConfig
from graphbus_core.errors import GraphBusError
from graphbus_core.model.message import Event
from graphbus_core.runtime import RuntimeExecutor
from graphbus_core.runtime.given.policy import Policy
from graphbus_core.runtime.given.providers import Providers
from graphbus_core.runtime.message_bus import Middleware
from graphbus_core.runtime.telemetry.durations import Durations
from graphbus_core.runtime.telemetry.prometheus import prometheus_text
from graphbus_core.runtime.telemetry.spans import Spans
from graphbus_core.runtime.telemetry.switched_on import Watching
from graphbus_core.workspace.does.command_run import given_by_the_project
from graphbus_core.workspace.does.under_way import TIMEOUT_S, Activities
from graphbus_core.workspace.shows.as_json import jsonable
from graphbus_core.workspace.shows.errors import Conflict, NodeRaised, NotFound, nearest

Observer = Callable[[str, Mapping[str, Any]], object]
log = logging.getLogger("graphbus.runtime")
# A node may hang in its own start. A second request is told so after a second, and not kept waiting with it.
PATIENCE_S = 1.0  # for a start or a stop that is under way in another thread


class RuntimeControl:
    """One runtime at a time. `ready` makes sure that there is a build, and returns its folder.

    `acall`, `apublish` and `aretry` run the project's code apart (`Activities`), as a server must; `call` and `publish`
    run it in the caller's own thread.
    """

    def __init__(self, ready: Callable[[], str], observe: Observer, output_dir: Path = Path(".graphbus")) -> None:
        self.ready, self.output_dir = ready, output_dir
        self.observe = observe
        self._executor: RuntimeExecutor | None = None
        self._under_way = Activities()
        self._durations, self._spans = Durations(), Spans()
        self._lock = threading.Lock()
        self._build: dict[str, Any] | None = None

    def start(self, payload_checks: str = "enforce", journal: str | None = None) -> dict[str, Any]:
        """Start the last build; `journal` is a file that keeps what happens. Raises Conflict where it runs already,
        ArtifactError for an altered build.
        """
        # One change at a time, and refused rather than queued: a queued stop would strike a runtime that somebody
        # just started.
        with self._changing():
            if self._executor is not None and self._executor.is_running:
                raise Conflict("The runtime runs already. Stop it first.")
            # Enforced by default: what a page shows should be what the contracts promise. `reloadable` keeps the
            # sources' digests.
            config = RuntimeConfig(
                artifacts_dir=self.ready(),
                payload_checks=payload_checks,
                timestamps=True,
                reloadable=True,
                journal=journal,
            )
            provide, policy = _given(config.artifacts_dir)
            # New with each start: durations of the build before would be shown as those of this one.
            self._durations, self._spans = Durations(), Spans()
            # The tap comes last, so that it sees what the handlers will see.
            middleware: list[Middleware] = [Watching(self._durations), Watching(self._spans), self._tap]
            executor = RuntimeExecutor(config, middleware=middleware, provide=provide, policy=policy)
            executor.start()
            # Only after `start` returned: a node that fails there must leave no half-started runtime behind.
            self._executor, self._under_way = executor, Activities()
            self._build = self._newest()
        self.observe("runtime", {"state": "running", "nodes": len(executor.nodes)})
        return executor.get_stats()

    def reload(self, force: bool = False) -> dict[str, Any]:
        """Take the newest build while the program runs, and say what changed. Raises Conflict where it does not run,
        ContractChanged where a contract breaks and not `force`; the running build goes on then.
        """
        with self._changing():
            executor = self._running()
            done = executor.reload(force=force)
            self._build = self._newest()
        self.observe("runtime", {"state": "running", "nodes": len(executor.nodes)})
        return {
            "changed": list(done.changed),
            "added": list(done.added),
            "removed": list(done.removed),
            "broken_contracts": list(done.broken_contracts),
            "problems": list(done.problems),
            "paused_s": round(done.paused_s, 6),
        }

    def stop(self) -> dict[str, Any]:
        """Stop it; `unfinished` names what did not return in time. Raises Conflict where it does not run."""
        with self._changing():
            executor = self._running()
            # Half of the time for calls of ours, half for the program itself: together never more than a stop may
            # take.
            hanging = self._stop(executor)
        self.observe("runtime", {"state": "stopped", "nodes": 0})
        return {**executor.get_stats(), "unfinished": [*hanging, *executor.unfinished]}

    def close(self) -> None:
        """Stop it if it runs."""
        with self._changing():
            if self._executor is not None and self._executor.is_running:
                self._stop(self._executor)

    def _stop(self, executor: RuntimeExecutor) -> list[str]:
        within_s = executor.config.stop_timeout_s
        hanging = self._under_way.close(within_s / 2)
        executor.stop(within_s / 2)
        return hanging

    @contextmanager
    def _changing(self) -> Iterator[None]:
        if not self._lock.acquire(timeout=PATIENCE_S):
            raise Conflict("The runtime is being started or stopped; a node may hang in its on_start or on_stop.")
        try:
            yield
        finally:
            self._lock.release()

    def health(self) -> dict[str, Any]:
        """Whether it works and may be given work, and why not, also when it does not run."""
        executor = self._executor
        if executor is None:
            return {"live": False, "ready": False, "reasons": ["the runtime is not started, or it is stopped"]}
        return executor.health().to_dict()

    def builds(self) -> dict[str, Any]:
        """What runs and what could: `running` is the build that was started, `newest` the one that a start takes."""
        executor = self._executor
        # Kept from the start and not read now: a build made since would be named as the one that runs.
        running = self._build if executor is not None and executor.is_running else None
        return {"running": running, "newest": self._newest()}

    def _newest(self) -> dict[str, Any] | None:
        try:
            told = json.loads((self.output_dir / "build_summary.json").read_text(encoding="utf-8"))
            return {"build_id": str(told["build_id"]), "built_at": str(told.get("built_at", ""))}
        except (OSError, ValueError, KeyError, TypeError):
            # Also a summary that is just being written: it is read whole a moment later.
            return None  # nothing was built yet

    def stats(self) -> dict[str, Any]:
        """State and statistics, also when it does not run."""
        executor = self._executor
        return executor.get_stats() if executor else {"is_running": False, "nodes_count": 0, "message_bus": None}

    def prometheus(self) -> str:
        """The same, and how long handlers take, as Prometheus reads it."""
        return prometheus_text(self.stats(), self._durations.all())

    def call(self, node: str, method: str, payload: dict[str, Any], timeout_s: float | None = None) -> Any:
        """Call a method of a running node. Raises NotFound, Conflict, PayloadRejected, DeadlineExceeded."""
        executor = self._running()
        if node not in executor.nodes:
            raise NotFound(f"There is no node {node!r} in the runtime.{nearest(node, executor.nodes)}")
        # What was built and not what the object has: a method that came in by inheritance at run time has no
        # contract.
        known = [m.name for a in executor.agent_definitions if a.name == node for m in a.methods]
        if method not in known:
            raise NotFound(f"{node} has no method {method!r}.{nearest(method, known)}")
        self.observe("message", {"src": "api", "dst": node, "method": method, "payload": payload})
        with _blaming(f"{node}.{method}"):
            return executor.request(node, method, payload, timeout_s=timeout_s, source="api", here=True)

    async def acall(self, node: str, method: str, payload: dict[str, Any], timeout_s: float | None = None) -> Any:
        """As `call`, apart, with a deadline in any case; the result as JSON. Raises NodeRaised, too."""
        # A deadline in any case: a node that hangs would hold a place among those under way for ever.
        timeout_s = TIMEOUT_S if timeout_s is None else timeout_s
        self._running()
        what = f"{node}.{method}"
        return await self._under_way.run(what, lambda: jsonable(self.call(node, method, payload, timeout_s)), timeout_s)

    async def apublish(self, topic: str, payload: dict[str, Any], source: str) -> str:
        """As `publish`, apart: handlers that hang let the caller go after a minute."""
        self._running()
        return str(await self._under_way.run(f"publish {topic}", lambda: self.publish(topic, payload, source)))

    async def aretry(self, letter_id: str) -> bool:
        """As `retry`, apart."""
        self._running()
        return bool(await self._under_way.run(f"retry {letter_id}", lambda: self.retry(letter_id)))

    def publish(self, topic: str, payload: dict[str, Any], source: str) -> str:
        """Publish an event and return its id."""
        with _blaming(f"a handler of {topic}"):
            return self._running().publish(topic, payload, source).event_id

    def history(self, limit: int) -> list[Event]:
        """The newest events, newest first; empty where nothing runs."""
        bus = self._executor.bus if self._executor else None
        return bus.get_message_history(limit) if bus else []

    def spans(self) -> list[dict[str, Any]]:
        """Calls and attempts of handlers with their times, in the order in which they ended, as many as are kept."""
        return [one.to_dict() for one in self._spans.all()]

    def dead_letters(self) -> list[dict[str, Any]]:
        """What could not be delivered."""
        bus = self._executor.bus if self._executor else None
        return [jsonable(letter) for letter in bus.dead_letters] if bus else []

    def retry(self, letter_id: str) -> bool:
        """Deliver one again; whether it went well."""
        bus = self._running().bus
        letter = bus.dead_letters.get(letter_id) if bus else None
        if bus is None or letter is None:
            raise NotFound(f"There is no dead letter {letter_id!r}.")
        with _blaming(letter.subscriber):
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
        try:
            self.observe("event", {**told, "cause": event.cause})
        except Exception:  # being watched must not change what the program does
            log.exception("%s could not be shown", event.event_id)
        # After telling, and whatever telling did.
        return next(event)


def _given(artifacts: str) -> tuple[Providers, Policy | None]:
    """What the project around the build says that nodes are given, and who may do what."""
    texts, rules = given_by_the_project(artifacts)
    return Providers(texts=texts), Policy.read(rules) if rules is not None else None


@contextmanager
def _blaming(what: str) -> Iterator[None]:
    """What the project's code raises, whatever it is, as NodeRaised; its traceback goes to the log."""
    try:
        yield
    except GraphBusError:
        # Ours as they are: a refusal of a payload is not a fault of the node.
        raise
    except BaseException as e:
        # Also SystemExit: a node must not end the server that it runs in.
        log.error("%s raised %s", what, type(e).__name__, exc_info=e)
        text = str(jsonable(e))
        raise NodeRaised(f"{what} raised {type(e).__name__}{f': {text}' if text else ''}") from e
