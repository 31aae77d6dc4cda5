"""`graphbus run`: start a build; call, publish, watch; look after its dead letters."""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TextIO

import typer

from graphbus_core.cli import options
from graphbus_core.cli.options import resolve_output_dir
from graphbus_core.cli.run.supervision import watch_build
from graphbus_core.cli.run.views import JsonView, LineView, allow_any_text, format_time, log_to_stderr
from graphbus_core.errors import Interruption, UsageError
from graphbus_core.text import escape_line, format_count

if TYPE_CHECKING:
    from graphbus_core.config import RuntimeConfig
    from graphbus_core.services.run_command import CommandRun, DeadLetter, RunView

app = typer.Typer(add_completion=False)
_Durable = Annotated[
    bool, typer.Option("--durable", "--journal-sync", help="… on the disk before the publisher goes on.")
]
_Action = Annotated[
    list[str] | None,
    typer.Argument(help="dead-letters [list | retry | purge] [ID…], consumers [list | retire]", show_default=False),
]
_Force = Annotated[
    bool,
    typer.Option("--force", help="With --reload: also one that breaks a contract. With retire: also events that wait."),
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
    action: _Action = None,
    call: Annotated[list[str] | None, typer.Option(help="Call Node.method and print what it returns.")] = None,
    args: Annotated[list[str] | None, typer.Option(help="Its arguments, as a JSON object.")] = None,
    publish: Annotated[list[str] | None, typer.Option(help="Publish an event to this topic.")] = None,
    payload: Annotated[list[str] | None, typer.Option(help="Its payload, as a JSON object; also of a retry.")] = None,
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
    allow_server: Annotated[bool, typer.Option("--allow-server", help="Also a server known to lose events.")] = False,
    reload: Annotated[bool, typer.Option("--reload", help="Build what is saved, and take each new build.")] = False,
    force: _Force = False,
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
    options_given: dict[str, Any] = dict(locals())
    from graphbus_core.services.run_command import read_run_settings

    artifacts, words = _split_action(artifacts, list(action or ()))
    artifacts = str(resolve_output_dir(artifacts))
    log_to_stderr(verbose)
    config = _build_config(artifacts, options_given)
    request = _RunRequest(call or [], args or [], publish or [], payload or [], redact or [], wait, force)
    provider_texts, rules = read_run_settings(artifacts)
    providers, own_rules = (*provider_texts, *(provide or ())), Path(policy) if policy else rules
    names = _parse_names(nodes)
    environment = _RunEnvironment(providers, own_rules, bus, names, beside, otel, metrics, trace, allow_server)
    if workers > 1:
        _run_in_processes(workers, config, request, environment)
    else:
        _run_with_view(config, words, request, environment, as_json)


def _split_action(artifacts: str | None, words: list[str]) -> tuple[str | None, list[str]]:
    """The folder and the words of an action: `graphbus run dead-letters` names no folder."""
    return (None, [artifacts, *words]) if artifacts in ("dead-letters", "consumers") else (artifacts, words)


def _parse_names(text: str | None) -> tuple[str, ...] | None:
    return tuple(name.strip() for name in text.split(",") if name.strip()) if text is not None else None


def _build_config(artifacts: str, options_given: dict[str, Any]) -> RuntimeConfig:
    is_retiring = "consumers" in (options_given["artifacts"], *(options_given["action"] or ()))
    if options_given["force"] and not options_given["reload"] and not is_retiring:
        raise UsageError("--force says what --reload may do: give both.")
    from graphbus_core.config import RuntimeConfig
    from graphbus_core.services.run_command import DEAD_LETTERS_FILE

    # Another process may run another build, or none of ours: what comes in over a bus is looked at unless told not to.
    options_given["payload_checks"] = options_given["payload_checks"] or ("warn" if options_given["bus"] else "off")
    return RuntimeConfig(
        artifacts_dir=artifacts,
        enable_message_bus=not options_given["no_message_bus"],
        dead_letter_file=f"{artifacts}/{DEAD_LETTERS_FILE}",
        timestamps=True,
        **{setting: options_given[option] for option, setting in _SETTINGS.items()},
    )


@dataclass(frozen=True)
class _RunRequest:
    """What the command line asks a run to do."""

    calls: list[str]
    args: list[str]
    topics: list[str]
    payloads: list[str]
    redact: list[str]
    wait: bool
    force: bool = False


@dataclass(frozen=True)
class _RunEnvironment:
    """What the command line gives nodes: providers, the file of the rules, and the bus that they share."""

    provide: tuple[str, ...]
    policy: Path | None
    bus: str | None = None
    nodes: tuple[str, ...] | None = None
    beside: bool = False
    otel: bool = False
    metrics: str | None = None
    trace: bool = False
    allow_server: bool = False

    def open_session(self, config: RuntimeConfig, view: RunView, redact: Sequence[str] = ()) -> CommandRun:
        """A run with all of it."""
        from graphbus_core.services.run_command import CommandRun, create_transport

        return CommandRun(
            config,
            view,
            redact=redact,
            provide=self.provide,
            policy=self.policy,
            nodes=self.nodes,
            transport=create_transport(
                self.bus, config.artifacts_dir, beside=self.beside, allow_server=self.allow_server
            )
            if self.bus
            else None,
            otel=self.otel,
            metrics=self.metrics,
            trace=self.trace,
        )


def _run_in_processes(workers: int, config: RuntimeConfig, request: _RunRequest, environment: _RunEnvironment) -> None:
    """`--workers`: this process looks after so many that do the work."""
    from graphbus_core.cli.run.supervision import run_workers

    if environment.bus is None:
        raise UsageError("--workers needs a bus that the processes share: give --bus nats://host:4222.")
    if request.calls or request.topics:
        raise UsageError("--workers runs until a signal comes; make calls and publish in a run of one process.")
    if environment.metrics is not None:
        raise UsageError("--metrics with --workers: each process needs a port of its own; start them one by one.")
    with watch_build(config, lambda what, problem: print(f"graphbus: {what}", file=sys.stderr), None):
        if run_workers(workers, sys.argv[2:], config.stop_timeout_s) == signal.SIGINT:
            raise KeyboardInterrupt


def _run_with_view(
    config: RuntimeConfig, words: list[str], request: _RunRequest, environment: _RunEnvironment, as_json: bool
) -> None:
    from graphbus_core.cli.run.supervision import end_with_parent

    end_with_parent(config.stop_timeout_s)
    out = sys.stdout
    allow_any_text(out)
    if as_json:
        sys.stdout = sys.stderr  # what nodes print is not ours
    try:
        view: RunView = JsonView(out) if as_json else LineView(out, quiet=bool(request.calls or request.topics))
        if words and words[0] == "consumers":
            ok = _run_consumers(words, as_json, out, environment, force=request.force)
        elif words:
            ok = _run_dead_letters(config, words, view, as_json, out, environment, request.payloads)
        else:
            ok = _run_actions(config, view, request, environment)
    finally:
        sys.stdout = out
    if not ok:
        raise typer.Exit(1)


def _run_actions(config: RuntimeConfig, view: RunView, request: _RunRequest, environment: _RunEnvironment) -> bool:
    from graphbus_core.services.run_command import CallCommand, PublishCommand, explain_unfit_call, parse_json_object

    calls, args, topics, payloads = request.calls, request.args, request.topics, request.payloads
    if len(args) > len(calls) or len(payloads) > len(topics):
        raise UsageError("There are more --args than --call, or more --payload than --publish; give one for each.")
    todo: list[CallCommand | PublishCommand] = [
        CallCommand.parse(name, args[i] if i < len(args) else None) for i, name in enumerate(calls)
    ]
    todo += [
        PublishCommand(topic, parse_json_object(payloads[i] if i < len(payloads) else None, "--payload"))
        for i, topic in enumerate(topics)
    ]
    with environment.open_session(config, view, request.redact) as session:
        for command in todo:
            # A person typed it: a wrong type that passes in silence is found three calls later, or never.
            if (why := explain_unfit_call(session, command)) is not None:
                typer.echo(f"graphbus: {escape_line(why)}", err=True)
            session.execute(command)
        with watch_build(config, _build_reporter(view), lambda: session.reload(request.force)):
            _keep_running(config, view, request, session, todo=bool(todo))
    return not session.has_failures


def _build_reporter(view: RunView) -> Callable[[str, bool], None]:
    return lambda what, problem: view.problem(what) if problem else view.show_reload(what)


def _keep_running(
    config: RuntimeConfig, view: RunView, request: _RunRequest, session: CommandRun, *, todo: bool
) -> None:
    """Stay until a signal comes, or do what standard input says, where nothing else was asked for."""

    executor = session.executor
    if request.wait or (not todo and sys.stdin is not None and sys.stdin.isatty()):
        if session.wait_for_signal(lambda: view.ready(list(executor.nodes))) == signal.SIGINT:
            raise KeyboardInterrupt
    elif not todo and sys.stdin is not None:
        with read_input_lines(sys.stdin, config.stop_timeout_s) as lines:
            session.follow(lines)


def _run_dead_letters(
    config: RuntimeConfig,
    words: list[str],
    view: RunView,
    as_json: bool,
    out: TextIO,
    environment: _RunEnvironment,
    payloads: Sequence[str],
) -> bool:
    from graphbus_core.services.run_command import parse_json_object

    verb, ids = (words[1] if len(words) > 1 else "list"), words[2:]
    if words[0] != "dead-letters" or verb not in ("list", "retry", "purge"):
        raise UsageError(f"'{' '.join(words)}' is not an action; use dead-letters, with list, retry or purge.")
    if payloads and (verb != "retry" or len(ids) != 1 or len(payloads) != 1 or environment.bus is not None):
        raise UsageError("--payload is for the retry of one letter, `dead-letters retry ID`, and not on a --bus.")
    if environment.bus is not None:
        return run_bus_dead_letters(environment.bus, verb, ids, as_json, out)

    return run_stored_dead_letters(
        config.artifacts_dir,
        verb,
        ids,
        as_json,
        out,
        lambda: environment.open_session(config, view),
        view,
        parse_json_object(payloads[0], "--payload") if payloads else None,
    )


def _run_consumers(words: list[str], as_json: bool, out: TextIO, environment: _RunEnvironment, *, force: bool) -> bool:
    """List the consumers of a bus, or retire those that no build has a handler for; always true."""
    from graphbus_core.services.run_command import create_bus_consumers

    verb, names = (words[1] if len(words) > 1 else "list"), words[2:]
    if verb not in ("list", "retire") or (verb == "list" and names):
        raise UsageError(f"'{' '.join(words)}' is not an action; use consumers, with list, or retire [NAME…].")
    if environment.bus is None:
        raise UsageError("Consumers are those of a bus: give --bus nats://host/space.")
    bus_consumers = create_bus_consumers(environment.bus)
    if verb == "retire":
        retired = bus_consumers.retire(names, force=force)
        for consumer in retired:
            line = (
                f"retired {consumer.handler}; {format_count(consumer.waiting, 'event')} that waited for it "
                f"{'is' if consumer.waiting == 1 else 'are'} thrown away"
            )
            print(json.dumps({"retired": consumer.to_dict()}) if as_json else line, file=out)
        if not retired and not as_json:
            print("Every consumer of this bus has a handler. Nothing was retired.", file=out)
        return True
    for consumer in bus_consumers.list_all():
        parts = [f"{consumer.pending} wait", f"{consumer.unacknowledged} are given out"]
        parts += [f"the oldest for {consumer.oldest_s:.0f} s"] if consumer.waiting else []
        whose = "nobody has this handler" if consumer.is_left_over else "" if consumer.readers else "nobody runs it now"
        line = f"{consumer.handler}: {', '.join([*parts, *([whose] if whose else [])])}"
        print(json.dumps(consumer.to_dict()) if as_json else line, file=out)
    return True


# The lines of standard input, until it ends or SIGTERM comes: then no more are taken, and the run stops as it should.
#
# The line at hand is finished first, for `grace_s` at most: then it is interrupted. It knows nothing of what lines
# mean.


_CHUNK = 1 << 16


class Terminated(Interruption):
    """SIGTERM came, and the line at hand did not end in time. Not an Exception: code of nodes lets it pass."""


@contextlib.contextmanager
def read_input_lines(stream: TextIO, grace_s: float) -> Iterator[Iterator[str]]:
    """The lines of `stream`. Terminated does not leave the block: the run is over, and that is a normal end."""
    try:
        fd = stream.fileno()
    except (OSError, ValueError, AttributeError):  # no file: a test, or a program that put something in its place
        yield iter(stream)
        return
    if threading.current_thread() is not threading.main_thread():  # signals are not ours
        yield iter(stream)
        return
    wake_reader, wake = os.pipe()
    os.set_blocking(wake, False)
    # The timer may be somebody else's (a test's own bound), so it is touched only where SIGTERM came.
    began, before_alarm = False, signal.getsignal(signal.SIGALRM)

    def terminate(*_: object) -> None:
        nonlocal began
        if not began:
            began = True
            signal.signal(signal.SIGALRM, give_up)
        with contextlib.suppress(OSError):
            os.write(wake, b"x")
        signal.setitimer(signal.ITIMER_REAL, grace_s)

    def give_up(*_: object) -> None:
        raise Terminated

    before = signal.signal(signal.SIGTERM, terminate)
    try:
        yield _read_lines(fd, wake_reader)
    except Terminated:
        pass
    finally:
        signal.signal(signal.SIGTERM, before)
        if began:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before_alarm)
        os.close(wake_reader)
        os.close(wake)


