"""Inclusion by example: each keyword, each dialect, recursion, patterns, bounds. As many that fit as that do not."""

from __future__ import annotations

from typing import Any

import pytest

from graphbus_core.contracts import Contract, check
from graphbus_core.contracts.inclusion.languages import TermArena
from graphbus_core.contracts.inclusion.regex import compile_pattern
from graphbus_core.contracts.verdict import Budget, Inconclusive

TREE = {"type": "object", "properties": {"kids": {"type": "array", "items": {"$ref": "#"}}, "v": {"type": "integer"}}}
LOOSE_TREE = {"type": "object", "properties": {"kids": {"items": {"$ref": "#"}}, "v": {"type": "number"}}}
ENDLESS = {"type": "object", "properties": {"next": {"$ref": "#"}}, "required": ["next"]}


def text(pattern: str, **more: Any) -> dict[str, Any]:
    return {"type": "string", "pattern": pattern, **more}


FITS: list[tuple[str, Any, Any]] = [
    ("integer within number", {"type": "integer"}, {"type": "number"}),
    ("multiples of 6 are multiples of 3", {"type": "integer", "multipleOf": 6}, {"multipleOf": 3}),
    ("multiples are exact decimals", {"type": "number", "multipleOf": 0.3}, {"multipleOf": 0.1}),
    ("whole steps are integers", {"type": "number", "multipleOf": 1.0}, {"type": "integer"}),
    ("open bounds of integers", {"type": "integer", "exclusiveMinimum": 0, "exclusiveMaximum": 2}, {"const": 1}),
    ("1 is 1.0", {"const": 1}, {"enum": [1.0]}),
    ("arrays are equal by items", {"const": [1, {"a": 1}]}, {"enum": [[1.0, {"a": 1.0}]]}),
    ("a pattern within another", text("^a{2,3}$"), text("^a+$")),
    ("a pattern bounds the length", text("^[ab]{3}$"), {"minLength": 3, "maxLength": 3}),
    ("a length bounds a pattern", text("^a*$", maxLength=2), {"enum": ["", "a", "aa"]}),
    ("lookahead", text("^(?!foo)[a-z]{3}$"), {"not": {"const": "foo"}}),
    ("not not", {"not": {"not": {"type": "string"}}}, {"type": "string"}),
    ("types cover everything", True, {"type": ["null", "boolean", "number", "string", "array", "object"]}),
    ("anyOf by cases", {"type": ["integer", "null"]}, {"anyOf": [{"type": "null"}, {"type": "number"}]}),
    (
        "a union that only together covers",
        {"type": "integer", "minimum": 0, "maximum": 9},
        {"anyOf": [{"maximum": 4}, {"minimum": 5}]},
    ),
    ("oneOf of what cannot overlap", {"type": "string"}, {"oneOf": [{"type": "string"}, {"type": "null"}]}),
    (
        "if then else",
        {"type": "object", "properties": {"k": {"const": 1}, "v": {"type": "string"}}, "required": ["k"]},
        {"if": {"properties": {"k": {"const": 1}}}, "then": {"properties": {"v": {"type": "string"}}}, "else": False},
    ),
    (
        "fields and the rest",
        {"properties": {"a": {"type": "integer"}}, "additionalProperties": False},
        {"additionalProperties": {"type": "number"}},
    ),
    (
        "patterns of names",
        {"type": "object", "patternProperties": {"^a": {"type": "integer"}}, "additionalProperties": False},
        {"propertyNames": {"pattern": "^a"}, "patternProperties": {"^ab": {"type": "number"}}},
    ),
    ("required counts", {"type": "object", "required": ["a", "b"]}, {"minProperties": 2}),
    ("names are finite", {"type": "object", "propertyNames": {"enum": ["a", "b"]}}, {"maxProperties": 2}),
    ("dependentRequired", {"required": ["a", "b"]}, {"dependentRequired": {"a": ["b"]}}),
    ("unique items of few values", {"type": "array", "items": {"enum": [1, 2]}, "uniqueItems": True}, {"maxItems": 2}),
    (
        "contains of a prefix",
        {"type": "array", "prefixItems": [{"const": 1}], "minItems": 1},
        {"contains": {"type": "integer"}},
    ),
    (
        "two kinds in three items",
        {"type": "array", "minItems": 3, "items": {"enum": [1, 2]}},
        {"anyOf": [{"contains": {"const": 1}, "minContains": 2}, {"contains": {"const": 2}, "minContains": 2}]},
    ),
    (
        "unevaluatedProperties sees through allOf",
        {
            "type": "object",
            "allOf": [{"properties": {"a": {"type": "integer"}}}],
            "properties": {"b": {}},
            "unevaluatedProperties": False,
        },
        {"propertyNames": {"enum": ["a", "b"]}},
    ),
    (
        "unevaluatedProperties sees through dependentSchemas",
        {"type": "object", "required": ["a"], "propertyNames": {"enum": ["a", "b"]}},
        {"properties": {"a": {}}, "dependentSchemas": {"a": {"properties": {"b": {}}}}, "unevaluatedProperties": False},
    ),
    ("a recursive tree", TREE, LOOSE_TREE),
    ("what never ends is nothing", ENDLESS, False),
    ("the meta-schema", {"$ref": "http://json-schema.org/draft-07/schema#"}, {"type": ["object", "boolean"]}),
]

