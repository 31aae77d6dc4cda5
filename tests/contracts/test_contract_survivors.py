"""Changes that `tests.mutations` showed no other test would miss: each kills a mutant of `contracts`."""

from __future__ import annotations

from typing import Any

import pytest

from graphbus_core.contracts import NOTHING, Contract, apply_operation, check, compare, method_changes, validator
from graphbus_core.contracts.inclusion.solver import decide
from graphbus_core.contracts.parsing import type_forms
from graphbus_core.contracts.parsing.json_schema import DRAFT2020
from graphbus_core.contracts.validation import judge
from graphbus_core.contracts.validation.first_error import find_discriminator
from graphbus_core.contracts.validation.formats import find_rule
from graphbus_core.errors import ContractError
from graphbus_core.model.operation import RenameField
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


D7, D2019 = "http://json-schema.org/draft-07/schema#", "https://json-schema.org/draft/2019-09/schema"
COMES_BACK = {"$schema": D7, "allOf": [{"$ref": "#"}]}
TWICE = {"$schema": D2019, "$id": "http://x/a", "$recursiveAnchor": True, "properties": {"n": {"$recursiveRef": "#"}}}
TWICE |= {"$defs": {"o": {"$id": "http://x/b", "$recursiveAnchor": True, "type": "object"}}}
OLD_TUPLE = {"properties": {"a": {"items": [True]}}}


@pytest.mark.parametrize(
    ("sent", "taken", "fits"),
    [
        pytest.param({"type": "object"}, TWICE, None, id="a reference that may mean two places"),
        pytest.param({"const": OLD_TUPLE}, {"$ref": D2019}, True, id="the schema of 2019 takes its own lists of items"),
        pytest.param({"const": OLD_TUPLE}, {"$ref": D7}, True, id="and that of draft 7"),
        pytest.param(COMES_BACK, TEXT, None, id="a circle of draft 7 that is sent"),
        pytest.param(TEXT, COMES_BACK, None, id="a circle of draft 7 that is wanted"),
        pytest.param({"type": "array"}, {"$schema": D2019, "prefixItems": [False]}, True, id="a word of a later draft"),
        pytest.param({"type": "array"}, {"$schema": D7, "items": [TEXT]}, False, id="a first item of draft 7"),
        pytest.param({"type": ["string", "foo"]}, TEXT, None, id="a type that is not one"),
        pytest.param({"$ref": 5}, TEXT, None, id="a reference that is a number"),
    ],
)
def test_where_a_reference_or_a_dialect_leads(sent: Any, taken: Any, fits: bool | None) -> None:
    """A circle, or two meanings, is undecided: neither is a proof."""
    assert check(sent, taken).compatible is fits


DAY = {"format": "date"}


@pytest.mark.parametrize(
    ("contract", "payload", "formats", "path"),
    [
        pytest.param({"type": "array", "prefixItems": [TEXT]}, [1], True, "[0]", id="a first item"),
        pytest.param({"type": "array", "uniqueItems": True}, [1, 1], True, "", id="an item twice"),
        pytest.param({"type": "object", "properties": {"a": {}}, "required": ["a"]}, {}, True, "a", id="a field"),
        pytest.param(DAY, "x", True, "", id="a format without a type"),
        pytest.param(DAY, "x", False, None, id="a format that does not count"),
        pytest.param({"properties": {"a": DAY, "b": TEXT}}, {"a": "x", "b": 1}, False, "b", id="nor here"),
        pytest.param({"enum": ["a", "b"]}, "c", True, "", id="none of the values"),
        pytest.param({"enum": ["a", 1]}, "c", True, "", id="none of several kinds"),
        pytest.param({"enum": ["a"], "type": ["string", "null"]}, None, True, "", id="a type that is no value"),
        pytest.param({"anyOf": [{"enum": ["a", 1]}, {"type": "null"}]}, "c", True, "", id="no branch"),
    ],
)
def test_what_is_refused_and_where(contract: Any, payload: Any, formats: bool, path: str | None) -> None:
    found = validator(contract, formats=formats).check(payload)
    assert (found and found.path) == path


