"""`graphbus land BRANCH...`: land finished branches, merged by structure, proved, or left alone."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from graphbus_core.cli import options
from graphbus_core.text import escape_line, escape_text

app = typer.Typer(add_completion=False)

VerifyTimeout = Annotated[float, typer.Option("--verify-timeout", help="Seconds that one run may take.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Merge and prove; move no branch.")]


@app.command()
def land(
    branches: Annotated[list[str], typer.Argument(help="Finished branches; they land in this order.")],
    onto: Annotated[
        str | None,
        typer.Option(
            "--onto", help="The branch to land on, which must be checked out.", show_default="the current one"
        ),
    ] = None,
    verify: Annotated[
        str,
        typer.Option(
            "--verify", help="A command that must agree, run in a copy; `auto` is pytest, `none` runs nothing."
        ),
    ] = "auto",
    verify_timeout: VerifyTimeout = 600.0,
    dry_run: DryRun = False,
    ask: Annotated[
        bool,
        typer.Option(
            "--ask", help="Lay what no candidate holds before the owners of both sides; land once they agreed."
        ),
    ] = False,
    as_json: options.AsJson = False,
) -> None:
    """Bring finished branches onto the current one, in any git repository with Python. No setup is needed.

    Each branch is merged by structure and proved against both sides: nothing that a side did is lost, no new finding,
    the tests of both pass. It lands as one commit, or is left alone with the reason, by symbol. Exit codes: 0 all
    landed, 1 something did not, 2 bad usage.
    """
    from graphbus_core.services.landing import land_branches

    landings, notes = land_branches(
        Path.cwd(),
        tuple(branches),
        onto=onto,
        verify=None if verify == "none" else verify,
        dry_run=dry_run,
        timeout_s=verify_timeout,
        ask=ask,
        report=print_progress if sys.stderr.isatty() else lambda text: None,
    )
    if sys.stderr.isatty():
        print_progress("")
    if as_json:
        typer.echo(json.dumps({"landings": landings, "notes": notes}, indent=2, ensure_ascii=False))
    else:
        for note in notes:
            typer.echo(escape_text(note))
        for landing in landings:
            typer.echo(escape_text("\n".join(render_landing(landing))))
        if len(landings) < len(branches):
            typer.echo(f"Not tried after that: {escape_line(', '.join(branches[len(landings) :]))}.")
    if len(landings) < len(branches) or not all(landing["good"] for landing in landings):
        raise typer.Exit(1)


def print_progress(text: str) -> None:
    """Show one line that is written over."""
    sys.stderr.write(f"\r\x1b[K{escape_line(text)}")
    sys.stderr.flush()


def render_landing(landing: Mapping[str, Any]) -> Iterator[str]:
    """What became of a branch, line by line."""
    mark = "✓" if landing["good"] else "✗"
    branch = landing["branch"]
    match landing["status"]:
        case "landed":
            yield f"{mark} {branch} landed as {landing['commit'][:12]} ({landing['id']}, {landing['seconds']:.0f} s)"
        case "provable":
            yield f"{mark} {branch} would land; nothing was moved"
        case "contained":
            yield f"{mark} {branch} is part of this branch already"
        case _:
            yield f"{mark} {branch} did not land: {landing['why']}"
    if landing["gates"]:
        yield "  " + " · ".join(f"{gate['gate']} {gate['end']}" for gate in landing["gates"])
    for conflict in landing["conflicts"]:
        yield f"  {conflict['file']}:{conflict['line']}: {conflict['symbol']}: {conflict['reason']}"
        for side in ("base", "ours", "theirs"):
            text = conflict.get(side, "").strip("\n")
            if text.strip():
                yield f"    {side}:"
                yield from (f"      {line}" for line in text.splitlines()[:20])
