"""`graphbus undo PROPOSAL_ID`: take a committed proposal back, through the same gates."""

from __future__ import annotations

import json

import typer

from graphbus_core.shown import shown

app = typer.Typer(add_completion=False)


@app.command()
def undo(
    proposal_id: str = typer.Argument(..., help="The proposal, e.g. p-a3f2; `graphbus why` and the log name them."),
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
    from graphbus_core.cli.options import output
    from graphbus_core.config import BuildConfig
    from graphbus_core.settings import effective
    from graphbus_core.workspace.does import building

    settings = effective(root or ".")
    unproved = settings["policy.allow_unproved"] if allow_unproved is None else allow_unproved.split(",")
    config = BuildConfig(
        root_package=".",
        output_dir=str(output(output_dir)),
        verify=verify or settings["verify"],
        verify_timeout_s=verify_timeout,
        git_commit=settings["policy.git"] if git is None else git,
        allow_unproved=[name.strip() for name in unproved if name.strip()],
        allow_dirty=allow_dirty,
    )
    receipt, notes = building.undo(config, proposal_id, prepare=dry_run, allow_mismatches=allow_mismatches, root=root)
    if as_json:
        typer.echo(json.dumps({**receipt, "notes": [*receipt.get("notes", []), *notes]}, indent=2, sort_keys=True))
    elif receipt["status"] in ("committed", "prepared"):
        typer.echo(shown(receipt["unified_diff"].rstrip("\n")))
        done = f"{proposal_id} is taken back" if receipt["status"] == "committed" else "Dry run: nothing was written"
        typer.echo(f"{done}: {', '.join(receipt['files'])}. The next `graphbus build` freezes the sources anew.")
    else:
        gate = f" (gate: {receipt['gate']})" if receipt["gate"] else ""
        typer.echo(shown(f"{proposal_id} was not taken back{gate}: {receipt['reason']}"), err=True)
        if receipt["gate"] == "mismatches":
            typer.echo("Where that is meant, say --allow-mismatches.", err=True)
    if receipt["status"] not in ("committed", "prepared"):
        raise typer.Exit(1)
