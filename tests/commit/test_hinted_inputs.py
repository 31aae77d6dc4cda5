"""Hints are a contract like any other: a parameter is a field, and the operations write it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.commit.projects import about, engine, write

HEAD = "from graphbus_core import GraphBusNode, schema_method\n"
NODE = "class Node(GraphBusNode):\n    @schema_method\n    def go(self{}) -> dict[str, str]:\n        return {{}}\n"
INPUT = {"node": "Node", "method": "go", "side": "input"}
# before, operation, after (None: refused, with the words that follow)
CASES: dict[str, tuple[str, dict[str, object], str]] = {
    "added": (", a: int", {"op": "add_field", "field": "b", "type": "str"}, ", a: int, b: str"),
    "added and optional": (
        ", a: int",
        {"op": "add_field", "field": "b", "type": "str", "optional": True},
        ', a: int, b: str = ""',
    ),
    "added with its default": (
        ", a: int = 1, **kw",
        {"op": "add_field", "field": "b", "type": "int | None", "optional": True, "default": "None"},
        ", a: int = 1, b: int | None = None, **kw",
    ),
    "added behind defaults": (
        ", a: int = 1",
        {"op": "add_field", "field": "b", "type": "str"},
        ", a: int = 1, *, b: str",
    ),
    "removed": (", a: int, b: str = ''", {"op": "remove_field", "field": "b"}, ", a: int"),
    "retyped": (
        ", a: int, b: str",
        {"op": "retype_field", "field": "b", "type": "bytes | str"},
        ", a: int, b: bytes | str",
    ),
    "made optional": (
        ", a: int, b: str",
        {"op": "set_optional", "field": "b", "optional": True},
        ', a: int, b: str = ""',
    ),
    "required": (
        ", a: int, b: str = ('x')",
        {"op": "set_optional", "field": "b", "optional": False},
        ", a: int, b: str",
    ),
}
REFUSED: dict[str, tuple[str, dict[str, object], str]] = {
    "None for a list": (
        ", a: int",
        {"op": "add_field", "field": "b", "type": "list[str]", "optional": True},
        "does not take None",
    ),
    "required behind optional ones": (
        ", a: int = 1, b: str = ''",
        {"op": "set_optional", "field": "b", "optional": False},
        "stands behind parameters that may be left out",
    ),
    "not there": (", a: int", {"op": "retype_field", "field": "z", "type": "str"}, "no field 'z'"),
}


def tried(tmp_path: Path, before: str, op: dict[str, object]) -> tuple[dict[str, object], str]:
    root = write(tmp_path, {"agents/a.py": HEAD + NODE.format(before)})
    with engine(root) as commits:
        receipt = commits.apply("commit", about("p-1", {**INPUT, **op}))
    return receipt, (root / "agents/a.py").read_text()


@pytest.mark.parametrize("case", CASES)
def test_an_operation_on_a_hinted_parameter_lands(case: str, tmp_path: Path) -> None:
    """Through every gate: what the hints say afterwards is what the operation declares."""
    before, op, after = CASES[case]
    receipt, source = tried(tmp_path, before, op)
    assert receipt["status"] == "committed", receipt["reason"]
    assert source == HEAD + NODE.format(after)


@pytest.mark.parametrize("case", REFUSED)
def test_one_that_would_say_another_thing_is_refused(case: str, tmp_path: Path) -> None:
    """With the sources as they were."""
    before, op, words = REFUSED[case]
    receipt, source = tried(tmp_path, before, op)
    assert (receipt["status"], source) == ("failed", HEAD + NODE.format(before))
    assert words in str(receipt["reason"])


def test_a_text_that_a_parameter_is_named_like_is_not_guessed_at(tmp_path: Path) -> None:
    """`sku` for the new field `code` was given as the text 'sku', to everybody."""
    before = HEAD + NODE.format(", sku: str").replace("dict[str, str]", '"Out"')
    before = before.replace("class Node", "from typing import TypedDict\nclass Out(TypedDict):\n    x: int\nclass Node")
    before = before.replace("return {}", 'return {"x": 1}')
    root = write(tmp_path, {"agents/a.py": before})
    ask = {**INPUT, "side": "output", "op": "add_field", "field": "code", "type": "str", "default": "'sku'"}
    with engine(root) as commits:
        assert "a parameter has that name" in commits.apply("commit", about("p-1", ask))["reason"]
