"""Changes that `tests.mutations` showed no other test would miss: each kills a mutant of `contracts`."""

from __future__ import annotations

from typing import Any

import pytest

from graphbus_core.contracts import Contract, check, compare, method_changes
from graphbus_core.model.schema import Schema, SchemaMethod


def lines(old: Any, new: Any) -> list[tuple[str, str, list[str]]]:
    return [(c.kind, c.path, sorted(c.breaks)) for c in compare(old, new, reading="strict").lines]


TEXT, NUMBER = {"type": "string"}, {"type": "integer"}
WITH_A = {"type": "object", "properties": {"a": TEXT}, "required": ["a"]}


def test_the_order_of_a_constant_list_counts() -> None:
    """That of `enum` and of `type` does not."""
    assert lines({"const": [1, 2]}, {"const": [2, 1]}) == [("field_retyped", "", ["input", "output"])]
    assert lines({"type": ["string", "null"]}, {"type": ["null", "string"]}) == []


def test_a_branch_may_be_true_or_false() -> None:
    assert compare({"anyOf": [False, WITH_A]}, {"anyOf": [{**WITH_A, "minProperties": 2}, True]}).lines


def test_a_branch_with_fields_is_not_one_without() -> None:
    """An object that says nothing is another thing, whichever side it stands on."""
    old, new = {"anyOf": [NUMBER, WITH_A]}, {"anyOf": [NUMBER, {"type": "object"}]}
    for a, b in ((old, new), (new, old)):
        assert {kind for kind, *_ in lines(a, b)} == {"branch_added", "branch_removed"}


def test_branches_are_matched_by_the_name_they_refer_to() -> None:
    """Of another type by now, and still the same branch."""
    union = {"anyOf": [{"$ref": "#/$defs/Cat"}, {"$ref": "#/$defs/Dog"}]}
    old = {**union, "$defs": {"Cat": TEXT, "Dog": {"type": "boolean"}}}
    new = {**union, "$defs": {"Cat": NUMBER, "Dog": {"type": "boolean"}}}
    assert [(kind, path) for kind, path, _ in lines(old, new)] == [("field_retyped", "<0>")]


def test_what_takes_other_kinds_of_values_is_one_change() -> None:
    """Its fields have nothing to be compared with."""
    assert len(lines(WITH_A, TEXT)) == 1


def test_a_change_behind_a_reference_with_words_beside_it() -> None:
    """The old target must not go on to hold in what is judged."""

    def whole(**fields: Any) -> dict[str, Any]:
        return {"$ref": "#/$defs/d", "minProperties": 1, "$defs": {"d": {**WITH_A, "properties": fields}}}

    gone = [("field_removed", "b", ["output"]), ("field_removed", "c", ["output"])]
    assert lines(whole(a=TEXT, b=TEXT, c=TEXT), whole(a=TEXT)) == gone


def test_two_branches_that_only_together_are_missed_break_a_method() -> None:
    """Each covers the other, so no line breaks by itself; that both are gone breaks the input all the same."""
    text = {"type": "string"}
    twice = [{"type": "integer", "minimum": 0}, {"type": "integer", "exclusiveMinimum": -1}]
    old, new = ({"type": "object", "properties": {"a": {"anyOf": union}}} for union in ([*twice, text], [text]))
    was, now = (SchemaMethod(name="m", input_schema=Schema(one)) for one in (old, new))
    assert [c.kind for c in method_changes(was, now) if c.breaks] == ["together"]


def test_a_link_has_two_ends() -> None:
    """A format is a Python type between two contracts alone; what a plain schema sends may be any text."""
    one = {"type": "object", "properties": {"at": {"type": "string", "format": "date-time"}}}
    plain = {"type": "object", "properties": {"at": {"type": "string"}}, "additionalProperties": False}
    assert check(plain, Contract(one)).compatible is True
    assert check(Contract(plain), Contract(one)).compatible is False


ROWS = {"type": "array", "items": NUMBER}
NAMED = {"type": "object", "additionalProperties": NUMBER}


@pytest.mark.parametrize(
    ("sent", "taken", "fits"),
    [
        pytest.param({**ROWS, "prefixItems": [TEXT]}, ROWS, False, id="a first item that is sent"),
        pytest.param(ROWS, {**ROWS, "prefixItems": [TEXT]}, False, id="a first item that is wanted"),
        pytest.param(ROWS, {"type": "array", "items": False}, False, id="no items"),
        pytest.param(ROWS, {"type": "array", "items": True}, True, id="any items"),
        pytest.param({**NAMED, "patternProperties": {"^x": TEXT}}, NAMED, False, id="names that are sent"),
        pytest.param(NAMED, {**NAMED, "patternProperties": {"^x": TEXT}}, False, id="names that are wanted"),
        pytest.param({"const": 1.5}, {"multipleOf": 0.5}, True, id="three halves"),
        pytest.param({"type": "number", "multipleOf": 1.5}, {"multipleOf": 0.5}, True, id="steps of three halves"),
        pytest.param({"type": "number", "multipleOf": 0.5}, {"multipleOf": 1.5}, False, id="steps of a half"),
    ],
)
def test_what_must_not_be_proved_quickly_is_not(sent: Any, taken: Any, fits: bool) -> None:
    assert check(sent, taken).compatible is fits
