"""A small world, looked at whole: every pair of some schemas, and every payload of a table, against the judge.

The property tests draw from a larger one, and take seconds; this takes less than one.
"""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from graphbus_core.contracts import check, validator
from graphbus_core.contracts.inclusion import formulas
from graphbus_core.contracts.parsing.json_schema import DRAFT2020
from graphbus_core.contracts.validation import judge

TEXT, NUMBER, ONE = {"type": "string"}, {"type": "integer"}, {"const": 1}
TEXTS: list[Any] = ["", "a", "b", "aa", "ab", "ba", "aaa", "abab"]
NUMBERS: list[Any] = [0, 1, 2, 3, -1, 0.5, 1.5, 2.5, 6, -3, 10**6]
LISTS: list[Any] = [[], [1], [1, 1], [1, 2], [2, 1], ["a"], [1, "a"], ["a", "a", 1], [1, 2, 1], [[1], [1]], [1, True]]
OBJECTS: list[Any] = [{}, {"a": 1}, {"a": "x"}, {"b": 1}, {"a": 1, "b": 1}, {"a": "x", "b": 2}, {"c": None, "a": 1}]
OBJECTS += [{"a": 1, "b": 2, "c": 3}, {"ab": 1}, {"ab": "x", "a": 1}]
OTHERS: list[Any] = [None, True, False]
VALUES = [*TEXTS, *NUMBERS, *LISTS, *OBJECTS, *OTHERS]

WORLDS: dict[str, list[dict[str, Any]]] = {
    "string": [
        *({"minLength": n} for n in (1, 2)),
        *({"maxLength": n} for n in (0, 1, 2)),
        *({"pattern": p} for p in ("^a", "b$", "^(ab)*$", "^[^b]{1,2}$", "(?=a)", "^$|aa")),
        {"enum": ["a", "ab"]},
        {"not": {"enum": ["a", "b", ""]}},
        {"pattern": "^a", "maxLength": 2, "not": {"const": "a"}},
        {"anyOf": [{"maxLength": 0}, {"pattern": "b"}]},
    ],
    "number": [
        {"minimum": 1},
        {"exclusiveMinimum": 1},
        {"maximum": 2},
        {"exclusiveMaximum": 2.5},
        {"multipleOf": 1},
        {"multipleOf": 0.5},
        {"multipleOf": 3, "minimum": -3},
        {"enum": [1, 2.5, 6]},
        {"not": {"multipleOf": 2}},
        {"minimum": -1, "maximum": 1, "not": {"enum": [0, 1]}},
        {"anyOf": [{"maximum": 0}, {"multipleOf": 3}]},
    ],
    "array": [
        {"items": NUMBER},
        {"items": TEXT},
        {"prefixItems": [ONE]},
        {"prefixItems": [NUMBER, TEXT], "items": False},
        {"minItems": 2},
        {"maxItems": 1},
        {"uniqueItems": True},
        {"contains": ONE},
        {"contains": TEXT, "minContains": 2},
        {"contains": NUMBER, "minContains": 0, "maxContains": 1},
        {"prefixItems": [{}], "items": NUMBER, "minItems": 1},
        {"unevaluatedItems": False, "contains": NUMBER},
    ],
    "object": [
        {"properties": {"a": NUMBER}},
        {"properties": {"a": TEXT}, "additionalProperties": NUMBER},
        {"required": ["a"]},
        {"required": ["a", "b"], "additionalProperties": NUMBER},
        {"patternProperties": {"^a": NUMBER}},
        {"properties": {"a": NUMBER}, "patternProperties": {"b": NUMBER}, "additionalProperties": False},
        {"propertyNames": {"maxLength": 1}},
        {"minProperties": 1},
        {"maxProperties": 1},
        {"dependentRequired": {"a": ["b"]}},
        {"dependentSchemas": {"b": {"required": ["a"]}}},
        {"properties": {"a": True}, "unevaluatedProperties": NUMBER},
        {"not": {"required": ["c"]}, "maxProperties": 2},
    ],
}


@pytest.mark.parametrize("kind", WORLDS)
def test_every_pair_of_a_type(kind: str) -> None:
    """What a payload of the table refutes is refused, with a payload that the judge confirms; nothing is left open."""
    schemas = [{"type": kind, **one} for one in WORLDS[kind]]
    taken = [[judge.is_accepted(s, v, DRAFT2020) for v in VALUES] for s in schemas]
    for (a, of_a), (b, of_b) in product(zip(schemas, taken, strict=True), repeat=2):
        verdict = check(a, b)
        assert verdict.compatible is not None, (a, b)
        if any(x and not y for x, y in zip(of_a, of_b, strict=True)):
            assert verdict.compatible is False, (a, b)
        if verdict.compatible is False:
            shown = verdict.counterexample
            assert judge.is_accepted(a, shown, DRAFT2020), (a, b, shown)
            assert judge.is_accepted(b, shown, DRAFT2020) is False, (a, b, shown)


