"""Schemas and payloads that are nearly right: a sentence, never a traceback; no change that breaks is passed over."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from graphbus_core.cli.main import main
from graphbus_core.contracts import Contract, changes, check, validator
from graphbus_core.errors import ContractError

ITEM = {"type": "object", "properties": {"a": {"type": "integer"}}}


def breaks(old: dict[str, Any], new: dict[str, Any]) -> set[str]:
    return set().union(*(c.breaks for c in changes(old, new)))


@pytest.mark.parametrize(
    ("old", "new", "sides"),
    [
        (ITEM, {**ITEM, "required": ["b"]}, {"input"}),
        ({**ITEM, "required": ["b"]}, ITEM, {"output"}),
        (ITEM, {"type": "object", "properties": {}, "required": ["a"]}, {"input", "output"}),
        (
            {**ITEM, "additionalProperties": True},
            {"type": "object", "properties": {}, "additionalProperties": True},
            {"output"},
        ),
        (
            {"type": "object", "properties": {}, "additionalProperties": True},
            {**ITEM, "additionalProperties": True},
            {"input"},
        ),
        (ITEM, {**ITEM, "properties": {**ITEM["properties"], "b": {"type": "string"}}}, set()),
        ({**ITEM, "required": ["a"]}, {**ITEM, "required": ["a"], "description": "new"}, set()),
    ],
)
def test_changes_tell_every_break(old: dict[str, Any], new: dict[str, Any], sides: set[str]) -> None:
    """A side on which the contracts do not fit has a change that says so."""
    assert breaks(old, new) == sides
    # A field that is required and not declared is one of any type: whoever takes a text of it is broken by a number.
    assert ("input" in sides) is (check(Contract(old), Contract(new)).compatible is False)
    assert ("output" in sides) is (check(Contract(new), Contract(old)).compatible is False)


@pytest.mark.parametrize(
    ("dialect", "schema", "payload"),
    [
        ("draft-04", {"contains": {"type": "string"}}, []),
        ("draft-04", {"propertyNames": {"enum": ["a"]}}, {"b": 1}),
        ("draft-06", {"if": True, "then": False}, 1),
        ("draft-07", {"unevaluatedProperties": False}, {"a": 1}),
    ],
)
def test_words_that_a_dialect_does_not_have_say_nothing(dialect: str, schema: dict[str, Any], payload: Any) -> None:
    """They stayed in the contract, where 2020-12 gave them a meaning."""
    declared = {"$schema": f"http://json-schema.org/{dialect}/schema#", **schema}
    assert validator(Contract.from_json_schema(declared)).check(payload) is None


def test_draft_3_is_refused() -> None:
    """Its words mean something else: no verdict is better than a wrong one."""
    with pytest.raises(ContractError, match="older than draft 4"):
        check({"$schema": "http://json-schema.org/draft-03/schema#", "divisibleBy": 2}, {"type": "integer"})


def test_a_contract_that_is_nested_without_end_is_refused() -> None:
    """A comparison of two of them was a RecursionError."""
    deep: dict[str, Any] = {}
    for _ in range(3_000):
        deep = {"items": deep}
    with pytest.raises(ContractError, match="nested more than 200 deep"):
        Contract.from_json_schema(deep)
    ring: dict[str, Any] = {}
    ring["items"] = ring
    with pytest.raises(ContractError, match="nested more than 200 deep"):
        Contract.from_json_schema(ring)


@pytest.mark.parametrize("value", [float("inf"), float("-inf")])
def test_a_number_beyond_all_bounds_is_a_violation(value: Any) -> None:
    """It was an error about the contract."""
    assert validator({"multipleOf": 0.1}).check(value) is not None


def test_a_large_number_is_held_against_a_step_exactly() -> None:
    """Floats overflow on the way; fractions do not."""
    assert validator({"multipleOf": 0.1}).check(10**400) is None
    assert validator({"multipleOf": 7}).check(10**400) is not None


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("a.json", '{"const": NaN}', "NaN is not a JSON number"),
        ("a.yaml", "const: .nan\n", "not a JSON number"),
        ("a.yaml", "properties: {[yes]: {type: string}}\n", "put it in quotes"),
        ("a.yaml", "items: &x {items: *x}\n", "refers to itself"),
    ],
)
def test_files_that_are_no_json_are_bad_input(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, text: str, said: str
) -> None:
    """Exit 2 with the place and what to do; with anchors to themselves, reading never ended in some commands."""
    (tmp_path / name).write_text(text)
    (tmp_path / "b.json").write_text('{"type": "string"}')
    for command in ("check", "diff"):
        assert main(["contracts", command, str(tmp_path / name), str(tmp_path / "b.json")]) == 2
        assert said in capsys.readouterr().err


@pytest.mark.parametrize(
    "schema", ['{"required": [{}]}', '{"properties": [1]}', '{"properties": {"a": 3}, "required": 4}']
)
def test_no_schema_brings_a_diff_down(tmp_path: Path, schema: str) -> None:
    """What is not a schema is refused with its place; a traceback ended these."""
    (tmp_path / "a.json").write_text(schema)
    (tmp_path / "b.json").write_text(json.dumps({**ITEM, "required": ["a"]}))
    for pair in (("a", "b"), ("b", "a")):
        assert main(["contracts", "diff", *(str(tmp_path / f"{n}.json") for n in pair)]) == 2


def test_half_a_character_can_be_shown(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    """JSON can hold a lone surrogate; no terminal can take one."""
    (tmp_path / "a.json").write_text('{"const": "\\ud800"}')
    (tmp_path / "b.json").write_text('{"type": "integer"}')
    files = [str(tmp_path / "a.json"), str(tmp_path / "b.json")]
    assert main(["contracts", "check", *files]) == 1
    assert main(["contracts", "check", *files, "--json"]) == 1
    assert b"\\ud800" in capfdbinary.readouterr().out
