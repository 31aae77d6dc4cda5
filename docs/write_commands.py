"""Writes `docs/commands.md`: `python docs/write_commands.py --write`. Every command with all of its options.

Words and defaults are those that `--help` shows, so that there is one place to change them. A test fails when the page
is older than the commands.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

PAGE = Path(__file__).resolve().parent / "commands.md"
HEAD = """# Commands

Every command with all that it takes. `graphbus COMMAND --help` says the same. This page is made from the commands.

`graphbus --help` lists the commands, with a line on each. What the codes after
*Exit* mean is told in [exit codes](exit-codes.md).
"""
SHELL = {"--install-completion", "--show-completion"}  # the same everywhere, and of no command


def page() -> str:
    """The whole text."""
    import typer

    from graphbus_core.cli.main import COMMANDS

    parts = [HEAD]
    for name, (module, says) in COMMANDS.items():
        command = typer.main.get_command(import_module(module).app)
        parts += sections(command, f"graphbus {name}", says, 2)
    return "\n".join(parts)


def sections(command: Any, name: str, says: str, depth: int) -> Iterator[str]:
    """A command, and the commands below it."""
    yield f"{'#' * depth} `{name}`\n"
    words = " ".join((command.help or says).split())
    yield f"{words}\n"
    yield from table(command)
    for below, one in getattr(command, "commands", {}).items():
        if not one.hidden:
            yield from sections(one, f"{name} {below}", "", depth + 1)


def table(command: Any) -> Iterator[str]:
    """What it takes, a row each; nothing where it takes nothing."""
    rows = [row(p) for p in command.params if not (p.hidden or SHELL & {*p.opts} or "--help" in p.opts)]
    if rows:
        yield "\n".join(["| | |", "|---|---|", *rows]) + "\n"


def row(parameter: Any) -> str:
    """One argument or option: how it is written, what it means, what holds without it."""
    option = parameter.opts[0].startswith("-")
    names = [*parameter.opts, *parameter.secondary_opts] if option else [parameter.metavar or parameter.name.upper()]
    words = " ".join((parameter.help or "").split())
    shown = parameter.show_default if isinstance(parameter.show_default, str) else parameter.default
    if parameter.required:
        words += " Required."
    elif parameter.show_default and type(shown) in (int, float, str) and shown != "":
        words += f" Default: `{shown}`."
    if parameter.multiple and "repeated" not in words:
        words += " May be given several times."
    said = words.strip().replace("|", "\\|").replace("<", "&lt;")
    return f"| {', '.join(f'`{name}`' for name in names)} | {said} |"


if __name__ == "__main__":
    if "--write" in sys.argv:
        PAGE.write_text(page(), "utf-8")
    else:
        print(page())
