"""What is sent and what is taken: defaults, models in both modes, types that are text in JSON only, unknown classes."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any, Generic, NotRequired, TypedDict, TypeVar
from uuid import uuid4

import pytest
import typing_extensions
from pydantic import BaseModel, Field, computed_field

from graphbus_core.contracts import Contract, NeedsImport, check, validator
from graphbus_core.contracts.parsing import static

T = TypeVar("T")


@dataclass
class Order:
    sku: str
    qty: int = 1
    tags: list[str] = field(default_factory=list)


class Model(BaseModel):
    size: int = Field(serialization_alias="written", default=1)
    secret: str = Field(exclude=True, default="x")

    @computed_field  # type: ignore[prop-decorator]
    @property
    def area(self) -> int:
        return self.size**2


class Frame:
    """A class that no contract knows."""


class Wide(Frame):
    """One of its kind."""


@dataclass
class Box(Generic[T]):
    item: T


class Crate(TypedDict, Generic[T]):
    item: T
    more: NotRequired[list[T]]


class Late(typing_extensions.TypedDict):
    n: int
    x: typing_extensions.NotRequired[str]


def required(contract: Any) -> list[str]:
    return sorted(contract.to_json_schema().get("required", ()))


def test_a_default_is_there_once_it_is_sent() -> None:
    """Who takes an Order may leave qty out; who gives one never does."""
    assert required(Contract.from_annotations(Order)) == ["sku"]
    assert required(Contract.from_annotations(Order, side="output")) == ["qty", "sku", "tags"]
    consumer = Contract.from_annotations({"qty": int})
    assert check(Contract.from_annotations(Order, side="output"), consumer).compatible is True
    assert check(Contract.from_annotations(Order), consumer).compatible is False


def test_a_model_is_sent_as_it_is_serialized() -> None:
    """Excluded fields do not go out, computed ones do, under the written names; a dumped model fits."""
    sent, taken = Contract.from_annotations(Model, side="output"), Contract.from_annotations(Model)
    assert sorted(sent.fields) == ["area", "written"]
    assert sorted(taken.fields) == ["secret", "size"]
    assert required(sent) == ["area", "written"]
    assert validator(sent, side="output").check(Model()) is None


SOURCE = """
@dataclass
class Order:
    sku: str
    qty: int = 1

class Model(BaseModel):
    size: int = Field(serialization_alias="written", default=1)
    secret: str = Field(exclude=True, default="x")
    @computed_field
    @property
    def area(self) -> int: ...

class Odd(BaseModel):
    size: int
    @field_serializer("size")
    def text(self, value): ...

