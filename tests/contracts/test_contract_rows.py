"""Small tables: each keyword's payload beside the one it refuses, each reason, each refusal of an operation."""

from __future__ import annotations

from typing import Any, NotRequired

import pytest

from graphbus_core.contracts import Contract, apply_operation, check, compare, validator
from graphbus_core.contracts.loaders.schema_check import check_schema
from graphbus_core.contracts.parsing import contract, json_schema
from graphbus_core.contracts.parsing.json_schema import DRAFT4, DRAFT7, DRAFT2019, DRAFT2020
from graphbus_core.contracts.validation import first_error, judge
from graphbus_core.contracts.validation.validator import is_readable
from graphbus_core.errors import ContractError
from graphbus_core.model.operation import AddField, RemoveField, RenameField

of = Contract.from_annotations
INT, TEXT = {"type": "integer"}, {"type": "string"}


def kind(name: str, **more: Any) -> dict[str, Any]:
    fields = {"k": {"const": name}, **more}
    return {"type": "object", "properties": fields, "required": list(fields)}


PAYLOADS: list[tuple[dict[str, Any], Any, Any]] = [
    ({**TEXT, "pattern": "^a"}, "ab", "b"),
    ({**TEXT, "minLength": 2, "maxLength": 3}, "ab", "a"),
    ({**TEXT, "minLength": 2, "maxLength": 3}, "abc", "abcd"),
    ({**TEXT, "format": "date"}, "2026-01-31", "2026-02-31"),
    ({"type": ["string", "null"], "format": "date"}, None, "x"),
    ({**INT, "minimum": 3, "maximum": 4}, 3, 2),
    ({**INT, "exclusiveMinimum": 3, "exclusiveMaximum": 5}, 4, 3),
    ({**INT, "exclusiveMinimum": 3, "exclusiveMaximum": 5}, 4, 5),
    ({**INT, "multipleOf": 3}, 6, 7),
    ({"type": "number", "multipleOf": 0.5}, 1.5, 1.6),
    ({"type": "number"}, 1.5, True),
    (INT, 2.0, 2.5),
    ({"enum": [1, "a", None]}, 1.0, True),
    ({"type": "string", "enum": ["a", "bb"], "minLength": 2}, "bb", "a"),
    ({"type": "array", "items": INT, "minItems": 1}, [1], []),
    ({"type": "array", "items": INT}, [1, 2], [1, "a"]),
    ({"type": "array", "uniqueItems": True}, [1, "1"], [1, 1.0]),
    ({"type": "array", "prefixItems": [TEXT], "items": INT}, ["a", 1], ["a", "b"]),
    ({"type": "array", "prefixItems": [TEXT]}, ["a", None], [1]),
    ({"type": "array", "contains": INT, "minContains": 2}, ["a", 1, 2], ["a", 1]),
    ({"type": "object", "properties": {"a": INT}, "additionalProperties": False}, {"a": 1}, {"b": 1}),
    ({"type": "object", "properties": {"a": True}, "additionalProperties": INT}, {"a": "x", "b": 1}, {"b": "x"}),
    ({"type": "object", "properties": {"a": INT}, "required": ["a"]}, {"a": 1}, {}),
    ({"type": "object", "properties": {"a": False}}, {"b": 1}, {"a": 1}),
    ({"type": "object", "propertyNames": {"pattern": "^a"}}, {"ab": 1}, {"b": 1}),
    ({"type": "object", "patternProperties": {"^a": INT}, "additionalProperties": False}, {"ab": 1}, {"b": 1}),
    ({"type": "object", "minProperties": 1, "maxProperties": 1}, {"a": 1}, {"a": 1, "b": 1}),
    ({"type": "object", "dependentRequired": {"a": ["b"]}}, {"b": 1}, {"a": 1}),
    ({"anyOf": [kind("a", x=INT), kind("b", x=TEXT)]}, {"k": "b", "x": "t"}, {"k": "a", "x": "t"}),
    ({"oneOf": [INT, {"minimum": 3, "type": "number"}]}, 3.5, 4),
    ({"allOf": [INT, {"minimum": 3}]}, 3, 2),
    ({"not": INT}, "a", 1),
    ({"if": INT, "then": {"minimum": 3}, "else": TEXT}, 3, 2.5),
    ({"$ref": "#/$defs/a", "$defs": {"a": INT}}, 1, "a"),
    ({"minLength": 2}, 1, "a"),
]


