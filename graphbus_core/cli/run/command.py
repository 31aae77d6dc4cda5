"""`graphbus run`: start a build; call, publish, watch; look after its dead letters."""

from __future__ import annotations

import json
import logging
import signal
import sys
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TextIO

import typer

from graphbus_core.errors import UsageError
from graphbus_core.shown import shown_line

if TYPE_CHECKING:
    from graphbus_core.config import RuntimeConfig
    from graphbus_core.model.message import Event
    from graphbus_core.workspace.does.running import DeadLetter, Session, View

app = typer.Typer(add_completion=False)
_Durable = Annotated[
    bool, typer.Option("--durable", "--journal-sync", help="… on the disk before the publisher goes on.")
]

# option -> the setting of RuntimeConfig that it is
_SETTINGS = {
    "payload_checks": "payload_checks",
    "journal": "journal",
    "durable": "journal_durable",
    "journal_max": "journal_max_bytes",
    "handler_timeout": "handler_timeout_s",
    "state": "state_file",
    "retries": "retry_times",
    "backoff": "retry_backoff_s",
    "queue_limit": "queue_limit",
    "on_full": "on_full",
    "skip_broken": "skip_broken",
    "stop_timeout": "stop_timeout_s",
}


@app.command()
def run(
    artifacts: Annotated[str, typer.Argument(help="The folder of the build.")] = ".graphbus",
    action: Annotated[
        list[str] | None, typer.Argument(help="dead-letters [list | retry | purge] [ID…]", show_default=False)
    ] = None,
    call: Annotated[list[str] | None, typer.Option(help="Call Node.method and print what it returns.")] = None,
    args: Annotated[list[str] | None, typer.Option(help="Its arguments, as a JSON object.")] = None,
    publish: Annotated[list[str] | None, typer.Option(help="Publish an event to this topic.")] = None,
    payload: Annotated[list[str] | None, typer.Option(help="Its payload, as a JSON object.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One line of JSON an event, for programs.")] = False,
    wait: Annotated[bool, typer.Option(help="Stay until a signal comes, also without a terminal.")] = False,
    payload_checks: Annotated[str, typer.Option(help="off, warn or enforce.")] = "off",
    journal: Annotated[str | None, typer.Option(help="Keep every message in this file.")] = None,
    durable: _Durable = False,
    journal_max: Annotated[int | None, typer.Option(help="Bytes; a larger journal is renamed and begun anew.")] = None,
    provide: Annotated[list[str] | None, typer.Option(help="[NAME=]MODULE:FACTORY of a constructor argument.")] = None,
    policy: Annotated[str | None, typer.Option(help="A pyproject.toml with rules; default: the project's.")] = None,
    handler_timeout: Annotated[float | None, typer.Option(help="Seconds one attempt of a handler may take.")] = None,
    state: Annotated[str | None, typer.Option(help="Restore nodes' state from this file; save it at the end.")] = None,
    retries: Annotated[int, typer.Option(help="Times to try a failing handler again.")] = 0,
    backoff: Annotated[float, typer.Option(help="Seconds before the first retry; doubled each time.")] = 0.1,
    queue_limit: Annotated[int, typer.Option(help="Events that may wait.")] = 10_000,
    on_full: Annotated[str, typer.Option(help="What a full queue does: wait, drop_oldest or error.")] = "wait",
    redact: Annotated[list[str] | None, typer.Option(help="Hide this field wherever events are shown or kept.")] = None,
    skip_broken: Annotated[bool, typer.Option(help="Start without nodes that cannot be started.")] = False,
    bus: Annotated[str | None, typer.Option(help="nats://host/space: share the work with other processes.")] = None,
    nodes: Annotated[str | None, typer.Option(help="Of the build run these alone: A,B.")] = None,
    workers: Annotated[int, typer.Option(help="So many processes, with --bus.", min=1, max=256)] = 1,
    beside: Annotated[bool, typer.Option(help="With --bus: consumers of its own, beside another build.")] = False,
    no_message_bus: Annotated[bool, typer.Option(help="Calls only.")] = False,
    stop_timeout: Annotated[float, typer.Option(help="Seconds a stop may take.")] = 5.0,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Show the log, with tracebacks.")] = False,
) -> None:
    """Run what was built. With --call or --publish: do that and stop. Without: until Ctrl-C, with a live view.

    Where there is no terminal, every line of standard input is done, until it ends:
    {"topic": …, "payload": …} or {"call": "Node.method", "args": …}
    """
    given: dict[str, Any] = dict(locals())
    from graphbus_core.config import RuntimeConfig
    from graphbus_core.workspace.does.running import DEAD_LETTERS

    words = list(action or ())
    if artifacts == "dead-letters":
        artifacts, words = ".graphbus", ["dead-letters", *words]
    log_to_stderr(verbose)
    config = RuntimeConfig(
        artifacts_dir=artifacts,
        enable_message_bus=not no_message_bus,
        dead_letter_file=f"{artifacts}/{DEAD_LETTERS}",
        timestamps=True,
        **{setting: given[option] for option, setting in _SETTINGS.items()},
    )
    wanted = _Wanted(call or [], args or [], publish or [], payload or [], redact or [], wait)
    from graphbus_core.workspace.does.running import given_by_the_project

    told, rules = given_by_the_project(artifacts)
    chosen = tuple(one.strip() for one in nodes.split(",") if one.strip()) if nodes is not None else None
    there = _Given((*told, *(provide or ())), Path(policy) if policy else rules, bus, chosen, beside)
    if workers > 1:
        _in_processes(workers, config, wanted, there)
    else:
        _shown(config, words, wanted, there, as_json)


