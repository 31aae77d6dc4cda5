"""Changes wherever they stand: behind references, in unions and lists; with places, proofs, and nothing invented."""

from __future__ import annotations

from time import process_time
from typing import Any

import pytest

from graphbus_core.contracts import Contract, changes, check, compare, method_changes
from graphbus_core.errors import ContractError
from graphbus_core.model.schema import Schema, SchemaMethod


def obj(required: Any = (), **fields: Any) -> dict[str, Any]:
    made: dict[str, Any] = {"type": "object", "properties": {k: {"type": v} for k, v in fields.items()}}
    return {**made, "required": list(required)} if required else made


def lines(old: Any, new: Any, reading: str = "link") -> list[tuple[str, str, list[str]]]:
    return [(c.kind, c.path, sorted(c.breaks)) for c in compare(old, new, reading=reading).lines]


A, AB = obj(["a"], a="string"), obj(["a", "b"], a="string", b="integer")
HIDDEN = [
    ("a root reference", lambda x: {"$ref": "#/$defs/x", "$defs": {"x": x}}, "b"),
    ("allOf", lambda x: {"allOf": [x, {"type": "object"}]}, "b"),
    ("items", lambda x: {"type": "array", "items": x}, "[].b"),
    ("a tuple", lambda x: {"type": "array", "prefixItems": [True, x]}, "[1].b"),
    ("dict values", lambda x: {"type": "object", "additionalProperties": x}, "*.b"),
    ("pattern properties", lambda x: {"type": "object", "patternProperties": {"^k": x}}, "/^k/.b"),
    ("a union", lambda x: {"anyOf": [{"type": "null"}, x]}, "<1>.b"),
    ("a field", lambda x: {"type": "object", "properties": {"f": {"$ref": "#/d/x"}}, "d": {"x": x}}, "f.b"),
]  # fmt: skip


@pytest.mark.parametrize(("wrap", "path"), [h[1:] for h in HIDDEN], ids=[h[0] for h in HIDDEN])
def test_a_field_is_found_wherever_it_stands(wrap: Any, path: str) -> None:
    """A root `$ref` or `allOf` hid it, and a whole schema was one line."""
    for reading in ("strict", "link", "lenient"):
        found = compare(wrap(A), wrap(AB), reading=reading)
        assert [(c.kind, c.path) for c in found.lines] == [("field_added", path)]
        assert found.lines[0].breaks == {"input"}
        proof = found.lines[0].payloads["input"]
        assert check({"enum": [proof]}, wrap(A)).compatible is True
        assert check({"enum": [proof]}, wrap(AB)).compatible is False


def test_a_shared_definition_is_told_once() -> None:
    """Used twice, changed once; at the definition, on both sides."""
    whole = {"type": "object", "properties": {"x": {"$ref": "#/$defs/d"}, "y": {"$ref": "#/$defs/d"}}}
    found = compare({**whole, "$defs": {"d": A}}, {**whole, "$defs": {"d": AB}}).lines
    assert [c.path for c in found] == ["x.b"]
    assert found[0].pointers == ("/$defs/d", "/$defs/d/properties/b")


def test_branches_are_matched_by_their_discriminator() -> None:
    """In another order, with one gone and one come."""

    def kind(name: str, **fields: str) -> dict[str, Any]:
        made = obj(["kind", *fields], **fields)
        return {**made, "properties": {"kind": {"const": name}, **made["properties"]}}

    old = {"anyOf": [kind("cat", lives="integer"), kind("dog", bark="string"), kind("cow", milk="integer")]}
    new = {"anyOf": [kind("dog", bark="integer"), kind("cat", lives="integer"), kind("hen", egg="integer")]}
    assert lines(old, new) == [
        ("branch_removed", "", ["input"]),
        ("branch_added", "", ["output"]),
        ("field_retyped", "<dog>.bark", ["input", "output"]),
    ]


@pytest.mark.parametrize(
    ("reading", "sides"), [("strict", ["input"]), ("link", []), ("lenient", ["input"])]
)  # fmt: skip
def test_readings_have_names(reading: str, sides: list[str]) -> None:
    """An optional field that comes: an open sender may have sent anything under that name, a closed one nothing."""
    assert lines(obj(a="string"), obj(a="string", b="string"), reading) == [("field_added", "b", sides)]
    shut = {"additionalProperties": False}
    strict = lines({**obj(a="string"), **shut}, {**obj(a="string", b="string"), **shut}, reading)
    assert strict == [("field_added", "b", ["output"] if reading == "strict" else [])]


def test_what_breaks_only_together_is_one_line() -> None:
    """Each bound by itself leaves a value; both leave none."""
    old = {"type": "integer"}
    new = {"allOf": [{"type": "integer", "not": {"minimum": 5}}]}
    found = compare(old, new, reading="strict")
    assert found.fits("input") is False
    moved = compare({"enum": [1, 2], "type": "integer"}, {"type": "integer", "minimum": 1, "maximum": 2})
    assert [c.breaks for c in moved.lines] in ([], [frozenset()])


def test_words_are_told_and_break_nothing() -> None:
    """Defaults, titles, deprecations, descriptions."""
    old = {"type": "string", "title": "A", "default": "x"}
    new = {"type": "string", "title": "B", "deprecated": True, "description": "d"}
    found = compare(old, new).lines
    assert {c.kind for c in found} == {"annotation_changed", "redescribed"}
    assert len(found) == 4
    assert not any(c.may_break for c in found)
    assert "the contract is deprecated now" in [c.message for c in found]


