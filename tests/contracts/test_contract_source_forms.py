"""Forms of a hint that source tells: a scan, which imports nothing, and the live type say the same contract."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from graphbus_core.analysis.scan import scan
from graphbus_core.contracts.parsing.contract import Contract
from graphbus_core.testing import write_files

HEAD = """
from collections import Counter
from dataclasses import dataclass, field
from typing import Annotated, Any, Generic, Literal, TypeVar, Union

import attr
import attrs
import msgspec
from pydantic import BaseModel, ConfigDict, Field, RootModel
from pydantic.alias_generators import to_camel, to_pascal
from typing_extensions import NotRequired, Self, TypedDict

from graphbus_core import GraphBusNode, subscribe

K = TypeVar("K")
V = TypeVar("V")
Few = TypeVar("Few", int, str)
Bound = TypeVar("Bound", bound=int)
"""
CAMEL = "class B(BaseModel):\n    model_config = ConfigDict(alias_generator=to_camel)\n    one_word: int\n"
# What stands above the node, and the hint.
FORMS: dict[str, tuple[str, str]] = {
    "counter": ("@dataclass\nclass A:\n    seen: Counter[str]\n    bare: Counter", "A"),
    "self": ("class A(BaseModel):\n    name: str\n    parent: Self | None = None", "A"),
    "factory of attrs": ("@attrs.define\nclass A:\n    a: int\n    b: list[int] = attrs.field(factory=list)", "A"),
    "literal in a literal": ("Two = Literal['a', 1]\n@dataclass\nclass A:\n    a: Literal[Two, None]", "A"),
    "generic dataclass": ("@dataclass\nclass A(Generic[K, V]):\n    k: K\n    v: list[V]", "A[str, 'int | None']"),
    "generic by a name": ("class A(TypedDict, Generic[V]):\n    v: V\nB = A[int]", "B"),
    "generic in itself": ("@dataclass\nclass A(Generic[V]):\n    v: V", "A[A[int]]"),
    "generic base": ("@dataclass\nclass A(Generic[V]):\n    v: V\n@dataclass\nclass B(A[int]):\n    w: str", "B"),
    "nothing given": ("@dataclass\nclass A(Generic[Few, Bound, V]):\n    a: Few\n    b: Bound\n    c: V", "A"),
    "closed": ("class A(TypedDict, closed=True):\n    a: int", "A"),
    "closed child": ("class A(TypedDict):\n    a: int\nclass B(A, closed=True):\n    b: NotRequired[int]", "B"),
    "further items": ("class A(TypedDict, extra_items=int):\n    a: str", "A"),
    "struct": ("class A(msgspec.Struct):\n    a: int\n    b: list[str] = []", "A"),
    "struct, renamed": (
        "class B(msgspec.Struct, rename='camel'):\n    one_word: int\n    _two_W: int\nclass A(B): ...",
        "A",
    ),
    "struct, a name": (
        "class A(msgspec.Struct, rename='kebab'):\n    a_b: int = msgspec.field(name='3', default=1)",
        "A",
    ),
    "struct, renamed late": ("class B(msgspec.Struct):\n    a_b: int\nclass A(B, rename='pascal'):\n    c_d: int", "A"),
    "struct, tagged": (
        "class B(msgspec.Struct, tag_field='k', tag=str.upper):\n    a: int\nclass A(B):\n    c: int",
        "A",
    ),
    "struct, exact": ("class A(msgspec.Struct, forbid_unknown_fields=True, tag=7):\n    a: int", "A"),
    "struct as an array": (
        "class B(msgspec.Struct, array_like=True):\n    x: int\n    y: float = 0\n@dataclass\nclass A:\n    b: list[B]",
        "A",
    ),
    "bounds of msgspec": ("class A(msgspec.Struct):\n    a: Annotated[int, msgspec.Meta(ge=0, multiple_of=5)]", "A"),
    "attr.s": ("@attr.s\nclass A:\n    no = 1\n    x = attr.ib(type=int)\n    y = attr.ib(default=3)", "A"),
    "attr.s by annotation": ("@attr.s(auto_attribs=True)\nclass A:\n    x: int\n    y: str = attr.ib('a')", "A"),
    "made aliases": (f"{CAMEL}class A(B):\n    two_words: int\n    named_so: int = Field(alias='own')", "A"),
    "made aliases of the last class": (f"{CAMEL}class A(B, alias_generator=to_pascal):\n    two_words: int", "A"),
    "root": ("class B(RootModel[dict[str, int]]): pass\n@dataclass\nclass A:\n    b: B", "A"),
    "alias of itself": ("Tree = Union[int, dict[str, 'Tree']]\n@dataclass\nclass A:\n    t: Tree", "A"),
}
NOT_LIVE = {"alias of itself"}  # typing keeps no name of it


def read_both(folder: Path, head: str, hint: str, *, live: bool = True) -> tuple[Any, Any]:
    """What a scan reads of a handler's hint, and what the live hint says."""
    text = f"{HEAD}{head}\n\nclass Node(GraphBusNode):\n    @subscribe('/In')\n    def on(self, payload: {hint}): ...\n"
    write_files(folder, {"shop/__init__.py": "", "shop/nodes.py": text})
    (agent,) = scan(folder / "shop").agents
    schema = next((m.input_schema for m in agent.methods if m.name == "on"), None)
    module = ModuleType(f"source_forms_{abs(hash(text))}")
    sys.modules[module.__name__] = module
    try:
        exec(text, vars(module))
        said = Contract.from_annotations(eval(hint, vars(module))) if live else None
    finally:
        del sys.modules[module.__name__]
    return schema and schema.json_schema, said and said.to_json_schema()


