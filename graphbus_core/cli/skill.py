"""`graphbus skill`: the folders that coding agents read, and the MCP server in their configuration."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from graphbus_core.errors import UsageError
from graphbus_core.origin import is_installed

app = typer.Typer(help="The skills that coding agents read.", no_args_is_help=True, add_completion=False)

USUAL_PLACE = Path(".claude") / "skills" / "negotiate"

Claude = Annotated[bool, typer.Option("--claude", help="For Claude Code.")]
Codex = Annotated[bool, typer.Option("--codex", help="For Codex.")]
Cursor = Annotated[bool, typer.Option("--cursor", help="For Cursor.")]
Gemini = Annotated[bool, typer.Option("--gemini", help="For Gemini CLI.")]
All = Annotated[bool, typer.Option("--all", help="For all of them.")]
User = Annotated[bool, typer.Option("--user/--project", help="For all your projects, or for this one.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Only show what would be written.")]


def folder() -> Path:
    """Where the skills are: in the installed package, or in the repository."""
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
def show(name: Annotated[str, typer.Argument(help="negotiate, consent, agree or build.")] = "negotiate") -> None:
    """Print a skill."""
    from graphbus_core.cli import skill_places as places

    found = places.skills(folder())
    if name not in found:
        raise UsageError(f"There is no skill {name!r}; there are {', '.join(found)}.")
    typer.echo((found[name] / "SKILL.md").read_text(encoding="utf-8").rstrip())


@app.command()
def install(
    directory: Annotated[Path | None, typer.Argument(metavar="[DIR]", help="Where to put `negotiate` alone.")] = None,
    claude: Claude = False,
    codex: Codex = False,
    cursor: Cursor = False,
    gemini: Gemini = False,
    everyone: All = False,
    user: User = False,
    force: Annotated[bool, typer.Option("--force", help="Write over what is there.")] = False,
    dry_run: DryRun = False,
) -> None:
    """Put the skills where your coding agent looks, and register the MCP server with it. Run again, it changes nothing.
    Without a client: `negotiate` alone, into DIR (.claude/skills/negotiate)."""
    from graphbus_core.cli import skill_places as places

    chosen = _chosen(claude, codex, cursor, gemini, everyone)
    if not chosen:
        _copy(directory or USUAL_PLACE, force)
        return
    if directory is not None:
        raise UsageError("Give DIR, or the clients to install for, not both.")
    plan = [step for client in chosen for step in places.planned(client, folder(), user)]
    for line in dict.fromkeys(step.said() for step in plan):
        typer.echo(line)
    if not dry_run:
        for step in plan:
            step.do(force)
    for note in _unready():
        typer.echo(f"graphbus: {note}", err=True)


@app.command()
def uninstall(
    claude: Claude = False,
    codex: Codex = False,
    cursor: Cursor = False,
    gemini: Gemini = False,
    everyone: All = False,
    user: User = False,
    dry_run: DryRun = False,
) -> None:
    """Take away what `install` wrote for these clients, and nothing else."""
    from graphbus_core.cli import skill_places as places

    chosen = _chosen(claude, codex, cursor, gemini, everyone)
    if not chosen:
        raise UsageError("Say for which client: --claude, --codex, --cursor, --gemini or --all.")
    for client in chosen:
        shared = [] if dry_run else places.still_needed(client, user)
        for step in places.planned(client, folder(), user):
            if shared and isinstance(step, places.SkillFolder):
                typer.echo(f"kept for {' and '.join(shared)}: {step.said()}")
            elif dry_run:
                typer.echo(f"would take back: {step.said()}")
            elif step.undo():
                typer.echo(f"taken back: {step.said()}")


def _unready() -> list[str]:
    """Why a coding agent could not start the server that was registered with it. It would only say that it failed."""
    import shutil

    notes = []
    if not is_installed("mcp"):
        notes.append("the MCP server needs its SDK: pip install 'graphbus-core[mcp]' (from a clone: '.[mcp]').")
    if shutil.which("graphbus") is None:
        notes.append("`graphbus` is not on the PATH, and coding agents start it by that name.")
    return [*notes, "The skills work without the MCP server."] if notes else []


def _chosen(claude: bool, codex: bool, cursor: bool, gemini: bool, everyone: bool) -> list[str]:
    given = {"claude": claude, "codex": codex, "cursor": cursor, "gemini": gemini}
    return [client for client, wanted in given.items() if wanted or everyone]


def _copy(directory: Path, force: bool) -> None:
    import shutil

    if directory.exists() and not force and any(directory.iterdir()):
        raise UsageError(f"{directory} is there already; give another place, or --force to write over it.")
    try:
        ignored = shutil.ignore_patterns("__pycache__", "skills")
        shutil.copytree(folder(), directory, dirs_exist_ok=True, ignore=ignored)
        for script in (directory / "scripts").glob("*.sh"):
            script.chmod(0o755)
    except OSError as e:
        raise UsageError(f"The skill could not be written to {directory}: {e.strerror}.") from None
    typer.echo(f"Installed {directory / 'SKILL.md'}")