def _read_lines(fd: int, wake_reader: int) -> Iterator[str]:
    rest = b""
    while True:
        ready, _, _ = select.select([fd, wake_reader], [], [])
        if wake_reader in ready:
            return
        chunk = os.read(fd, _CHUNK)
        *whole, rest = (rest + chunk).split(b"\n")
        for line in whole:
            yield _decode_line(line)
            if select.select([wake_reader], [], [], 0)[0]:
                return
        if not chunk:
            if rest:
                yield _decode_line(rest)
            return


def _decode_line(line: bytes) -> str:
    return line.decode("utf-8", "backslashreplace")  # what is not a text is no JSON either, and is told as such


# `graphbus run dead-letters … --bus`: what could not be delivered in any process of the bus.


def run_bus_dead_letters(bus: str, verb: str, ids: Sequence[str], as_json: bool, out: TextIO) -> bool:
    """List, retry or purge the dead letters of a bus; whether all went well."""
    from graphbus_core.cli.run.views import format_time
    from graphbus_core.services.run_command import create_dead_letters, dump_one_line

    letters = create_dead_letters(bus)
    listed = letters.list_all()
    known_ids = {letter_entry.id for letter_entry in listed}
    if unknown := [i for i in ids if i not in known_ids]:
        raise UsageError(f"There is no dead letter {', '.join(unknown)} on this bus; `dead-letters list` shows them.")
    chosen = [letter_entry for letter_entry in listed if not ids or letter_entry.id in ids]
    match verb:
        case "purge":
            gone = letters.purge([letter_entry.id for letter_entry in chosen])
            print(json.dumps({"purged": gone}) if as_json else f"{gone} dead letters purged.", file=out)
            return True
        case "retry":
            failed = letters.retry(chosen)
            counts = {"delivered": len(chosen) - len(failed), "failed": len(failed)}
            for letter, why in failed:
                if not as_json:
                    print(f"{letter.id:<7} {letter.topic}  {letter.subscriber}  {why}", file=out)
            print(
                json.dumps({**counts, "why": {letter.id: why for letter, why in failed}})
                if as_json
                else f"{counts['delivered']} delivered, {counts['failed']} failed.",
                file=out,
            )
            return not failed
        case _:
            for letter_entry in chosen:
                failure_text = (
                    f"{letter_entry.error_type}: {letter_entry.error}  (tried {letter_entry.count}×, "
                    f"{format_time(letter_entry.last_at)})"
                )
                line = (
                    f"{letter_entry.id:<7} {letter_entry.topic}  {letter_entry.subscriber}  {failure_text}\n      "
                    f"  {dump_one_line(letter_entry.event['payload'])}"
                )
                print(json.dumps(letter_entry.to_dict()) if as_json else line, file=out)
            if not chosen and not as_json:
                print("No dead letters.", file=out)
            return True


