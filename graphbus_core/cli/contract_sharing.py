"""`graphbus contracts pin`, `verify` and their kin: an interface that two repositories hold."""

from __future__ import annotations

import json
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from graphbus_core.cli.options import AsJson
from graphbus_core.text import format_count, shorten

if TYPE_CHECKING:
    from graphbus_core.services.contract_sharing.verification import PinReport

MARKS = {"holds": "✓", "breaks": "✗", "unknown": "?", "note": "·"}
Side = Annotated[str, typer.Option("--as", help="producer or consumer: who this repository is.")]
Show = Annotated[
    list[str] | None,
    typer.Option(
        "--show",
        help="What shows what the code does: a schema file or a part of it, pkg.module:Name, a file of JSON lines, or "
        "the address of a running service.",
    ),
]
Host = Annotated[list[str] | None, typer.Option(help="Another machine that examples may be sent to.")]
Folder = Annotated[Path, typer.Option("--project", help="The folder of contracts.lock.")]
Name = Annotated[str, typer.Argument(help="The name of a pin, where the lock has several.")]


def pin(
    target: Annotated[str, typer.Argument(metavar="URL-OR-PATH#NAME@VERSION", help="Without a version: the newest.")],
    side: Side = "",
    show: Show = None,
    branch: Annotated[str, typer.Option(help="The branch that counts, where it is not the usual one.")] = "",
    file: Annotated[str, typer.Option(help="The contract file below the repository, where there are several.")] = "",
    peer: Annotated[
        str, typer.Option(help="The other side's repository, where it is not that of the contract: its CI is heard.")
    ] = "",
    project: Folder = Path(),
    as_json: AsJson = False,
) -> None:
    """Hold this repository to a contract: fetch it with git, and write its hash into contracts.lock."""
    from graphbus_core.errors import UsageError
    from graphbus_core.services.contract_sharing.verification import pin_contract

    if side not in ("producer", "consumer"):
        raise UsageError("Say who this repository is: --as producer or --as consumer.")
    pinned = pin_contract(target, side, project, branch=branch, file=file, shows=show or (), peer=peer)
    if as_json:
        _print_line(json.dumps({"pin": pinned.label, "hash": pinned.hash, "file": pinned.file}))
    else:
        _print_line(f"✓ {pinned.label} {pinned.hash[:19]}… stands in {project / 'contracts.lock'}. Commit it.")


def verify(
    names: Annotated[list[str] | None, typer.Argument(help="Pins by name; else all of contracts.lock.")] = None,
    show: Show = None,
    against: Annotated[
        str, typer.Option(help="A running service: it is sent the contract's examples, on this machine alone.")
    ] = "",
    before: Annotated[
        str,
        typer.Option(
            metavar="URL-OR-COMMAND",
            help="With --against: the service as it was before this branch. A command starts it on the port of its "
            "variable PORT, in a worktree of the commit before. Both are sent the same, and must answer alike.",
        ),
    ] = "",
    host: Host = None,
    offline: Annotated[bool, typer.Option("--offline", help="Do not fetch: proposals are then not seen.")] = False,
    publish: Annotated[
        str,
        typer.Option(
            metavar="BRANCH", help="Push what is found to this repository's origin, for the CI of the other side."
        ),
    ] = "",
    tests: Annotated[
        str,
        typer.Option(
            metavar="COMMAND",
            help="What records what is sent: it is run in the sandbox, on a copy, once for each part of the code that "
            "this branch changes, with something else there. What no recorded payload shows is not known.",
        ),
    ] = "",
    project: Folder = Path(),
    as_json: AsJson = False,
) -> None:
    """Does this repository's code hold to what it pinned, and what is proposed? Exits 0: yes, 1: no, with the payload,
    3: unknown."""
    from graphbus_core.cli.infer import run_with_progress
    from graphbus_core.services.contract_sharing.evidence import is_service
    from graphbus_core.services.contract_sharing.shown_changes import TestRun
    from graphbus_core.services.contract_sharing.verdicts import publish_verdict
    from graphbus_core.services.contract_sharing.verification import verify_pins

    shows = [*(show or ()), *([against] if against else ())]

    def look(stop: threading.Event | None) -> list[PinReport]:
        run = TestRun(tests, not offline, stop) if tests else None
        hosts = frozenset(host or ())
        return verify_pins(
            project, names or (), shows, hosts, fetch=not offline, branch=publish, tests=run, before=before
        )

    if before and not is_service(before):
        print(f"`{before}` starts the service as it was, up to 600 s. Ctrl-C ends it.", file=sys.stderr, flush=True)
    with _end_as_by_keyboard():
        reports = run_with_progress(look, tests) if tests else look(None)
    try:
        _print_reports(reports, as_json)
    finally:  # red or green, the other side is told
        for report in reports if publish else ():
            publish_verdict(project, publish, report.pin, report.found or report.rows, report.pairs)


@contextmanager
def _end_as_by_keyboard() -> Iterator[None]:
    """Let SIGTERM, with which CI ends a step, take back what Ctrl-C does: services, worktrees, copies."""

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    kept = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, kept)


