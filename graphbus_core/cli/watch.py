"""`graphbus watch`: validates when a file is saved. It never builds, and runs nothing of the project."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable
from contextlib import suppress
from typing import TYPE_CHECKING, Annotated, Any

import typer

from graphbus_core.text import format_count

if TYPE_CHECKING:
    from graphbus_core.settings.effective import Settings

app = typer.Typer(add_completion=False)

INTERVAL_S = 0.2
SKIPPED = {".git", ".graphbus", ".venv", "venv", "node_modules", "__pycache__", ".tox", ".mypy_cache"}


@app.command()
def watch(
    path: Annotated[str | None, typer.Argument(help="The folder of the agents, or any Python project.")] = None,
    once: Annotated[bool, typer.Option("--once", help="One print_changes, and the exit code of it.")] = False,
) -> None:
    """Look at a project whenever one of its files is saved, and print what came and what is gone. Ctrl-C ends it.

    A folder with agents is validated; any other project is read as `graphbus infer` does.
    """
    from graphbus_core.errors import UsageError
    from graphbus_core.settings import load_settings

    settings = load_settings(path or ".")
    folder = settings.resolve_start(path)[0] or "."
    if not os.path.isdir(folder):
        raise UsageError(f"There is no folder {folder}. Give the one to watch.")
    before: dict[str, Any] | None = None
    last_stamps: dict[str, tuple[int, int]] = {}
    while True:
        now = _read_stamps(str(settings.root), _list_side_files(settings))
        if now != last_stamps:
            last_stamps = now
            before = print_changes(folder, before)
        if once:
            raise typer.Exit(1 if before else 0)
        time.sleep(INTERVAL_S)


def _list_side_files(settings: Settings) -> list[str]:
    """The files beside the code that findings rest on."""
    file_names = [
        settings["contracts_file"],
        *(file_name.rpartition("=")[2].strip() for file_name in settings["external"]),
    ]
    return [str(settings.root / file_name) for file_name in file_names]


def _read_stamps(root: str, beside: Iterable[str] = ()) -> dict[str, tuple[int, int]]:
    """File -> time and size, of every Python file, the settings and what stands beside the code."""
    stamps: dict[str, tuple[int, int]] = {}
    for file in beside:
        with suppress(OSError):
            file_stat = os.stat(file)
            stamps[file] = (file_stat.st_mtime_ns, file_stat.st_size)
    for folder, folders, files in os.walk(root):
        folders[:] = [name for name in folders if name not in SKIPPED]
        for name in files:
            if name.endswith((".py", ".pyi")) or name == "pyproject.toml":
                try:
                    file_stat = os.stat(os.path.join(folder, name))
                except OSError:  # gone between listing and asking
                    continue
                stamps[os.path.join(folder, name)] = (file_stat.st_mtime_ns, file_stat.st_size)
    return stamps


def print_changes(folder: str, before: dict[str, Any] | None) -> dict[str, Any] | None:
    """Print what changed since the last look. A source that cannot be read keeps the last state."""
    from graphbus_core.errors import GraphBusError
    from graphbus_core.findings.rendering import render_finding
    from graphbus_core.services.inference.findings import collect_findings
    from graphbus_core.settings import load_settings
    from graphbus_core.text import escape_text

    began = time.perf_counter()
    try:
        settings = load_settings(folder).resolve_start(None)[1]
        current_findings = collect_findings(folder, settings)
    except GraphBusError as e:
        typer.echo(f"? {escape_text(str(e))}")
        return before
    known_findings = before or {}
    # What stood in a file that is half typed is not gone.
    unreadable = {finding.file for finding in current_findings.values() if finding.code == "GB110"}
    current_findings |= {key: finding for key, finding in known_findings.items() if finding.file in unreadable}
    for key, finding in current_findings.items():
        if key not in known_findings:
            typer.echo(escape_text(render_finding(finding)))
    for key, finding in known_findings.items():
        if key not in current_findings:
            typer.echo(f"✓ gone: {escape_text(finding.code)} {escape_text(finding.message)}")
    took = time.perf_counter() - began
    typer.echo(f"{time.strftime('%H:%M:%S')}  {format_count(len(current_findings), 'finding')} ({took:.1f} s)")
    return current_findings