class Plain: ...
class Child(Plain): ...
class Foreign(elsewhere.Base): ...
"""
CLASSES = {n.name: n for n in ast.parse(SOURCE).body if isinstance(n, ast.ClassDef)}


def resolve(name: str) -> Any:
    return (CLASSES[name], resolve) if name in CLASSES else None


@pytest.mark.parametrize("side", ["input", "output", None])
def test_source_knows_both_sides(side: str | None) -> None:
    """The reader of source gives what the live class gives, on each side."""
    read, live = static.read(CLASSES["Model"], resolve, side=side), Contract.from_annotations(Model, side=side)
    assert isinstance(read, Contract)
    assert sorted(read.fields) == sorted(live.fields)
    assert required(read) == required(live)


def test_a_serializer_must_be_run() -> None:
    """What it writes is not in the source; what is taken is."""
    assert isinstance(static.read(CLASSES["Odd"], resolve, side="output"), NeedsImport)
    assert not isinstance(static.read(CLASSES["Odd"], resolve, side="input"), NeedsImport)


def test_an_unknown_class_is_a_type_of_its_name() -> None:
    """Equal to itself, unlike others; one that may be a model in disguise is left to the import."""
    one = static.read(CLASSES["Child"], resolve)
    assert isinstance(one, Contract)
    assert one.to_json_schema() == {"x-python-type": "Child"}
    assert isinstance(static.read(CLASSES["Foreign"], resolve), NeedsImport)
    frame, path = Contract.from_annotations({"f": Frame}), Contract.from_annotations({"f": Path})
    assert check(frame, frame).compatible is True
    assert check(frame, path).compatible is False
    assert check(path, frame).compatible is False
    assert "Frame" in check(frame, path).reasons[0].message
    bare = Contract({"type": "object", "properties": {"f": {"x-python-type": "Frame"}}, "required": ["f"]})
    assert check(frame, bare).compatible is True  # read from source, where the module is not known


def test_an_unknown_class_is_told_by_isinstance() -> None:
    """Heirs too; its JSON form is none."""
    ask = validator(Contract.from_annotations({"f": Frame, "n": int}), side="input").check
    assert ask({"f": Wide(), "n": 1}) is None
    assert str(ask({"f": "frame", "n": 1})).startswith("f: must be an object of the class")
    assert ask({"f": Wide(), "n": "1"}) is not None


@pytest.mark.parametrize("value", [datetime.now(UTC), uuid4(), Path("a")])
def test_a_live_value_of_another_class_is_no_str(value: Any) -> None:
    """Where it is promised it fits, also as the text that came over the wire."""
    text = validator(Contract.from_annotations({"a": str}), side="input").check
    assert str(text({"a": value})).startswith("a: must be string")
    own = validator(Contract.from_annotations({"a": type(value)}), side="input").check
    assert own({"a": value}) is None
    assert own({"a": value.isoformat() if isinstance(value, datetime) else str(value)}) is None


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        (Box[int], {"item": {"type": "integer"}}),
        (Crate[str], {"item": {"type": "string"}, "more": {"type": "array", "items": {"type": "string"}}}),
        (Box[Crate[int]], None),
        (Late, {"n": {"type": "integer"}, "x": {"type": "string"}}),
    ],
)
def test_generic_classes_and_those_of_typing_extensions(kind: Any, fields: Any) -> None:
    """Type variables stand for what they are given; seen as errors and as a bare object."""
    contract = Contract.from_annotations(kind)
    assert fields is None or contract.fields == fields
    if kind == Box[Crate[int]]:
        assert contract.fields["item"]["properties"]["more"]["items"] == {"type": "integer"}


@pytest.mark.parametrize(
    ("contract", "good", "bad", "path"),
    [
        (dict[str, list[int]], {"x": [1]}, {"x": ["1"]}, "x[0]"),
        (dict[str, Late], {"x": {"n": 1}}, {"x": {"n": "a"}}, "x.n"),
        (list[dict[str, list[Late]]], [{"a": [{"n": 1}]}], [{"a": [{"n": 1}, {}]}], "[0].a[1].n"),
        (dict[str, Annotated[int, Field(ge=1)]], {"a": 1}, {"a": 0}, "a"),
    ],
)
def test_functions_within_functions_have_names_of_their_own(contract: Any, good: Any, bad: Any, path: str) -> None:
    """Two of one name: a valid payload raised, and a wrong one passed."""
    ask = validator(Contract.from_annotations(contract)).check
    assert ask(good) is None
    violation = ask(bad)
    assert violation is not None
    assert violation.path == path


def test_a_union_says_which_branch_is_meant() -> None:
    """By the discriminator, by the type, by the fields."""
    cat = {"type": "object", "properties": {"kind": {"const": "cat"}, "lives": {"type": "integer"}}}
    dog = {"type": "object", "properties": {"kind": {"const": "dog"}, "bark": {"type": "string"}}}
    union = {"anyOf": [{**cat, "required": ["kind", "lives"]}, {**dog, "required": ["kind"]}, {"type": "array"}]}
    ask = validator(union).check
    assert str(ask({"kind": "cat", "lives": "nine"})) == "lives: must be integer, got \"nine\" (as kind 'cat' says)"
    assert str(ask({"kind": "cow"})) == 'kind: must be one of "cat", "dog", got "cow"'
    assert str(ask({})) == "kind: is missing"
    assert str(ask(3)).startswith("the payload: fits none of ")
