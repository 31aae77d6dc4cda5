"""The running program as front ends control it: start, stop, call, publish, and what happened."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import logging
import os
import re
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, InvalidStateError
from contextlib import contextmanager
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Any

from graphbus_core.artifacts import MANIFEST
from graphbus_core.config import RuntimeConfig
from graphbus_core.errors import DeadlineExceeded, GraphBusError, LogDamaged, UsageError
from graphbus_core.model.message import Event
from graphbus_core.runtime import RuntimeExecutor
from graphbus_core.runtime.delivery.outcomes import list_changed_fields
from graphbus_core.runtime.injection.policy import Policy
from graphbus_core.runtime.injection.providers import Providers
from graphbus_core.runtime.message_bus import Middleware
from graphbus_core.runtime.persistence.dead_letters import DeadLetters
from graphbus_core.runtime.persistence.journal import JournalLine, check_header, read_journal, read_payload_checks
from graphbus_core.runtime.persistence.replay import select_records
from graphbus_core.runtime.telemetry.call_trace import MAX_SPANS, Span, Spans
from graphbus_core.runtime.telemetry.prometheus import Durations, render_prometheus
from graphbus_core.runtime.telemetry.setup import ObserverMiddleware
from graphbus_core.services.errors import Conflict, NodeRaised, NotFound, suggest_name
from graphbus_core.services.json_values import make_jsonable
from graphbus_core.services.run_command import DEAD_LETTERS_FILE, read_run_settings

# Code of the project that a front end has set going: bounded in number, each piece in a thread that may hang.
#
# A node may never return. So it does not run in a thread that the server needs: each call has a daemon thread of its
# own, at most `limit` of them, and who waits for it waits for so long and no longer. What hangs keeps its place until
# it returns, is named when the runtime stops, and does not keep the process alive.


# Each is a thread. More than these mean that nodes hang, and then further ones would only hang beside them.
MAX_UNDER_WAY = 64
TIMEOUT_S = 60.0


class Activities:
    """What runs now, by name. Safe to use from any thread."""

    def __init__(self, limit: int = MAX_UNDER_WAY) -> None:
        self.limit = limit
        self._running: dict[int, tuple[str, Future[Any]]] = {}
        self._numbers = itertools.count()
        self._changed = threading.Condition()
        self._closed = False

    async def run(self, what: str, work: Callable[[], Any], timeout_s: float = TIMEOUT_S) -> Any:
        """Run `work` and wait for what it gives, or raises.

        Raises DeadlineExceeded after `timeout_s`; the work then runs on. Raises Conflict where too much runs already.
        """
        future = self._begin(what, work)
        # `wait` and not `wait_for`: a timeout must not cancel the future, which the thread still has to fill.
        await asyncio.wait({asyncio.wrap_future(future)}, timeout=timeout_s)
        if not future.done():
            raise DeadlineExceeded(
                f"{what} did not return within {timeout_s:g} s. It runs on; give it more with timeout_s, or stop the "
                "runtime."
            )
        return future.result()

    def close(self, timeout_s: float) -> list[str]:
        """Take nothing more, wait for what runs, let go whoever still waits, and name what did not return."""
        end = time.monotonic() + timeout_s
        with self._changed:
            self._closed = True
            while self._running and (remaining_s := end - time.monotonic()) > 0:
                self._changed.wait(remaining_s)
            hanging = list(self._running.values())
        # A future may be filled in this instant; then its caller has an answer, and needs no error.
        for what, future in hanging:
            with contextlib.suppress(InvalidStateError):
                future.set_exception(DeadlineExceeded(f"{what} had not returned when the runtime was stopped."))
        return [what for what, _ in hanging]

    def _begin(self, what: str, work: Callable[[], Any]) -> Future[Any]:
        with self._changed:
            if self._closed:
                raise Conflict("The runtime is being stopped.")
            if len(self._running) >= self.limit:
                names = ", ".join(sorted({what for what, _ in self._running.values()})[:5])
                raise Conflict(f"{self.limit} calls are under way ({names}). Wait for them, or stop the runtime.")
            number = next(self._numbers)
            # By number and not by name: the same method may be called many times at once.
            future: Future[Any] = Future()
            self._running[number] = what, future

        def run() -> None:
            try:
                result, error = work(), None
            except BaseException as e:  # also SystemExit: a node does not end the server
                result, error = None, e
            # Taken out before it is told, so that whoever waits in `close` counts right.
            with self._changed:
                self._running.pop(number, None)
                self._changed.notify_all()
            with contextlib.suppress(InvalidStateError):  # nobody waits any longer
                if error is None:
                    future.set_result(result)
                else:
                    future.set_exception(error)

        threading.Thread(target=run, name=f"graphbus-api-{what}", daemon=True).start()
        return future


Observer = Callable[[str, Mapping[str, Any]], object]
log = logging.getLogger("graphbus.runtime")
# A node may hang in its own start. A second request is told so after a second, and not kept waiting with it.
PATIENCE_S = 1.0  # for a start or a stop that is under way in another thread


class RuntimeControl:
    """One runtime at a time. `ready` makes sure that there is a build, and returns its folder; `list_edited` names the
    sources that are not as they were built.

    `acall`, `apublish` and `aretry` run the project's code apart (`Activities`), as a server must; `call` and `publish`
    run it in the caller's own thread.
    """

    def __init__(
        self,
        ready: Callable[[], str],
        observe: Observer,
        output_dir: Path = Path(".graphbus"),
        list_edited: Callable[[], list[str]] = list,
    ) -> None:
        self.ready, self.output_dir, self.list_edited = ready, output_dir, list_edited
        self.observe = observe
        self._executor: RuntimeExecutor | None = None
        self._under_way = Activities()
        self._durations, self._spans = Durations(), Spans()
        # Of earlier starts: whoever looks at a page goes on with what it shows, whatever was restarted meanwhile.
        self._earlier_events: deque[Event] = deque(maxlen=RuntimeConfig().history_limit)
        self._earlier_spans: deque[Span] = deque(maxlen=MAX_SPANS)
        self._retries: deque[dict[str, Any]] = deque(maxlen=MAX_SPANS)
        self._lock = threading.Lock()
        self._build: dict[str, Any] | None = None

    def start(self, payload_checks: str = "enforce", journal: str | None = None) -> dict[str, Any]:
        """Start the last build; `journal` is a file that keeps what happens. Raises Conflict where it runs already,
        ArtifactError for an altered build.
        """
        # One change at a time, and refused rather than queued: a queued stop would strike a runtime that somebody
        # just started.
        with self._lock_changes():
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
                # Beside the build, as `graphbus run` has them: a letter outlives the program that could not take it.
                dead_letter_file=str(self.output_dir / DEAD_LETTERS_FILE),
            )
            provide, policy = _load_run_settings(config.artifacts_dir)
            # New with each start: durations of the build before would be shown as those of this one.
            durations, spans = Durations(), Spans()
            # The tap comes last, so that it sees what the handlers will see.
            middleware: list[Middleware] = [
                ObserverMiddleware(durations),
                ObserverMiddleware(spans),
                self._observe_event,
            ]
            executor = RuntimeExecutor(config, middleware=middleware, provide=provide, policy=policy)
            executor.start()
            # Only after `start` returned: a node that fails there must leave no half-started runtime behind.
            self._hand_over(executor)
            self._executor, self._under_way = executor, Activities()
            self._durations, self._spans = durations, spans
            self._build = self._read_newest_build()
        self.observe("runtime", {"state": "running", "nodes": len(executor.nodes)})
        return executor.get_stats()

    def _hand_over(self, executor: RuntimeExecutor) -> None:
        """Keep what the run before had, which a front end may still show."""
        before = self._executor.bus if self._executor is not None else None
        if before is None or executor.bus is None:
            return
        executor.bus.dead_letters.adopt(before.dead_letters.list_unstored())
        self._earlier_events.extend(reversed(before.get_message_history(self._earlier_events.maxlen or 0)))
        self._earlier_spans.extend(self._spans.list_all())

    def reload(self, force: bool = False) -> dict[str, Any]:
        """Take the newest build while the program runs, and say what changed. Raises Conflict where it does not run,
        ContractChanged where a contract breaks and not `force`; the running build goes on then.
        """
        with self._lock_changes():
            executor = self._require_running()
            reload_result = executor.reload(force=force)
            self._build = self._read_newest_build()
        self.observe("runtime", {"state": "running", "nodes": len(executor.nodes)})
        return {
            "changed": list(reload_result.changed),
            "added": list(reload_result.added),
            "removed": list(reload_result.removed),
            "broken_contracts": list(reload_result.broken_contracts),
            "problems": list(reload_result.problems),
            "paused_s": round(reload_result.paused_s, 6),
        }

    def stop(self) -> dict[str, Any]:
        """Stop it; `unfinished` names what did not return in time. Raises Conflict where it does not run."""
        with self._lock_changes():
            executor = self._require_running()
            # Half of the time for calls of ours, half for the program itself: together never more than a stop may
            # take.
            hanging = self._stop(executor)
        self.observe("runtime", {"state": "stopped", "nodes": 0})
        return {**executor.get_stats(), "unfinished": [*hanging, *executor.unfinished]}

    def close(self) -> None:
        """Stop it if it runs."""
        with self._lock_changes():
            if self._executor is not None and self._executor.is_running:
                self._stop(self._executor)

    def _stop(self, executor: RuntimeExecutor) -> list[str]:
        within_s = executor.config.stop_timeout_s
        hanging = self._under_way.close(within_s / 2)
        executor.stop(within_s / 2)
        return hanging

    @contextmanager
    def _lock_changes(self) -> Iterator[None]:
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
        """What runs and what could: `running` is the build that was started, `newest` the one that a start takes, and
        `edited` are the sources whose edits neither has.
        """
        executor = self._executor
        # Kept from the start and not read now: a build made since would be named as the one that runs.
        running = self._build if executor is not None and executor.is_running else None
        return {"running": running, "newest": self._read_newest_build(), "edited": self.list_edited()}

    def _read_newest_build(self) -> dict[str, Any] | None:
        try:
            summary = json.loads((self.output_dir / "build_summary.json").read_text(encoding="utf-8"))
            return {"build_id": str(summary["build_id"]), "built_at": str(summary.get("built_at", ""))}
        except (OSError, ValueError, KeyError, TypeError):
            # Also a summary that is just being written: it is read whole a moment later.
            return None  # nothing was built yet

    def stats(self) -> dict[str, Any]:
        """State and statistics, also when it does not run."""
        executor = self._executor
        return executor.get_stats() if executor else {"is_running": False, "nodes_count": 0, "message_bus": None}

    def prometheus(self) -> str:
        """The same, and how long handlers take, as Prometheus reads it."""
        return render_prometheus(self.stats(), self._durations.copy_histograms())

    def call(self, node: str, method: str, payload: dict[str, Any], timeout_s: float | None = None) -> Any:
        """Call a method of a running node. Raises NotFound, Conflict, PayloadRejected, DeadlineExceeded."""
        executor = self._require_running()
        if node not in executor.nodes:
            raise NotFound(f"There is no node {node!r} in the runtime.{suggest_name(node, executor.nodes)}")
        # What was built and not what the object has: a method that came in by inheritance at run time has no
        # contract.
        known_methods = [m.name for a in executor.agent_definitions if a.name == node for m in a.methods]
        if method not in known_methods:
            raise NotFound(f"{node} has no method {method!r}.{suggest_name(method, known_methods)}")
        self.observe("message", {"src": "api", "dst": node, "method": method, "payload": payload})
        with _wrap_node_errors(f"{node}.{method}"):
            return executor.request(node, method, payload, timeout_s=timeout_s, source="api", here=True)

    async def acall(self, node: str, method: str, payload: dict[str, Any], timeout_s: float | None = None) -> Any:
        """As `call`, apart, with a deadline in any case; the result as JSON. Raises NodeRaised, too."""
        # A deadline in any case: a node that hangs would hold a place among those under way for ever.
        timeout_s = TIMEOUT_S if timeout_s is None else timeout_s
        self._require_running()
        what = f"{node}.{method}"
        return await self._under_way.run(
            what, lambda: make_jsonable(self.call(node, method, payload, timeout_s)), timeout_s
        )

    async def apublish(self, topic: str, payload: dict[str, Any], source: str) -> str:
        """As `publish`, apart: handlers that hang let the caller go after a minute."""
        self._require_running()
        return str(await self._under_way.run(f"publish {topic}", lambda: self.publish(topic, payload, source)))

    async def aretry(self, letter_id: str, payload: dict[str, Any] | None = None) -> bool:
        """As `retry`, apart."""
        self._require_running()
        return bool(await self._under_way.run(f"retry {letter_id}", lambda: self.retry(letter_id, payload)))

    def publish(self, topic: str, payload: dict[str, Any], source: str) -> str:
        """Publish an event and return its id."""
        with _wrap_node_errors(f"a handler of {topic}"):
            return self._require_running().publish(topic, payload, source).event_id

    def history(self, limit: int) -> list[Event]:
        """The newest events, newest first, those of earlier starts too; empty where nothing was started yet."""
        bus = self._executor.bus if self._executor else None
        events = bus.get_message_history(limit) if bus else []
        return [*events, *islice(reversed(self._earlier_events), limit - len(events))]

    def spans(self) -> list[dict[str, Any]]:
        """Calls and attempts of handlers with their times, in the order in which they ended, as many as are kept."""
        return [span.to_dict() for span in (*self._earlier_spans, *self._spans.list_all())]

    def dead_letters(self) -> list[dict[str, Any]]:
        """What could not be delivered, in this run and in those before it, also while nothing runs."""
        return [make_jsonable(letter) for letter in self._open_letters()]

    def retry(self, letter_id: str, payload: dict[str, Any] | None = None) -> bool:
        """Deliver one again, with `payload` in the place of its own where one is given; whether it went well."""
        bus = self._require_running().bus
        letter = bus.dead_letters.get(letter_id) if bus else None
        if bus is None or letter is None:
            raise NotFound(f"There is no dead letter {letter_id!r}.")
        tried = {
            "event_id": letter.event["event_id"],
            "subscriber": letter.subscriber,
            "at": time.time(),
            "changed": list_changed_fields(letter, payload),
        }
        with _wrap_node_errors(letter.subscriber):
            delivered = bool(bus.retry_dead_letter(letter, payload))
        self._retries.append({**tried, "delivered": delivered})
        return delivered

    def retries(self) -> list[dict[str, Any]]:
        """The retries of dead letters, oldest first: of whose event, and with which fields changed."""
        return list(self._retries)

    def purge(self) -> int:
        """Forget all of them; how many there were."""
        return self._open_letters().purge()

    def _open_letters(self) -> DeadLetters:
        """Those of the run, or of the last one; before the first, those that earlier runs of this build left."""
        bus = self._executor.bus if self._executor is not None else None
        return bus.dead_letters if bus is not None else DeadLetters(file=self.output_dir / DEAD_LETTERS_FILE)

    def _require_running(self) -> RuntimeExecutor:
        if self._executor is None or not self._executor.is_running:
            raise Conflict("The runtime does not run. Start it first.")
        return self._executor

    def _observe_event(self, event: Event, next: Callable[[Event], Any]) -> Any:
        event_data = {"event_id": event.event_id, "topic": event.topic, "src": event.src, "payload": event.payload}
        try:
            self.observe("event", {**event_data, "cause": event.cause})
        except Exception:  # being watched must not change what the program does
            log.exception("%s could not be shown", event.event_id)
        # After telling, and whatever telling did.
        return next(event)


def _load_run_settings(artifacts: str) -> tuple[Providers, Policy | None]:
    """What the project around the build says that nodes are given, and who may do what."""
    texts, rules = read_run_settings(artifacts)
    return Providers(texts=texts), Policy.from_pyproject(rules) if rules is not None else None


@contextmanager
def _wrap_node_errors(what: str) -> Iterator[None]:
    """What the project's code raises, whatever it is, as NodeRaised; its traceback goes to the log."""
    try:
        yield
    except GraphBusError:
        # Ours as they are: a refusal of a payload is not a fault of the node.
        raise
    except BaseException as e:
        # Also SystemExit: a node must not end the server that it runs in.
        log.error("%s raised %s", what, type(e).__name__, exc_info=e)
        text = str(make_jsonable(e))
        raise NodeRaised(f"{what} raised {type(e).__name__}{f': {text}' if text else ''}") from e


