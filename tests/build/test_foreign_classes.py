"""Classes that nobody here can look into: read from source and from an import alike, and never a reason to stop."""

from __future__ import annotations

import collections.abc
import types
import typing
from pathlib import Path

import pytest

from graphbus_core.analysis.scan import scan
from graphbus_core.contracts import Contract
from graphbus_core.contracts.parsing.jsonable import list_class_names

HEAD = "import types\nimport typing as t\nfrom collections.abc import Callable\n"
HEAD += "from graphbus_core import GraphBusNode, schema_method\n"


def contract(root: Path, text: str, before: str = "") -> typing.Any:
    """What the field `x` of a contract is read as."""
    (root / "nodes.py").write_text(
        f"{HEAD}{before}\n\nclass A(GraphBusNode):\n    @schema_method(input_schema={{'x': {text}, 'n': int}})\n"
        "    def use(self, x, n): ...\n"
    )
    (agent,) = [a for a in scan(root).agents if a.name == "A"]
    assert not agent.metadata.get("unreadable")
    schema = agent.methods[0].input_schema
    assert schema is not None
    assert schema.fields["n"] == {"type": "integer"}
    return schema.fields["x"]


@pytest.mark.parametrize(
    ("text", "live", "value"),
    [
        ("t.Callable[..., str]", typing.Callable[..., str], len),
        ("Callable[[int], str]", collections.abc.Callable[[int], str], print),
        ("t.Callable", typing.Callable, lambda: 0),
        ("type", type, int),
        ("type[int]", type[int], int),
        ("types.ModuleType", types.ModuleType, types),
    ],
)
def test_what_is_no_data_is_a_type_of_its_name(tmp_path: Path, text: str, live: typing.Any, value: object) -> None:
    """By source and by import the same; a value of it is known again at run time."""
    read = contract(tmp_path, text)
    assert Contract.from_annotations({"x": live}).to_json_schema()["properties"]["x"] == read
    (name,) = read.values()
    assert name in list_class_names(value)
    assert name not in list_class_names(object())


def test_a_node_in_a_contract_is_a_type_of_its_name(tmp_path: Path) -> None:
    """An object, and no data."""
    other = "\nclass Product(GraphBusNode):\n    @schema_method()\n    def sell(self): ...\n"
    assert "Product" in str(contract(tmp_path, "Product", other))


@pytest.mark.parametrize("base", ["object", "RuntimeError", "dict", "Base", "library.Model"])
def test_a_class_of_another_kind_beside_a_node_is_no_node_and_no_stop(tmp_path: Path, base: str) -> None:
    """Not even where the library that it comes from is not installed."""
    before = f"import library\nfrom library import make_base\nBase = make_base()\n\nclass Other({base}):\n    pass\n"
    assert contract(tmp_path, "str", before) == {"type": "string"}