@pytest.mark.parametrize(("schema", "taken", "refused"), PAYLOADS)
def test_a_payload_and_its_neighbour(schema: dict[str, Any], taken: Any, refused: Any) -> None:
    """Checked as it is and within a list and an object, where another road is taken; as the judge says."""
    for wrap, around in (
        (lambda s: s, lambda v: v),
        (lambda s: {"type": "array", "items": s}, lambda v: [v, v]),
        (lambda s: {"type": "object", "additionalProperties": s}, lambda v: {"f": v}),
        (lambda s: {"anyOf": [s, {"const": "no"}]}, lambda v: v),
    ):
        whole = {k: v for k, v in wrap(schema).items() if k != "$defs"} | {"$defs": schema.get("$defs", {})}
        check_payload, formats = validator(whole, formats=True).check, frozenset({"date"})
        assert check_payload(around(taken)) is None
        assert check_payload(around(refused)) is not None
        assert judge.is_accepted(whole, around(taken), DRAFT2020, formats) is True
        assert judge.is_accepted(whole, around(refused), DRAFT2020, formats) is False


def test_a_format_counts_in_a_payload_where_it_is_asked_for() -> None:
    """Of a plain schema; a contract checks those that stand for a Python type."""
    day = {"type": "string", "format": "date"}
    assert validator(day).check("x") is None
    assert validator(day, formats=True).check("x") is not None
    assert validator(day, side="payload").check("x") is not None
    closed = {"type": "object", "properties": {"a": INT}}
    assert validator(closed, side="output").check({"b": 1}) is not None
    assert validator(closed).check({"b": 1}) is None


@pytest.mark.parametrize(
    ("schema", "known"),
    [
        ({"$ref": "#"}, False),
        ({"properties": {"a": {"$ref": "#"}}}, True),
        ({"properties": {"a": {"$ref": "#/properties/b"}, "b": INT}}, True),
        ({"properties": {"a": {"$ref": "#b"}}}, False),
        ({"properties": {"a": {"$ref": "#/none"}}}, False),
        ({"$ref": 3}, False),
        ({"type": "strings"}, False),
        ({"multipleOf": 0}, False),
        ({"multipleOf": 0.5}, True),
        ({"minLength": True}, False),
        ({"uniqueItems": True}, True),
        ({"properties": {"a": {"$id": "x"}}}, False),
        ({"unevaluatedProperties": False}, False),
        ({"properties": {"a": True}}, True),
    ],
)
def test_what_the_quick_check_of_payloads_may_rely_on(schema: dict[str, Any], known: bool) -> None:
    """Elsewhere the judge is asked."""
    assert is_readable(schema) is known


@pytest.mark.parametrize(
    ("producer", "consumer", "wanted"),
    [
        (of({"a": {"x": int}}), of({"a": {"x": int, "y": int}}), [("missing_field", "a.y")]),
        (of({"a": {"x": NotRequired[int]}}), of({"a": {"x": int}}), [("optional_field", "a.x")]),
        (of({"x": NotRequired[int]}), of({"x": int}), [("optional_field", "x")]),
        (of({"a": [int]}), of({"a": [str]}), [("type", "a[]")]),
        (TEXT, {**TEXT, "pattern": "^b"}, [("pattern", "")]),
        (TEXT, {"enum": ["a"]}, [("value", "")]),
        (INT, {"maximum": 3}, [("bound", "")]),
        ({"required": ["a"], "type": "object"}, {"required": ["a", "b"]}, [("missing_field", "b")]),
    ],
)
def test_a_reason_names_its_kind_and_its_place(producer: Any, consumer: Any, wanted: list[tuple[str, str]]) -> None:
    """One for each field that does not fit, and of each a message."""
    found = check(producer, consumer).reasons
    assert [(r.kind, r.path) for r in found] == wanted
    assert all(r.message for r in found)


