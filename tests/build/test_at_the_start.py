"""What would stop a program before its first message is found without running it: imports, overrides, constructors."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from graphbus_core.analysis.links.findings import find_broken_imports
from graphbus_core.analysis.scan import scan
from graphbus_core.cli.main import main

HEAD = "from graphbus_core import GraphBusNode, depends_on, schema_method\n"
NODE = "class {0}(GraphBusNode):\n    @schema_method(input_schema={{}}, output_schema={{'n': int}})\n"
NODE += "    def get(self):\n        return {{'n': 1}}\n"


def project(root: Path, files: dict[str, str]) -> Path:
    """The folder of the agents."""
    for name, text in {"pyproject.toml": "[project]\nname = 'p'\nversion = '0'\n", **files}.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return root / "agents"


@pytest.mark.parametrize(
    ("first", "second", "broken"),
    [
        ("from agents.b import B", "from agents.a import A", ["agents/b.py:1"]),
        ("import agents.b", "from agents.a import A", []),  # it works where b comes first
        ("import agents.b", "import agents.a", []),
        ("if TYPE_CHECKING:\n    from agents.b import B", "from agents.a import A", []),
        ("try:\n    from agents.b import B\nexcept ImportError:\n    B = None", "from agents.a import A", []),
        ("def late():\n    from agents.b import B", "from agents.a import A", []),
        ("A = 1\nfrom agents.b import B", "from agents.a import A", []),  # it is there already
    ],
)
def test_a_circle_of_imports_is_told_where_it_breaks(
    first: str, second: str, broken: list[str], tmp_path: Path
) -> None:
    """And nowhere else: a circle alone is not a fault."""
    a = f"{first}\nTYPE_CHECKING = False\n{HEAD}{NODE.format('A')}"
    found = find_broken_imports(
        scan(project(tmp_path, {"agents/a.py": a, "agents/b.py": f"{second}\n{HEAD}{NODE.format('B')}"}))
    )
    assert [f"{one.path}:{one.line}" for one in found] == broken


@pytest.mark.parametrize(
    ("override", "fields", "why"),
    [
        ("def use(self, qty): ...", {"qty"}, ""),
        ("def use(self, qty, more=1): ...", {"qty"}, ""),
        ("def use(self, **given): ...", {"qty"}, ""),
        ("def use(self, amount): ...", None, "does not take 'qty'"),
        ("def use(self, qty, more): ...", None, "needs 'more' as well"),
        ("@schema_method(input_schema={'amount': int})\n    def use(self, amount): ...", {"amount"}, ""),
    ],
)
def test_an_override_without_a_decorator_keeps_the_contract_or_is_a_finding(
    override: str, fields: set[str] | None, why: str, tmp_path: Path
) -> None:
    """Callers of the base class call it, so it has to be callable as the base is."""
    base = "class Base(GraphBusNode):\n    @schema_method(input_schema={'qty': int})\n    def use(self, qty): ...\n"
    text = f"{HEAD}{base}\n\nclass Heir(Base):\n    {override}\n"
    agents = {a.name: a for a in scan(project(tmp_path, {"agents/a.py": text})).agents}
    (method,) = agents["Heir"].methods
    assert (set(method.input_schema.fields) if method.input_schema else None) == fields
    assert why in agents["Heir"].metadata.get("unreadable", {}).get("use", "")


@pytest.mark.parametrize("where", ["class", "method"])
def test_an_override_that_a_decorator_may_give_more_is_no_finding(where: str, tmp_path: Path) -> None:
    """`@use_context` of a public program hands in what the longer `def` takes."""
    base = "class Base(GraphBusNode):\n    @schema_method(input_schema={'qty': int})\n    def use(self, qty): ...\n"
    given = ("@given\n", "") if where == "class" else ("", "@given\n    ")
    heir = f"{given[0]}class Heir(Base):\n    {given[1]}def use(self, qty, more): ...\n"
    text = f"from tools import given\n{HEAD}{base}\n\n{heir}"
    tools = "def given(x):\n    return x\n"
    agents = {a.name: a for a in scan(project(tmp_path, {"agents/a.py": text, "tools.py": tools})).agents}
    assert "unreadable" not in agents["Heir"].metadata
    assert all(method.input_schema is None for method in agents["Heir"].methods)


def test_validate_says_them_with_file_and_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The circle fails it; a shared name and a constructor's argument are notes."""
    init = "    def __init__(self, db):\n        super().__init__()\n"
    files = {
        "agents/a.py": f"from agents.b import B\n{HEAD}{NODE.format('A')}{init}",
        "agents/b.py": f"from agents.a import A\n{HEAD}{NODE.format('B')}",
        "agents/c.py": f"{HEAD}{NODE.format('B')}",
    }
    assert main(["validate", str(project(tmp_path, files)), "--json"]) == 1
    told: dict[str, Any] = json.loads(capsys.readouterr().out)
    found = {one["code"]: one for one in told["findings"]}
    assert {code: (one["file"], one["line"]) for code, one in found.items()} == {
        "GB106": ("agents/b.py", 1),
        "GB107": ("agents/c.py", 2),
        "GB108": ("agents/a.py", 7),
    }
    assert [found[code]["level"] for code in sorted(found)] == ["error", "note", "note"]
