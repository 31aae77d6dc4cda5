"""`graphbus init`: the settings of a project, as a diff first, written only on request."""

from __future__ import annotations

from typing import Annotated

import typer

from graphbus_core.cli import options

app = typer.Typer(add_completion=False)


@app.command()
def init(
    path: Annotated[str, typer.Argument(help="The project.")] = ".",
    write: Annotated[bool, typer.Option("--write", help="Write what is shown.")] = False,
    decorators: Annotated[
        bool, typer.Option("--decorators", help="Not the settings but `@contract` in the source: a diff first.")
    ] = False,
    as_json: options.AsJson = False,
) -> None:
    """Propose `[tool.graphbus]` for a project: which folders hold components, and what proves behaviour.

    Nothing is written without --write, and nothing that stands there is changed.
    """
    import json
    from pathlib import Path

    from graphbus_core.errors import UsageError
    from graphbus_core.services.project_setup import propose_settings
    from graphbus_core.text import escape_text

    if not Path(path).is_dir():
        raise UsageError(f"There is no folder {path}. Give the folder of a Python project.")
    if decorators:
        from graphbus_core.cli.infer import init_decorators

        init_decorators(path, write, as_json)
        return
    proposal = propose_settings(Path(path))
    if write:
        proposal.write()
    if as_json:
        typer.echo(
            json.dumps({"file": str(proposal.file), "written": write, "diff": proposal.diff}, ensure_ascii=False)
        )
        return
    typer.echo(escape_text(proposal.diff))
    typer.echo(f"Written to {proposal.file}." if write else "Nothing was changed. `graphbus init --write` writes it.")
    typer.echo("Next: `graphbus infer`, then `graphbus validate --format github` in CI.")