# `graphbus run dead-letters …`: what runs of this build could not deliver: list it, retry it, purge it.


def run_stored_dead_letters(
    artifacts: str,
    verb: str,
    ids: Sequence[str],
    as_json: bool,
    out: TextIO,
    run: Callable[[], CommandRun],
    view: RunView,
    payload: dict[str, Any] | None = None,
) -> bool:
    """Do it, and say whether all went well. `run` makes the run in which letters are retried; `payload` takes the place
    of the one letter's own."""
    from graphbus_core.services.run_command import describe_torn_tail, load_dead_letters

    letters = load_dead_letters(artifacts)
    if letters.torn and verb != "retry":  # a session says it itself
        print(f"graphbus: {describe_torn_tail(letters)}", file=sys.stderr)
    if unknown := [i for i in ids if letters.get(i) is None]:
        raise UsageError(f"There is no dead letter {', '.join(unknown)}; `dead-letters list` shows them.")
    chosen = [letter for letter in letters if not ids or letter.id in ids]
    match verb:
        case "list":
            _print_dead_letters(chosen, as_json, out)
            return True
        case "purge":
            gone = letters.remove(*(letter.id for letter in chosen))
            print(json.dumps({"purged": gone}) if as_json else f"{gone} dead letters purged.", file=out)
            return True
        case _:
            _require_whole(chosen if ids and payload is None else [])
            delivered, failed = _retry_dead_letters(run(), {letter.id for letter in chosen}, view, payload)
            counts = {"delivered": delivered, "failed": failed}
            print(json.dumps(counts) if as_json else f"{delivered} delivered, {failed} failed.", file=out)
            return failed == 0