@pytest.mark.parametrize("contract", [{"type": "integer", "multipleOf": 0}, {"$ref": 5}, {"properties": {"a": 5}}])
def test_a_contract_that_cannot_be_checked_is_said(contract: Any) -> None:
    with pytest.raises(ContractError, match="cannot be checked"):
        validator(contract).check(3 if "properties" not in contract else {"a": 1})


def tagged(value: Any) -> Any:
    return {"type": "object", "properties": {"k": {"const": value}}, "required": ["k"]}


@pytest.mark.parametrize(
    ("options", "field"),
    [
        ([tagged("a"), tagged("b"), {"type": ["string", "null"]}], "k"),
        ([tagged("a"), tagged("b"), {"type": ["object", "null"]}], None),  # a third object, of which nothing is known
        ([tagged("a"), tagged("a")], None),
        ([tagged(1), tagged(2)], None),
        ([tagged("a"), {**tagged("b"), "properties": {"k": {"enum": ["b", 1]}}}], None),
    ],
)
def test_what_tells_branches_apart(options: Any, field: str | None) -> None:
    assert find_discriminator(options, {})[0] == field


def test_a_branch_that_lost_its_tag_is_the_same_branch() -> None:
    """Two tags that differ are two branches; a tag and none may be one."""
    both = [{"type": "object", "properties": {"k": {"const": c}, c: TEXT}, "required": ["k", c]} for c in "ab"]
    untagged = {"type": "object", "properties": {"a": TEXT, "z": TEXT}, "required": ["a"]}
    assert lines({"anyOf": both}, {"anyOf": [untagged, both[1]]}) == [
        ("field_removed", "<a>.k", ["output"]),
        ("field_added", "<a>.z", ["input"]),
    ]


A_AND_B = {"type": "object", "properties": {"a": TEXT, "b": TEXT}}
A_IS_A_NUMBER = {"type": "object", "properties": {"a": NUMBER}, "additionalProperties": False}


@pytest.mark.parametrize(
    ("options", "payload", "how"),
    [
        ([{**A_AND_B, "required": ["a", "b"]}, {"required": ["c"]}], {"a": 1, "b": ""}, "with these fields"),
        ([A_AND_B, {"type": "integer", "minimum": 3}], 1, "of its type"),
        ([A_AND_B, {"type": "string", "minLength": 3}], "", "of its type"),
        ([A_AND_B, A_IS_A_NUMBER], {"a": 1.5, "b": "x"}, "the nearest of 2"),
    ],
)
def test_the_branch_that_was_meant_is_told(options: Any, payload: Any, how: str) -> None:
    assert how in str(validator({"anyOf": options}).check(payload))


def test_two_rules_of_one_word_both_hold() -> None:
    assert type_forms._add_keyword({"pattern": "a"}, "pattern", "b") == {"pattern": "a", "allOf": [{"pattern": "b"}]}
    assert type_forms._add_keyword({"pattern": "a"}, "pattern", "a") == {"pattern": "a"}


def test_a_format_that_nobody_knows_takes_every_text() -> None:
    assert find_rule("of-our-own")("x")


def test_who_stops_a_check_is_heard(monkeypatch: pytest.MonkeyPatch) -> None:
    """The independent judge may throw whatever it likes; Ctrl-C is not its word."""

    def stopped(*_: Any) -> Any:
        raise KeyboardInterrupt

    monkeypatch.setattr(judge, "iter_errors", stopped)
    with pytest.raises(KeyboardInterrupt):
        judge.list_errors({}, 1, 7)


@pytest.mark.parametrize("to", ["", "a.b", "a[]"])
def test_a_field_gets_a_name_and_no_path(to: str) -> None:
    with pytest.raises(ContractError):
        apply_operation(WITH_A, RenameField(node="N", method="m", side="output", field="a", to=to))


