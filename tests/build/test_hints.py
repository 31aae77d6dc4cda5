"""Contracts written once: hints where a decorator leaves a side out, and plain classes and functions that take part."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from graphbus_core import GraphBusNode, contract, schema_method, subscribe, type_hints
from graphbus_core.analysis.links import link_project
from graphbus_core.analysis.scan import Project, scan
from graphbus_core.build.builder import build_project
from graphbus_core.config import BuildConfig
from graphbus_core.editing.applicator import DiffApplicator
from graphbus_core.model.edit_outcome import Edited
from graphbus_core.model.operation import AddField, Operation, RenameField
from graphbus_core.runtime.executor import RuntimeExecutor
from graphbus_core.testing import write_files

NODES = """
from typing import TypedDict
from graphbus_core import GraphBusNode, contract, depends_on, schema_method

class Order(TypedDict):
    sku: str
    quantity: int

class Cart(GraphBusNode):
    @schema_method
    def order(self, sku: str) -> Order:
        return {"sku": sku, "quantity": 1}

    @schema_method(output_schema={"n": int})
    def count(self, sku: str, more: int = 0) -> Order: ...

    @schema_method(None, None)
    def silent(self, sku: str) -> Order: ...

    @contract
    def vague(self, x) -> dict: ...

class Billing(GraphBusNode):
    @depends_on("Cart.order")
    @schema_method
    def bill(self, sku: str, qty: int) -> bool: ...
"""
PLAIN = """
from dataclasses import dataclass
from typing import TypedDict

class Line(TypedDict):
    sku: str
    amount: int

@dataclass
class Price:
    sku: str
    cents: int

class Cart:
    def __init__(self, start: int = 3, **more: str):
        self.start = start
    def add(self, sku: str) -> Line:
        return {"sku": sku, "amount": self.start}
    def _own(self, sku: str) -> Line: ...

class Ledger:
    def post(self, sku: str, amount: str) -> bool:
        return bool(amount)

def price(sku: str, qty: int = 1) -> Price:
    return Price(sku, qty * 100)

async def later(sku: str) -> Line:
    return {"sku": sku, "amount": 0}

def main():
    line = Cart().add("x")
    return Ledger().post(sku=line["sku"], amount=line["amount"])
