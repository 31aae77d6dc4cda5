"""`graphbus inspect-negotiation`: browse a negotiation; interactive on a terminal, else as text or JSON (seed 000)."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from graphbus_core.cli.negotiation_text import (
    DIR_HELP,
    check_filters,
    filter_proposals,
    print_faults,
    read_filters,
    render_details,
    render_overview,
)
from graphbus_core.cli.options import resolve_output_dir
from graphbus_core.module_origin import is_installed

app = typer.Typer(help="Browse a negotiation.")


@app.command()
def inspect_negotiation(
    build: Annotated[str | None, typer.Argument(help="A build's id, or a log's path; else the newest.")] = None,
    dir: Annotated[Path | None, typer.Option("--dir", help=DIR_HELP, show_default=".graphbus")] = None,
    filter: Annotated[
        list[str] | None,
        typer.Option(
            "--filter",
            help="key=value; keys: agent (who proposed it), party (or evaluated or ruled on it), round, outcome, type. "
            "Repeatable.",
        ),
    ] = None,
    search: Annotated[str, typer.Option(help="Only proposals that speak of this text.")] = "",
    plain: Annotated[bool, typer.Option(help="Text, also on a terminal.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="The shape of negotiation_log.json.")] = False,
) -> None:
    """Rounds, proposals, what was said of each, rulings, diffs and gates."""
    filters = read_filters(filter or [])
    from graphbus_core.services.queries import negotiations

    log = negotiations.read_log(*negotiations.find_log(build, resolve_output_dir(dir)))
    whole, damage = log.build_log().to_dict(), log.wrong
    # In a log that could be read in part the value may stand behind the damage. To call it unknown would be a guess.
    if not damage:  # else a value may stand in what could not be read
        check_filters(filters, whole)
    filtered_log = filter_proposals(whole, filters, search)
    if as_json:
        print(json.dumps(filtered_log, indent=2, ensure_ascii=False))
    elif not plain and sys.stdout.isatty() and _has_textual():
        # A pipe gets text whatever is installed: a screen of control characters helps no `grep`.
        from graphbus_core.cli.negotiation_view import NegotiationView

        NegotiationView(whole, filters, search, "; ".join(map(str, damage))).run()
    else:
        print(render_overview(filtered_log))
        for round in filtered_log["rounds"]:
            print(f"\nRound {round['round']}")
            for proposal in round["proposals"]:
                print()
                print("\n".join("  " + line for line in render_details(proposal).splitlines()))
        mismatches_left = filtered_log.get("mismatches_left", ())
        if mismatches_left:
            print("\nStill mismatched: " + "; ".join(f"{m['producer']} => {m['consumer']}" for m in mismatches_left))
    # Last, so that the exit code says it and the text above stays whole.
    print_faults(damage)


def _has_textual() -> bool:
    if not is_installed("textual"):
        typer.echo("(pip install 'graphbus-core[tui]' for the interactive view)", err=True)
        return False
    return True
