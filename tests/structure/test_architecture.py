"""The page that explains the house is as new as the house."""

from __future__ import annotations

import importlib.util
import re
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest

pytestmark = pytest.mark.no_cover

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "architecture.md"


@cache
def drawing() -> ModuleType:
    spec = importlib.util.spec_from_file_location("draw_architecture", ROOT / "docs" / "draw_architecture.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_picture_and_the_rooms_are_those_of_the_code() -> None:
    text = PAGE.read_text("utf-8")
    assert drawing().renewed(text) == text, "run `python docs/draw_architecture.py --write`"


def test_every_room_says_what_it_is_for() -> None:
    rows = re.findall(r"^\| .*`([\w_]+)/` \| (.*) \|$", drawing().rooms(), re.MULTILINE)
    assert len(rows) > 40
    assert [name for name, said in rows if len(said) < 10] == []


def test_every_arrow_goes_down() -> None:
    rows = drawing().layers()
    level = {room: number for number, row in enumerate(rows) for room in row}
    assert [(a, b) for a, b in drawing().arrows(list(level)) if level[a] >= level[b]] == []


def test_every_room_has_its_layer() -> None:
    """The lint of imports passes over what no layer names: a new room could import anything."""
    named = {part.split(".")[0] for row in drawing().layers() for part in row}
    there = {name.split(".")[0] for name, _ in drawing().modules() if name}
    assert there == named, "give it a layer in [tool.importlinter] of pyproject.toml"


def test_every_file_that_the_page_names_is_there() -> None:
    text = PAGE.read_text("utf-8").partition("## The rooms")[0]
    named = re.findall(r"`((?:[a-z_]+/)+(?:[a-z_]+\.py)?)`", text)
    assert len(named) > 30
    homes = (
        ROOT / "graphbus_core",
        ROOT,
        ROOT / "graphbus_core/negotiation/consent",
        ROOT / "graphbus_core/negotiation",
    )
    anywhere = {p.name for p in (ROOT / "graphbus_core").rglob("*") if p.is_dir()}
    missing = [n for n in named if not any((home / n).exists() for home in homes) and n.strip("/") not in anywhere]
    assert missing == []
