"""`unevaluatedProperties` and `unevaluatedItems` behind every applicator, each value judged by another program too."""

from __future__ import annotations

from typing import Any

import jsonschema
import pytest

from graphbus_core.contracts.inclusion.solver import decide
from graphbus_core.contracts.parsing.json_schema import DRAFT2019, DRAFT2020

A, B = {"properties": {"a": {"type": "integer"}}}, {"properties": {"b": {"type": "integer"}}}
OBJECTS: tuple[Any, ...] = (
    {},
    {"a": 1},
    {"b": 1},
    {"a": 1, "b": 1},
    {"a": 1, "c": 1},
    {"b": 1, "c": 1},
    {"c": 1},
    {"c": "x"},
)
ARRAYS: tuple[Any, ...] = ([], [1], [1, 2], [1, "x"], ["x"], ["x", 1], [1, 2, 3], ["x", "y"], [None])
SHUT, TEXTS = {"unevaluatedProperties": False}, {"unevaluatedProperties": {"type": "string"}}
SCHEMAS: dict[str, tuple[dict[str, Any], tuple[Any, ...]]] = {
    "its own properties": ({**A, **SHUT}, OBJECTS),
    "its own patterns": ({"patternProperties": {"^[ab]$": {}}, **SHUT}, OBJECTS),
    "additionalProperties evaluates all": ({"additionalProperties": {"type": "integer"}, **SHUT}, OBJECTS),
    "a rule for the rest": ({**A, **TEXTS}, OBJECTS),
    "a rule that takes anything": ({**A, "unevaluatedProperties": True}, OBJECTS),
    "allOf": ({"allOf": [A, B], **SHUT}, OBJECTS),
    "anyOf, by what holds": ({"anyOf": [{**A, "required": ["a"]}, {**B, "required": ["b"]}], **SHUT}, OBJECTS),
    "oneOf, by what holds": ({"oneOf": [{**A, "required": ["a"]}, {**B, "required": ["b"]}], **SHUT}, OBJECTS),
    "if and then": ({"if": {"required": ["a"]}, "then": A, "else": B, **SHUT}, OBJECTS),
    "what if itself evaluates": ({"if": {**A, "required": ["a"]}, **SHUT}, OBJECTS),
    "else alone": ({"if": {"required": ["a"]}, "else": {"properties": {"c": {}}}, **SHUT}, OBJECTS),
    "dependentSchemas": ({**A, "dependentSchemas": {"a": {"properties": {"c": {}}}}, **SHUT}, OBJECTS),
    "a reference": ({"$defs": {"A": A}, "$ref": "#/$defs/A", **SHUT}, OBJECTS),
    "below, its own counts": ({"allOf": [{**A, "unevaluatedProperties": {"type": "integer"}}], **SHUT}, OBJECTS),
    "not evaluates nothing": ({"not": {"not": A}, **SHUT}, OBJECTS),
    "patterns of two": (
        {"allOf": [{"patternProperties": {"^a$": {}}}, {"patternProperties": {"^b$": {}}}], **SHUT},
        OBJECTS,
    ),
    "else, where the condition holds": (
        {**A, "if": {"required": ["a"]}, "else": {"properties": {"c": {}}}, **SHUT},
        OBJECTS,
    ),
    "what two contain": (
        {"allOf": [{"contains": {"type": "integer"}}, {"contains": {"type": "string"}}], "unevaluatedItems": False},
        ARRAYS,
    ),
    "its own prefix": ({"prefixItems": [{"type": "integer"}], "unevaluatedItems": False}, ARRAYS),
    "the longer prefix": (
        {"allOf": [{"prefixItems": [{}]}, {"prefixItems": [{}, {}]}], "unevaluatedItems": False},
        ARRAYS,
    ),
    "a rule for later items": ({"prefixItems": [{}], "unevaluatedItems": {"type": "string"}}, ARRAYS),
    "items evaluates all": ({"items": {"type": "integer"}, "unevaluatedItems": False}, ARRAYS),
    "contains, wherever they stand": ({"contains": {"type": "integer"}, "unevaluatedItems": False}, ARRAYS),
    "contains, or the rule": ({"contains": {"type": "integer"}, "unevaluatedItems": {"type": "string"}}, ARRAYS),
    "items of what holds": (
        {
            "anyOf": [{"prefixItems": [{"type": "integer"}]}, {"prefixItems": [{}, {"const": 1}]}],
            "unevaluatedItems": False,
        },
        ARRAYS,
    ),
    "below, its own items count": (
        {"allOf": [{"unevaluatedItems": {"type": "integer"}}], "unevaluatedItems": False},
        ARRAYS,
    ),
    "arrays are none of its business": ({**A, **SHUT}, ARRAYS),
}


@pytest.mark.parametrize("name", SCHEMAS)
def test_each_value_is_in_as_another_program_says(name: str) -> None:
    """A schema of one value is within this one where jsonschema takes the value; by the decision, not by the judge."""
    schema, values = SCHEMAS[name]
    judge = jsonschema.Draft202012Validator(schema)
    for value in values:
        assert decide({"enum": [value]}, DRAFT2020, schema, DRAFT2020).within is judge.is_valid(value), value


def test_additional_items_evaluate_the_rest_where_items_is_a_list() -> None:
    """Until draft 2020-12 a list stood in `items`, and what comes after it in `additionalItems`."""
    schema = {"items": [{}], "additionalItems": {"type": "integer"}, "unevaluatedItems": False}
    judge = jsonschema.Draft201909Validator(schema)
    for value in ARRAYS:
        assert decide({"enum": [value]}, DRAFT2019, schema, DRAFT2019).within is judge.is_valid(value), value


def test_a_chain_of_references_is_followed_so_far_and_no_further() -> None:
    """Twenty are looked through; more are given up, with a reason, and no verdict is guessed."""

    def chain(length: int) -> dict[str, Any]:
        links = {f"n{n}": {"$ref": f"#/$defs/n{n + 1}"} for n in range(length)}
        return {"$defs": {**links, f"n{length}": A}, "$ref": "#/$defs/n0", **SHUT}

    assert decide({"enum": [{"a": 1}]}, DRAFT2020, chain(19), DRAFT2020).within is True
    found = decide({"enum": [{"a": 1}]}, DRAFT2020, chain(40), DRAFT2020)
    assert found.within is None
    assert "references that do not end" in str(found.reason)