def record_answers(
    name: Annotated[str, typer.Argument(help="A pin of this repository as consumer.")],
    against: Annotated[str, typer.Option(help="The running service, as it is meant to answer.")] = "",
    host: Host = None,
    project: Folder = Path(),
) -> None:
    """Keep what a service answers to the contract's examples, in a file for git: `verify` then sees a change of
    meaning."""
    from graphbus_core.errors import UsageError
    from graphbus_core.services.contract_sharing.answers import FILE
    from graphbus_core.services.contract_sharing.verification import record_service

    if not against:
        raise UsageError("Say which service: --against http://127.0.0.1:8000/orders.")
    count = record_service(project, name, against, frozenset(host or ()))
    _print_line(f"✓ {format_count(count, 'answer', 'stands', 'stand')} in {project / FILE}. Commit it.")


def _print_reports(reports: Any, as_json: bool) -> None:
    """Print what was found of each pin, and exit by the worst."""
    codes = {report.exit_code for report in reports}
    if as_json:
        _print_line(json.dumps({"pins": [report.to_dict() for report in reports]}, ensure_ascii=False))
    else:
        for report in reports:
            _print_report(report)
    if codes != {0}:
        raise typer.Exit(1 if 1 in codes else 3)


Environment = Annotated[str, typer.Argument(help="Where: production, staging.")]
Records = Annotated[list[Path] | None, typer.Option("--record", help="A further file of deployments.")]
Contract = Annotated[str, typer.Argument(help="A pin by its name, or a contract file, FILE@2 for a version.")]


def record_deployment(
    environment: Environment,
    file: Annotated[Path, typer.Option("--file", help="The record, in git.")] = Path("deployments.jsonl"),
    absent: Annotated[str, typer.Option(help="NAME:SIDE that is known not to be there.")] = "",
    project: Folder = Path(),
) -> None:
    """Record that what is pinned here is deployed now: one line a contract, in a file for git."""
    from graphbus_core.errors import UsageError
    from graphbus_core.services.contract_sharing.deployments import record_absence, record_deployments

    today = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    if absent:
        name, _, side = absent.partition(":")
        if side not in ("producer", "consumer"):
            raise UsageError(f"--absent is NAME:SIDE, as orders:consumer, not {absent!r}.")
        deployed = record_absence(file, environment, name, side, today)
    else:
        deployed = record_deployments(project, file, environment, today)
    for one in deployed:
        what = f"{one.contract}@{one.version}" if one.version else f"no {one.contract}"
        _print_line(f"✓ {what} as {one.side} in {environment}. Commit {file}.")


def can_i_deploy(
    environment: Environment,
    record: Records = None,
    offline: Annotated[bool, typer.Option("--offline", help="Do not fetch.")] = False,
    project: Folder = Path(),
    as_json: AsJson = False,
) -> None:
    """Does what is pinned here fit what is recorded as deployed? Exits 0: yes, 1: no, with the payload, 3: unknown."""
    from graphbus_core.services.contract_sharing.deployments import can_deploy

    _print_reports(can_deploy(project, environment, record or (), fetch=not offline), as_json)


def examples(contract: Contract, project: Folder = Path()) -> None:
    """Print payloads of a contract, one a line: each field there and away, each choice, each bound."""
    from graphbus_core.services.contract_sharing.stand_ins import find_version, list_examples

    for payload in list_examples(find_version(contract, project)):
        _print_line(json.dumps(payload))


def stub(
    contract: Contract,
    port: Annotated[int, typer.Option(help="0: any that is free.")] = 0,
    project: Folder = Path(),
) -> None:
    """Stand in for the side that is not there: GET sends an example, POST takes a payload or says what is wrong."""
    from graphbus_core.services.contract_sharing.stand_ins import build_stub, find_version

    server = build_stub(find_version(contract, project), port, lambda line: typer.echo(line, err=True))
    _print_line(f"http://127.0.0.1:{server.server_address[1]}")
    with server:
        server.serve_forever()


def types(
    contract: Contract,
    language: Annotated[str, typer.Option(help="typescript or go.")] = "typescript",
    side: Annotated[str, typer.Option("--of", help="Whose contract: producer or consumer.")] = "producer",
    project: Folder = Path(),
) -> None:
    """Print types of a contract, written by a tool for JSON Schema that is installed here."""
    from graphbus_core.errors import UsageError
    from graphbus_core.services.contract_sharing.stand_ins import find_version, generate_types

    if side not in ("producer", "consumer"):
        raise UsageError(f"--of is {side!r}; use producer or consumer.")
    name = Path(contract.partition("@")[0]).name.partition(".")[0]
    _print_line(generate_types(find_version(contract, project), side, language, name, project))


def _print_report(report: Any) -> None:
    _print_line(f"{report.pin.label} as {report.pin.side}")
    for row in report.rows:
        # One line: what a service answered, or the other side said, may hold a line that is a command to a CI's runner.
        _print_line(f"  {MARKS[row.state]} {' '.join(row.message.split())}")
        if "payload" in (data := row.to_dict()):
            _print_line(f"      payload   {shorten(json.dumps(data['payload'], ensure_ascii=False), 2_000)}")


def _print_line(text: str) -> None:
    typer.echo(text.encode("utf-8", "backslashreplace").decode())


def add_commands(app: typer.Typer) -> None:
    """Put the commands beside the others of `graphbus contracts`."""
    for command in (pin, verify, record_answers, record_deployment, can_i_deploy, examples, stub, types):
        app.command(command.__name__.replace("_", "-"))(command)
