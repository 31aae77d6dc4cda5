"""`graphbus explain GB101`: what a finding means, and what to do."""

from __future__ import annotations

from typing import Annotated

import typer

from graphbus_core.cli import options

app = typer.Typer(add_completion=False)


@app.command()
def explain(
    code: Annotated[str | None, typer.Argument(help="The code of a finding; none: all of them in a line each.")] = None,
    markdown: Annotated[bool, typer.Option("--markdown", help="All of them, as the page of the docs.")] = False,
    as_json: options.AsJson = False,
) -> None:
    """Say what a finding means, and what to do about it."""
    import json

    from graphbus_core.findings import codes

    chosen = [codes.code(code)] if code else list(codes.CODES.values())
    if markdown:
        typer.echo(codes.pages(), nl=False)
    elif as_json:
        typer.echo(json.dumps([vars(one) for one in chosen], ensure_ascii=False))
    elif code:
        one = chosen[0]
        example = [f"\n    {line}" for line in one.example.splitlines()]
        typer.echo(
            f"{one.code} ({one.level.value}): {one.title}\n\n{one.means}\n\nWhat to do: {one.do}{''.join(example)}"
        )
    else:
        typer.echo("\n".join(f"{one.code}  {one.level.value:<8} {one.title}" for one in chosen))