def test_what_is_not_decided_claims_nothing() -> None:
    """A reference that leads out: a line that says so, none that breaks."""
    old, new = {"$ref": "https://example.com/a"}, {"$ref": "https://example.com/b"}
    found = compare(old, new)
    assert found.fits("input") is None
    assert [c.kind for c in found.lines if c.breaks] == []
    assert found.lines[-1].kind == "undecided"
    here = {"type": "object", "properties": {"a": old, "b": {"type": "integer"}}}
    there = {"type": "object", "properties": {"a": old, "b": {"type": "number"}}}
    assert [sorted(c.breaks) for c in compare(here, there).lines] == [["output"]]
    assert compare(here, there).fits("input") is True


def test_a_method_counts_each_side_by_itself() -> None:
    """An input that widens breaks nobody, and says nothing of the other side."""
    old, new = (SchemaMethod("f", Schema(s), Schema(s)) for s in (AB, A))
    assert [(c.path, sorted(c.breaks)) for c in method_changes(old, new)] == [("input.b", []), ("output.b", ["output"])]


def test_an_undecided_side_of_a_method_is_told_on_that_side() -> None:
    """The output of what nobody can read is said once, and not of the input too."""
    old, new = ({"$ref": f"https://example.com/{name}"} for name in "ab")
    was, now = SchemaMethod("f", Schema(A), Schema(old)), SchemaMethod("f", Schema(A), Schema(new))
    assert [(c.kind, c.path, sorted(c.uncertain)) for c in method_changes(was, now)][-1] == (
        "undecided",
        "output",
        ["output"],
    )
    with pytest.raises(ContractError, match="no reading"):
        compare(A, AB, reading="loose")


def test_equal_contracts_have_no_lines() -> None:
    """However they are written."""
    assert compare(Contract(A), Contract(A)).lines == ()
    assert lines({"$ref": "#/$defs/x", "$defs": {"x": A}}, A) == []


@pytest.mark.no_cover
def test_large_enums_take_time_in_proportion() -> None:
    """An enum of 100,000 values had no answer in a minute: each was looked for in a list."""

    def took(count: int) -> float:
        old, new = ({"enum": [f"v{i + shift}" for i in range(count)]} for shift in (0, 1))
        start = process_time()
        assert compare(old, new, reading="strict").lines[0].breaks == {"input", "output"}
        return process_time() - start

    took(100)
    small, large = min(took(1_000) for _ in range(3)), took(20_000)
    assert large < 120 * small, "twenty times as many; a list would take four hundred times as long"


def test_a_contract_that_holds_itself_is_said_so() -> None:
    """Not by the name that it has in our own document."""
    old = {"type": "array", "items": {"$ref": "#"}}
    new = {"type": "array", "items": {"anyOf": [{"$ref": "#"}, {"type": "null"}]}}
    (line,) = compare(old, new, reading="strict").lines
    assert line.message == "[] became wider: list[itself] → itself | None"


def test_values_of_an_enumeration_are_named() -> None:
    """Two lists of a hundred values beside each other tell nobody which one is gone."""
    old = {"enum": ["a", "b", 1, *range(10, 20)]}
    new = {"enum": ["a", "c", True, *range(10, 20), 1]}
    (line,) = changes(old, new)
    assert line.message == 'the values of the contract changed: "b" gone, "c", true new'
    (fewer,) = changes({"enum": list(range(20))}, {"enum": [0]})
    assert fewer.message == "the values of the contract changed: 1, 2, 3, 4, 5 and 14 more gone"


def test_a_payload_that_proves_has_texts_of_the_declared_formats() -> None:
    """`{"id": ""}` for a UUID reads like a false alarm. The very text that breaks stays as it is."""
    fields = {"id": {"type": "string", "format": "uuid"}, "total": {"type": "number"}}
    old = {"type": "object", "required": ["id", "total"], "properties": fields}
    new = {**old, "properties": {**fields, "total": {"type": "number", "maximum": 5}}}
    (line,) = changes(old, new, reading="strict")
    assert line.payloads["input"] == {"id": "123e4567-e89b-42d3-a456-426614174000", "total": 6}
    listed = {"type": "array", "items": {"$ref": "#/$defs/day"}, "$defs": {"day": {"type": "string", "format": "date"}}}
    verdict = check(listed, {"type": "array", "maxItems": 1})
    assert verdict.counterexample == ["2024-01-31", "2024-01-31"]
    short = {"type": "string", "format": "date", "maxLength": 3}
    assert len(check(short, {"type": "string", "maxLength": 2}).counterexample) == 3


def test_reasons_are_those_of_the_payload_that_is_shown() -> None:
    """Where no example of the format proves the same, the payload stays, and so do its reasons."""
    verdict = check({"type": "string", "format": "date", "maxLength": 3}, {"type": "string", "maxLength": 2})
    assert verdict.counterexample is not None
    assert [r.kind for r in verdict.reasons] == [
        r.kind for r in check({"type": "string", "maxLength": 3}, {"type": "string", "maxLength": 2}).reasons
    ]
    large = {"type": "array", "minItems": 500, "items": {"type": "string", "format": "uuid"}}
    assert check(large, {"type": "array", "maxItems": 499}).counterexample == [""] * 500
