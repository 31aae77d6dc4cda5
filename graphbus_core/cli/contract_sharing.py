"""`graphbus contracts pin`, `verify` and their kin: an interface that two repositories hold."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from graphbus_core.cli.options import AsJson
from graphbus_core.text import shorten

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
Folder = Annotated[Path, typer.Option("--project", help="The folder of contracts.lock.")]
Name = Annotated[str, typer.Argument(help="The name of a pin, where the lock has several.")]


def pin(
    target: Annotated[str, typer.Argument(metavar="URL-OR-PATH#NAME@VERSION", help="Without a version: the newest.")],
    side: Side = "",
    show: Show = None,
    branch: Annotated[str, typer.Option(help="The branch that counts, where it is not the usual one.")] = "",
    file: Annotated[str, typer.Option(help="The contract file below the repository, where there are several.")] = "",
    project: Folder = Path(),
    as_json: AsJson = False,
) -> None:
    """Hold this repository to a contract: fetch it with git, and write its hash into contracts.lock."""
    from graphbus_core.errors import UsageError
    from graphbus_core.services.contract_sharing.verification import pin_contract

    if side not in ("producer", "consumer"):
        raise UsageError("Say who this repository is: --as producer or --as consumer.")
    pinned = pin_contract(target, side, project, branch=branch, file=file, shows=show or ())
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
    host: Annotated[list[str] | None, typer.Option(help="Another machine that examples may be sent to.")] = None,
    offline: Annotated[bool, typer.Option("--offline", help="Do not fetch: proposals are then not seen.")] = False,
    project: Folder = Path(),
    as_json: AsJson = False,
) -> None:
    """Does this repository's code hold to what it pinned, and what is proposed? Exits 0: yes, 1: no, with the payload,
    3: unknown."""
    from graphbus_core.services.contract_sharing.verification import verify_pins

    shows = [*(show or ()), *([against] if against else ())]
    reports = verify_pins(project, names or (), shows, frozenset(host or ()), fetch=not offline)
    codes = {report.exit_code for report in reports}
    if as_json:
        _print_line(json.dumps({"pins": [report.to_dict() for report in reports]}, ensure_ascii=False))
    else:
        for report in reports:
            _print_report(report)
    if codes != {0}:
        raise typer.Exit(1 if 1 in codes else 3)


def _print_report(report: Any) -> None:
    _print_line(f"{report.pin.label} as {report.pin.side}")
    for row in report.rows:
        _print_line(f"  {MARKS[row.state]} {row.message}")
        if "payload" in (data := row.to_dict()):
            _print_line(f"      payload   {shorten(json.dumps(data['payload'], ensure_ascii=False), 2_000)}")


def _print_line(text: str) -> None:
    typer.echo(text.encode("utf-8", "backslashreplace").decode())


def add_commands(app: typer.Typer) -> None:
    """Put the commands beside the others of `graphbus contracts`."""
    for name, command in (("pin", pin), ("verify", verify)):
        app.command(name)(command)