ONE = {"const": 1}


@pytest.mark.parametrize(
    ("kind", "given", "taken", "counterexample"),
    [
        # What must be counted, in items that are all different.
        (
            "array",
            {"uniqueItems": True, "items": {"enum": [1, 2, 3]}, "contains": {"const": 3}},
            {"items": {"enum": [1, 2]}},
            [3],
        ),
        ("array", {"uniqueItems": True, "items": {"enum": [1, 2]}, "contains": {"const": 3}}, {"minItems": 7}, NOTHING),
        # Equal items that are not neighbours; equal items of which there may be one.
        ("array", {"prefixItems": [ONE, {"const": 2}, ONE]}, {"uniqueItems": True}, [1, 2, 1]),
        ("array", {"items": ONE, "contains": ONE, "minContains": 0, "maxContains": 1}, {"uniqueItems": True}, NOTHING),
        # An item counts from its place on, and as often as it may.
        ("array", {"items": {"enum": ["x", 1]}}, {"prefixItems": [{}, {}], "items": TEXT}, ["x", "x", 1]),
        (
            "array",
            {"items": {"enum": [1, 2]}, "contains": ONE, "minContains": 0, "maxContains": 2},
            {"contains": ONE, "minContains": 0, "maxContains": 1},
            [1, 1],
        ),
        # A field that there may not be, and one where there is no room for another.
        ("object", {"not": {"required": ["x"]}}, {"additionalProperties": TEXT}, {"a": None}),
        ("object", {"required": ["x"], "maxProperties": 1}, {"additionalProperties": TEXT}, {"x": None}),
        # Formats that hold each other, a pattern that cannot be read, a text that only a list of samples knows.
        (
            "string",
            {"format": "uri", "minLength": 3},
            {"anyOf": [{"type": "string", "format": "uri-reference"}, {"type": "string", "maxLength": 1}]},
            NOTHING,
        ),
        ("string", {"pattern": "(?<!a)b", "maxLength": 3}, {"anyOf": [{"maxLength": 5}, {"minLength": 100}]}, NOTHING),
        ("string", {"format": "email"}, {"maxLength": 3}, "a@example.com"),
        # Steps that are fractions.
        ("number", {"multipleOf": 0.5}, {"multipleOf": 0.25}, NOTHING),
        ("number", {"multipleOf": 0.25}, {"multipleOf": 0.5}, 0.25),
        ("number", {"multipleOf": 1.5, "minimum": 2}, {"multipleOf": 1}, 4.5),
    ],
)
def test_a_corner_of_the_solver_is_proved_either_way(kind: str, given: Any, taken: Any, counterexample: Any) -> None:
    verdict = check(*(Contract.from_json_schema({"type": kind, **one}) for one in (given, taken)))
    # That nothing can be sent is proved as well; on a link it is no "fits".
    is_empty = [reason.kind for reason in verdict.reasons] == ["unsatisfiable"]
    assert (verdict.compatible is True or is_empty) is (counterexample is NOTHING)
    assert verdict.counterexample == counterexample


@pytest.mark.parametrize(("payload", "word"), [("x", "oneOf"), (1, "anyOf"), (None, None), (True, "oneOf")])
def test_both_unions_of_a_schema_count(payload: Any, word: str | None) -> None:
    """The branches of the one were taken for those of the other, and a payload that fits neither passed."""
    both = {"anyOf": [TEXT, {"type": ["null", "boolean"]}], "oneOf": [NUMBER, {"type": "null"}]}
    found = validator(both).check(payload)
    assert (found and found.keyword) == word
    assert validator({"anyOf": [{}], "oneOf": [NUMBER]}).check("x") is not None


def rows(*first: Any, **more: Any) -> dict[str, Any]:
    return {"type": "array", "prefixItems": list(first), **more}


