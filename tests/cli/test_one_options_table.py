"""An option that several commands take is declared once: the same words never stand in two places."""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path

import graphbus_core.cli
from graphbus_core.services.build_command import KEYS
from graphbus_core.settings import KNOWN

CLI = Path(graphbus_core.cli.__file__).parent


def declared() -> dict[str, list[str]]:
    """The words of each option of the command line -> where they are written."""
    found: dict[str, list[str]] = defaultdict(list)
    for path in sorted(CLI.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "typer.Option":
                for keyword in node.keywords:
                    if keyword.arg == "help" and isinstance(keyword.value, ast.Constant):
                        found[keyword.value.value].append(f"{path.relative_to(CLI)}:{node.lineno}")
    return found


def test_no_option_is_declared_twice() -> None:
    """Two commands that take the same share its declaration, or the words of one would soon differ."""
    found = declared()
    assert len(found) > 100  # it reads what is there
    assert {words: places for words, places in found.items() if len(places) > 1} == {}


def test_an_option_that_is_a_setting_has_the_setting_s_words() -> None:
    """`graphbus build --help` and `graphbus config` cannot disagree."""
    from typer.main import get_command

    from graphbus_core.cli.build.command import app

    params = {param.name: param for param in get_command(app).params}
    for option, key in KEYS.items():
        assert params[option].help == KNOWN[key].does, option
