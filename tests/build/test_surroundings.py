"""The file around a class, as a model is told it: what may be used, in few characters."""

from __future__ import annotations

from pathlib import Path

from graphbus_core.analysis.class_context import AROUND_MAX, describe_project_context
from graphbus_core.analysis.scan import scan
from graphbus_core.testing import write_files

SOURCE = '''"""Cleans."""
import re
from typing import TypedDict
from graphbus_core import GraphBusNode, schema_method

LIMIT = 10


class Item(TypedDict):
    sku: str
    qty: int


def normal(text: str) -> str:
    """Lower case."""
    return text.lower()


class Cleaner(GraphBusNode):
    @schema_method(output_schema={"items": list[str]})
    def clean(self):
        return {"items": []}


class Other(GraphBusNode):
    @schema_method(output_schema={"items": list[str]})
    def other(self):
        return {"items": []}
'''


def test_imports_constants_helpers_and_types_are_told_and_other_agents_are_not(tmp_path: Path) -> None:
    write_files(tmp_path, {"agents/__init__.py": "", "agents/cleaner.py": SOURCE})
    around = describe_project_context(scan(str(tmp_path / "agents")))
    assert around["Cleaner"].splitlines() == [
        "import re",
        "from typing import TypedDict",
        "from graphbus_core import GraphBusNode, schema_method",
        "LIMIT = 10",
        "class Item(TypedDict): sku: str; qty: int",
        "def normal(text: str) -> str: ...",
    ]


def test_it_is_bounded(tmp_path: Path) -> None:
    many = "\n".join(f"CONSTANT_{n} = 'a value that takes some room'" for n in range(500))
    write_files(tmp_path, {"agents/__init__.py": "", "agents/cleaner.py": many + "\n" + SOURCE})
    around = describe_project_context(scan(str(tmp_path / "agents")))
    assert len(around["Cleaner"]) <= AROUND_MAX + 2
    assert around["Cleaner"].endswith("…")
