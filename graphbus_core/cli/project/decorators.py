"""`graphbus infer --diff` and `graphbus init --decorators`: the source diff, and the files with it on request."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from graphbus_core.shown import counted, shown

if TYPE_CHECKING:
    from graphbus_core.workspace.reads import Decorated, Inferred

STATE = ".graphbus"


def show(found: Inferred, as_json: bool) -> None:
    """The diff alone."""
    from graphbus_core.workspace.reads import decorated

    _told(decorated(found), "", found.root, as_json)


def init_decorators(path: str, write: bool, as_json: bool) -> None:
    """The diff first; then the files, where that was asked for. Raises UsageError where one was edited meanwhile."""
    from graphbus_core.workspace.reads import decorated, infer, land

    found = infer(path, links=False)
    made = decorated(found)
    pid = land(made, found.root, found.root / STATE) if write and made.after else ""
    _told(made, pid, found.root, as_json)


def _told(made: Decorated, pid: str, root: Path, as_json: bool) -> None:
    if as_json:
        numbers = {"components": made.components, "records": made.records, "left": list(made.left)}
        told: dict[str, object] = {
            "diff": made.diff,
            "files": sorted(made.after),
            "written": bool(pid),
            "undo": pid or None,
            **numbers,
        }
        typer.echo(json.dumps(told, ensure_ascii=False))
        return
    if made.diff:
        typer.echo(shown(made.diff.rstrip("\n")))
    for one in made.left:
        typer.echo(shown(f"left alone: {one}"))
    if not made.diff:
        typer.echo("Nothing to write: no component without `@contract` has a hint or certain keys.")
    elif pid:
        place = "" if Path.cwd() == root else f" -o {os.path.relpath(root / STATE)}"
        typer.echo(f"Written to {counted(len(made.after), 'file')}. `graphbus undo {pid}{place}` takes it back.")
        typer.echo("The code now imports graphbus_core: add it to the dependencies. Next: `graphbus validate`.")
    else:
        said = ", ".join(
            (counted(made.components, "component"), counted(made.records, "record"), counted(len(made.after), "file"))
        )
        typer.echo(f"{said}. Nothing was changed. `graphbus init --decorators --write` writes it.")
