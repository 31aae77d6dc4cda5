"""`graphbus doctor`: what is installed, what would work here and what not, and the line that mends each."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated

import typer

from graphbus_core.cli import options

app = typer.Typer(add_completion=False)

EXTRAS = {  # extra -> the package that it brings, and what it is for
    "llm": ("pydantic-ai-slim", "models at the table"),
    "server": ("fastapi", "the API and the page"),
    "mcp": ("mcp", "coding agents at the table"),
    "lsp": ("pygls", "the language server"),
    "nats": ("nats-py", "a run over several processes"),
    "otel": ("opentelemetry-sdk", "traces and metrics"),
    "tui": ("textual", "views in the terminal"),
    "types": ("ty", "the types gate of a commit"),
    "pyrefly": ("pyrefly", "the types gate where ty is not"),
    "graph": ("networkx", "the graph as one of networkx"),
    "consent-exact": ("highspy", "exact optima of large decisions"),
}
HERE, BUS_PORT = "127.0.0.1", 4222  # where a NATS server listens unless told otherwise
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

    found = [_python(), *_extras(), _sandbox(), _keys(), *_servers(), _git(), *_project(path)]
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
    from importlib.metadata import PackageNotFoundError, version

    found = []
    for extra, (package, purpose) in EXTRAS.items():
        try:
            found.append(Check(f"[{extra}]", True, f"{purpose}: {package} {version(package)}"))
        except PackageNotFoundError:
            mend = f"pip install 'graphbus-core[{extra}]'"
            found.append(Check(f"[{extra}]", None, f"{purpose}: not installed", mend))
    return found


def _sandbox() -> Check:
    import sys

    from graphbus_core.workspace.shows.machine import sandbox

    confined, words = sandbox()
    mend = "Install bubblewrap (apt install bubblewrap, dnf install bubblewrap)."
    if not sys.platform.startswith("linux"):
        mend = "bubblewrap is for Linux: build in a Linux container where code of others runs."
    return Check("sandbox", confined or None, words, "" if confined else mend)


def _keys() -> Check:
    """Which keys of models stand in the environment: their names, never their values."""
    from graphbus_core.workspace.shows.machine import keys_set

    if there := keys_set():
        return Check("keys", True, f"set: {', '.join(there)}")
    return Check("keys", None, "no key of a model is set", "Set ANTHROPIC_API_KEY, or give --model ollama:NAME.")


def _models(named: tuple[str, ...]) -> list[Check]:
    """Who would answer: each model that the settings name, else whoever is taken by default."""
    from graphbus_core.errors import GraphBusError
    from graphbus_core.workspace.shows.machine import seated

    found = []
    # `Cart=rules` seats one agent. What stands before the `=` is not part of the model's name.
    models: list[str | None] = [one.partition("=")[2] or one for one in named]
    for model in models or [None]:
        name = f"model {model}" if model else "models"
        try:
            found.append(Check(name, True, seated(model)))
        except GraphBusError as e:
            found.append(Check(name, False, str(e), "Or name another in `model` of [tool.graphbus]."))
    return found


def _servers() -> list[Check]:
    """Servers that a build or a run may want: is one there, does it answer."""
    from graphbus_core.cli.serve import PORT
    from graphbus_core.workspace.shows.machine import listens, model_servers, version_of

    found = []
    for variable, place, answers in model_servers():
        says = f"{variable} names {place}, which {'answers' if answers else 'does not answer'}"
        found.append(Check("model server", answers, says, "" if answers else f"Start it, or unset {variable}."))
    if listens(HERE, BUS_PORT):
        found.append(Check("nats", True, f"a server listens on {HERE}:{BUS_PORT}"))
    else:
        there = version_of("nats-server")
        says = f"{there or 'no nats-server is installed'}; none listens on {HERE}:{BUS_PORT}"
        mend = "nats-server -js" if there else "Install nats-server, or give --bus the address of one."
        found.append(Check("nats", None, says, mend))
    taken = listens(HERE, PORT)
    says = f"port {PORT} of `graphbus serve` is {'taken; it may run already' if taken else 'free'}"
    found.append(Check("serve", None if taken else True, says, "graphbus serve --port 0" if taken else ""))
    return found


def _git() -> Check:
    from graphbus_core.workspace.shows.machine import version_of

    told = version_of("git")
    return Check("git", bool(told) or None, told or "not found", "" if told else "Install git for --git and --against.")


def _project(path: str) -> list[Check]:
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
    agents = [_agents(Path(path, root)) for root in settings["roots"] or (".",)]
    named = (*settings["model"], *filter(None, [settings["fallback_model"]]))
    return [*found, *_models(named), *agents]


def _agents(folder: Path) -> Check:
    from graphbus_core.errors import ScanError
    from graphbus_core.workspace.shows.machine import agents_in

    try:
        number = agents_in(folder)
    except ScanError as e:
        if "No agents found" in str(e):
            return Check("agents", None, f"none in {folder}", "graphbus infer reads the project as it is.")
        return Check("agents", False, str(e).splitlines()[0], f"graphbus validate {folder} says it in full.")
    return Check("agents", True, f"{number} in {folder}")