# A value of ONE is an object, or a pair of arrays around another ONE; one of TWO needs a ONE.
TWO_IN_TURN = {
    "type": "array",
    "prefixItems": [{"$ref": "#/$defs/one"}, {"$ref": "#/$defs/two"}],
    "minItems": 2,
    "$defs": {
        "one": {
            "anyOf": [
                {"type": "array", "prefixItems": [{"$ref": "#/$defs/two"}], "minItems": 1},
                {"type": "object"},
            ]
        },
        "two": {"type": "array", "prefixItems": [{"$ref": "#/$defs/one"}], "minItems": 1},
    },
}

REFUSED: list[tuple[str, Any, Any]] = [
    ("what was empty only while another was under way", TWO_IN_TURN, False),
    (
        "an open object of the same fields",
        {"type": "object", "properties": {"a": {}}},
        {"properties": {"a": {}}, "additionalProperties": False},
    ),
    (
        "unevaluatedProperties where dependentSchemas do not hold",
        {"type": "object"},
        {"dependentSchemas": {"a": {"properties": {"b": {}}}}, "unevaluatedProperties": False},
    ),
    ("true is not 1", {"const": True}, {"const": 1}),
    ("number is not integer", {"type": "number"}, {"type": "integer"}),
    ("multiples of 3 are not of 6", {"type": "integer", "multipleOf": 3}, {"multipleOf": 6}),
    ("between integers", {"type": "number", "minimum": 0, "maximum": 1}, {"enum": [0, 1]}),
    ("a hole in a union", {"type": "number", "minimum": 0}, {"anyOf": [{"maximum": 4}, {"minimum": 5}]}),
    ("a pattern is found anywhere", {"type": "string", "pattern": "a"}, {"pattern": "^a"}),
    ("oneOf of what overlaps", {"type": "integer"}, {"oneOf": [{"type": "integer"}, {"minimum": 0}]}),
    ("an open object", {"properties": {"a": {}}}, {"additionalProperties": False}),
    ("a name that patterns miss", {"patternProperties": {"^a": False}}, {"propertyNames": {"not": {"pattern": "b"}}}),
    ("not unique", {"type": "array", "items": {"type": "boolean"}, "maxItems": 2}, {"uniqueItems": True}),
    (
        "contains too many",
        {"type": "array", "items": {"const": 1}},
        {"contains": True, "minContains": 0, "maxContains": 2},
    ),
    ("a missing dependency", {"required": ["a"]}, {"dependentRequired": {"a": ["b"]}}),
    ("a deep leaf of a tree", LOOSE_TREE, TREE),
    ("nothing is within False", {}, False),
    (
        "unevaluatedItems",
        {"type": "array", "prefixItems": [{"type": "string"}]},
        {"prefixItems": [True], "unevaluatedItems": {"type": "string"}},
    ),
]