# Journals of runs: which there are, what stands in one, and one played back into the newest build.


MAX_TOLD = 20  # lines of what failed
NAME = re.compile(r"[\w.-]{1,120}\.jsonl")


class Journals:
    """The journals beside a build: those that a front end began, in `journals`, and those that a command put there.

    Only names are taken, never paths: nothing outside of these folders can be read.
    """

    def __init__(self, output_dir: Path) -> None:
        self.output_dir = output_dir
        self.folder = output_dir / "journals"

    def begin(self) -> str:
        """The path of a new one."""
        self.folder.mkdir(parents=True, exist_ok=True)
        return str(self.folder / f"run-{datetime.now(UTC):%Y%m%d-%H%M%S-%f}.jsonl")

    def list_journals(self) -> list[dict[str, Any]]:
        """Every journal, newest first."""
        journal_files = sorted(
            self._find_files().items(), key=lambda journal_file: journal_file[1].stat().st_mtime, reverse=True
        )
        return [
            {"id": name, "bytes": path.stat().st_size, "at": path.stat().st_mtime, "checks": read_payload_checks(path)}
            for name, path in journal_files
        ]

    def read_records(self, name: str, start: int, limit: int, topics: Sequence[str] = ()) -> list[dict[str, Any]]:
        """What stands in one, oldest first; `depth` says under how many others it came about."""
        return list(
            islice(_describe_records(select_records(read_journal(self._find_path(name)), topics)), start, start + limit)
        )

    def replay(self, name: str, topics: Sequence[str], payload_checks: str | None, within_s: float) -> dict[str, Any]:
        """Play one into the newest build, in a process of its own. Raises Conflict without a build, DeadlineExceeded.

        A process: it is the project's code that runs, it may hang, and the program that runs here is not to notice.
        """
        path = self._find_path(name)
        if not (self.output_dir / MANIFEST).exists():
            raise Conflict("There is no build yet to play it into. Build first.")
        failed_then = self._list_failed(path, topics)
        command = [sys.executable, "-m", "graphbus_core.cli.main", "replay", str(path.absolute()), "--json"]
        command += ["--to", str(self.output_dir.absolute())]
        command += [f"--topic={topic}" for topic in topics]
        command += [f"--payload-checks={payload_checks}"] if payload_checks else []
        environment = {key: value for key, value in os.environ.items() if key != "GRAPHBUS_TOKEN"}
        try:
            process = subprocess.run(
                command,
                cwd=self.output_dir.absolute().parent,
                env=environment,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                errors="replace",
                timeout=within_s,
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise DeadlineExceeded(f"{name} was not played within {within_s:g} s, and was stopped.") from None
        played = _parse_replay(process.stdout, process.stderr)
        is_same = _is_as_recorded(played, failed_then)
        return {**played, "failed_then": failed_then[:MAX_TOLD], "is_same": is_same}

    def _list_failed(self, path: Path, topics: Sequence[str]) -> list[str]:
        """What failed in the recorded run: a journal has no failures, but the dead letters of its events are kept."""
        try:
            letters = list(DeadLetters(file=self.output_dir / DEAD_LETTERS_FILE))
        except (OSError, LogDamaged):
            return []
        recorded = {record.id for record in select_records(read_journal(path), topics)}
        return [
            f"{letter.subscriber} on {letter.topic}: {letter.error_type}: {letter.error}"
            for letter in letters
            if letter.event["event_id"] in recorded
        ]

    def _find_path(self, name: str) -> Path:
        files = self._find_files()
        if name not in files:
            raise NotFound(f"There is no journal {name!r}.{suggest_name(name, files)}")
        return files[name]

    def _find_files(self) -> dict[str, Path]:
        files_by_name: dict[str, Path] = {}
        for folder in (self.folder, self.output_dir, self.output_dir.absolute().parent):
            for path in folder.glob("*.jsonl"):
                if NAME.fullmatch(path.name) and path.is_file() and not path.is_symlink() and _is_journal(path):
                    files_by_name.setdefault(path.name, path)
        return files_by_name


def _is_journal(path: Path) -> bool:
    try:
        with path.open("rb") as f:
            check_header(path, f.readline(1_000))
    except (OSError, UsageError):
        return False
    return True


def _describe_records(records: Iterator[JournalLine]) -> Iterator[dict[str, Any]]:
    depth: dict[str, int] = {}
    for record in records:
        data: Mapping[str, Any] = record.data
        level = depth[record.id] = depth.get(record.cause or "", -1) + 1
        what = data["topic"] if record.kind == "event" else f"{data['dst']}.{data['method']}"
        description = {
            "id": record.id,
            "kind": record.kind,
            "what": what,
            "src": data["src"],
            "payload": make_jsonable(data["payload"]),
        }
        yield {
            **description,
            "at": data.get("timestamp"),
            "cause": record.cause,
            "depth": level,
            "refused": record.refused,
        }


def _is_as_recorded(played: Mapping[str, Any], failed_then: Sequence[str]) -> bool:
    """Whether the same came of it as in the recorded run, as far as that is kept."""
    if played["followed"] != played["consequences"] or played["failed_calls"] or played["errors"] != len(failed_then):
        return False
    failed_now = [line.replace(" failed on ", " on ", 1) for line in played["failures"]]
    return sorted(failed_now) == sorted(failed_then[:MAX_TOLD])


def _parse_replay(out: str, err: str) -> dict[str, Any]:
    """What the command said. Nodes may print too: the last line is the command's own."""
    failures = [line.removeprefix("graphbus: ") for line in err.splitlines() if line.startswith("graphbus: ")]
    try:
        report = json.loads(out.strip().rpartition("\n")[2])
    except ValueError:
        raise UsageError(failures[-1] if failures else "It was not played, and nothing was said of it.") from None
    stats = report.pop("stats")
    return {**report, "errors": stats["errors"], "failures": failures[:MAX_TOLD]}