HERE: dict[str, Any] = {"node": "N", "method": "m", "side": "output"}
ORDER = of({"id": str, "lines": [{"qty": int}]})


@pytest.mark.parametrize(
    "op",
    [
        AddField(**HERE, field="", type="int"),
        AddField(**HERE, field="lines[]", type="int"),
        AddField(**HERE, field="id", type="int"),
        AddField(**HERE, field="id.more", type="int"),
        AddField(**HERE, field="none.more", type="int"),
        RemoveField(**HERE, field="qty"),
        RenameField(**HERE, field="id", to="lines"),
        RenameField(**HERE, field="id", to="a.b"),
        RenameField(**HERE, field="id", to="a[]"),
        RenameField(**HERE, field="id", to=""),
    ],
)
def test_an_operation_that_no_field_fits_is_refused(op: Any) -> None:
    """And the contract stays as it is."""
    with pytest.raises(ContractError, match=op.op):
        apply_operation(ORDER.to_json_schema(), op)


@pytest.mark.parametrize(
    ("schema", "why"),
    [
        ({"multipleOf": 0}, "/multipleOf a number above 0"),
        ({"properties": {"a": {"required": [1]}}}, "/properties/a/required a list of names"),
        ({"minLength": "a"}, "/minLength"),
        ({"type": "text"}, "/type"),
        ({"$ref": "#/none"}, "#/none"),
        ([], "a list"),
    ],
)
def test_what_is_no_schema_is_refused_with_its_place(schema: Any, why: str) -> None:
    """Before anything is compared."""
    with pytest.raises(ContractError, match=why):
        check_schema(schema, "a.json", DRAFT2020)
    check_schema({"multipleOf": 1, "required": ["a"]}, "a.json", DRAFT2020)


@pytest.mark.parametrize(
    ("draft", "old", "new"),
    [
        (DRAFT4, {"minimum": 3, "exclusiveMinimum": True}, {"exclusiveMinimum": 3}),
        (DRAFT4, {"maximum": 3, "exclusiveMaximum": True}, {"exclusiveMaximum": 3}),
        (DRAFT4, {"minimum": 3, "exclusiveMinimum": False}, {"minimum": 3}),
        (DRAFT7, {"$ref": "#/a", "type": "null"}, {"$ref": "#/a"}),
        (DRAFT2019, {"$ref": "#/a", "type": "null"}, {"$ref": "#/a", "type": "null"}),
        (DRAFT7, {"items": [INT], "additionalItems": False}, {"prefixItems": [INT], "items": False}),
        (
            DRAFT7,
            {"dependencies": {"a": ["b"], "c": INT}},
            {"dependentRequired": {"a": ["b"]}, "dependentSchemas": {"c": INT}},
        ),
        (DRAFT7, {"prefixItems": [INT], "dependentRequired": {"a": ["b"]}, "type": "array"}, {"type": "array"}),
    ],
)
def test_an_older_dialect_in_the_words_of_the_newest(draft: int, old: dict[str, Any], new: dict[str, Any]) -> None:
    """What the older one did not know is left out."""
    assert json_schema.convert_to_newest(old, draft) == new


@pytest.mark.parametrize(
    ("written", "sent"),
    [
        ({"type": "object", "properties": {"a": INT}}, [({"a": 1}, True), ({"a": 1, "b": 1}, False)]),
        (
            {"allOf": [{"properties": {"a": INT}}, {"properties": {"b": INT}}]},
            [({"a": 1, "b": 1}, True), ({"c": 1}, False)],
        ),
        (
            {"allOf": [{"allOf": [{"properties": {"a": INT}}]}, TEXT | {"type": "object"}]},
            [({"a": 1}, True), ({"c": 1}, False)],
        ),
        (
            {"oneOf": [{"properties": {"a": INT}, "required": ["a"]}, TEXT]},
            [({"a": 1}, True), ({"a": 1, "b": 1}, False)],
        ),
        ({"type": "object"}, [({"a": 1}, True)]),
        ({"type": "object", "properties": {}, "additionalProperties": INT}, [({"a": 1}, True), ({"a": "x"}, False)]),
    ],
)
def test_who_sends_sends_what_it_declares(written: dict[str, Any], sent: list[tuple[Any, bool]]) -> None:
    """And who takes it, takes more; however the fields are put together."""
    for value, fits in sent:
        assert judge.is_accepted(contract.close_schema(written), value, DRAFT2020) is fits
    shut = {**written, "additionalProperties": False} if "properties" in written else written
    assert contract.open_schema(shut).get("additionalProperties") is not False


