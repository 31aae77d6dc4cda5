"""What the commands of `graphbus consent` share: their common options, and how the end of a negotiation is told."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from graphbus_core.shown import shown

AsJson = Annotated[bool, typer.Option("--json", help="For programs: one JSON object on stdout.")]
RunId = Annotated[str | None, typer.Argument(help="The negotiation's id; without it, the latest.")]


def tell_end(finished: Any, prepared: Any, as_json: bool) -> None:
    """Print the status block, or all of it as JSON. Exits 1 unless something was agreed."""
    import json

    from graphbus_core.consent import status_of

    if as_json:
        typer.echo(json.dumps(finished.to_dict(), ensure_ascii=False))
    else:
        typer.echo(shown(status_of(finished, prepared.output)))
    if finished.outcome.status != "DONE":
        raise typer.Exit(1)


def read_run(run_id: str | None) -> tuple[Any, Any, Any, Any]:
    """A kept run: what was prepared, where it stands, its facts, how it ended (None: it has not)."""
    from pathlib import Path

    from graphbus_core.consent import finished_of, folded
    from graphbus_core.consent.files import Runs

    kept = Runs(Path.cwd()).find(run_id)
    prepared, state, events = folded(kept)
    return prepared, state, events, finished_of(kept, prepared, state)
