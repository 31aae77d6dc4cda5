"""Each road to a verdict alone: elsewhere the slow one mends what the fast one misses, and hides what it gets wrong."""

from __future__ import annotations

from typing import Any

import pytest

from graphbus_core.contracts import check
from graphbus_core.contracts.inclusion import fast_path
from graphbus_core.contracts.inclusion.solver import Decision, decide
from graphbus_core.contracts.parsing.json_schema import DRAFT2020
from graphbus_core.contracts.validation import judge
from tests.contracts.test_contract_subset import FITS, REFUSED

INT, TEXT, DAY = {"type": "integer"}, {"type": "string"}, {"format": "date"}
LIST, OBJECT = {"type": "array"}, {"type": "object"}

SEEN: list[tuple[Any, Any]] = [
    (False, INT),
    (INT, True),
    (INT, {}),
    ({"type": ["integer", "number"]}, {"type": "number"}),
    ({"type": ["integer", "null"]}, {"type": ["null", "number", "string"]}),
    (INT, DAY),
    ({**TEXT, **DAY}, {**TEXT, **DAY}),
    ({"enum": [1, None, "a", 2.5, True]}, {"enum": ["a", True, 2.5, None, 1, 7]}),
    ({"enum": [1, "a"]}, {"type": ["integer", "string"]}),
    ({"enum": [1]}, {"type": "integer"}),
    ({"enum": [1]}, {"type": "number", "title": "any"}),
    ({"exclusiveMinimum": 3}, {"minimum": 3}),
    ({"exclusiveMaximum": 3}, {"maximum": 3}),
    ({**TEXT, "minLength": 2}, {"minLength": 2, "minimum": 7}),
    ({**INT, "multipleOf": 3}, {"multipleOf": 3, "pattern": "a"}),
    ({**TEXT, "pattern": "^a"}, {"pattern": "^a"}),
    ({**LIST, "uniqueItems": True}, {"uniqueItems": True}),
    (LIST, {"uniqueItems": False}),
    ({**LIST, "items": INT}, {"items": {"type": "number"}}),
    (TEXT, {"items": INT, "uniqueItems": True, "properties": {"a": INT}, "additionalProperties": INT}),
    ({**OBJECT, "properties": {"a": INT}, "required": ["a", "b"]}, {"properties": {"a": INT}, "required": ["a"]}),
    ({**OBJECT, "properties": {"a": INT}, "additionalProperties": False}, {"additionalProperties": INT}),
    ({**OBJECT, "properties": {"a": TEXT}, "additionalProperties": INT}, {"properties": {"b": INT}}),
    ({"anyOf": [INT, TEXT]}, {"anyOf": [TEXT, {"type": "null"}, INT]}),
    (INT, {"anyOf": [TEXT, INT]}),
    ({**INT, "minimum": 3}, {"allOf": [INT, {"minimum": 3}]}),
]

NEAR_MISSES: list[tuple[Any, Any]] = [
    (INT, False),
    ({}, INT),
    ({"type": "number"}, INT),
    ({"type": ["integer", "null"]}, {"type": ["integer", "string"]}),
    ({"type": ["integer", "string"]}, DAY),
    ({"enum": ["a"]}, DAY),
    ({"enum": [True]}, {"enum": [1]}),
    ({"enum": [1, 2]}, {"enum": [1]}),
    ({"enum": [True]}, {"type": ["integer", "number"]}),
    ({"enum": [1.5]}, INT),
    ({"enum": [None]}, {"type": ["boolean", "string"]}),
    ({"enum": ["a"]}, {"minLength": 2}),
    ({"minimum": 3}, {"exclusiveMinimum": 3}),
    ({"maximum": 3}, {"exclusiveMaximum": 3}),
    ({**INT, "minimum": 2}, {"minimum": 3}),
    ({**INT, "maximum": 4}, {"maximum": 3}),
    (INT, {"minimum": 3}),
    (INT, {"multipleOf": 2}),
    ({**INT, "multipleOf": 3}, {"multipleOf": 6}),
    ({**TEXT, "pattern": "a"}, {"pattern": "^a"}),
    ({**LIST, "uniqueItems": False}, {"uniqueItems": True}),
    ({**LIST, "items": INT}, {"items": TEXT}),
    ({**LIST, "prefixItems": [TEXT], "items": INT}, {"items": INT}),
    ({**LIST, "items": INT}, {"prefixItems": [TEXT], "items": INT}),
    ({**OBJECT, "patternProperties": {"^a": TEXT}, "additionalProperties": INT}, {"properties": {"a": INT}}),
    ({**OBJECT, "patternProperties": {"^a": TEXT}, "additionalProperties": INT}, {"additionalProperties": INT}),
    ({**OBJECT, "properties": {"a": TEXT}, "additionalProperties": False}, {"additionalProperties": INT}),
    ({**OBJECT, "properties": {"a": INT}}, {"additionalProperties": INT}),
    ({**OBJECT, "properties": {"a": INT}}, {"properties": {"a": INT, "b": INT}}),
    ({**OBJECT, "required": ["a"]}, {"required": ["a", "b"]}),
    ({"anyOf": [INT, TEXT]}, {"anyOf": [INT, {"type": "null"}]}),
    (INT, {"allOf": [INT, {"minimum": 3}]}),
    ({**TEXT, **DAY}, {"type": "null"}),
    ({**LIST, "uniqueItems": True, "contains": {"const": 5}}, {"type": "null"}),
    ({**LIST, "contains": {"const": 1}, "maxContains": 1}, {"type": "null"}),
    ({**LIST, "contains": {"const": 1}, "minContains": 2, "maxContains": 2, "items": INT}, {"maxItems": 1}),
    ({**OBJECT, "propertyNames": {"const": ""}, "minProperties": 1}, {"type": "null"}),
    ({"const": [1, 1.0]}, {"uniqueItems": True}),
]

