"""`graphbus doctor`: what is installed, what would work here and what not, and the line that mends each."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Annotated

import typer

from graphbus_core.cli import options

app = typer.Typer(add_completion=False)

EXTRAS = {  # extra -> a module that it brings, and what it is for
    "llm": ("pydantic_ai", "models at the table"),
    "server": ("fastapi", "the API and the page"),
    "lsp": ("pygls", "the language server"),
    "tui": ("textual", "views in the terminal"),
    "types": ("ty", "the types gate of a commit"),
    "consent-exact": ("highspy", "exact optima of large decisions"),
}
OLDEST = (3, 11)


@dataclass(frozen=True)
class Check:
    """One thing that was looked at. `ok` None: not there, and not needed unless somebody wants it."""

    name: str
    ok: bool | None
    says: str
    mend: str = ""


@app.command()
def doctor(
    path: Annotated[str, typer.Argument(help="The project.")] = ".",
    as_json: options.AsJson = False,
) -> None:
    """Look at this machine and this project. Exits 1 where something is broken; what is only absent is told."""
    import json

    from graphbus_core.shown import shown_line

    found = [_python(), *_extras(), _sandbox(), _keys(), _git(), *_project(path)]
    broken = [one for one in found if one.ok is False]
    if as_json:
        typer.echo(json.dumps({"ok": not broken, "checks": [asdict(one) for one in found]}, ensure_ascii=False))
    else:
        width = max(len(one.name) for one in found)
        for one in found:
            sign = {True: "✓", False: "✗", None: "·"}[one.ok]
            typer.echo(f"{sign} {one.name:<{width}}  {shown_line(one.says)}")
            if one.mend:
                typer.echo(f"  {'':<{width}}  {shown_line(one.mend)}")
        typer.echo(f"{len(broken)} to mend." if broken else "Nothing is broken.")
    if broken:
        raise typer.Exit(1)


def _python() -> Check:
    import platform
    import sys

    from graphbus_core import __version__

    fine = sys.version_info[:2] >= OLDEST
    mend = "" if fine else f"Use Python {'.'.join(map(str, OLDEST))} or newer."
    return Check("graphbus", fine, f"{__version__} on Python {platform.python_version()}, {platform.system()}", mend)


def _extras() -> list[Check]:
    from importlib.util import find_spec

    found = []
    for extra, (module, purpose) in EXTRAS.items():
        there = find_spec(module) is not None
        mend = "" if there else f"pip install 'graphbus-core[{extra}]'"
        found.append(Check(f"[{extra}]", there or None, f"{purpose}{'' if there else ': not installed'}", mend))
    return found


def _sandbox() -> Check:
    from graphbus_core.workspace.shows.machine import sandbox

    confined, words = sandbox()
    mend = "" if confined else "Install bubblewrap (apt install bubblewrap, dnf install bubblewrap)."
    return Check("sandbox", confined or None, words, mend)


def _keys() -> Check:
    """Which keys of models stand in the environment: their names, never their values."""
    from graphbus_core.workspace.shows.machine import keys_set

    if there := keys_set():
        return Check("models", True, f"a key is set: {', '.join(there)}")
    return Check("models", None, "no key is set; the rules negotiate", "Set ANTHROPIC_API_KEY, or give --model.")


def _git() -> Check:
    import shutil

    there = shutil.which("git") is not None
    return Check("git", there or None, "found" if there else "not found", "" if there else "Install git for --git.")


def _project(path: str) -> list[Check]:
    from pathlib import Path

    from graphbus_core.errors import GraphBusError
    from graphbus_core.settings import effective

    if not Path(path).is_dir():
        return [Check("project", False, f"there is no folder {path}", "Give the folder of a project.")]
    try:
        settings = effective(path)
    except GraphBusError as e:
        return [Check("settings", False, str(e), "Mend that line of pyproject.toml.")]
    stated = sum(settings.stated(name) for name in settings.given)
    where = str(settings.file) if settings.file else "no pyproject.toml; all defaults"
    found = [Check("settings", True, f"{where}, {stated} set")]
    return [*found, _agents(path, settings["roots"])]


def _agents(path: str, roots: tuple[str, ...]) -> Check:
    from pathlib import Path

    from graphbus_core.errors import ScanError
    from graphbus_core.workspace.shows.machine import agents_in

    folder = Path(path, roots[0]) if roots else Path(path)
    try:
        number = agents_in(folder)
    except ScanError as e:
        if "No agents found" in str(e):
            return Check("agents", None, f"none in {folder}", "graphbus infer reads the project as it is.")
        return Check("agents", False, str(e).splitlines()[0])
    return Check("agents", True, f"{number} in {folder}")
