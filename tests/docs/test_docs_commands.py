"""The page of the commands is as new as the commands, and the pages name what there is."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from types import ModuleType

import pytest

from graphbus_core.cli.main import COMMANDS
from graphbus_core.commit.gates.order import GATES
from tests.docs.blocks import ROOT

pytestmark = pytest.mark.no_cover


def writing() -> ModuleType:
    spec = importlib.util.spec_from_file_location("write_commands", ROOT / "docs" / "write_commands.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_page_is_that_of_the_commands() -> None:
    """With the options of each: what `--help` says, for those who read before they install."""
    text = (ROOT / "docs" / "commands.md").read_text("utf-8")
    assert writing().page() == text, "run `python docs/write_commands.py --write`"
    assert re.findall(r"^## `graphbus (\S+)`$", text, re.M) == list(COMMANDS)
    assert "| `--git`, `--no-git` |" in text
    assert "### `graphbus log verify`" in text


def test_every_command_is_told_on_a_page_of_its_own_words() -> None:
    """`graphbus export` was on none."""
    pages = [ROOT / "README.md", *(p for p in (ROOT / "docs").glob("*.md") if p.name != "commands.md")]
    text = "\n".join(page.read_text("utf-8") for page in pages)
    assert [name for name in COMMANDS if not re.search(rf"graphbus {name}\b", text)] == []


def test_every_gate_has_its_row() -> None:
    """Who is refused by a gate looks up what it asks."""
    page = Path(ROOT / "docs" / "commit.md").read_text("utf-8")
    assert [gate.name for gate in GATES if f"| `{gate.name}` |" not in page] == []