SEARCHED: list[tuple[Any, Any]] = [
    ({**TEXT, **DAY}, {"not": {**TEXT, "not": DAY}}),
    ({**OBJECT, "properties": {"a": False}, "additionalProperties": False}, {"additionalProperties": False}),
    ({**OBJECT, "properties": {"a": False}, "additionalProperties": False}, {"maxProperties": 0}),
    ({**TEXT, "minLength": 1.5}, {"minLength": 2}),
    ({**TEXT, "maxLength": 1.5}, {"maxLength": 1}),
    ({"const": [1, 2]}, {"uniqueItems": True}),
    ({**LIST, "prefixItems": [{"const": 1}, {"const": 2}], "maxItems": 2}, {"anyOf": [{"uniqueItems": True}, TEXT]}),
]


@pytest.mark.parametrize(("a", "b"), SEEN)
def test_what_is_seen_at_a_glance(a: Any, b: Any) -> None:
    """Proven without a search: two large editions that are nearly alike take microseconds."""
    assert fast_path.prove_inclusion(a, b, fast_path.FastPathState(frozenset({"date"})))


@pytest.mark.parametrize(("a", "b"), NEAR_MISSES)
def test_a_glance_never_proves_what_does_not_hold(a: Any, b: Any) -> None:
    """A yes is believed at once, so each rule has a pair that it must not take; the slow road refutes it."""
    assert not fast_path.prove_inclusion(a, b, fast_path.FastPathState(frozenset({"date"})))
    assert check(a, b, formats=True).has_counterexample


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ({"$ref": "#/definitions/s", "type": "integer", "definitions": {"s": TEXT}}, INT),
        ({"minimum": 0}, {"minimum": 0, "exclusiveMinimum": True}),
        ({"maximum": 0}, {"maximum": 0, "exclusiveMaximum": True}),
        ({**LIST, "items": [INT]}, {"items": INT}),
        ({**LIST, "items": [INT, INT]}, {"items": [INT, TEXT]}),
    ],
)
def test_nor_in_an_older_dialect(a: Any, b: Any) -> None:
    """Where the same word meant something else."""
    assert not fast_path.prove_inclusion(a, b, fast_path.FastPathState())
    assert check(a, b, dialect="draft4").has_counterexample


@pytest.mark.parametrize(("a", "b"), [*((a, b) for _, a, b in FITS), *SEEN, *SEARCHED])
def test_the_search_proves_it_too(a: Any, b: Any) -> None:
    """Without the fast road before it."""
    assert decide(a, DRAFT2020, b, DRAFT2020, formats=frozenset({"date"})).within is True


@pytest.mark.parametrize(("a", "b"), [*((a, b) for _, a, b in REFUSED), *NEAR_MISSES])
def test_the_search_refutes_it_alone(a: Any, b: Any) -> None:
    """Its first value holds, without values by chance behind it."""
    found = decide(a, DRAFT2020, b, DRAFT2020, formats=frozenset({"date"}))
    assert found.within is False
    assert judge.is_accepted(a, found.value, DRAFT2020, frozenset({"date"}))
    assert judge.is_accepted(b, found.value, DRAFT2020, frozenset({"date"})) is False


@pytest.mark.parametrize(
    "wrong",
    [
        *({"minimum": bound} for bound in (True, "a", float("inf"), float("nan"))),
        *({"type": kind} for kind in (["integer", "text"], ["null", {}], "text", 3)),
        *({"minLength": "a"}, {"multipleOf": 0}, {"required": [1]}, {"allOf": {}}, {"properties": []}),
    ],
)
def test_words_of_another_form_are_given_up(wrong: dict[str, Any]) -> None:
    """They mean nothing that could be proved."""
    assert decide({"type": ["integer", "string", "object"]}, DRAFT2020, wrong, DRAFT2020).within is None


def test_more_values_are_offered_where_there_are_more() -> None:
    """All different, the first one first; the judge may be of another mind about one."""
    found = decide(INT, DRAFT2020, TEXT, DRAFT2020)
    values = list(found.find_values(4))
    assert len(set(values)) == 4
    assert values[0] == found.value
    assert sorted(decide({"enum": [1, 2]}, DRAFT2020, TEXT, DRAFT2020).find_values(8)) == [1, 2]


def test_a_name_that_is_made_can_be_read() -> None:
    """The empty name is legal, and nobody sees it in a message."""
    found = decide(OBJECT, DRAFT2020, {"additionalProperties": False}, DRAFT2020)
    assert "" not in found.value


def test_where_the_judge_does_not_agree_another_value_is_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the search offers is never shown unconfirmed, and one wrong value is no end."""
    offered = Decision(False, -1, goal=frozenset())
    monkeypatch.setattr(Decision, "find_values", lambda self, count: iter([self.value]))
    monkeypatch.setattr("graphbus_core.contracts.full_check.decide", lambda *_, **__: offered)
    verdict = check(INT, {"maximum": 0})
    assert verdict.compatible is False
    assert verdict.counterexample > 0


def test_values_by_chance_are_tried_beyond_the_first() -> None:
    """Where the search was given up: the judge is asked again as long as it can say."""
    assert check(INT, {"enum": list(range(-3, 4))}, steps=1).has_counterexample