def test_which_branch_a_value_was_meant_for() -> None:
    """By its tag, by its type, by its fields, and not where two are as near."""
    a, b = kind("a", x=INT), kind("b", y=INT)
    both = first_error.UnionBranches([a, b], {})
    assert (both.find_by_tag({"k": "b"}), both.find_by_tag({"k": 1}), both.find_by_tag("b")) == (1, None, None)
    assert both.telling == ["x", "y"]
    plain = first_error.UnionBranches([INT, TEXT, {"type": ["array", "null"]}, a], {})
    for value, at in ((1, 0), ("s", 1), ([], 2), (None, 2)):
        assert plain.find_likeliest(value, [True] * 4) == (at, "the only alternative of its type")
    loose = [{"type": "object", "properties": dict.fromkeys(names, INT)} for names in ("abc", "xyz")]
    near = first_error.UnionBranches(loose, {})
    assert near.find_likeliest({"x": "1", "y": "1"}, [False, False]) == (1, "the nearest of 2 alternatives")
    assert near.find_likeliest({"q": 1}, [False, False]) is None
    assert near.find_likeliest({"x": "1"}, [True, False]) == (1, "the only alternative with these fields")
    assert first_error.UnionBranches([kind("a"), kind("a")], {}).tag is None
    assert first_error.UnionBranches([kind("a"), kind("b"), {"minimum": 3}], {}).tag is None
    assert first_error.UnionBranches([kind("a"), kind("b"), {"type": "null"}], {}).tag == "k"


def test_names_of_types_are_found_wherever_they_stand() -> None:
    """In lists and objects alike."""
    marked = {"type": "string", "format": "date"}
    inside = {"properties": {"a": {"anyOf": [marked, {"type": "null"}]}}}
    assert contract.find_tagged_types(inside) == contract.find_tagged_types(marked) != frozenset()


def test_a_definition_may_be_an_older_one_or_none() -> None:
    """What says nothing changed has no line, whatever stands beside a reference."""
    old = {"properties": {"a": {"$ref": "#/$defs/d", "description": "x"}}, "$defs": {"d": INT}}
    new = {"properties": {"a": {"$ref": "#/$defs/d", "description": "x"}}, "$defs": {"d": INT, "e": TEXT}}
    assert compare(old, new).lines == ()
    assert [c.kind for c in compare(old, {**new, "$defs": {"d": TEXT}}).lines] == ["field_retyped"]


def test_another_name_of_the_same_document_changes_nothing() -> None:
    """References within it go on leading where they led."""
    old = {"$id": "https://example.com/a", "properties": {"a": {"$ref": "#/$defs/d"}}, "$defs": {"d": INT}}
    assert compare(old, {**old, "$id": "https://example.com/b"}).lines == ()


def test_an_enum_and_a_type_are_sets() -> None:
    """Their order says nothing; the order of a tuple does."""
    for key, one, other in (("enum", ["a", "b"], ["b", "a"]), ("type", ["string", "null"], ["null", "string"])):
        assert compare({"properties": {"f": {key: one}}}, {"properties": {"f": {key: other}}}).lines == ()
    assert compare({"prefixItems": [INT, TEXT]}, {"prefixItems": [TEXT, INT]}).lines != ()


def test_a_verdict_as_json_has_a_payload_only_where_there_is_one() -> None:
    """Null is a payload, too."""
    assert check(INT, INT).to_dict() == {"compatible": True, "reasons": []}
    assert check({"type": "null"}, INT).to_dict()["counterexample"] is None
