"""`graphbus undo PROPOSAL_ID`: take a committed proposal back, through the same gates."""

from __future__ import annotations

import json
from typing import Any

import typer

from graphbus_core.text import escape_text

app = typer.Typer(add_completion=False)


@app.command()
def undo(
    proposal_id: str = typer.Argument(..., help="The proposal, e.g. p-a3f2, or a landing, e.g. land-3fa2c1."),
    output_dir: str = typer.Option(
        None, "--output-dir", "-o", help="The folder of the build.", show_default=".graphbus"
    ),
    root: str = typer.Option(
        None, "--root", help="A folder of the project that is meant, where several share the output folder."
    ),
    verify: str = typer.Option(None, "--verify", help="A command that must agree, run in a copy; `auto` finds pytest."),
    verify_timeout: float = typer.Option(300.0, "--verify-timeout", help="Seconds that it may take."),
    dry_run: bool = typer.Option(False, "--dry-run", help="Show the change and prove it, write nothing."),
    allow_mismatches: bool = typer.Option(
        False, "--allow-mismatches", help="Also where a link no longer fits then, as when the commit had mended it."
    ),
    allow_unproved: str = typer.Option(
        None, "--allow-unproved", help="Gates that may stay unproved where they cannot run: imports,types."
    ),
    git: bool = typer.Option(None, "--git/--no-git", help="Commit the change, with trailers.", show_default="no"),
    allow_dirty: bool = typer.Option(False, "--allow-dirty", help="Let --git work beside changes of yours."),
    as_json: bool = typer.Option(False, "--json", help="The receipt, for programs."),
) -> None:
    """Take back a committed proposal: its own change and no other, proved like any commit.

    Exit codes: 0 taken back, 1 a gate said no (nothing was changed), 2 no such proposal.
    """
    from graphbus_core.services.landing import PREFIX

    if proposal_id.startswith(PREFIX):
        _undo_landing(proposal_id, verify or "auto", dry_run, as_json)
        return
    from graphbus_core.cli.options import resolve_output_dir
    from graphbus_core.config import BuildConfig
    from graphbus_core.services import build_command
    from graphbus_core.settings import load_settings

    settings = load_settings(root or ".")
    unproved = settings["policy.allow_unproved"] if allow_unproved is None else allow_unproved.split(",")
    config = BuildConfig(
        root_package=".",
        output_dir=str(resolve_output_dir(output_dir)),
        verify=verify or settings["verify"],
        verify_timeout_s=verify_timeout,
        git_commit=settings["policy.git"] if git is None else git,
        allow_unproved=[name.strip() for name in unproved if name.strip()],
        allow_dirty=allow_dirty,
    )
    receipt, notes = build_command.undo(
        config, proposal_id, prepare=dry_run, allow_mismatches=allow_mismatches, root=root
    )
    if as_json:
        typer.echo(json.dumps({**receipt, "notes": [*receipt.get("notes", []), *notes]}, indent=2, sort_keys=True))
    else:
        _print_receipt(proposal_id, receipt)
    if receipt["status"] not in ("committed", "prepared"):
        raise typer.Exit(1)


def _print_receipt(proposal_id: str, receipt: dict[str, Any]) -> None:
    if receipt["status"] in ("committed", "prepared"):
        typer.echo(escape_text(receipt["unified_diff"].rstrip("\n")))
        outcome_text = (
            f"{proposal_id} is taken back" if receipt["status"] == "committed" else "Dry run: nothing was written"
        )
        typer.echo(
            f"{outcome_text}: {', '.join(receipt['files'])}. The next `graphbus build` freezes the sources anew."
        )
    else:
        gate = f" (gate: {receipt['gate']})" if receipt["gate"] else ""
        typer.echo(escape_text(f"{proposal_id} was not taken back{gate}: {receipt['reason']}"), err=True)
        if receipt["gate"] == "mismatches":
            typer.echo("Where that is meant, say --allow-mismatches.", err=True)


def _undo_landing(ident: str, verify: str, dry_run: bool, as_json: bool) -> None:
    """Take a landing back: what it brought goes, what came after it stays. Exit codes as for a proposal."""
    from pathlib import Path

    from graphbus_core.services.landing import take_back

    landing = take_back(Path.cwd(), ident, verify=None if verify == "none" else verify, dry_run=dry_run)
    if as_json:
        typer.echo(json.dumps(landing, indent=2, sort_keys=True))
    elif landing["good"]:
        what = "would be taken back; nothing was moved" if dry_run else f"is taken back by {landing['commit'][:12]}"
        typer.echo(f"{ident} {what}.")
    else:
        typer.echo(escape_text(f"{ident} was not taken back: {landing['why']}"), err=True)
    if not landing["good"]:
        raise typer.Exit(1)
