"""`graphbus consent`: bring several priorities to a decision that nobody objects to."""

from __future__ import annotations

import typer

from graphbus_core.cli.consent import begin, look

app = typer.Typer(add_completion=False, no_args_is_help=True)
for command in (
    begin.run,
    begin.ask,
    begin.resume,
    begin.serve,
    look.status,
    look.show,
    look.why,
    look.picture,
    look.read,
    look.verify,
    look.schema,
):
    app.command()(command)
