"""`graphbus config`: what holds for a project, and where each value comes from."""

from __future__ import annotations

from typing import Annotated

import typer

from graphbus_core.cli import options

app = typer.Typer(add_completion=False)


@app.command()
def config(
    path: Annotated[str, typer.Argument(help="The project.")] = ".",
    every: Annotated[bool, typer.Option("--all", help="Also what stands at its default.")] = False,
    as_json: options.AsJson = False,
) -> None:
    """Print the settings that hold. Flags win over the environment, that over `[tool.graphbus]`, that over defaults."""
    import json

    from graphbus_core.settings import KNOWN, load_settings
    from graphbus_core.text import escape_line

    settings = load_settings(path)
    if as_json:
        values = {name: {"value": settings[name], "from": settings.find_source(name)} for name in KNOWN}
        file = str(settings.file) if settings.file else None
        typer.echo(json.dumps({"file": file, "settings": values}, ensure_ascii=False, default=str))
        return
    typer.echo(f"Settings of {escape_line(str(settings.root))}" + ("" if settings.file else " (no pyproject.toml)"))
    rows = [name for name in KNOWN if every or settings.is_stated(name)]
    width = max(map(len, rows), default=0)
    for name in rows:
        typer.echo(f"  {name:<{width}}  {escape_line(_render_value(settings[name]))}   ({settings.find_source(name)})")
        if every:
            typer.echo(f"  {'':<{width}}    {KNOWN[name].does}")
    if not rows:
        typer.echo("  everything stands at its default")
    if not every:
        typer.echo(f"`graphbus config --all` prints the other {len(KNOWN) - len(rows)} with their defaults.")


def _render_value(value: object) -> str:
    if value is None or value == ():
        return "-"
    if isinstance(value, tuple):
        return ", ".join(map(str, value))
    return str(value)
