"""One run of a build as a command makes it: calls, events, a summary at the end.

They come from the command line or from lines of a stream; every event is shown as it happens.
What is shown goes to a `RunView`; this module knows no terminal.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from graphbus_core.config import RuntimeConfig
from graphbus_core.errors import BadPayload, GraphBusError, UsageError
from graphbus_core.model.message import Event
from graphbus_core.runtime.executor import RuntimeExecutor
from graphbus_core.runtime.injection.policy import Policy
from graphbus_core.runtime.injection.providers import Providers
from graphbus_core.runtime.middleware import Redaction, find_hidden_values, hide_values
from graphbus_core.runtime.payloads import describe_error
from graphbus_core.runtime.persistence.dead_letters import DeadLetter, DeadLetters
from graphbus_core.runtime.telemetry.call_trace import CallTrace, TracedCall
from graphbus_core.runtime.telemetry.setup import RunTelemetry
from graphbus_core.runtime.transports.port import Transport
from graphbus_core.text import shorten

DEAD_LETTERS_FILE = "runtime/dead_letters.jsonl"  # inside the folder of the build; in no manifest


_NO_RESULT: Any = object()  # a call that gave no result; None is one


class RunView(Protocol):
    """What a run tells whoever looks on."""

    def ready(self, nodes: list[str]) -> None:
        """The nodes are running, and the run waits for a signal."""

    def event(self, event: Event, handlers: list[str]) -> None:
        """An event is about to be delivered to these handlers."""

    def result(self, call: str, value: Any) -> None:
        """A call returned."""

    def problem(self, what: str) -> None:
        """Something failed, and the run goes on."""

    def show_reload(self, what: str) -> None:
        """Another build runs from now on."""

    def show_trace(self, trace: TracedCall) -> None:
        """A handler or a call ended."""

    def summary(self, stats: dict[str, Any]) -> None:
        """The run is over."""


@dataclass(frozen=True)
class CallCommand:
    """`Node.method` with its arguments."""

    node: str
    method: str
    arguments: dict[str, Any] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """`Node.method`."""
        return f"{self.node}.{self.method}"

    @classmethod
    def parse(cls, name: str, arguments: str | None) -> CallCommand:
        """Read `Node.method` and the JSON of its arguments. Raises UsageError."""
        node, dot, method = name.rpartition(".")
        if not dot or not node or not method:
            raise UsageError(f"--call wants Node.method, not '{name}'; for example --call Greeter.greet.")
        return cls(node, method, parse_json_object(arguments, "--args"))


@dataclass(frozen=True)
class PublishCommand:
    """An event to publish."""

    topic: str
    payload: dict[str, Any] = field(default_factory=dict)


def parse_json_object(text: str | None, option: str) -> dict[str, Any]:
    """The JSON object that an option gives; nothing is {}. Raises UsageError that says where it is wrong."""
    if text is None:
        return {}
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as e:
        where = f"line {e.lineno}, column {e.colno}: {e.msg}" if isinstance(e, json.JSONDecodeError) else str(e)
        where = "it is nested too deeply" if isinstance(e, RecursionError) else where
        raise UsageError(
            f"{option} is not JSON ({where}): {shorten(text, 80)}. Give an object such as '{{\"id\": 1}}'."
        ) from None
    if not isinstance(value, dict):
        raise UsageError(f"{option} must be a JSON object, not {shorten(text, 80)}. Give one like '{{\"id\": 1}}'.")
    return value


def parse_command(line: str) -> CallCommand | PublishCommand:
    """Read one line of a stream: `{"call": "Node.method", "args": {…}}` or `{"topic": "/T", "payload": {…}}`."""
    data = parse_json_object(line, "a line of input")
    if isinstance(name := data.get("call"), str) and isinstance(data.get("args", {}), dict):
        node, _, method = name.rpartition(".")
        return CallCommand(node, method, data.get("args", {}))
    topic = data.get("topic", data.get("publish"))
    if isinstance(topic, str) and isinstance(data.get("payload", {}), dict):
        return PublishCommand(topic, data.get("payload", {}))
    raise UsageError(
        'A line of input is {"call": "Node.method", "args": {…}} or {"topic": "/T", "payload": {…}}, not '
        + shorten(line, 80)
    )


class _EventViewer:
    """Middleware that shows each event. Whatever goes wrong with showing it, it is delivered."""

    def __init__(self, show: Callable[[Event], None]) -> None:
        self._show = show
        self.failure: Exception | None = None

    def __call__(self, event: Event, next: Callable[[Event], Any]) -> Any:
        try:
            self._show(event)
        except Exception as error:
            self.failure = self.failure or error
        return next(event)


class CommandRun:
    """A started runtime with a view on it. Use as a context manager. `provide` are providers as text, and
    `policy` is a `pyproject.toml` with rules. Of the build only `nodes` are run, where they are named.
    `otel` sends traces and metrics to where the environment says; `metrics` is the address of a page for Prometheus.
    With `trace` the view is told of every handler and call that ended.
    """

    def __init__(
        self,
        config: RuntimeConfig,
        view: RunView,
        *,
        redact: Iterable[str] = (),
        provide: Sequence[str] = (),
        policy: Path | None = None,
        nodes: Collection[str] | None = None,
        transport: Transport | None = None,
        otel: bool = False,
        metrics: str | None = None,
        trace: bool = False,
    ) -> None:
        self._view = view
        self._mask = Redaction(*redact) if (redact := tuple(redact)) else None
        self._watch = _EventViewer(self._show)
        masks = [self._mask] if self._mask else []
        self._seen = RunTelemetry(otel, metrics, "graphbus" if transport is None else transport.name)
        self.executor = RuntimeExecutor(
            config,
            middleware=[*self._seen.middleware, *([CallTrace(view.show_trace)] if trace else []), self._watch, *masks],
            provide=_load_providers(provide),
            policy=Policy.from_pyproject(policy) if policy else None,
            nodes=nodes,
            transport=transport,
        )
        self.problems = 0
        self._waited = False
        listeners: list[Callable[[str], None]] = getattr(transport, "alarm_listeners", [])
        listeners.append(lambda text: self._report_problem(f"alarm: {text}"))

    def __enter__(self) -> CommandRun:
        self.executor.start()
        self._seen.open(self.executor)
        for notice in getattr(self.executor.transport, "notices", ()):
            self._view.problem(notice)
        for name, reason in self.executor.broken.items():
            self._report_problem(f"left out {name}: {reason}")
        if (bus := self.executor.bus) is not None and bus.dead_letters.torn:
            self._view.problem(describe_torn_tail(bus.dead_letters))
        if (keeping := self.executor.keeping) is not None and keeping.damaged is not None:
            self._report_problem(keeping.damaged)
        return self

    def __exit__(self, *_: object) -> None:
        self.executor.stop()
        self._seen.close()
        for what in self.executor.unfinished:
            self._report_problem(f"stopped without waiting for {what}")
        for failure in self.executor.stop_failures:
            self._report_problem(failure)
        letters = self.executor.bus.dead_letters if self.executor.bus else None
        if letters is not None and letters.unstored:
            self._report_problem(f"{letters.unstored} dead letters could not be written to {letters.file}")
        if (error := self._watch.failure) is not None and not isinstance(error, BrokenPipeError):
            self._view.problem(f"events could not be shown: {type(error).__name__}: {error}. They were delivered.")
        self._view.summary(self._collect_stats())

    def _collect_stats(self) -> dict[str, Any]:
        """With `elsewhere` at topics that were published here and are heard in other processes alone."""
        stats, bus = self.executor.get_stats(), self.executor.bus
        if bus is not None and bus.carried is not None:
            for topic, row in stats["message_bus"]["topics"].items():
                row["elsewhere"] = not bus.subscribers(topic)
        return stats

    def _show(self, event: Event) -> None:
        bus = self.executor.bus
        redacted = self._mask.mask(event) if self._mask else event
        self._view.event(redacted, bus.get_subscribers(event.topic) if bus is not None else [])

    @property
    def has_failures(self) -> bool:
        """Whether anything went wrong that a command should report with its exit code."""
        bus = self.executor.get_stats()["message_bus"] or {}
        if self._waited and self.executor.bus is not None and self.executor.bus.carried is not None:
            # A worker that was asked to end, and let everything finish, did its work: what failed in it is among the
            # dead letters of the bus, and was shown when it failed.
            return bool(self.problems)
        return bool(self.problems or bus.get("errors") or bus.get("messages_rejected") or bus.get("messages_dropped"))

    def execute(self, what: CallCommand | PublishCommand) -> None:
        """Make a call or publish an event. Raises UsageError; what running code raises is shown and counted."""
        before = self._count_failures()
        result: Any = _NO_RESULT
        try:
            if isinstance(what, CallCommand):
                # Not `call_method`, whose own parameters would stand in the way of a method's `node_name`.
                result = self.executor.request(what.node, what.method, what.arguments)
            else:
                self.executor.publish(what.topic, what.payload)
                self._wait_for_delivery()
        except (UsageError, BadPayload):
            raise
        except GraphBusError as e:
            self._report_problem(self._redact(str(e), what))
        except SystemExit as e:
            self._report_problem(f"{_describe_command(what)} called sys.exit({e.code!r}); a node does not end the run")
        except Exception as e:
            self._report_problem(
                self._redact(f"{_describe_command(what)} raised {type(e).__name__}: {describe_error(e)}", what)
            )
        if isinstance(what, CallCommand) and result is not _NO_RESULT:
            self._view.result(what.name, result)
        new = self._count_failures() - before
        for letter in list(self.executor.bus.dead_letters)[-new:] if self.executor.bus and new else ():
            self._view.problem(f"{letter.subscriber} failed on {letter.topic}: {letter.error_type}: {letter.error}")

    def wait_for_signal(self, ready: Callable[[], None]) -> int:
        """Stay until SIGTERM or SIGINT comes, and say which; show meanwhile what fails for good."""
        self._waited = True
        if (bus := self.executor.bus) is not None:
            bus.dead_letters.listeners.append(self._show_letter)
        return self.executor.run_until_signal(ready)

    def _show_letter(self, letter: DeadLetter) -> None:
        tries = f" after {letter.count} tries" if letter.count > 1 else ""
        self._view.problem(
            f"{letter.subscriber} failed for good on {letter.topic}{tries} ({letter.event['event_id']}): "
            f"{letter.error_type}: {letter.error}"
        )

    def reload(self, force: bool) -> str | None:
        """Take the newest build; what became of it in a sentence, None where nothing changed. Raises GraphBusError."""
        outcome = self.executor.reload(force=force)
        if not outcome.has_changes:
            return None
        parts = [("changed", outcome.changed), ("new", outcome.added), ("gone", outcome.removed)]
        changes = "; ".join(f"{word}: {', '.join(names)}" for word, names in parts if names)
        forced = f" All the same: {' '.join(outcome.broken_contracts)}" if outcome.broken_contracts else ""
        return f"{changes}. Paused for {1000 * outcome.paused_s:.0f} ms.{forced}"

    def _wait_for_delivery(self) -> None:
        """Wait for the handlers of this process. Over a transport an event is stored first and brought to them then,
        and to a node that runs in one place only when this process holds it: a run must not end in between.
        """
        bus, patience_s = self.executor.bus, self.executor.config.stop_timeout_s
        if bus is None:
            return
        if bus.carried is not None:
            bus.home.wait_for(bus.carried.wait_until_settled(patience_s))
        bus.drain(patience_s)

    def follow(self, lines: Iterable[str]) -> None:
        """Do what each line says; a bad line is shown and passed over."""
        for line in lines:
            if not line.strip():
                continue
            try:
                self.execute(parse_command(line))
            except UsageError as e:
                self._report_problem(str(e))

    def _redact(self, text: str, what: CallCommand | PublishCommand) -> str:
        """`text` without what `--redact` hides of a call or a publication."""
        if self._mask is None:
            return text
        payload = what.arguments if isinstance(what, CallCommand) else what.payload
        redacted = self._mask.mask(Event("", _describe_command(what), "", payload)).payload
        return hide_values(text, find_hidden_values(payload, redacted))

    def _count_failures(self) -> int:
        return self.executor.bus.dead_letters.added if self.executor.bus else 0

    def _report_problem(self, what: str) -> None:
        self.problems += 1
        self._view.problem(what)


def _load_providers(texts: Sequence[str]) -> Providers:
    if texts and "" not in sys.path:
        sys.path.insert(0, "")  # as `python -m` has it: factories stand in the project
    return Providers(texts=tuple(texts))


def _describe_command(what: CallCommand | PublishCommand) -> str:
    return what.name if isinstance(what, CallCommand) else what.topic


def describe_torn_tail(letters: DeadLetters) -> str:
    """What is said of a file that ended in half a line."""
    return f"{letters.file} ended in half a dead letter, torn by a crash or a full disk; that one was left out."


def load_dead_letters(artifacts: str | Path) -> DeadLetters:
    """The dead letters that runs of this build left."""
    return DeadLetters(file=Path(artifacts) / DEAD_LETTERS_FILE)