def _require_whole(named_letters: Sequence[DeadLetter]) -> None:
    """Raise UsageError where a letter that was asked for by name holds hidden fields: nobody knows what they held."""
    if hidden := [letter.id for letter in named_letters if letter.redacted]:
        raise UsageError(
            f"{', '.join(hidden)}: fields of that event were hidden before it was kept ('***'), and it cannot be "
            f"delivered again. Publish it again with the real values, then purge the letter."
        )


def _print_dead_letters(letters: Sequence[DeadLetter], as_json: bool, out: TextIO) -> None:
    from graphbus_core.services.run_command import dump_one_line

    for letter in letters:
        if as_json:
            print(json.dumps(letter.to_dict()), file=out)
            continue
        print(
            f"{letter.id:<7} {letter.topic}  {letter.subscriber}  {letter.error_type}: {letter.error}  "
            f"(tried {letter.count}×, {format_time(letter.last_at)})\n"
            f"        {dump_one_line(letter.event['payload'])}",
            file=out,
        )
    if not letters and not as_json:
        print("No dead letters.", file=out)


def _retry_dead_letters(
    run: CommandRun, wanted_ids: set[str], view: RunView, payload: dict[str, Any] | None
) -> tuple[int, int]:
    """Deliver them again in a run of its own: how many were delivered, how many failed."""
    with run as session:
        bus = session.executor.bus
        again = [letter for letter in (bus.dead_letters if bus else ()) if letter.id in wanted_ids]
        if bus and payload is not None:
            delivered = sum(bus.retry_dead_letter(letter, payload) for letter in again)
            return delivered, len(again) - delivered
        for letter in again:
            if letter.redacted:
                view.problem(f"{letter.id} was not retried: it holds '***' where fields were hidden; publish it again")
        return session.executor.retry_dead_letters(again)
