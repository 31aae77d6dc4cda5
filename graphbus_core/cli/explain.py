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

    chosen = [codes.find_code(code)] if code else list(codes.CODES.values())
    if markdown:
        typer.echo(codes.render_pages(), nl=False)
    elif as_json:
        typer.echo(json.dumps([vars(code_info) for code_info in chosen], ensure_ascii=False))
    elif code:
        code_info = chosen[0]
        example = [f"\n    {line}" for line in code_info.example.splitlines()]
        typer.echo(
            f"{code_info.code} ({code_info.level.value}): {code_info.title}\n\n{code_info.means}\n\nWhat to "
            f"do: {code_info.do}{''.join(example)}"
        )
    else:
        typer.echo("\n".join(f"{code_info.code}  {code_info.level.value:<8} {code_info.title}" for code_info in chosen))