@pytest.mark.parametrize(("a", "b"), [c[1:] for c in FITS], ids=[c[0] for c in FITS])
def test_fits(a: Any, b: Any) -> None:
    """Proven, and the other way round there is a payload or it fits too."""
    assert check(a, b).compatible is True
    back = check(b, a)
    assert back.compatible is True or back.has_counterexample


@pytest.mark.parametrize(("a", "b"), [c[1:] for c in REFUSED], ids=[c[0] for c in REFUSED])
def test_does_not_fit(a: Any, b: Any) -> None:
    """Refused, with a payload."""
    verdict = check(a, b)
    assert verdict.compatible is False
    assert verdict.has_counterexample
    assert verdict.reasons


DIALECTS: list[tuple[str, Any, Any, bool]] = [
    ("draft4", {"type": "integer", "minimum": 0, "exclusiveMinimum": True}, {"minimum": 1}, True),
    ("draft7", {"items": [{"type": "string"}], "additionalItems": False}, {"items": {"type": "string"}}, True),
    ("draft7", {"dependencies": {"a": ["b"]}}, {"required": ["b"]}, False),
    ("draft7", {"type": "object", "dependencies": {"a": ["b"]}, "required": ["a"]}, {"required": ["b"]}, True),
    ("2020-12", {"type": "object", "dependencies": {"a": ["b"]}, "required": ["a"]}, {"required": ["b"]}, False),
    ("draft7", {"type": "string"}, {"$ref": "#/definitions/s", "type": "null", "definitions": {"s": {}}}, True),
    ("2020-12", {"type": "string"}, {"$ref": "#/$defs/s", "type": "null", "$defs": {"s": {}}}, False),
    ("2019-09", {"items": [True], "unevaluatedItems": False, "type": "array"}, {"maxItems": 1}, True),
]


@pytest.mark.parametrize(("dialect", "a", "b", "fits"), DIALECTS)
def test_a_dialect_decides_what_words_mean(dialect: str, a: Any, b: Any, fits: bool) -> None:
    """The same words in two dialects, and a declared $schema over the argument."""
    assert check(a, b, dialect=dialect).compatible is fits


def test_schema_decides_over_the_argument() -> None:
    """`$schema` says draft 4: `exclusiveMinimum: true` belongs to `minimum`."""
    old = {
        "$schema": "http://json-schema.org/draft-04/schema#",
        "minimum": 0,
        "exclusiveMinimum": True,
        "type": "integer",
    }
    assert check(old, {"minimum": 1}, dialect="2020-12").compatible is True


def test_format_counts_only_where_it_is_asked_for() -> None:
    """And on a link, where it stands for a Python type."""
    day, any_text = {"type": "string", "format": "date"}, {"type": "string"}
    assert check(any_text, day).compatible is True
    assert check(any_text, day, formats=True).compatible is False
    assert check(day, any_text, formats=True).compatible is True
    mail = {"type": "string", "format": "email"}
    assert check(Contract(any_text), Contract(mail)).compatible is True
    assert check(Contract(any_text), Contract(day)).compatible is False


HOSTILE = [
    ({"type": "string", "pattern": "(a|b)*a(a|b){20}$"}, {"pattern": "^(.*a.*b){15}"}),
    ({"$ref": "#"}, {"type": "string"}),
    ({"type": "string", "minLength": 10**9}, {"maxLength": 5}),
    ({"type": "array", "minItems": 10**9}, {"maxItems": 5}),
    ({"type": "string", "pattern": "(a)\\1"}, {"pattern": "^(aa)*$"}),
    ({"$ref": "https://example.com/elsewhere"}, {"type": "string"}),
]


@pytest.mark.parametrize(("a", "b"), HOSTILE)
def test_what_cannot_be_decided_is_given_up_with_a_reason(a: Any, b: Any) -> None:
    """None or a proven no; never a guess, a hang or a traceback."""
    verdict = check(a, b, steps=20_000)
    assert verdict.compatible is None or verdict.has_counterexample
    assert verdict.reasons


