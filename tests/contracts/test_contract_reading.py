"""A contract is the same whether it is read from source, from live annotations, or from its JSON Schema."""

from __future__ import annotations

import ast
import enum
import typing
from dataclasses import dataclass, field
from typing import Any, NotRequired, TypedDict

import annotated_types
import pytest
from pydantic import BaseModel, Field

from graphbus_core.contracts import Contract, NeedsImport
from graphbus_core.contracts.parsing import static

SOURCE = '''
class Color(enum.Enum):
    RED = "red"
    BLUE = "blue"

class Item(TypedDict):
    """A thing."""
    name: str
    price: NotRequired[float]

class Loose(Item, total=False):
    note: str

@dataclass
class Line:
    item: Item
    qty: int = 1
    tags: list[str] = field(default_factory=list)

class Tree(TypedDict):
    value: int
    children: "list[Tree]"

class Order(BaseModel):
    model_config = ConfigDict(extra="forbid")
    sku: str = Field(min_length=1)
    qty: int = Field(1, ge=1)

Price = float
LIMIT = 10
'''


class Color(enum.Enum):
    RED = "red"
    BLUE = "blue"


class Item(TypedDict):
    """A thing."""

    name: str
    price: NotRequired[float]


class Loose(Item, total=False):
    note: str


@dataclass
class Line:
    item: Item
    qty: int = 1
    tags: list[str] = field(default_factory=list)


class Tree(TypedDict):
    value: int
    children: list[Tree]


class Order(BaseModel):
    model_config = {"extra": "forbid"}
    sku: str = Field(min_length=1)
    qty: int = Field(1, ge=1)


Price = float

DEFINED: dict[str, ast.AST] = {}
for node in ast.parse(SOURCE).body:
    if isinstance(node, ast.ClassDef):
        DEFINED[node.name] = node
    elif isinstance(node, ast.Assign):
        DEFINED[node.targets[0].id] = node.value


def resolve(name: str) -> Any:
    return (DEFINED[name], resolve) if name in DEFINED else None


CASES = [
    '{"sku": str, "qty": int, "ok": bool, "price": float, "raw": bytes}',
    '{"a": str | None, "b": Optional[int], "c": Union[int, str], "d": list[int] | None}',
    '{"a": list[str], "b": dict[str, int], "c": tuple[int, str], "d": set[int], "e": tuple[int, ...]}',
    '{"a": list, "b": dict, "c": Any, "d": None}',
    '{"kind": Literal["a", "b"], "one": Literal[1], "mixed": Literal["x", 2, None]}',
    '{"source": NotRequired[Annotated[str, "Publication"]], "n": Annotated[int, Ge(0)]}',
    '{"n": Annotated[int, Field(ge=0, lt=10)], "s": Annotated[str, Len(1, 5)]}',
    '{"nested": {"deep": {"x": int}}, "many": list[Item]}',
    "Item",
    "Loose",
    "Line",
    "Color",
    "Tree",
    '{"p": Price, "colors": list[Color]}',
]


@pytest.mark.parametrize("text", CASES)
def test_source_and_live_annotations_give_the_same_contract(text: str) -> None:
    """The scanner reads source only; what it reads must be what an import would give."""
    read = static.read(ast.parse(text, mode="eval").body, resolve)
    assert isinstance(read, Contract), read
    live = Contract.from_annotations(eval(text, {**vars(typing), **vars(annotated_types), **globals()}))
    assert read.to_json_schema() == live.to_json_schema()


@pytest.mark.parametrize("text", CASES)
def test_json_schema_reads_back(text: str) -> None:
    """to_json_schema and from_json_schema are inverse."""
    read = static.read_text(text, resolve)
    assert isinstance(read, Contract)
    assert Contract.from_json_schema(read.to_json_schema()) == read


def test_a_pydantic_model_is_read_from_source() -> None:
    """Bounds, defaults and `extra` are seen without an import, as pydantic itself says them."""
    read = static.read_text("Order", resolve)
    assert isinstance(read, Contract)
    live = Contract.from_annotations(Order).to_json_schema()
    live["properties"]["qty"].pop("default")
    assert read.to_json_schema() == live


def test_what_only_an_import_can_tell_is_a_value_not_an_exception() -> None:
    """The scanner decides what to do about it."""
    read = static.read_text("make_type(3)")
    assert isinstance(read, NeedsImport)
    assert "make_type" in read.reason


def test_a_recursive_type_becomes_a_reference() -> None:
    """Tree mentions itself."""
    read = static.read_text("Tree", resolve)
    assert isinstance(read, Contract)
    schema = read.to_json_schema()
    assert schema["$ref"] == "#/$defs/Tree"
    assert schema["$defs"]["Tree"]["properties"]["children"]["items"] == {"$ref": "#/$defs/Tree"}
