"""Schemas that say what no schema may, digits that are none, payloads of no JSON: an answer, and never a traceback."""

from __future__ import annotations

import ast
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest

from graphbus_core.analysis.type_checker.contract_types import _clean_word
from graphbus_core.contracts import Contract, NeedsImport, check, lint, validator
from graphbus_core.contracts.inclusion.regex import compile_pattern
from graphbus_core.contracts.loaders.json_yaml import LineIndex
from graphbus_core.contracts.loaders.openapi import read_openapi
from graphbus_core.contracts.loaders.registry import find_version, list_names, locate_file, read_versions
from graphbus_core.contracts.parsing import static, type_forms
from graphbus_core.contracts.parsing.json_schema import NOWHERE, detect_dialect, follow_pointer, iter_subschemas
from graphbus_core.contracts.parsing.jsonable import convert_to_json, list_class_names
from graphbus_core.contracts.validation.formats import find_rule
from graphbus_core.errors import ContractError
from graphbus_core.model.schema import Parameter, Schema, SchemaMethod
from graphbus_core.negotiation.core import Ask
from graphbus_core.participants.people.terminal import TerminalParticipant

TEXT, NUMBER = {"type": "string"}, {"type": "integer"}
SHORT = {"type": "string", "maxLength": 3}


@pytest.mark.parametrize("word", ["oneOf", "anyOf", "allOf"])
@pytest.mark.parametrize("held", [5, {"a": 1}, [{"properties": 5, "required": 5}]])
def test_a_combinator_that_holds_no_schemas(word: str, held: Any) -> None:
    """No verdict is better than a TypeError, and the same for either end of a link."""
    for read in (dict, Contract):
        bad = read({word: held})
        assert check(read({"type": "object", "properties": {"a": {}}}), bad).compatible is not True
        check(bad, read(SHORT))


@pytest.mark.parametrize("index", ["²", "٠", "00", "9" * 5_000])
def test_a_pointer_counts_in_plain_digits(index: str) -> None:
    """RFC 6901: no other script's digits, no leading zero; Python's `int` takes or refuses other texts."""
    schema = {"allOf": [{"$ref": f"#/$defs/a/prefixItems/{index}"}], "$defs": {"a": {"prefixItems": [TEXT]}}}
    verdict = check(schema, TEXT)
    assert verdict.compatible is None
    assert "leads nowhere" in verdict.reasons[0].message


def test_a_pointer_leads_into_objects_and_lists_alone() -> None:
    assert follow_pointer({"a": "xyz"}, "#/a/0") is NOWHERE
    assert follow_pointer({"a": ["xyz"]}, "#/a/0") == "xyz"


@pytest.mark.parametrize(
    ("pattern", "fits"),
    [
        ("^a{²}$", False),  # a brace that counts nothing is itself, in ECMA and in Python
        ("^a{٣}$", False),
        ("^a{3}$", True),
        ("^\\cé$", True),  # not a control character: a letter of ECMA's is a to z
        ("^\\u{41", None),  # no end: read anew from its beginning, it never ended
        ("^\\u1_00$", None),
        ("^\\x+1$", None),
        ("^\\ud800\\u0041$", None),
        ("^a{" + "9" * 5_000 + "}$", None),
        ("^a{2,99999999999999999999}$", None),
        ("^[]a]$", None),  # ECMA reads a class without characters here, Python one with two
    ],
)
def test_what_only_python_would_read_in_a_pattern(pattern: str, fits: bool | None) -> None:
    """A verdict is about the pattern as JSON Schema means it; where the two differ nothing is proved."""
    assert check({"type": "string", "pattern": pattern}, SHORT).compatible is fits


@pytest.mark.parametrize("pattern", ["(", "a{" + "9" * 5_000 + "}", "a{2,99999999999999999999}"])
def test_a_pattern_that_nobody_reads_is_said(pattern: str) -> None:
    with pytest.raises(ContractError, match="cannot be checked"):
        validator({"type": "string", "pattern": pattern}).check("a")


