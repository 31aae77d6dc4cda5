"""`graphbus skill`: the folder that coding agents read to take part in a negotiation."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from graphbus_core.errors import UsageError

app = typer.Typer(help="The skill folder that coding agents read.", no_args_is_help=True, add_completion=False)

USUAL_PLACE = Path(".claude") / "skills" / "negotiate"


def folder() -> Path:
    """Where the skill is: in the installed package, or in the repository."""
    package = Path(__file__).resolve().parent.parent
    for place in (package / "skill", package.parent / "skill"):
        if (place / "SKILL.md").is_file():
            return place
    raise UsageError("The skill folder is missing from this installation; install graphbus-core again.")


@app.command()
def path() -> None:
    """Print where the skill folder is."""
    typer.echo(folder())


@app.command()
def install(
    directory: Annotated[Path, typer.Argument(metavar="[DIR]", help="Where to put the folder.")] = USUAL_PLACE,
    force: Annotated[bool, typer.Option("--force", help="Write over what is there.")] = False,
) -> None:
    """Copy the skill folder to DIR (.claude/skills/negotiate), where a coding agent finds it."""
    import shutil

    source = folder()
    if directory.exists() and not force and any(directory.iterdir()):
        raise UsageError(f"{directory} is there already; give another place, or --force to write over it.")
    try:
        shutil.copytree(source, directory, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
        for script in (directory / "scripts").glob("*.sh"):
            script.chmod(0o755)
    except OSError as e:
        raise UsageError(f"The skill could not be written to {directory}: {e.strerror}.") from None
    typer.echo(f"Installed {directory / 'SKILL.md'}")