def without_words(schema: Any) -> Any:
    """A schema without what says nothing of a payload: descriptions and defaults."""
    if isinstance(schema, list):
        return [without_words(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    return {k: without_words(v) for k, v in schema.items() if k not in ("description", "default", "title")}


@pytest.mark.parametrize("form", [form for form in FORMS if form not in NOT_LIVE])
def test_source_and_the_live_hint_say_the_same(form: str, tmp_path: Path) -> None:
    """Both readers have one contract of it."""
    read, live = read_both(tmp_path, *FORMS[form])
    assert read is not None
    assert without_words(read) == without_words(live)


def test_an_alias_that_mentions_itself_is_a_definition(tmp_path: Path) -> None:
    """It has a contract that says what is below, as deep as it goes."""
    read, _ = read_both(tmp_path, *FORMS["alias of itself"], live=False)
    tree = {"anyOf": [{"type": "integer"}, {"type": "object", "additionalProperties": {"$ref": "#/$defs/Tree"}}]}
    assert read["properties"] == {"t": {"$ref": "#/$defs/Tree"}}
    assert read["$defs"] == {"Tree": tree}


def test_the_variables_of_a_generic_base_are_its_own(tmp_path: Path) -> None:
    """A class that swaps what it is given for its base has each field as it was given."""
    base = "@dataclass\nclass A(Generic[K, V]):\n    k: K\n    v: V\n"
    head = f"{base}@dataclass\nclass B(A[V, K], Generic[K, V]):\n    w: K"
    read, _ = read_both(tmp_path, head, "B[int, str]", live=False)
    assert {n: field["type"] for n, field in read["properties"].items()} == {
        "k": "string",
        "v": "integer",
        "w": "integer",
    }


@pytest.mark.parametrize(
    "head",
    [
        "A = Union['A', int]\n@dataclass\nclass B:\n    a: A",
        "own = str.upper\nclass B(BaseModel):\n    model_config = ConfigDict(alias_generator=own)\n    a: int",
        "class B(msgspec.Struct, rename=str.title):\n    a: int",
    ],
    ids=["nothing but itself", "an own generator", "an own rule"],
)
def test_what_source_does_not_tell_has_no_contract(head: str, tmp_path: Path) -> None:
    """Nothing is guessed, and nothing of the project is run."""
    text = f"{HEAD}{head}\n\nclass Node(GraphBusNode):\n    @subscribe('/In')\n    def on(self, payload: B): ...\n"
    write_files(tmp_path, {"shop/__init__.py": "", "shop/nodes.py": text})
    (agent,) = scan(tmp_path / "shop").agents
    assert all(method.input_schema is None for method in agent.methods)
