"""Types that live annotations may name, each as the JSON that a value of it becomes."""

from __future__ import annotations

import re
from ipaddress import IPv4Address, IPv4Interface, IPv6Network
from typing import Annotated, Any, Generic, TypeVar, Union

import attrs
import msgspec
import pytest
from typing_extensions import TypeAliasType

from graphbus_core.contracts import Contract, check, validator

T = TypeVar("T")
Json = TypeAliasType("Json", "dict[str, Json] | list[Json] | str | int | None")
Nested = TypeAliasType("Nested", "T | list[Nested[T]]", type_params=(T,))
Many = TypeAliasType("Many", list[T], type_params=(T,))


@attrs.define
class Parcel:
    """A class of attrs."""

    sku: str
    tags: list[str] = attrs.field(factory=list)
    number: int = attrs.field(init=False, default=1)


class Cat(msgspec.Struct, tag=True, rename="camel"):
    full_name: str
    lives: Annotated[int, msgspec.Meta(ge=1)] = 9


class Pair(msgspec.Struct, Generic[T], array_like=True):
    first: int
    second: T


def schema(hint: Any, side: str | None = None) -> dict[str, Any]:
    return Contract.from_annotations(hint, side=side).to_json_schema()


def test_a_class_of_attrs_is_its_fields() -> None:
    """A default may be left out by who sends to it; what is not of `__init__` is sent, and not taken."""
    assert schema(Parcel)["required"] == ["sku"]
    assert set(schema(Parcel)["properties"]) == {"sku", "tags"}
    assert schema(Parcel, "output")["required"] == ["sku", "tags", "number"]
    assert validator(Contract.from_annotations({"p": Parcel}), side="input").check({"p": Parcel("a")}) is None
    assert str(validator(Contract.from_annotations(Parcel)).check({"sku": 1})) == "sku: must be string, got 1"


@pytest.mark.parametrize("value", [Cat("Tom"), Cat("Tom", 1), Pair(1, "a")], ids=repr)
def test_a_struct_is_what_msgspec_writes(value: Any) -> None:
    """Its contract takes the live value and its JSON, as msgspec does, with names, tag and form of its own."""
    hint: Any = Pair[str] if isinstance(value, Pair) else Cat
    check_struct = validator(Contract.from_annotations(hint, side="output"), side="output").check
    assert check_struct(value) is None
    assert check_struct(msgspec.to_builtins(value)) is None


def test_a_struct_refuses_what_msgspec_refuses() -> None:
    check_cat = validator(Contract.from_annotations(Cat)).check
    for payload in ({"fullName": "Tom"}, {"fullName": "Tom", "type": "Dog"}, {"fullName": "Tom", "lives": 0}, {}):
        try:
            msgspec.convert(payload, Cat)
        except msgspec.ValidationError:
            assert check_cat(payload) is not None, payload
        else:
            assert check_cat(payload) is None, payload
    assert validator(Contract.from_annotations(Pair[str])).check([1]) is not None
    assert validator(Contract.from_annotations(Pair[str])).check([1, 2]) is not None


@pytest.mark.parametrize(
    ("hint", "live", "form"),
    [
        (IPv4Address, IPv4Address("192.0.2.1"), "ipv4"),
        (IPv4Interface, IPv4Interface("192.0.2.1/24"), "ipv4interface"),
        (IPv6Network, IPv6Network("2001:db8::/32"), "ipv6network"),
        (re.Pattern, re.compile("^a"), "regex"),
        (re.Pattern[str], re.compile("^a"), "regex"),
    ],
    ids=str,
)
def test_an_address_and_a_pattern_are_texts_of_their_own(hint: Any, live: Any, form: str) -> None:
    """As a UUID is: a text in JSON, and no `str` in one process."""
    contract = Contract.from_annotations({"a": hint})
    assert contract.fields["a"] == {"type": "string", "format": form}
    assert validator(contract).check({"a": live}) is None
    text = Contract.from_annotations({"a": str})
    assert check(contract, text).compatible is False
    assert check(contract, text, formats=True).compatible is True
    assert validator(text, side="input").check({"a": live}) is not None


def test_an_alias_may_mention_itself() -> None:
    """It is a definition then, with what it was given for its variables."""
    takes = validator(Contract.from_annotations({"j": Json})).check
    assert takes({"j": {"a": [1, "b", None, {"c": []}]}}) is None
    assert takes({"j": {"a": [1.5]}}) is not None
    numbers = validator(Contract.from_annotations({"n": Nested[int]})).check
    assert numbers({"n": [1, [2, [3]]]}) is None
    assert numbers({"n": [1, ["2"]]}) is not None
    assert schema({"m": Many[int]})["properties"]["m"] == {"type": "array", "items": {"type": "integer"}}


def test_a_union_with_anything_still_has_to_be_there() -> None:
    """`{}` lacks the field, whatever it may hold."""
    for hint in (Union[Annotated[Any, "a text"], None], Union[Annotated[Any, "a text"], str], Any):  # noqa: UP007
        contract = Contract.from_annotations({"kind": hint})
        assert check(Contract.from_annotations({}), contract).compatible is False
        assert validator(contract, side="input").check({}) is not None
        assert validator(contract, side="input").check({"kind": 1}) is None
