"""`graphbus run`: start a build; call, publish, watch; look after its dead letters."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TextIO

import typer

from graphbus_core.cli import options
from graphbus_core.cli.options import output
from graphbus_core.cli.run.reloading import reloading
from graphbus_core.cli.run.views import JsonView, LineView, any_text_to, log_to_stderr
from graphbus_core.errors import UsageError
from graphbus_core.shown import shown_line

if TYPE_CHECKING:
    from graphbus_core.config import RuntimeConfig
    from graphbus_core.workspace.does.command_run import CommandRun, RunView

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
    "reload": "reloadable",
}


@app.command()
def run(
    artifacts: Annotated[str | None, typer.Argument(help="The folder of the build.", show_default=".graphbus")] = None,
    action: Annotated[
        list[str] | None, typer.Argument(help="dead-letters [list | retry | purge] [ID…]", show_default=False)
    ] = None,
    call: Annotated[list[str] | None, typer.Option(help="Call Node.method and print what it returns.")] = None,
    args: Annotated[list[str] | None, typer.Option(help="Its arguments, as a JSON object.")] = None,
    publish: Annotated[list[str] | None, typer.Option(help="Publish an event to this topic.")] = None,
    payload: Annotated[list[str] | None, typer.Option(help="Its payload, as a JSON object.")] = None,
    as_json: options.JsonLines = False,
    wait: Annotated[bool, typer.Option(help="Stay until a signal comes, also without a terminal.")] = False,
    payload_checks: Annotated[str | None, typer.Option(help="off, warn or enforce; with --bus warn, else off.")] = None,
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
    reload: Annotated[bool, typer.Option("--reload", help="Build what is saved, and take each new build.")] = False,
    force: Annotated[bool, typer.Option("--force", help="With --reload: also one that breaks a contract.")] = False,
    trace: Annotated[bool, typer.Option("--trace", help="Show each handler and call, with its time.")] = False,
    otel: Annotated[bool, typer.Option(help="Traces and metrics to OTEL_EXPORTER_OTLP_ENDPOINT.")] = False,
    metrics: Annotated[str | None, typer.Option(help="PORT or HOST:PORT of a page for Prometheus.")] = None,
    no_message_bus: Annotated[bool, typer.Option(help="Calls only.")] = False,
    stop_timeout: Annotated[float, typer.Option(help="Seconds a stop may take.")] = 5.0,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Show the log, with tracebacks.")] = False,
) -> None:
    """Run what was built. With --call or --publish: do that and stop. Without: until Ctrl-C, with a live view.

    Where there is no terminal, every line of standard input is done, until it ends:
    {"topic": …, "payload": …} or {"call": "Node.method", "args": …}
    """
    given: dict[str, Any] = dict(locals())
    from graphbus_core.workspace.does.command_run import given_by_the_project

    words = list(action or ())
    if artifacts == "dead-letters":
        artifacts, words = None, ["dead-letters", *words]
    artifacts = str(output(artifacts))
    log_to_stderr(verbose)
    config = _config(artifacts, given)
    wanted = _Wanted(call or [], args or [], publish or [], payload or [], redact or [], wait, force)
    told, rules = given_by_the_project(artifacts)
    own = Path(policy) if policy else rules
    there = _Given((*told, *(provide or ())), own, bus, _names(nodes), beside, otel, metrics, trace)
    if workers > 1:
        _in_processes(workers, config, wanted, there)
    else:
        _shown(config, words, wanted, there, as_json)


def _names(text: str | None) -> tuple[str, ...] | None:
    return tuple(one.strip() for one in text.split(",") if one.strip()) if text is not None else None


def _config(artifacts: str, given: dict[str, Any]) -> RuntimeConfig:
    if given["force"] and not given["reload"]:
        raise UsageError("--force says what --reload may do: give both.")
    from graphbus_core.config import RuntimeConfig
    from graphbus_core.workspace.does.command_run import DEAD_LETTERS

    # Another process may run another build, or none of ours: what comes in over a bus is looked at unless told not to.
    given["payload_checks"] = given["payload_checks"] or ("warn" if given["bus"] else "off")
    return RuntimeConfig(
        artifacts_dir=artifacts,
        enable_message_bus=not given["no_message_bus"],
        dead_letter_file=f"{artifacts}/{DEAD_LETTERS}",
        timestamps=True,
        **{setting: given[option] for option, setting in _SETTINGS.items()},
    )


@dataclass(frozen=True)
class _Wanted:
    """What the command line asks a run to do."""

    calls: list[str]
    args: list[str]
    topics: list[str]
    payloads: list[str]
    redact: list[str]
    wait: bool
    force: bool = False


@dataclass(frozen=True)
class _Given:
    """What the command line gives nodes: providers, the file of the rules, and the bus that they share."""

    provide: tuple[str, ...]
    policy: Path | None
    bus: str | None = None
    nodes: tuple[str, ...] | None = None
    beside: bool = False
    otel: bool = False
    metrics: str | None = None
    trace: bool = False

    def session(self, config: RuntimeConfig, view: RunView, redact: Sequence[str] = ()) -> CommandRun:
        """A run with all of it."""
        from graphbus_core.workspace.does.command_run import CommandRun, transport_of

        return CommandRun(
            config,
            view,
            redact=redact,
            provide=self.provide,
            policy=self.policy,
            nodes=self.nodes,
            transport=transport_of(self.bus, config.artifacts_dir, beside=self.beside) if self.bus else None,
            otel=self.otel,
            metrics=self.metrics,
            trace=self.trace,
        )


def _in_processes(workers: int, config: RuntimeConfig, wanted: _Wanted, given: _Given) -> None:
    """`--workers`: this process looks after so many that do the work."""
    from graphbus_core.cli.run.workers import run_workers

    if given.bus is None:
        raise UsageError("--workers needs a bus that the processes share: give --bus nats://host:4222.")
    if wanted.calls or wanted.topics:
        raise UsageError("--workers runs until a signal comes; make calls and publish in a run of one process.")
    if given.metrics is not None:
        raise UsageError("--metrics with --workers: each process needs a port of its own; start them one by one.")
    with reloading(config, lambda what, problem: print(f"graphbus: {what}", file=sys.stderr), None):
        if run_workers(workers, sys.argv[2:], config.stop_timeout_s) == signal.SIGINT:
            raise KeyboardInterrupt


def _shown(config: RuntimeConfig, words: list[str], wanted: _Wanted, given: _Given, as_json: bool) -> None:
    from graphbus_core.cli.run.workers import end_with_parent

    end_with_parent(config.stop_timeout_s)
    out = sys.stdout
    any_text_to(out)
    if as_json:
        sys.stdout = sys.stderr  # what nodes print is not ours
    try:
        view: RunView = JsonView(out) if as_json else LineView(out, quiet=bool(wanted.calls or wanted.topics))
        if words:
            ok = _dead_letters(config, words, view, as_json, out, given)
        else:
            ok = _run(config, view, wanted, given)
    finally:
        sys.stdout = out
    if not ok:
        raise typer.Exit(1)


def _run(config: RuntimeConfig, view: RunView, wanted: _Wanted, given: _Given) -> bool:
    from graphbus_core.workspace.does.command_run import CallCommand, PublishCommand, json_object, unfit

    calls, args, topics, payloads = wanted.calls, wanted.args, wanted.topics, wanted.payloads
    if len(args) > len(calls) or len(payloads) > len(topics):
        raise UsageError("There are more --args than --call, or more --payload than --publish; give one for each.")
    todo: list[CallCommand | PublishCommand] = [
        CallCommand.parse(name, args[i] if i < len(args) else None) for i, name in enumerate(calls)
    ]
    todo += [
        PublishCommand(topic, json_object(payloads[i] if i < len(payloads) else None, "--payload"))
        for i, topic in enumerate(topics)
    ]
    with given.session(config, view, wanted.redact) as session:
        for one in todo:
            # A person typed it: a wrong type that passes in silence is found three calls later, or never.
            if (why := unfit(session, one)) is not None:
                typer.echo(f"graphbus: {shown_line(why)}", err=True)
            session.do(one)
        with reloading(config, _teller(view), lambda: session.reload(wanted.force)):
            _go_on(config, view, wanted, session, todo=bool(todo))
    return not session.failed


def _teller(view: RunView) -> Callable[[str, bool], None]:
    return lambda what, problem: view.problem(what) if problem else view.reloaded(what)


def _go_on(config: RuntimeConfig, view: RunView, wanted: _Wanted, session: CommandRun, *, todo: bool) -> None:
    """Stay until a signal comes, or do what standard input says, where nothing else was asked for."""
    from graphbus_core.cli.run.input_lines import input_lines

    executor = session.executor
    if wanted.wait or (not todo and sys.stdin is not None and sys.stdin.isatty()):
        if executor.run_until_signal(lambda: view.ready(list(executor.nodes))) == signal.SIGINT:
            raise KeyboardInterrupt
    elif not todo and sys.stdin is not None:
        with input_lines(sys.stdin, config.stop_timeout_s) as lines:
            session.follow(lines)


def _dead_letters(
    config: RuntimeConfig, words: list[str], view: RunView, as_json: bool, out: TextIO, given: _Given
) -> bool:
    verb, ids = (words[1] if len(words) > 1 else "list"), words[2:]
    if words[0] != "dead-letters" or verb not in ("list", "retry", "purge"):
        raise UsageError(f"'{' '.join(words)}' is not an action; use dead-letters, with list, retry or purge.")
    if given.bus is not None:
        from graphbus_core.cli.run.letters import on_the_bus

        return on_the_bus(given.bus, verb, ids, as_json, out)
    from graphbus_core.cli.run.letters_here import in_the_file

    return in_the_file(config.artifacts_dir, verb, ids, as_json, out, lambda: given.session(config, view), view)
