"""The options that several commands take, each declared once. One that is a setting has the setting's words.

setting  the option of a setting: what it does and its choices stand in `settings.known`, and nowhere else
output   the build's folder, where a command was given none
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from graphbus_core.settings.known import KNOWN

Many = list[str] | None


def setting(key: str, *flags: str, **how: Any) -> Any:
    """An option whose value `[tool.graphbus]` or a variable may say too."""
    known = KNOWN[key]
    return typer.Option(*flags, help=" ".join(filter(None, [known.does, ", ".join(known.choices)])), **how)


def output(given: str | Path | None) -> Path:
    """The folder of the build: as given, else `output_dir` of the settings around the working directory."""
    if given is not None:
        return Path(given)
    from graphbus_core.settings import effective

    return Path(effective(".").output)


AsJson = Annotated[bool, typer.Option("--json", help="For programs: one JSON object on stdout.")]
JsonLines = Annotated[bool, typer.Option("--json", help="For programs: one JSON object a line.")]
Include = Annotated[Many, setting("include")]
Exclude = Annotated[Many, setting("exclude")]
Format = Annotated[str | None, setting("format", "--format", show_default="text")]
Baseline = Annotated[str | None, setting("baseline")]
Root = Annotated[
    str | None, typer.Option(help="The project's folder, where it is not the nearest with a pyproject.toml or .git.")
]
AllowHost = Annotated[Many, typer.Option(help="A name under which others reach this server, as behind a proxy.")]
Port = Annotated[int, typer.Option(help="The port; 0 takes any that is free.", min=0, max=65535)]
Human = Annotated[bool, typer.Option("--human", help="A person rules on what is escalated.")]
