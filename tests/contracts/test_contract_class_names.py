"""Classes whose contract was read wrongly, or not: names, definitions, members (seen beside pydantic)."""

from __future__ import annotations

import ast
import enum
import sys
import types
from dataclasses import dataclass
from typing import Annotated, Any, Literal, NotRequired, TypedDict, Unpack

import pytest
from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

from graphbus_core.contracts import Contract, NeedsImport, check, validator
from graphbus_core.contracts.parsing import static
from graphbus_core.errors import ContractError


class Permission(enum.Flag):
    READ = enum.auto()
    WRITE = enum.auto()


class Aliased(BaseModel):
    size: int = Field(alias="theSize")


class Camel(BaseModel):
    model_config = ConfigDict(alias_generator=to_camel)
    my_name: int


class Renamed(BaseModel):
    size: int = Field(validation_alias="read", serialization_alias="written")


class Written(BaseModel):
    size: int = Field(serialization_alias="written")


class Mark(enum.Enum):
    R = "r"
    ONE = 1


def model(name: str, **fields: Any) -> Any:
    return type(name, (BaseModel,), {"__annotations__": fields, "__module__": __name__})


def test_two_models_of_one_name_keep_their_own_definitions() -> None:
    """The second `Item` must not become the type of the first field."""
    first = model("First", item=model("Item", a=int))
    second = model("Second", item=model("Item", b=str))
    contract = Contract.from_annotations({"first": first, "second": second})
    check_payload = validator(contract).check
    assert check_payload({"first": {"item": {"a": 1}}, "second": {"item": {"b": "x"}}}) is None
    assert check_payload({"first": {"item": {"b": "x"}}, "second": {"item": {"b": "x"}}}) is not None
    again = Contract.from_annotations({"first": first, "second": first})
    assert list(again.to_json_schema()["$defs"]) == ["Item"]


def test_a_union_tells_1_from_true() -> None:
    """To Python the two constants are equal; to JSON they are not."""
    both = Contract.from_annotations(Literal[1] | Literal[True])
    assert check(Contract.from_annotations(Literal[True]), both).compatible is True
    assert static.read_text("Literal[1] | Literal[True]") == both


def test_members_of_a_flag_combine() -> None:
    """READ | WRITE is 3, which is not a member: the contract must not say 1 or 2."""
    contract = Contract.from_annotations({"may": Permission})
    assert validator(contract, side="output").check({"may": Permission.READ | Permission.WRITE}) is None


def test_an_unpacked_tuple_is_no_item() -> None:
    """`tuple[int, *tuple[str, ...]]` is an int and then texts."""
    contract = Contract.from_annotations(tuple[int, *tuple[str, ...]])
    assert contract == Contract.from_annotations(tuple[int, Unpack[tuple[str, ...]]])  # noqa: UP044 - both are written
    assert validator(contract).check([1, "a", "b"]) is None
    assert validator(contract).check([1, ["a"]]) is not None
    assert Contract.from_annotations(tuple[int, *tuple[str, int]]) == Contract.from_annotations(tuple[int, str, int])
    assert static.read_text("tuple[int, Unpack[tuple[str, ...]]]") == contract
    assert static.read_text("tuple[int, *tuple[str, int]]") == Contract.from_annotations(tuple[int, str, int])
    assert isinstance(static.read_text("tuple[*tuple[str, ...], int]"), NeedsImport)
    with pytest.raises(ContractError, match="only the last part"):
        Contract.from_annotations(tuple[*tuple[str, ...], int])


@pytest.mark.parametrize(
    ("contract", "payload"),
    [
        (Aliased, Aliased(theSize=1)),
        (Camel, Camel(myName=1)),
        (Renamed, Renamed(read=1)),
        (Written, Written(size=1)),
        ({"inner": Aliased}, {"inner": Aliased(theSize=1)}),
        (dict[Mark, int], {Mark.R: 1, Mark.ONE: 2}),
        ({"1": int}, {1: 2}),
    ],
)
def test_a_payload_is_checked_under_the_names_of_its_contract(contract: Any, payload: Any) -> None:
    """A model that pydantic has made fits the contract that was read from it; keys are those that JSON writes."""
    assert validator(Contract.from_annotations(contract), side="output").check(payload) is None