def test_an_array_is_as_long_as_what_must_be_equal_in_it() -> None:
    """Asked of the decision alone: the judge refuses a shorter one, and another is tried."""
    two = {"const": 2}
    assert decide(rows(ONE, two, ONE, contains=two), DRAFT2020, {"uniqueItems": True}, DRAFT2020).value == [1, 2, 1]


def test_items_before_their_place_do_not_count() -> None:
    assert check({"type": "array", "items": {"enum": ["x", "y"]}}, {"prefixItems": [{}, {}], "items": TEXT}).compatible


def test_a_number_between_two_of_the_same_size() -> None:
    """The search between -0.5 and 0.5 is as fine as the distance, which is not their sum."""
    between = {"type": "number", "exclusiveMinimum": -0.5, "exclusiveMaximum": 0.5, "not": {"const": 0}}
    assert check(between, TEXT).counterexample == 0.0001


def test_names_that_a_rule_leaves_out_are_names_to_try() -> None:
    consumer = {
        "not": {"type": "object", "properties": {"r": TEXT}, "additionalProperties": NUMBER, "minProperties": 1}
    }
    assert check(
        {"type": "object", "properties": {"q": NUMBER}, "additionalProperties": False}, consumer
    ).counterexample == {"q": 0}


@pytest.mark.parametrize(
    ("rule", "answer"),
    [
        ({"format": "date", "maxLength": 0}, True),  # the empty text was tried, and there is no other
        ({"format": "ipv4", "minLength": 30}, "no text was found for a format"),
        ({"pattern": "(?<=x)q", "minLength": 3}, "no text was found for a pattern"),
        ({"pattern": "(a)\\1"}, "aa"),  # found among the words that are tried
    ],
)
def test_texts_that_cannot_be_reasoned_about(rule: Any, answer: Any) -> None:
    verdict = check({"type": "string", **rule}, NUMBER, formats=True)
    said = (
        verdict.compatible or verdict.counterexample if verdict.compatible is not None else verdict.reasons[0].message
    )
    assert said == answer or str(said).startswith(str(answer))


def test_a_type_that_json_does_not_have_is_shown_by_a_sample() -> None:
    """Inside it is a text with a mark. A text that merely looks marked is shown as it is."""
    when, at = ({"type": "object", "properties": {"at": one}, "required": ["at"]} for one in (DATE_TIME, NUMBER))
    assert check(Contract(when), Contract(at)).counterexample == {"at": "2024-01-31T12:30:00Z"}
    assert check({"const": "\ue000date:"}, NUMBER).counterexample == "\ue000date:"


DATE_TIME = {"type": "string", "format": "date-time"}


@pytest.mark.parametrize(
    ("sent", "taken", "fits"),
    [
        # Of two alternatives one is sent, and not the fields of both.
        (
            {"anyOf": [WITH_A, {**WITH_A, "properties": {"b": TEXT}, "required": ["b"]}]},
            {"not": {"required": ["a", "b"]}},
            True,
        ),
        # Who declares no fields sends any.
        ({"allOf": [{"type": "object"}, {"minProperties": 1}]}, {"propertyNames": {"enum": ["a"]}}, False),
        ({"type": "object", "items": TEXT}, {"propertyNames": {"enum": ["a"]}}, False),
        # Fields by name and by pattern are declared alike.
        ({**WITH_A, "patternProperties": {"^x": TEXT}}, {"propertyNames": {"pattern": "^(a|x)"}}, True),
        # A circle of references ends.
        (
            {
                "$ref": "#/$defs/n",
                "minProperties": 1,
                "$defs": {"n": {"allOf": [{"$ref": "#/$defs/n"}, {"minProperties": 1}]}},
            },
            TEXT,
            None,
        ),
    ],
)
def test_what_a_producer_sends_is_what_it_declares(sent: Any, taken: Any, fits: bool | None) -> None:
    assert check(Contract(sent), Contract(taken)).compatible is fits