def test_numbers_that_are_no_json() -> None:
    """From Python they come in; the search for a counterexample must live with them, and with very long ones."""
    for bound in ({"multipleOf": float("inf")}, {"minimum": float("nan")}, {"multipleOf": 10**400}):
        assert check({"type": ["string", "array", "number"]}, bound).compatible is not True


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("date", "2024-W01-1"),
        ("date-time", "2024-W01-1T12:00"),
        ("date-time", "2024-01-31X12:30:00"),
        ("date-time", "2024-01-31T99:30:00"),
        ("duration", "P١D"),
        ("relative-json-pointer", "1٢"),
        ("uuid", "123e4567-e89b-42d3-a456-4266141740_0"),
        ("uuid", "123e4567e89b42d3a456426614174000----"),
    ],
)
def test_a_format_is_that_of_its_rfc(name: str, text: str) -> None:
    """Python's own readers take more."""
    assert not find_rule(name)(text)


def test_formats_take_what_they_should() -> None:
    plain = {"date": "2024-02-29", "date-time": "2024-01-31T12:30:00+01:00", "duration": "P1DT2H", "uuid": "0" * 8}
    plain["uuid"] += "-0000-4000-8000-00000000000F"
    assert all(find_rule(name)(text) for name, text in plain.items())


@pytest.mark.parametrize(
    ("one", "other", "fits"),
    [
        ("uri", "uri-reference", True),
        ("email", "idn-email", True),
        ("idn-email", "email", None),
        ("uri", "date", False),
    ],
)
def test_a_format_within_another(one: str, other: str, fits: bool) -> None:
    assert check({**TEXT, "format": one}, {**TEXT, "format": other}, formats=True).compatible is fits


def test_versions_are_files_of_plain_numbers(tmp_path: Path) -> None:
    """Whatever else lies in the folder is not one: `²` is a digit to Python, and no number."""
    locate_file(tmp_path, "orders", 1).parent.mkdir()
    for other in ("²", "notes", "1_0"):
        (tmp_path / "orders" / f"{other}.json").write_text("{}")
    assert read_versions(tmp_path, "orders") == []
    assert list_names(tmp_path) == ["orders"]
    with pytest.raises(ContractError, match="has no contract 'orders'"):
        find_version(tmp_path, "orders")


def test_a_field_of_any_name_is_part_of_a_python_name() -> None:
    assert [_clean_word(name) for name in ("m²", "größe", "a-b", "x1")] == ["m_", "größe", "a_b", "x1"]


@pytest.mark.parametrize("contract", [{"allOf": [5]}, {"properties": {"a": {"anyOf": [False, "x"]}}}])
def test_a_part_that_is_no_schema_is_said(contract: Any) -> None:
    with pytest.raises(ContractError, match="cannot be checked"):
        validator(contract).check({"a": 1})


def test_a_list_that_holds_itself_ends() -> None:
    one: list[Any] = []
    one.append(one)
    assert isinstance(convert_to_json(one), list)


def test_what_can_be_called_is_known_as_such() -> None:
    assert type_forms.CALLABLE in list_class_names(len)
    assert type_forms.CALLABLE not in list_class_names(1)


def test_parts_of_older_drafts_and_of_other_mappings() -> None:
    assert list(iter_subschemas({"items": [TEXT, NUMBER]})) == [(("items", 0), TEXT), (("items", 1), NUMBER)]
    assert list(iter_subschemas(MappingProxyType({"not": TEXT}))) == [(("not",), TEXT)]


@pytest.mark.parametrize("word", ["exclusiveMinimum", "exclusiveMaximum"])
def test_a_bound_that_is_true_is_draft_4s(word: str) -> None:
    assert detect_dialect({word: True}) == 4


def test_forms_of_standard_typing() -> None:
    assert type_forms.build_union([{"const": 1}, {"const": 1}]) == {"const": 1}
    assert type_forms.add_constraint({"type": ["string", "null"]}, "max_length", 3)["maxLength"] == 3
    assert type_forms.build_mapping({**TEXT, "pattern": "^a"}, {})["propertyNames"] == {"pattern": "^a"}


def test_places_in_files() -> None:
    """The line of an item of a list, in either language."""
    assert [LineIndex('{"a": [1,\n2,\n3], "b": 1}', "a.json").find_line(at) for at in ("/a/1", "/a/2", "/b")] == [
        2,
        3,
        3,
    ]
    assert [LineIndex("x: 1\na:\n- 1\n- 2\n", "a.yaml").find_line(at) for at in ("/a", "/a/1")] == [2, 4]


