"""`graphbus watch`: validates when a file is saved. It never builds, and runs nothing of the project."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable
from contextlib import suppress
from typing import TYPE_CHECKING, Annotated, Any

import typer

from graphbus_core.shown import counted

if TYPE_CHECKING:
    from graphbus_core.settings.effective import Settings

app = typer.Typer(add_completion=False)

INTERVAL_S = 0.2
SKIPPED = {".git", ".graphbus", ".venv", "venv", "node_modules", "__pycache__", ".tox", ".mypy_cache"}


@app.command()
def watch(
    path: Annotated[str | None, typer.Argument(help="The folder of the agents, or any Python project.")] = None,
    once: Annotated[bool, typer.Option("--once", help="One look, and the exit code of it.")] = False,
) -> None:
    """Look at a project whenever one of its files is saved, and print what came and what is gone. Ctrl-C ends it.

    A folder with agents is validated; any other project is read as `graphbus infer` does.
    """
    from graphbus_core.errors import UsageError
    from graphbus_core.settings import effective

    settings = effective(path or ".")
    folder = settings.start(path)[0] or "."
    if not os.path.isdir(folder):
        raise UsageError(f"There is no folder {folder}. Give the one to watch.")
    before: dict[str, Any] | None = None
    seen: dict[str, tuple[int, int]] = {}
    while True:
        now = _stamps(str(settings.root), _beside(settings))
        if now != seen:
            seen = now
            before = look(folder, before)
        if once:
            raise typer.Exit(1 if before else 0)
        time.sleep(INTERVAL_S)


def _beside(settings: Settings) -> list[str]:
    """The files beside the code that findings rest on."""
    named = [settings["contracts_file"], *(one.rpartition("=")[2].strip() for one in settings["external"])]
    return [str(settings.root / one) for one in named]


def _stamps(root: str, beside: Iterable[str] = ()) -> dict[str, tuple[int, int]]:
    """File -> time and size, of every Python file, the settings and what stands beside the code."""
    found: dict[str, tuple[int, int]] = {}
    for file in beside:
        with suppress(OSError):
            told = os.stat(file)
            found[file] = (told.st_mtime_ns, told.st_size)
    for folder, folders, files in os.walk(root):
        folders[:] = [name for name in folders if name not in SKIPPED]
        for name in files:
            if name.endswith((".py", ".pyi")) or name == "pyproject.toml":
                try:
                    told = os.stat(os.path.join(folder, name))
                except OSError:  # gone between listing and asking
                    continue
                found[os.path.join(folder, name)] = (told.st_mtime_ns, told.st_size)
    return found


def look(folder: str, before: dict[str, Any] | None) -> dict[str, Any] | None:
    """Print what changed since the last look. A source that cannot be read keeps the last state."""
    from graphbus_core.errors import GraphBusError
    from graphbus_core.findings.render.words import finding_text
    from graphbus_core.settings import effective
    from graphbus_core.shown import shown
    from graphbus_core.workspace.shows.inferred import standing

    began = time.perf_counter()
    try:
        settings = effective(folder).start(None)[1]
        found = standing(folder, settings)
    except GraphBusError as e:
        typer.echo(f"? {shown(str(e))}")
        return before
    known = before or {}
    for key, one in found.items():
        if key not in known:
            typer.echo(shown(finding_text(one)))
    for key, one in known.items():
        if key not in found:
            typer.echo(f"✓ gone: {shown(one.code)} {shown(one.message)}")
    took = time.perf_counter() - began
    typer.echo(f"{time.strftime('%H:%M:%S')}  {counted(len(found), 'finding')} ({took:.1f} s)")
    return found
