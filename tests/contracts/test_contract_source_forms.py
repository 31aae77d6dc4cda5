"""Forms of a hint that source tells: a scan, which imports nothing, and the live type say the same contract."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from graphbus_core.analysis.links import link_project
from graphbus_core.analysis.links.findings import collect_findings
from graphbus_core.analysis.scan import scan
from graphbus_core.contracts import validator
from graphbus_core.contracts.parsing.contract import Contract
from graphbus_core.findings import Level
from graphbus_core.testing import write_files

HEAD = """
import types
from collections import Counter
from dataclasses import dataclass, field, make_dataclass
from functools import partial
from typing import Annotated, Any, Generic, Literal, Never, TypeVarTuple, Union

import attr
import attrs
import msgspec
from pydantic import AliasChoices, AliasPath, BaseModel, ConfigDict, Field, RootModel, conint, conlist, constr
from pydantic.alias_generators import to_camel, to_pascal
from typing_extensions import NotRequired, Self, TypedDict, TypeVar

from graphbus_core import GraphBusNode, subscribe

K = TypeVar("K")
V = TypeVar("V")
Few = TypeVar("Few", int, str)
Bound = TypeVar("Bound", bound=int)
Or = TypeVar("Or", default=int)
Ts = TypeVarTuple("Ts")
"""
CAMEL = "class B(BaseModel):\n    model_config = ConfigDict(alias_generator=to_camel)\n    one_word: int\n"
KINDS = "".join(f"class {k}(BaseModel):\n    kind: Literal['{k}'] = '{k}'\n" for k in "BC")
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
    "made dataclass": (
        "A = make_dataclass('A', [('x', int), ('y', 'int', 0), ('z', Any, field(default=None))])",
        "A",
    ),
    "made dataclass as a base": (
        "B = make_dataclass('B', [('x', int)])\n@dataclass\nclass A(B):\n    b: B | None = None",
        "A",
    ),
    "decorator by a name": ("made = partial(dataclass, frozen=True)\n@made\nclass A:\n    a: int = 1", "A"),
    "nobody decorates the child": (
        "class C:\n    c: int\n@dataclass\nclass B(C):\n    b: int\nclass A(B):\n    a: int",
        "A",
    ),
    "alias with variables": ("Pair = tuple[K, list[V]]\n@dataclass\nclass A:\n    a: Pair[int, str]", "A"),
    "alias of an alias": (
        "Some = Union[dict[str, V], K]\nAny2 = list[Some[K, V]]\n@dataclass\nclass A:\n    a: Any2[int, str]",
        "A",
    ),
    "variables of any number": (
        "@dataclass\nclass A(Generic[K, *Ts]):\n    k: K\n    t: tuple[*Ts]\n    u: tuple[K, *Ts]",
        "A[str, int, bool]",
    ),
    "a default left out": (
        "class B(TypedDict, Generic[K, Or]):\n    k: K\n    o: Or\nclass A(TypedDict):\n    a: B[str]",
        "A",
    ),
    "GenericAlias": ("@dataclass\nclass A:\n    a: types.GenericAlias(list, (int,))", "A"),
    "calls with bounds": (
        "class A(TypedDict):\n    a: conlist(int, min_length=1)\n    b: conint(ge=1)\n    c: constr(pattern='a+')",
        "A",
    ),
    "never": ("class A(TypedDict):\n    a: NotRequired[Never]", "A"),
    "structs told by a tag": (
        "class B(msgspec.Struct, tag=1): ...\nclass C(B, tag=2): ...\nclass A(TypedDict):\n    a: B | C | None",
        "A",
    ),
    "root": ("class B(RootModel[dict[str, int]]): pass\n@dataclass\nclass A:\n    b: B", "A"),
    "alias of itself": ("Tree = Union[int, dict[str, 'Tree']]\n@dataclass\nclass A:\n    t: Tree", "A"),
}
NOT_LIVE = {"alias of itself", "variables of any number"}  # typing keeps no name, or `live` has no such variables


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


def test_variables_of_any_number_take_what_the_others_leave(tmp_path: Path) -> None:
    """`A[str, int, bool]` gives `*Ts` an int and a bool, wherever it stands."""
    read, _ = read_both(tmp_path, *FORMS["variables of any number"], live=False)
    parts = {name: [item["type"] for item in read["properties"][name]["prefixItems"]] for name in ("t", "u")}
    assert parts == {"t": ["integer", "boolean"], "u": ["string", "integer", "boolean"]}


@pytest.mark.parametrize(
    ("head", "good", "bad"),
    [
        (
            "class A(BaseModel):\n    a: int = Field(validation_alias=AliasChoices('b', AliasPath('c', 'd', 1)))",
            [{"b": 1}, {"c": {"d": [0, 1]}}],
            [{"a": 1}, {"b": "1"}, {"c": {"d": [1]}}, {"c": {"d": [0, "1"]}}, {}],
        ),
        (
            f"{CAMEL}class A(B):\n    model_config = ConfigDict(populate_by_name=True)\n    two_words: int = 2",
            [{"oneWord": 1}, {"one_word": 1, "two_words": 2}],
            [{}, {"oneword": 1}, {"one_word": "1"}, {"oneWord": 1, "twoWords": "2"}],
        ),
        (
            f"{KINDS}class A(BaseModel):\n    a: B | C = Field(discriminator='kind')",
            [{"a": {"kind": "B"}}, {"a": {"kind": "C"}}],
            [{"a": {}}, {"a": {"kind": "D"}}],
        ),
    ],
    ids=["choices and paths", "by name", "discriminator"],
)
def test_a_model_takes_its_fields_where_pydantic_finds_them(
    head: str, good: list[Any], bad: list[Any], tmp_path: Path
) -> None:
    """Under each of its names, and no other; what tells the members of a union apart must be there."""
    read, _ = read_both(tmp_path, head, "A", live=False)
    check = validator(Contract(read), side="input").check
    assert [payload for payload in good if check(payload) is not None] == []
    assert [payload for payload in bad if check(payload) is None] == []


OPEN = {  # what cannot be read -> the reason
    "class B(BaseModel):\n    model_config = ConfigDict(alias_generator=str.upper)\n    a: int": "makes the names",
    "class B(msgspec.Struct, rename=str.title):\n    a: int": "makes the names",
    "B = Union['B', int]": "nothing but itself",
    "B = tuple[*tuple[int, ...], str]": "behind a part of any length",
    "B = print": "was not found",
    "B = Annotated[int, Field(ge=max(1, 2))]": "not a constant",
    "@dataclass\nclass B:\n    a: int\n    b: lower(str)": "must be evaluated",
    "class B(BaseModel):\n    a: int\n    b: int = Field(alias=str.upper('b'))": "not a constant",
}


@pytest.mark.parametrize("head", OPEN)
def test_a_part_that_cannot_be_read_is_open_alone(head: str, tmp_path: Path) -> None:
    """The rest is the contract, nothing of the project is run, and a note says which part is not checked, and why."""
    text = f"{HEAD}{head}\n\nclass A(TypedDict):\n    n: int\n    b: B\n\n"
    text += "class Node(GraphBusNode):\n    @subscribe('/In')\n    def on(self, payload: A): ...\n"
    write_files(tmp_path, {"shop/__init__.py": "", "shop/nodes.py": text})
    project = scan(tmp_path / "shop")
    contract = project.agents[0].methods[0].input_schema
    assert contract is not None
    assert contract.json_schema["properties"]["n"] == {"type": "integer"}
    assert contract.json_schema["required"] == ["n", "b"]
    (note,) = [f for f in collect_findings(project, link_project(project)) if f.code == "GB104"]
    assert note.level is Level.NOTE
    assert OPEN[head] in note.message


def test_what_is_read_within_an_open_class_leads_nowhere_else(tmp_path: Path) -> None:
    """A definition that is kept refers to none that was given up."""
    head = (
        "class B(msgspec.Struct, array_like=True, kw_only=True):\n    c: 'C'\nclass C(TypedDict):\n    b: B\n    c: 'C'"
    )
    read, _ = read_both(tmp_path, f"{head}\nclass A(TypedDict):\n    b: B\n    c: C", "A", live=False)
    assert Contract.from_json_schema(read).opened is not None
    assert validator(Contract(read), side="input").check({"b": 1, "c": {"b": 1}}) is not None


def test_what_has_no_end_has_no_contract(tmp_path: Path) -> None:
    """A class that is given a larger part of itself for ever is given up as a whole, in no time, and said."""
    head = "@dataclass\nclass A(Generic[K]):\n    a: 'A[list[K]] | None'\n    b: 'A[dict[str, K]] | None'"
    read, _ = read_both(tmp_path, head, "A[int]", live=False)
    assert read is None
