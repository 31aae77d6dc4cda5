"""`graphbus init`: the settings of a project, as a diff first, written only on request."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from pathlib import Path

app = typer.Typer(add_completion=False)


@app.command()
def init(
    path: Annotated[str, typer.Argument(help="The project.")] = ".",
    write: Annotated[bool, typer.Option("--write", help="Write what is shown.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="For programs: one JSON object on stdout.")] = False,
) -> None:
    """Propose `[tool.graphbus]` for a project: which folders hold components, and what proves behaviour.

    Nothing is written without --write, and nothing that stands there is changed.
    """
    import json
    from difflib import unified_diff
    from pathlib import Path

    from graphbus_core.errors import UsageError
    from graphbus_core.files.whole import put_whole
    from graphbus_core.settings import effective
    from graphbus_core.shown import shown
    from graphbus_core.workspace.shows.machine import project_root

    if not Path(path).is_dir():
        raise UsageError(f"There is no folder {path}. Give the folder of a Python project.")
    settings = effective(path)
    if settings.file is not None and settings.given:
        raise UsageError(f"{settings.file} has [tool.graphbus] already. `graphbus config` prints what holds.")
    root = project_root(Path(path))
    file = settings.file or root / "pyproject.toml"
    old = file.read_bytes().decode() if file.exists() else ""
    new = old + proposed(root, old)
    diff = "".join(unified_diff(old.splitlines(True), new.splitlines(True), f"a/{file.name}", f"b/{file.name}"))
    if write:
        put_whole(file, new.encode(), durable=True)
    if as_json:
        typer.echo(json.dumps({"file": str(file), "written": write, "diff": diff}, ensure_ascii=False))
        return
    typer.echo(shown(diff))
    typer.echo(f"Written to {file}." if write else "Nothing was changed. `graphbus init --write` writes it.")
    typer.echo("Next: `graphbus infer`, then `graphbus validate --format github` in CI.")


def proposed(root: Path, old: str) -> str:
    """The table for this project, to be put at the end of its `pyproject.toml`."""
    import tomllib

    from graphbus_core.workspace.shows.machine import agent_folders

    lines = ["[tool.graphbus]"]
    roots = agent_folders(root)
    if roots:
        lines.append("roots = [" + ", ".join(f'"{one}"' for one in roots) + "]")
    if (root / "tests").is_dir() or (root / "test").is_dir():
        lines.append('verify = "auto"  # pytest must pass before a commit')
    text = "\n".join(lines) + "\n"
    newline = "\r\n" if "\r\n" in old else "\n"
    text = ("" if not old or old.endswith("\n\n") else "\n" if old.endswith("\n") else "\n\n") + text
    tomllib.loads(old.replace("\r\n", "\n") + text)  # what is proposed can be read, or nothing is proposed
    return text.replace("\n", newline)