@dataclass(frozen=True)
class _Wanted:
    """What the command line asks a run to do."""

    calls: list[str]
    args: list[str]
    topics: list[str]
    payloads: list[str]
    redact: list[str]
    wait: bool


@dataclass(frozen=True)
class _Given:
    """What the command line gives nodes: providers, the file of the rules, and the bus that they share."""

    provide: tuple[str, ...]
    policy: Path | None
    bus: str | None = None
    nodes: tuple[str, ...] | None = None
    beside: bool = False

    def session(self, config: RuntimeConfig, view: View, redact: Sequence[str] = ()) -> Session:
        """A run with all of it."""
        from graphbus_core.workspace.does.running import Session, transport_of

        return Session(
            config,
            view,
            redact=redact,
            provide=self.provide,
            policy=self.policy,
            nodes=self.nodes,
            transport=transport_of(self.bus, config.artifacts_dir, beside=self.beside) if self.bus else None,
        )


def _in_processes(workers: int, config: RuntimeConfig, wanted: _Wanted, given: _Given) -> None:
    """`--workers`: this process looks after so many that do the work."""
    from graphbus_core.cli.run.workers import run_workers

    if given.bus is None:
        raise UsageError("--workers needs a bus that the processes share: give --bus nats://host:4222.")
    if wanted.calls or wanted.topics:
        raise UsageError("--workers runs until a signal comes; make calls and publish in a run of one process.")
    if run_workers(workers, sys.argv[2:], config.stop_timeout_s) == signal.SIGINT:
        raise KeyboardInterrupt


def _shown(config: RuntimeConfig, words: list[str], wanted: _Wanted, given: _Given, as_json: bool) -> None:
    out = sys.stdout
    any_text_to(out)
    if as_json:
        sys.stdout = sys.stderr  # what nodes print is not ours
    try:
        view: View = JsonView(out) if as_json else LineView(out, quiet=bool(wanted.calls or wanted.topics))
        if words:
            ok = _dead_letters(config, words, view, as_json, out, given)
        else:
            ok = _run(config, view, wanted, given)
    finally:
        sys.stdout = out
    if not ok:
        raise typer.Exit(1)


def _run(config: RuntimeConfig, view: View, wanted: _Wanted, given: _Given) -> bool:
    from graphbus_core.cli.run.input_lines import input_lines
    from graphbus_core.workspace.does.running import Call, Publication, json_object

    calls, args, topics, payloads = wanted.calls, wanted.args, wanted.topics, wanted.payloads
    if len(args) > len(calls) or len(payloads) > len(topics):
        raise UsageError("There are more --args than --call, or more --payload than --publish; give one for each.")
    todo: list[Call | Publication] = [
        Call.parse(name, args[i] if i < len(args) else None) for i, name in enumerate(calls)
    ]
    todo += [
        Publication(topic, json_object(payloads[i] if i < len(payloads) else None, "--payload"))
        for i, topic in enumerate(topics)
    ]
    with given.session(config, view, wanted.redact) as session:
        for one in todo:
            session.do(one)
        if wanted.wait or (not todo and sys.stdin is not None and sys.stdin.isatty()):
            executor = session.executor
            if executor.run_until_signal(lambda: view.ready(list(executor.nodes))) == signal.SIGINT:
                raise KeyboardInterrupt
        elif not todo and sys.stdin is not None:
            with input_lines(sys.stdin, config.stop_timeout_s) as lines:
                session.follow(lines)
    return not session.failed


def _dead_letters(
    config: RuntimeConfig, words: list[str], view: View, as_json: bool, out: TextIO, given: _Given
) -> bool:
    from graphbus_core.workspace.does.running import stored_dead_letters, torn_tail

    verb, ids = (words[1] if len(words) > 1 else "list"), words[2:]
    if words[0] != "dead-letters" or verb not in ("list", "retry", "purge"):
        raise UsageError(f"'{' '.join(words)}' is no action; use dead-letters, with list, retry or purge.")
    if given.bus is not None:
        from graphbus_core.cli.run.letters import on_the_bus

        return on_the_bus(given.bus, verb, ids, as_json, out)
    letters = stored_dead_letters(config.artifacts_dir)
    if letters.torn and verb != "retry":  # a session says it itself
        print(f"graphbus: {torn_tail(letters)}", file=sys.stderr)
    if unknown := [i for i in ids if letters.get(i) is None]:
        raise UsageError(f"There is no dead letter {', '.join(unknown)}; `dead-letters list` shows them.")
    chosen = [one for one in letters if not ids or one.id in ids]
    if verb == "list":
        _list_letters(chosen, as_json, out)
        return True
    if verb == "purge":
        gone = letters.remove(*(one.id for one in chosen))
        print(json.dumps({"purged": gone}) if as_json else f"{gone} dead letters purged.", file=out)
        return True
    if ids and (hidden := [one.id for one in chosen if one.redacted]):
        raise UsageError(
            f"{', '.join(hidden)}: fields of that event were hidden before it was kept ('***'), and it cannot be "
            f"delivered again. Publish it again with the real values, then purge the letter."
        )
    done, failed = _retry_letters(config, {one.id for one in chosen}, view, given)
    told = {"delivered": done, "failed": failed}
    print(json.dumps(told) if as_json else f"{done} delivered, {failed} failed.", file=out)
    return failed == 0


