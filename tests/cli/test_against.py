"""`graphbus validate --against`: which changes of a branch break whom, in a project with agents and in any other."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from graphbus_core.cli.main import main
from graphbus_core.findings import FORMATS
from graphbus_core.testing import write_files

AGENTS = """
from typing import TypedDict
from graphbus_core import GraphBusNode, depends_on, schema_method

class Order(TypedDict):
    sku: str
    qty: int

class Cart(GraphBusNode):
    @schema_method
    def order(self, sku: str) -> Order: ...

class Bill(GraphBusNode):
    @depends_on("Cart.order")
    @schema_method
    def bill(self, sku: str, qty: int) -> bool: ...

class Old(GraphBusNode):
    @depends_on("Cart.order")
    @schema_method
    def old(self, sku: str, price: int) -> bool: ...
"""
PLAIN = """
class Cart:
    def order(self, sku: str):
        return {"sku": sku, "qty": 1}

def main():
    found = Cart().order("x")
    return found["qty"]
"""


def _git(root: Path, *words: str) -> None:
    identity = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
    subprocess.run(["git", *identity, *words], cwd=root, check=True, capture_output=True, timeout=60)


def _project(root: Path, files: dict[str, str]) -> Path:
    write_files(root, {"pyproject.toml": "", ".gitignore": ".graphbus\n", **files})
    _git(root, "init", "-q", "-b", "main")
    _git(root, "add", ".")
    _git(root, "commit", "-qm", "one")
    return root


@pytest.fixture
def agents(tmp_path: Path) -> Path:
    return _project(tmp_path, {"shop/__init__.py": "", "shop/nodes.py": AGENTS})


def _told(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    code = main(["validate", *words])
    return code, capsys.readouterr().out


def test_only_what_the_branch_broke_is_told(agents: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Old does not fit on main either: it is counted, and not told."""
    folder = str(agents / "shop")
    assert main(["validate", folder]) == 1
    capsys.readouterr()
    assert _told(capsys, folder, "--against", "git:main")[0] == 0
    changed = "\n\n" + AGENTS.replace("    qty: int\n", "    qty: str\n", 1)
    (agents / "shop/nodes.py").write_text(changed)
    code, said = _told(capsys, folder, "--against", "git:main", "--json")
    told = json.loads(said)
    assert (code, told["ok"], told["stayed"], told["changed"]) == (1, False, 1, 1)
    (finding,) = told["findings"]
    assert finding["subject"] == "Cart.order => Bill.bill"
    assert finding["payload"] == {"qty": "", "sku": ""}
    assert 'Cart.order was {"sku": str} -> {"sku": str, "qty": int} at main' in finding["reasons"][-1]
    before = {"message": "Cart.order at main", "file": "shop/nodes.py", "line": 11}
    assert (finding["line"], before in finding["related"]) == (18, True)


def test_what_the_branch_mends_is_told_as_gone(agents: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (agents / "shop/nodes.py").write_text(AGENTS.replace("price: int", "qty: int"))
    code, said = _told(capsys, str(agents / "shop"), "--against", "git:main")
    assert code == 0
    assert "✓ gone: GB101 Cart.order may send what Old.old rejects" in said
    assert "1 contract changed; 0 findings came, 1 gone, 0 there before." in said


def test_a_new_link_that_does_not_fit_is_the_branchs(agents: Path, capsys: pytest.CaptureFixture[str]) -> None:
    late = AGENTS.partition("class Bill")[2].partition("class Old")[0].replace("bill(", "late(").replace("qty", "n")
    late = f"class Late{late}"
    (agents / "shop/late.py").write_text(AGENTS.split("class Order")[0] + late)
    code, said = _told(capsys, str(agents / "shop"), "--against", "git:main")
    assert code == 1
    assert "Late.late came since main" in said


def test_a_project_without_agents_is_read_as_infer_reads_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = _project(tmp_path, {"shop.py": PLAIN})
    (root / "shop.py").write_text(PLAIN.replace('"qty": 1', '"count": 1'))
    code, said = _told(capsys, str(root), "--against", "git:main")
    assert code == 1, said
    assert "shop.py:8: ✗ GB501" in said
    assert "Cart.order was (sku: str) -> {sku: str, qty: int} at main" in said


@pytest.mark.parametrize("form", FORMATS)
def test_every_format_tells_what_came(agents: Path, form: str, capsys: pytest.CaptureFixture[str]) -> None:
    (agents / "shop/nodes.py").write_text(AGENTS.replace("    qty: int\n", "    qty: str\n", 1))
    code, said = _told(capsys, str(agents / "shop"), "--against", "git:main", "--format", form)
    assert code == 1
    assert "GB101" in said
    assert "Old.old" not in said


def test_what_cannot_be_compared_is_refused(agents: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = str(agents / "shop")
    assert main(["validate", folder, "--against", "git:nosuch"]) == 2
    assert main(["validate", str(agents / "shop/nodes.py"), "--against", "git:main"]) == 2
    (agents / "shop/nodes.py").write_text(AGENTS)
    _git(agents, "checkout", "-qb", "broken")
    (agents / "shop/nodes.py").write_text("def (")
    _git(agents, "commit", "-qam", "broken")
    (agents / "shop/nodes.py").write_text(AGENTS)
    capsys.readouterr()
    assert main(["validate", folder, "--against", "git:broken"]) != 0
    assert "The project at broken cannot be read" in capsys.readouterr().err