def test_a_foreign_reference_is_never_fetched(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither by us nor by the judge."""
    import socket

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("the network was asked")

    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    monkeypatch.setattr(socket.socket, "connect", refuse)
    foreign = {"$ref": "https://example.com/elsewhere"}
    assert check({"type": "string"}, foreign).compatible is None
    assert check(foreign, {"type": "string"}).compatible is None


@pytest.mark.parametrize("wrap", ["properties", "anyOf", "not"])
def test_deep_nesting_does_not_recurse_out(wrap: str) -> None:
    """Thousands of levels: an answer or None."""
    schema: Any = {"type": "integer"}
    for _ in range(3000):
        schema = {wrap: {"a": schema} if wrap == "properties" else [schema] if wrap == "anyOf" else schema}
    assert check(schema, {"type": "string"}, steps=20_000).compatible is not True
    other: Any = {"type": "integer"}
    for _ in range(3000):
        other = {wrap: {"a": other} if wrap == "properties" else [other] if wrap == "anyOf" else other}
    assert check(schema, other, steps=20_000).compatible is not False
    assert check({"type": "string"}, schema, steps=20_000).compatible in (None, True, False)


def test_the_same_schemas_take_the_same_steps() -> None:
    """The bound is in steps, not in time: what it gives up, it gives up everywhere."""
    a = {"type": "string", "pattern": "(a|b)*a(a|b){9}$"}
    b = {"pattern": "^(.*a.*b){2}"}
    assert [check(a, b, steps=n).compatible for n in (100, 100, 10**6)] == [None, None, False]


@pytest.mark.parametrize(
    ("pattern", "taken", "refused"),
    [
        ("^a|b", ["a", "xb"], ["xa", ""]),
        ("(^a|b)c", ["ac", "xbc"], ["xac"]),
        ("^(?:(?!ab).)*$", ["", "aab"[:2], "ba"], ["ab", "xaby"]),
        ("^(?=.*a)(?=.*b).{2,3}$", ["ab", "xba"], ["aa", "abxx"]),
        (r"^\d+(\.\d+)?$", ["1", "1.5"], ["1.", "٣"]),
        (r"^\p{Lu}", ["Ä"], ["ä"]),
        ("^[^a-c]$", ["d", "é"], ["a", ""]),
        ("a{2}", ["xaax"], ["axa"]),
        ("^a{2,}$", ["aa", "aaa"], ["a"]),
        ("^a{22", ["a{22"], ["aa"]),
        (r"^[\b]$", ["\x08"], ["b"]),
        ("^[a-c]+?$", ["b", "cab"], ["d", ""]),
    ],
)
def test_a_pattern_is_the_language_that_ecma_says(pattern: str, taken: list[str], refused: list[str]) -> None:
    """Anchors, lookahead, classes, repetition: found anywhere unless anchored."""
    arena = TermArena(Budget(100_000))
    term = arena.compile_pattern(pattern)
    assert [arena.contains(term, t) for t in taken] == [True] * len(taken)
    assert [arena.contains(term, t) for t in refused] == [False] * len(refused)
    spelled = compile_pattern(pattern)
    assert [bool(spelled.search(t)) for t in [*taken, *refused]] == [True] * len(taken) + [False] * len(refused)


MAYBE_AT_THE_START = ["a?^c", "(a?b?)^c", "(a?){2}^c", "(a|b?)^c"]


@pytest.mark.parametrize(
    "pattern", [r"(a)\1", r"\bword", "(?<=a)b", "(", "[z-a]", "a{3,1}", "(?i)a", *MAYBE_AT_THE_START]
)
def test_a_pattern_that_is_not_read_says_so(pattern: str) -> None:
    """Inconclusive, never a wrong language."""
    with pytest.raises(Inconclusive):
        TermArena(Budget(100_000)).compile_pattern(pattern)
