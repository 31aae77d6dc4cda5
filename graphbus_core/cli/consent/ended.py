"""What the commands of `graphbus consent` share: their common options, and how the end of a negotiation is told."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from graphbus_core.shown import shown

RunId = Annotated[str | None, typer.Argument(help="The negotiation's id; without it, the latest.")]


def tell_end(finished: Any, prepared: Any, as_json: bool) -> None:
    """Print the status block, or all of it as JSON. Exits 1 unless something was agreed."""
    import json

    from graphbus_core.workspace.consents import status_of

    if as_json:
        typer.echo(json.dumps(finished.to_dict(), ensure_ascii=False))
    else:
        typer.echo(shown(status_of(finished, prepared.output)))
    if finished.outcome.status != "DONE":
        raise typer.Exit(1)