def _list_letters(letters: Sequence[DeadLetter], as_json: bool, out: TextIO) -> None:
    from graphbus_core.workspace.does.running import one_line

    for one in letters:
        if as_json:
            print(json.dumps(one.to_dict()), file=out)
            continue
        print(
            f"{one.id:<7} {one.topic}  {one.subscriber}  {one.error_type}: {one.error}  "
            f"(tried {one.count}×, {clock(one.last_at)})\n"
            f"        {one_line(one.event['payload'])}",
            file=out,
        )
    if not letters and not as_json:
        print("No dead letters.", file=out)


def _retry_letters(config: RuntimeConfig, wanted: set[str], view: View, given: _Given) -> tuple[int, int]:
    """Deliver them again in a run of its own: how many were delivered, how many failed."""
    with given.session(config, view) as session:
        bus = session.executor.bus
        again = [one for one in (bus.dead_letters if bus else ()) if one.id in wanted]
        for one in again:
            if one.redacted:
                view.problem(f"{one.id} was not retried: it holds '***' where fields were hidden; publish it again")
        return session.executor.retry_dead_letters(again)


class JsonView:
    """For programs: one JSON object a line."""

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self._lock = threading.Lock()

    def _line(self, **data: Any) -> None:
        from graphbus_core.workspace.does.running import one_line

        with self._lock:
            print(one_line(data), file=self._out, flush=True)

    def ready(self, nodes: list[str]) -> None:
        self._line(ready=nodes)

    def event(self, event: Event, handlers: list[str]) -> None:
        self._line(event=event.to_dict(), handlers=handlers)

    def result(self, call: str, value: Any) -> None:
        self._line(call=call, result=value)

    def problem(self, what: str) -> None:
        self._line(problem=what)

    def summary(self, stats: dict[str, Any]) -> None:
        self._line(stats=stats)


class LineView:
    """For people: a line an event, with who hears it, and a table at the end."""

    def __init__(self, out: TextIO, *, quiet: bool) -> None:
        from rich.console import Console

        self._console = Console(file=out, highlight=False, emoji=False, soft_wrap=True)
        self._quiet = quiet

    def ready(self, nodes: list[str]) -> None:
        print(f"{len(nodes)} nodes are running: {', '.join(nodes[:8])}{', …' if len(nodes) > 8 else ''}.", end=" ")
        print("Every event is shown; Ctrl-C stops.", flush=True)

    def event(self, event: Event, handlers: list[str]) -> None:
        from rich.text import Text

        from graphbus_core.workspace.does.running import one_line

        line = Text.assemble(
            (f"{clock(event.timestamp)} ", "dim"),
            ("↳ " if event.cause else "", "dim"),
            (event.topic, "bold cyan"),
            (f"  {event.src} → {', '.join(handlers) or 'nobody'}  ", "dim"),
            shown_line(one_line(event.payload, ensure_ascii=False)[:300]),
        )
        self._console.print(line)

    def result(self, call: str, value: Any) -> None:
        from graphbus_core.workspace.does.running import plain

        text = value if isinstance(value, str) else json.dumps(plain(value), indent=2, ensure_ascii=False)
        self._console.print(text, markup=False)

    def problem(self, what: str) -> None:
        print(f"graphbus: {what}", file=sys.stderr)

    def summary(self, stats: dict[str, Any]) -> None:
        bus = stats["message_bus"]
        if bus is None or (self._quiet and not bus["messages_published"]):
            return
        for topic, row in bus["topics"].items():
            parts = [f"{row['published']} published", f"{row['delivered']} delivered"]
            parts += [f"{row[k]} {k}" for k in ("failed", "dropped", "in_flight") if row[k]]
            self._console.print(f"{topic}: {', '.join(parts)}", style="dim")


def any_text_to(out: TextIO) -> None:
    """What the encoding of the terminal or pipe cannot say is written out (`\\u2603`), and no failure."""
    reconfigure = getattr(out, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(errors="backslashreplace")


def clock(at: float | None) -> str:
    return time.strftime("%H:%M:%S", time.localtime(at if at is not None else time.time()))


def log_to_stderr(verbose: bool) -> None:
    """Failures are shown by the views; the log says more for who asks."""
    logger = logging.getLogger("graphbus")
    if verbose:
        logging.basicConfig(stream=sys.stderr, level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s")
    else:
        logger.addHandler(logging.NullHandler())
        logger.propagate = False