def test_a_person_answers_with_the_number_of_a_candidate() -> None:
    """`²` is a digit to Python, and no number: asked again, as after any other slip."""
    said = iter(["²", "9" * 5_000, "3", "2"])
    person = TerminalParticipant(lambda _: next(said), lambda _: None)
    about = {"question": "which?", "candidates": [{"name": "a", "says": "x"}, {"name": "b", "says": "y"}]}
    assert person._ask_choice(Ask("1", "you", "choose", about))["choice"] == "b"


# ---- source


def read(text: str, source: str = "") -> Any:
    found = {n.name if isinstance(n, ast.ClassDef) else n.targets[0].id: n for n in ast.parse(source).body}  # type: ignore[attr-defined]

    def resolve(name: str) -> Any:
        one = found.get(name)
        return None if one is None else (one if isinstance(one, ast.ClassDef) else one.value, resolve)

    made = static.read_text(text, resolve)
    return made.to_json_schema() if isinstance(made, Contract) else made


@pytest.mark.parametrize(
    ("source", "schema"),
    [
        ("class C(Enum):\n A = auto()\n B = auto()", {"enum": [1, 2]}),
        ("class C(StrEnum):\n A = auto()\n B = auto()", {"enum": ["a", "b"]}),
        ("class C(Enum):\n A = 'x'\n B = auto()", {"enum": ["x", 1]}),
        ("Base = make()\nclass C(Base, Enum):\n A = auto()", {"const": 1}),
    ],
)
def test_an_enum_counts_its_members(source: str, schema: Any) -> None:
    assert read("C", source) == schema


def test_a_member_that_is_made_by_a_call_must_be_evaluated() -> None:
    assert isinstance(read("C", "class C(Enum):\n A = int('7')"), NeedsImport)


def test_a_decorator_alone_makes_no_dataclass() -> None:
    assert isinstance(read("C", "@total_ordering\nclass C:\n a: int"), NeedsImport)
    assert read("C", "@dataclass\nclass C:\n a: int")["properties"] == {"a": NUMBER}


def test_types_that_a_call_makes_and_mappings_of_one_word() -> None:
    assert read("constr(min_length=1)") == {"type": "string", "minLength": 1}
    assert read("dict[str]") == {"type": "object"}
    assert read("tuple[()]") == {"type": "array", "maxItems": 0}


# ---- methods


def test_a_method_is_judged_as_what_it_is() -> None:
    """One that no topic calls is called by name, however much it looks like a handler."""
    given = Schema({"type": "object", "properties": {"a": TEXT}, "required": ["a"]})
    one = SchemaMethod("m", given, parameters=(Parameter("payload", "positional_or_keyword", "dict"),))
    assert {f.kind for f in lint("N", one)} == {"parameter_without_field", "field_without_parameter"}
    assert lint("N", one, handles=True) == ()


def test_returns_without_a_contract_are_nobodys_business() -> None:
    function = ast.parse("def m(self):\n return {'a': 1}").body[0]
    assert isinstance(function, ast.FunctionDef)
    for output in (None, Schema({"type": "object"})):
        assert lint("N", SchemaMethod("m", None, output), function) == ()


# ---- OpenAPI


def api(version: str = "3.1.0", **operation: Any) -> dict[str, Any]:
    paths = {"/a": {"get": {"responses": {"200": {"description": "x"}}, **operation}}}
    return {"openapi": version, "info": {"title": "a", "version": "1"}, "paths": paths}


def test_an_operation_that_refers_to_none_is_none() -> None:
    document = api()
    document |= {"paths": {"/a": {"get": {"$ref": "#/components/x-o"}}}, "components": {"x-o": 5}}
    assert read_openapi(document, "a.json") == ({}, {})


def test_a_parameter_may_have_a_media_type() -> None:
    parameter = {"name": "q", "in": "query", "content": {"application/json": {"schema": NUMBER}}}
    found, _ = read_openapi(api(parameters=[parameter]), "a.json")
    assert found["GET /a parameters"].schema["properties"] == {"query q": NUMBER}


def test_a_parameter_that_is_referred_to_is_told_where_it_stands() -> None:
    document = api(parameters=[{"$ref": "#/components/parameters/q"}])
    document["components"] = {"parameters": {"q": {"name": "q", "in": "query", "schema": {"type": "text"}}}}
    with pytest.raises(ContractError, match="/components/parameters/q/schema"):
        read_openapi(document, "a.json")


def test_a_pattern_is_compiled_as_it_is_meant() -> None:
    assert compile_pattern("^\\d$").search("٣") is None