"""


def _fields(project: Project, name: str) -> tuple[object, object]:
    node, _, method = name.partition(".")
    agent = project.find_agent(node)
    assert agent is not None
    found = agent.method(method)
    assert found is not None
    sides = (found.input_schema, found.output_schema)
    taken, given = (side and side.json_schema.get("properties", side.json_schema) for side in sides)
    return taken, given


def _edited(project: Project, operation: Operation) -> bytes:
    outcome = DiffApplicator(project.sources.get, project.agents, project.sources).apply([operation])
    assert isinstance(outcome, Edited), outcome
    (written,) = outcome.after.values()
    return written


@pytest.fixture
def hinted_project(tmp_path: Path) -> Path:
    write_files(tmp_path, {"pyproject.toml": "", "shop/__init__.py": "", "shop/nodes.py": NODES})
    return tmp_path


def test_what_is_left_out_stands_in_the_hints_and_what_is_written_wins(hinted_project: Path) -> None:
    project = scan(hinted_project / "shop")
    text, number = {"type": "string"}, {"type": "integer"}
    assert _fields(project, "Cart.order") == ({"sku": text}, {"sku": text, "quantity": number})
    assert _fields(project, "Cart.count") == ({"sku": text, "more": number}, {"n": number})
    assert _fields(project, "Cart.silent") == (None, None)
    assert _fields(project, "Cart.vague") == (None, None)


def test_a_mismatch_of_hints_is_found_with_its_payload(hinted_project: Path) -> None:
    (mismatch,) = link_project(scan(hinted_project / "shop")).mismatches
    assert mismatch.link.id == "Cart.order => Billing.bill"
    assert mismatch.counterexample == {"sku": "", "quantity": 0}


def test_live_and_source_agree_where_a_test_looks() -> None:
    class Node(GraphBusNode):
        @schema_method
        def go(self, a: int, b: str = "") -> list[int]: ...
        @subscribe("/T")
        @schema_method
        def heard(self, topic: str, payload: dict) -> None: ...
        @contract(output_schema={"x": int})
        @staticmethod
        def still(a: int): ...

    found = Node.get_schema_methods()
    assert list(found["go"]["input_schema"]) == ["a", "b"]
    assert found["go"]["output_schema"] == list[int]
    assert found["heard"] == {"input_schema": None, "output_schema": None, "description": None}
    assert found["still"] == {"input_schema": {"a": int}, "output_schema": {"x": int}, "description": None}
    assert type_hints.read_return(test_live_and_source_agree_where_a_test_looks) is None


def test_a_field_of_a_hint_is_edited_where_the_hint_leads(hinted_project: Path) -> None:
    """The TypedDict beside the class is the contract: a rename goes there, and into the code that makes the value."""
    project = scan(hinted_project / "shop")
    rename = RenameField(node="Cart", method="order", side="output", field="quantity", to="qty")
    written = _edited(project, rename)
    assert b"    qty: int\n" in written
    assert b'{"sku": sku, "qty": 1}' in written
    taken = RenameField(node="Billing", method="bill", side="input", field="qty", to="quantity")
    assert b"def bill(self, sku: str, quantity: int) -> bool" in _edited(project, taken)
    add = AddField(node="Cart", method="vague", side="output", field="n", type="int")
    written = _edited(project, add)
    assert b'@contract(output_schema={"n": int})' in written


def test_plain_classes_and_functions_take_part(tmp_path: Path) -> None:
    """Named in pyproject.toml, with no import of ours in the code: checked, built, and called as they are."""
    settings = '[tool.graphbus]\ncomponents = ["shop.*"]\n'
    write_files(tmp_path, {"pyproject.toml": settings, "shop/__init__.py": "", "shop/pricing.py": PLAIN})
    project = scan(tmp_path / "shop")
    assert [a.name for a in project.agents] == ["Cart", "Ledger", "pricing"]  # a record is not a component
    (mismatch,) = link_project(project).mismatches
    assert mismatch.counterexample == {"sku": "", "amount": 0}
    (tmp_path / "shop/pricing.py").write_text(PLAIN.replace("amount: str", "amount: int"))
    output = tmp_path / ".graphbus"
    build_project(BuildConfig(root_package=str(tmp_path / "shop"), output_dir=str(output)))
    executor = RuntimeExecutor(str(output))
    executor.start()
    try:
        assert executor.call_method("pricing", "price", sku="a", qty=2).cents == 200
        assert executor.call_method("Cart", "add", sku="a") == {"sku": "a", "amount": 3}
        assert executor.call_method("pricing", "later", sku="b") == {"sku": "b", "amount": 0}
        with pytest.raises(AttributeError, match=r"Method 'ad' not found on node 'Cart'\. Did you mean 'add'"):
            executor.call_method("Cart", "ad", sku="a")
    finally:
        executor.stop()


def test_contract_marks_a_plain_class_and_a_function(tmp_path: Path) -> None:
    marked = "from graphbus_core import contract\n" + PLAIN.replace("class Cart", "@contract\nclass Cart").replace(
        "def price", "@contract\ndef price"
    )
    write_files(tmp_path, {"pyproject.toml": "", "shop/__init__.py": "", "shop/pricing.py": marked})
    agents = {a.name: a for a in scan(tmp_path / "shop").agents}
    assert sorted(agents) == ["Cart", "pricing"]
    assert [m.name for m in agents["pricing"].methods] == ["price"]
    assert json.dumps(agents["Cart"].to_dict())

    @contract
    class Plain:
        def add(self, sku: str) -> int:
            return 1

    assert Plain().add("x") == 1
