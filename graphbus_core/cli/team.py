"""`graphbus team`: coding agents at one repository plan together, and land what is proved."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from graphbus_core.cli import options
from graphbus_core.cli.land import DryRun, VerifyTimeout, print_progress, render_landing
from graphbus_core.text import escape_line, escape_text

app = typer.Typer(add_completion=False, no_args_is_help=True)

As = Annotated[str, typer.Option("--as", help="The seat.", show_default="the one of this working tree")]
Source = Annotated[str, typer.Argument(metavar="[FILE]", help="A file; `-` is standard input.")]


@app.command()
def start(
    task: Annotated[list[Path] | None, typer.Option("--task", help="A file that says what is to be done.")] = None,
    onto: Annotated[
        str | None, typer.Option("--onto", help="The branch that all land on.", show_default="the current one")
    ] = None,
    lease: Annotated[float, typer.Option("--lease", help="Minutes that a seat may be silent.")] = 30.0,
    as_json: options.AsJson = False,
) -> None:
    """Begin a team in this repository. Nothing is written into the working tree."""
    from graphbus_core.services import team

    data = team.start(Path.cwd(), task or (), onto=onto, lease_s=lease * 60)
    _print(
        data, f"A team begins; all land on {data['base']}. Next, each: `graphbus team join NAME --worktree`.", as_json
    )


@app.command()
def join(
    name: Annotated[str, typer.Argument(help="The name of the seat.")],
    worktree: Annotated[bool, typer.Option("--worktree", help="With a branch and a working tree of its own.")] = False,
    folder: Annotated[
        str, typer.Option("--folder", help="Where that is made.", show_default="beside the repository")
    ] = "",
    as_json: options.AsJson = False,
) -> None:
    """Take a seat: this working tree and its branch, or a new one with --worktree."""
    from graphbus_core.services import team

    data = team.join(Path.cwd(), name, worktree=folder if worktree or folder else None)
    where = escape_line(data["worktree"])
    _print(data, f"{name} sits in {where}, on {data['branch']}. Next, there: `graphbus team turn`.", as_json)


@app.command()
def turn(
    name: As = "",
    everything: Annotated[bool, typer.Option("--all", help="All, and not only what is new.")] = False,
    as_json: options.AsJson = False,
) -> None:
    """What is new for you, what you are asked, what comes next."""
    from graphbus_core.services import team

    data = team.turn(Path.cwd(), name, everything=everything)
    _print(data, data["text"], as_json)


@app.command()
def plan(source: Source = "-", name: As = "", as_json: options.AsJson = False) -> None:
    """Say what you will change, one change of a symbol a line; hear who uses it, what breaks, who else is there."""
    from graphbus_core.services import team

    data = team.plan(Path.cwd(), _read(source), name)
    _print(data, data["text"], as_json)


@app.command()
def say(source: Source = "-", name: As = "", as_json: options.AsJson = False) -> None:
    """Say a whole turn: @plan, @accept, @offer, @tell, @leave. All of it is taken, or nothing."""
    from graphbus_core.services import team

    data = team.say(Path.cwd(), _read(source), name)
    _print(data, data["text"], as_json)


@app.command()
def land(
    name: As = "",
    verify: Annotated[
        str, typer.Option("--verify", help="A command that must agree; `auto` is pytest, `none` runs nothing.")
    ] = "auto",
    verify_timeout: VerifyTimeout = 600.0,
    dry_run: DryRun = False,
    as_json: options.AsJson = False,
) -> None:
    """Land your branch. Refused while a question with another seat is open, or a gate refuses. Exit code 1 then."""
    from graphbus_core.services import team

    is_shown = sys.stderr.isatty()
    data = team.land(
        Path.cwd(),
        name,
        verify=None if verify == "none" else verify,
        dry_run=dry_run,
        timeout_s=verify_timeout,
        report=print_progress if is_shown else lambda text: None,
    )
    if is_shown:
        print_progress("")
    landing = data["landing"]
    _print(data, "\n".join([*render_landing(landing), *data["notes"]]), as_json)
    if not landing["good"]:
        raise typer.Exit(1)


@app.command()
def sync(name: As = "", as_json: options.AsJson = False) -> None:
    """Bring in what landed, by the same merge. What is not committed is put back. Exit code 1: refused."""
    from graphbus_core.services import team

    data = team.sync(Path.cwd(), name)
    _print(data, data["text"], as_json)
    if data["status"] == "refused":
        raise typer.Exit(1)


@app.command()
def status(as_json: options.AsJson = False) -> None:
    """Who works on what, what overlaps, what landed."""
    from graphbus_core.services import team

    data = team.show_status(Path.cwd())
    _print(data, "\n".join(_render_status(data)), as_json)


@app.command()
def end(as_json: options.AsJson = False) -> None:
    """Put the team aside. Branches, working trees and what landed stay as they are."""
    from graphbus_core.services import team

    data = team.end(Path.cwd())
    _print(data, f"The team is over; its log is {escape_line(data['log'])}.", as_json)


def _read(source: str) -> str:
    if source != "-":
        return Path(source).read_text(encoding="utf-8", errors="replace")
    if sys.stdin.isatty():
        typer.echo("Write, then Ctrl-D.", err=True)
    return sys.stdin.read()


def _print(data: Mapping[str, Any], text: str, as_json: bool) -> None:
    typer.echo(json.dumps(data, indent=2, ensure_ascii=False) if as_json else escape_text(text))


def _render_status(data: Mapping[str, Any]) -> list[str]:
    lines = [f"All land on {data['base']}."]
    for seat in data["seats"]:
        note = f" ({seat['note']})" if seat["note"] else ""
        lines.append(f"{seat['seat']}: {seat['status']}, on {seat['branch']}{note}")
        lines += [f"  {claim}" for claim in seat["claims"]]
    for question in data["questions"]:
        if question["status"] != "closed":
            settled = next((c["text"] for c in question["choices"] if c["hash"] == question["settled"]), "")
            lines.append(f"{question['id']} {question['status']}: {settled or question['text']}")
    lines += [f"{entry['seat']} landed {entry['commit'][:10]}" for entry in data["landings"]]
    lines += [f"{entry['seat']} did not do what it had said: {entry['promise']}" for entry in data["broken"]]
    return lines