COMBINED: list[dict[str, Any]] = [
    {"type": ["string", "null"], "maxLength": 1},
    {"type": ["integer", "array"], "minItems": 1, "minimum": 1},
    {"enum": [1, "a", None, [1], {"a": 1}]},
    {"const": {"a": 1, "b": 1}},
    {"anyOf": [NUMBER, {"type": "object", "required": ["a"]}, {"type": "array", "items": NUMBER}]},
    {"oneOf": [{"type": "number", "minimum": 1}, {"type": "number", "maximum": 2}, TEXT]},
    {"allOf": [{"minimum": 0}, {"maxLength": 2}, {"maxItems": 1}]},
    {"not": {"type": ["string", "array"]}},
    {"if": {"type": "object"}, "then": {"required": ["b"]}, "else": {"not": {"type": "number"}}},
    {"$ref": "#/$defs/n", "$defs": {"n": {"anyOf": [NUMBER, {"type": "array", "items": {"$ref": "#/$defs/n"}}]}}},
    {"anyOf": [{"$ref": "#/$defs/any", "minLength": 2}, {"$ref": "#/$defs/any", "type": "null"}], "$defs": {"any": {}}},
    {
        "anyOf": [
            {"type": "object", "properties": {"a": {"const": "x"}, "b": NUMBER}, "required": ["a", "b"]},
            {"type": "object", "properties": {"a": {"const": "y"}}, "required": ["a"]},
            {"type": "null"},
        ]
    },
    {"anyOf": [{"minLength": 1}, {"type": "null"}], "oneOf": [{"maxLength": 1}, {"pattern": "^a"}]},
]


@pytest.mark.parametrize("kind", [*WORLDS, None])
def test_every_payload_of_the_table(kind: str | None) -> None:
    """With and without the type, alone and as a field and an item."""
    for one in WORLDS[kind] if kind else COMBINED:
        for schema in (one, {"type": kind, **one}) if kind else (one,):
            if "$defs" in schema:
                alone, field, item = schema, schema, schema
            else:
                alone = schema
                field = {"type": "object", "properties": {"f": schema}, "required": ["f"]}
                item = {"type": "array", "items": schema}
            checks = [validator(s).check for s in (alone, field, item)]
            for value in VALUES:
                fits = judge.is_accepted(schema, value, DRAFT2020)
                whole = [value, {"f": value}, [value]] if alone is not field else [value] * 3
                assert [c(v) is None for c, v in zip(checks, whole, strict=True)] == [fits] * 3, (schema, value)


def test_a_formula_and_its_opposite() -> None:
    """Each atom turns into its opposite and back; a bound that says nothing is true, and its opposite false."""
    language = ((("^a", True),), frozenset({"b"}))
    atoms: list[Any] = [("minlen", 2), ("maxprops", 0), ("count", 1, 4, 2), ("most", 0, 4, 3), ("each", language, 6)]
    atoms += [("some", language, 6), ("names", 8), ("name", 8), ("has", "a"), ("all", 1, 4), ("ge", 1), ("nin", (1,))]
    for atom in atoms:
        assert formulas.negate(atom) != atom
        assert formulas.negate(formulas.negate(atom)) == atom
    assert formulas.negate(("some", language, 6)) == ("each", language, 7)
    assert formulas.negate(("minlen", 0)) is False
    assert formulas.negate(("count", 1, 4, 1)) == ("all", 1, 5)
    assert formulas.negate(("count", 1, 4, 0)) is False
    assert formulas.conj([]) is True
    assert formulas.disj([]) is False


def test_values_are_equal_as_json() -> None:
    for one, other, alike in [
        ([1, [2.0]], [1.0, [2]], True),
        ({"a": [1]}, {"a": [1.0]}, True),
        ({"a": 1}, {"a": True}, False),
        ([1, 2], [2, 1], False),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, True),
        ([], {}, False),
    ]:
        assert (formulas.make_key(one) == formulas.make_key(other)) is alike


def test_bounds_of_every_dialect() -> None:
    """`exclusiveMinimum: 3` means nothing in draft 4, `true` means nothing since; halves are rounded to what fits."""
    three = {"exclusiveMinimum": 3}
    assert (list(formulas.build_number_atoms(three, 4)), list(formulas.build_number_atoms(three, 6))) == (
        [],
        [("gt", 3)],
    )
    assert list(formulas.build_number_atoms({"minimum": 3, "exclusiveMinimum": True}, 4)) == [("gt", 3)]
    assert list(formulas.build_number_atoms({"exclusiveMaximum": True}, 2020)) == []
    assert (formulas.build_maximum("maxlen", 2.5), formulas.build_maximum("maxlen", -1)) == (("maxlen", 2), False)
    assert (formulas.build_minimum("minlen", 1.5), formulas.build_minimum("minlen", 0)) == (("minlen", 2), True)
    assert [formulas.is_json(v) for v in ([1, {"a": 2.5}], [float("nan")], {"a": [float("inf")]})] == [
        True,
        False,
        False,
    ]
