"""Nothing else changes: what a commit may not do in silence, through the whole engine and through edits alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from graphbus_core.model.edit_outcome import Edited, Refused
from tests.commit.projects import about, engine, write
from tests.commit.test_follow import apply, node, text

HEAD = "from graphbus_core import GraphBusNode, schema_method\n"
SHARED = (
    HEAD
    + """from typing import TypedDict
class Item(TypedDict):
    {field}: str
    n: int
class A(GraphBusNode):
    @schema_method(output_schema=Item)
    def go(self):
        return {{"{field}": "t", "n": 1}}
class B(GraphBusNode):
    @schema_method(input_schema=Item)
    def take(self, {field}, n):
        return {field}.upper()
"""
)


@pytest.mark.parametrize("field", ["title", "default", "name"])
def test_a_field_of_another_contract_does_not_change_along_whatever_its_name(tmp_path: Path, field: str) -> None:
    """`title` and `default` are words of JSON Schema and names of fields; only the former prove nothing."""
    root = write(tmp_path, {"agents/a.py": SHARED.format(field=field)})
    ask = {"op": "retype_field", "node": "A", "method": "go", "side": "output", "field": field, "type": "str | None"}
    with engine(root) as commits:
        receipt = commits.apply("commit", about("p-1", ask))
    assert (receipt["status"], receipt["gate"]) == ("failed", "contracts")
    assert f"B.take.input.{field} changed as well" in receipt["reason"]


def test_what_imports_a_changed_file_must_still_import(tmp_path: Path) -> None:
    """Not the changed file alone; what did not import before is a note."""
    files = {
        "agents/a.py": HEAD + "import json\nclass A(GraphBusNode):\n    @schema_method(output_schema={'x': int})\n"
        "    def go(self):\n        return {'x': 1}\n",
        "agents/b.py": HEAD + "import agents.a as one\nclass B(GraphBusNode):\n    there = getattr(one, 'js' + 'on')\n",
        "agents/c.py": HEAD + "import agents.b\nclass C(GraphBusNode):\n    pass\n",
    }
    ask = {"op": "remove_import", "node": "A", "statement": "import json"}
    root = write(tmp_path / "one", files)
    with engine(root) as commits:
        receipt = commits.apply("commit", about("p-1", ask))
    assert (receipt["status"], receipt["gate"]) == ("failed", "imports")
    assert "agents.b: AttributeError" in receipt["reason"]
    broken = write(tmp_path / "two", {**files, "agents/b.py": files["agents/b.py"].replace("'on'", "'nothing'")})
    with engine(broken) as commits:
        receipt = commits.apply("commit", about("p-1", ask))
    assert receipt["status"] == "committed"
    assert "did not import before the change either" in "".join(end.get("why", "") for end in receipt["ends"])


def test_a_node_in_a_class_is_edited_and_committed(tmp_path: Path) -> None:
    """A scan names it `Outer.A`; a class A beside it is not meant."""
    inner = "    class A(GraphBusNode):\n        @schema_method(output_schema={'x': int})\n        def go(self):\n"
    source = HEAD + "class Outer:\n" + inner + "            return {'x': 1}\nclass Else:\n    class A: pass\n"
    root = write(tmp_path, {"agents/a.py": source})
    ask = {"op": "rename_field", "node": "A", "method": "go", "side": "output", "field": "x", "to": "z"}
    with engine(root) as commits:
        receipt = commits.apply("commit", about("p-1", ask))
    assert receipt["status"] == "committed", receipt["reason"]
    assert (root / "agents/a.py").read_text() == source.replace("'x'", "'z'")


IMPORTED = {
    "by another file": ("", "from a import helper\n", ("c.py:3",)),
    "by another file through the module": ("", "import a\nx = a.helper()\n", ("c.py:4",)),
    "in an annotation in text": ("def f(x: 'list[helper]'): ...\n", "", ("a.py:4",)),
    "in __all__": ("__all__ = ['helper']\n", "", ("a.py:4",)),
}


@pytest.mark.parametrize("case", IMPORTED)
def test_an_import_that_is_used_elsewhere_stays(case: str) -> None:
    """With the line that uses it."""
    here, there, lines = IMPORTED[case]
    source = f"from util import helper\n{here}class Node(GraphBusNode):\n    pass\n"
    ask: dict[str, object] = {"op": "remove_import", "statement": "from util import helper"}
    outcome = apply(source, ask, c=there)
    assert isinstance(outcome, Refused)
    assert outcome.lines == lines


def test_one_name_of_many_goes_with_its_own_comment_only() -> None:
    """`from x import (…)` over many lines."""
    rest = "class Node(GraphBusNode):\n    pass\n"
    source = f"from util import (\n    a,  # first\n    b,  # second\n    c,  # third\n)\n{rest}"
    ask: dict[str, object] = {"op": "remove_import", "statement": "from util import b"}
    assert text(apply(source, ask)) == source.replace("    b,  # second\n", "")


@pytest.mark.parametrize("value", ["self.bump()", "next(items)", "(n := 1)", "items.pop()", "await x"])
def test_a_removed_field_takes_no_effect_with_it(value: str) -> None:
    """A call may do something; `len(items)` only gives a value."""
    ask: dict[str, object] = {"op": "remove_field", "side": "output", "field": "n"}
    outcome = apply(node("{'items': list}", "{'n': int, 'm': int}", ", items", f"return {{'n': {value}, 'm': 1}}"), ask)
    assert isinstance(outcome, Refused)
    assert outcome.lines == ("a.py:6",)
    plain = apply(node("{'items': list}", "{'n': int}", ", items", "return {'n': len(items) + items[0].x}"), ask)
    assert "return {}" in text(plain)
    inner = "def own(k):\n    return [i for i in items if i][:k]\nreturn {'n': own(2)}"
    assert "return {}" in text(apply(node("{'items': list}", "{'n': int}", ", items", inner), ask))
    doing = inner.replace("return [", "items.seen = 1\n    return [")
    assert isinstance(apply(node("{'items': list}", "{'n': int}", ", items", doing), ask), Refused)


def test_a_default_is_there_when_it_is_used() -> None:
    """A local that is bound later, or in a branch alone, is not."""
    ask: dict[str, object] = {"op": "add_field", "side": "output", "field": "y", "type": "int", "default": "count"}
    for body in ("if items: return {'k': 1}\ncount = 3\nreturn {'k': 2}", "if items: count = 1\nreturn {'k': 2}"):
        outcome = apply(node("{'items': list}", "{'k': int}", ", items", body), ask)
        assert isinstance(outcome, Refused)
        assert "may not be bound" in outcome.reason
    early = apply(node("{'items': list}", "{'k': int}", ", items", "count = 3\nreturn {'k': 2}"), ask)
    assert "{'k': 2, 'y': count}" in text(early)


@pytest.mark.parametrize(
    "default",
    [
        "__import__('os').system('x')",
        "os.system('x')",
        "open('x')",
        "().__class__.y()",
        "[os.system][0]('x')",
        "uuid.os.system('x')",
        "len(items)",
        "items.pop",
    ],
)
def test_a_default_is_a_value_and_no_code(default: str) -> None:
    """Code goes through replace_body, where it is seen as such."""
    ask: dict[str, object] = {"op": "add_field", "side": "input", "field": "y", "type": "int", "default": default}
    outcome = apply(node("{'items': list}", "{}", ", items", "return {}", "import os\n"), ask)
    assert isinstance(outcome, Refused)
    assert "more than a value" in outcome.reason


def test_names_and_defaults_that_python_would_change_or_contradict_are_refused() -> None:
    """`__k` is mangled inside a class; a default of 5 is not text."""
    source = node("{'items': int}", "{}", ", items: int = 5", "return {}")
    ask: dict[str, object] = {"side": "input", "field": "items"}
    for op in ({"op": "rename_field", "to": "__k"}, {"op": "rename_field", "to": "class"}):
        assert isinstance(apply(source, {**ask, **op}), Refused)
    wrong = apply(source, {**ask, "op": "retype_field", "type": "str"})
    assert isinstance(wrong, Refused)
    assert wrong.lines == ("a.py:5",)
    assert isinstance(apply(source, {**ask, "op": "retype_field", "type": "float"}), Edited)