def test_an_enum_of_what_is_no_json_is_refused() -> None:
    """It was held, and the first check of it was a TypeError."""
    with pytest.raises(ContractError, match="Odd holds a value that has no JSON form"):
        Contract.from_annotations(enum.Enum("Odd", {"A": object()}))
    pair = enum.Enum("Pair", {"A": (1, 2)})
    assert Contract.from_annotations(pair).to_json_schema() == {"const": [1, 2]}


def test_inherited_fields_are_read_where_they_stand(monkeypatch: pytest.MonkeyPatch) -> None:
    """A base in another module, with `from __future__ import annotations`: its names are that module's."""
    base = types.ModuleType("shop_base")
    monkeypatch.setitem(sys.modules, "shop_base", base)
    source = (
        "from __future__ import annotations\nfrom dataclasses import dataclass\nfrom typing import TypedDict\n"
        "from decimal import Decimal as Money\n"
        "@dataclass\nclass Base:\n    price: Money\n"
        "class Row(TypedDict):\n    price: Money\n"
    )
    exec(compile(source, "shop_base", "exec", dont_inherit=True), vars(base))
    child = dataclass(type("Child", (base.Base,), {"__annotations__": {"n": int}, "__module__": __name__}))
    row = types.new_class("Sub", (base.Row,), {}, lambda ns: ns.update({"__module__": __name__}))
    for at in (child, row):
        assert Contract.from_annotations(at).fields["price"] == {"type": "string", "format": "decimal"}


SOURCE = """
class Perm(Flag):
    A = auto()
    B = auto()

class Typed(Enum):
    A: int = 1
    B = 2

class Texts(StrEnum):
    pass

class Low(Texts):
    ONE = auto()

class Camel(BaseModel):
    model_config = ConfigDict(alias_generator=to_camel)
    my_name: int

class OldCamel(BaseModel):
    my_name: int
    class Config:
        alias_generator = to_camel

class Inside(BaseModel):
    size: Annotated[int, Field(alias="theSize")]

class Both(BaseModel):
    size: int = Field(alias="x", validation_alias="read", serialization_alias="written")

@dataclass
class Made:
    size: int
    seed: InitVar[int] = 1
    _: KW_ONLY
    more: int = 2
"""
CLASSES = {n.name: n for n in ast.parse(SOURCE).body if isinstance(n, ast.ClassDef)}


def resolve(name: str) -> Any:
    return (CLASSES[name], resolve) if name in CLASSES else None


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Perm", int),
        ("Typed", Literal[1, 2]),
        ("Low", Literal["one"]),
        ("Both", TypedDict("Both", {"read": int})),
        ("Made", TypedDict("Made", {"size": int, "seed": NotRequired[int], "more": NotRequired[int]})),
    ],
)
def test_source_is_read_as_python_means_it(name: str, expected: Any) -> None:
    """The reader of source gives what the live class is."""
    assert static.read(CLASSES[name], resolve) == Contract.from_annotations(expected)


@pytest.mark.parametrize("name", ["Camel", "OldCamel", "Inside"])
def test_names_that_only_pydantic_knows_are_not_guessed(name: str) -> None:
    """An alias generator, or an alias inside Annotated: the class must be imported to tell."""
    assert isinstance(static.read(CLASSES[name], resolve), NeedsImport)


def test_a_description_inside_annotated_is_still_read_from_source() -> None:
    """Only what names a field or makes it optional sends a model to the import."""
    source = ast.parse("class M(BaseModel):\n    size: Annotated[int, Field(ge=1)]\n").body[0]
    assert static.read(source) == Contract.from_annotations({"size": Annotated[int, Field(ge=1)]})
