"""How documents of APIs are read: what is the same in other words, and what only looks the same."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from graphbus_core.cli.contracts import app
from graphbus_core.contracts import Contract, check, compare
from graphbus_core.contracts.loaders import loader
from graphbus_core.findings import Finding, Level
from graphbus_core.services.contract_diff.differences import list_differences
from graphbus_core.services.contract_diff.sources import CompareOptions

UUID = {"type": "object", "required": ["id"], "properties": {"id": {"type": "string", "format": "uuid"}}}
TEXT = {"type": "object", "required": ["id"], "properties": {"id": {"type": "string"}}}


def build_api(request: Any, answer: Any, path: str = "/pets/{id}", **schemas: Any) -> dict[str, Any]:
    """An API of one operation, with a path parameter of the path's name."""
    name = path.partition("{")[2].rstrip("}")
    operation = {
        "parameters": [{"name": name, "in": "path", "required": True, "schema": {"type": "integer"}}],
        "requestBody": {"content": {"application/json": {"schema": request}}},
        "responses": {"200": {"description": "", "content": {"application/json": {"schema": answer}}}},
    }
    info = {"title": "t", "version": "1"}
    return {"openapi": "3.1.0", "info": info, "paths": {path: {"post": operation}}, "components": {"schemas": schemas}}


def diff(old: Any, new: Any) -> list[Finding]:
    read = [loader.read_file("api.json", lambda _, d=d: json.dumps(d).encode(), None) for d in (old, new)]
    return [entry.finding for entry in list_differences(read[0], read[1], CompareOptions("FULL", "link"))]


def list_errors(old: Any, new: Any) -> list[str]:
    return [finding.message for finding in diff(old, new) if finding.level is Level.ERROR]


def test_a_path_whose_parameter_has_another_name_is_the_same_path() -> None:
    """Nobody sends that name. What else changed there is told as ever."""
    old = build_api(TEXT, TEXT, "/pets/{id}")
    assert list_errors(old, build_api(TEXT, TEXT, "/pets/{pet}")) == []
    (error,) = list_errors(old, build_api(TEXT, {"type": "string"}, "/pets/{pet}"))
    assert error.startswith("POST /pets/{pet} 200 application/json became something else")
    gone, *_ = list_errors(old, build_api(TEXT, TEXT, "/dogs/{pet}"))
    assert gone == "POST /pets/{id} was removed"


def test_a_uuid_in_a_document_is_text_and_not_every_text_is_one() -> None:
    """A request that takes any text takes UUIDs; an answer with any text breaks who reads UUIDs, and shows one."""
    assert list_errors(build_api(UUID, TEXT), build_api(TEXT, TEXT)) == []
    (wider,) = [f for f in diff(build_api(TEXT, UUID), build_api(TEXT, TEXT)) if f.level is Level.ERROR]
    assert wider.has_payload
    assert len(list_errors(build_api(TEXT, TEXT), build_api(UUID, TEXT))) == 1


def test_one_reading_in_check_and_agree_and_can_i_use(tmp_path: Path) -> None:
    """UUID to text fits in all three; text to UUID fits as JSON Schema alone, and `check` says so."""
    files = {name: tmp_path / f"{name}.json" for name in ("uuid", "text")}
    for name, schema in (("uuid", UUID), ("text", TEXT)):
        files[name].write_text(json.dumps(schema))
    run = CliRunner().invoke
    assert run(app, ["check", str(files["uuid"]), str(files["text"])]).exit_code == 0
    assert run(app, ["can-i-use", str(files["text"]), str(files["uuid"])]).exit_code == 0
    assert run(app, ["can-i-use", str(files["uuid"]), str(files["text"])]).exit_code == 1
    noted = run(app, ["check", str(files["text"]), str(files["uuid"]), "--json"])
    assert noted.exit_code == 0
    assert json.loads(noted.stdout)["version"] == 1
    assert "--formats" in json.loads(noted.stdout)["notes"][0]


def test_on_a_link_in_one_process_a_uuid_is_no_text() -> None:
    """Contracts are what methods take: a UUID where text is wanted fails in the first line that treats it as text."""
    sent, taken = Contract.from_json_schema(UUID), Contract.from_json_schema(TEXT)
    assert check(sent, taken).compatible is False
    assert check(sent, taken, formats=True).compatible is True
    assert compare(sent, taken).fits("input") is False
    assert compare(UUID, TEXT).fits("input") is True


def test_a_class_without_a_json_form_fits_no_text_in_any_reading() -> None:
    """It has nothing to be written as."""
    sent = Contract.from_json_schema({"type": "object", "properties": {"a": {"x-python-type": "pandas.DataFrame"}}})
    taken = Contract.from_json_schema({"type": "object", "properties": {"a": {"type": "string"}}})
    for formats in (None, True, False):
        assert check(sent, taken, formats=formats).compatible is False
        assert check(taken, sent, formats=formats).compatible is False


def test_a_branch_that_the_type_beside_the_union_shuts_out_can_be_nothing() -> None:
    """`type: object` beside a branch that became an integer: nobody is sent one, and the line says why."""
    shape = {"type": "object", "properties": {"a": {"type": "string"}}}
    other = {"type": "object", "properties": {"b": {"type": "string"}}}
    union = {"type": "object", "anyOf": [{"$ref": "#/components/schemas/A"}, {"$ref": "#/components/schemas/B"}]}
    old = build_api(TEXT, union, A=shape, B=other)
    new = build_api(TEXT, union, A={"type": "integer"}, B=other)
    assert any("can be nothing" in finding.message for finding in diff(old, new))


def test_a_closed_shape_within_a_branch_is_judged_against_its_own() -> None:
    """Answers and errors of two kinds each: an error that may lack its text is no answer, though one would take it."""
    kind = {"type": "string", "enum": ["cat", "dog"]}

    def build_side(word: str, required: list[str]) -> Any:
        shapes = {
            name: {
                "type": "object",
                "properties": {"kind": kind, word: {"type": "string"}},
                "required": ["kind", *(required if name == "cat" else ())],
                "additionalProperties": False,
            }
            for name in ("cat", "dog")
        }
        tag = {"propertyName": "kind", "mapping": {n: f"#/components/schemas/{word}_{n}" for n in shapes}}
        refs = [{"$ref": to} for to in tag["mapping"].values()]
        outer = {
            "type": "object",
            "properties": {"kind": kind},
            "required": ["kind"],
            "oneOf": refs,
            "discriminator": tag,
        }
        return outer, {f"{word}_{name}": shape for name, shape in shapes.items()}

    answer, answers = build_side("name", [])
    (error, errors), (_, loose) = build_side("text", ["text"]), build_side("text", [])
    old, new = (build_api(TEXT, {"oneOf": [answer, error]}, **answers, **shapes) for shapes in (errors, loose))
    (told,) = list_errors(old, new)
    assert "text became optional" in told


def test_items_that_are_write_only_are_not_judged_in_answers() -> None:
    """An answer does not hold them, so what they are there breaks nobody."""
    item = {"type": "object", "writeOnly": True, "properties": {"a": {"type": "string"}}}
    wider = {**item, "properties": {"a": {"type": ["string", "null"]}}}
    old, new = ({"type": "array", "items": schema} for schema in (item, wider))
    assert list_errors(build_api(TEXT, old), build_api(TEXT, new)) == []
    assert len(list_errors(build_api(new, TEXT), build_api(old, TEXT))) == 1


def test_all_properties_may_stand_in_another_file(tmp_path: Path) -> None:
    """`properties: {$ref: FILE#/…}` is the whole object there, as bundlers read it."""
    (tmp_path / "fields.json").write_text(json.dumps({"pet": {"name": {"type": "string"}}}))
    api = build_api({"type": "object", "properties": {"$ref": "fields.json#/pet"}, "required": ["name"]}, TEXT)
    (tmp_path / "api.json").write_text(json.dumps(api))
    read = loader.read_file("api.json", loader.build_folder_loader(tmp_path), tmp_path)
    whole = build_api({"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}, TEXT)
    plain = loader.read_file("api.json", lambda _: json.dumps(whole).encode(), None)
    assert [f for f in list_differences(plain, read, CompareOptions("FULL", "link")) if f.breaks] == []


def test_a_union_that_takes_the_place_of_one_shape_counts_its_branches() -> None:
    """`{a, b}` was one shape, and is two branches of `oneOf` at once now. With `anyOf`, or a tag, nothing is lost."""
    fields = {name: {"type": "string"} for name in ("a", "b")}

    def build_shape(*required: str) -> Any:
        return {"type": "object", "properties": fields, "required": list(required)}

    old = build_api(build_shape("a", "b"), TEXT)
    branches = [build_shape("a"), build_shape("b")]
    (told,) = [f for f in diff(old, build_api({"oneOf": branches}, TEXT)) if f.level is Level.ERROR]
    assert told.payload == {"a": "", "b": ""}
    assert list_errors(old, build_api({"anyOf": branches}, TEXT)) == []
    other = {"type": "object", "properties": {"c": {"type": "string"}}, "required": ["c"]}
    assert list_errors(old, build_api({"oneOf": [build_shape("a", "b"), other]}, TEXT)) == []
    answer = diff(build_api(TEXT, {"oneOf": branches}), build_api(TEXT, build_shape("a", "b")))
    assert [f.level for f in answer if f.has_payload] == [Level.ERROR]


def test_what_a_member_of_all_of_refers_to_is_closed_within() -> None:
    """One more optional field deep within it is nothing that an old sender would have sent by chance."""
    inner = {"type": "object", "properties": {"a": {"type": "string"}}}
    wider = {"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "string"}}}
    body = {
        "allOf": [{"$ref": "#/components/schemas/Spec"}, {"type": "object", "properties": {"c": {"type": "string"}}}]
    }
    specs = [{"type": "object", "properties": {"inner": schema}} for schema in (inner, wider)]
    old, new = (build_api(body, TEXT, Spec=spec) for spec in specs)
    assert list_errors(old, new) == []
    narrower = build_api(body, TEXT, Spec={"type": "object", "properties": {"inner": {"type": "string"}}})
    assert len(list_errors(old, narrower)) == 1


NULLABLE: list[tuple[str, Any, Any]] = [
    (
        "beside allOf",
        {"type": "object", "nullable": True, "allOf": [{"$ref": "#/components/schemas/Pet"}, {"type": "object"}]},
        {"type": "object", "allOf": [{"$ref": "#/components/schemas/Pet"}, {"type": "object"}]},
    ),
    (
        "as a branch that says no more",
        {"anyOf": [{"$ref": "#/components/schemas/Pet"}, {"nullable": True}]},
        {"anyOf": [{"$ref": "#/components/schemas/Pet"}]},
    ),
    (
        "beside a reference, where OpenAPI 3.0 has it ignored",
        {"nullable": True, "$ref": "#/components/schemas/Pet"},
        {"$ref": "#/components/schemas/Pet"},
    ),
]


@pytest.mark.parametrize(("with_null", "without"), [row[1:] for row in NULLABLE], ids=[row[0] for row in NULLABLE])
def test_nullable_means_null_where_it_stands(with_null: Any, without: Any) -> None:
    """Not taken any more it breaks who sends it, newly answered it breaks who reads; it is not "anything"."""
    pet = {"type": "object", "required": ["id"], "properties": {"id": {"type": "integer"}}}

    def build(field: Any) -> Any:
        body = {"type": "object", "required": ["pet"], "properties": {"pet": field}}
        return build_api(body, body, Pet=pet)

    narrowed = [f for f in diff(build(with_null), build(without)) if f.level is Level.ERROR]
    assert [f.payload for f in narrowed] == [{"pet": None}]
    assert " body " in narrowed[0].message
    widened = [f for f in diff(build(without), build(with_null)) if f.level is Level.ERROR]
    assert [f.payload for f in widened] == [{"pet": None}]
    assert " 200 " in widened[0].message
    other = build_api(TEXT, {"anyOf": [{"type": "string"}, {"nullable": True}]})
    assert list_errors(other, build_api(TEXT, {"anyOf": [{"type": "boolean"}, {"nullable": True}]}))


def test_a_field_is_read_only_where_any_schema_of_it_says_so() -> None:
    """`readOnly` in a member of `allOf` counts as if it stood beside it, null or not."""
    named = {"type": "string", "nullable": True, "readOnly": True}

    def build(field: Any) -> Any:
        body = {"type": "object", "required": ["by"], "properties": {"by": field}}
        return build_api(body, body, Named=named)

    reference = {"$ref": "#/components/schemas/Named"}
    wrapped = {"allOf": [reference], "description": "in other words"}
    assert list_errors(build(reference), build(wrapped)) == []
    retyped = build({"allOf": [{"type": "integer"}], "nullable": True, "readOnly": True})
    (error,) = list_errors(build(wrapped), retyped)
    assert " 200 " in error


def test_who_requires_a_field_that_no_member_of_all_of_declares_can_send_it() -> None:
    """Else nothing could be sent on a link, and whatever changed beside that field would fit."""

    def build(values: list[str]) -> Any:
        shape = {"type": "object", "required": ["x", "undeclared"], "properties": {"x": {"enum": values}}}
        return build_api(TEXT, {"allOf": [shape, {"description": "of both"}]})

    (error,) = list_errors(build(["a"]), build(["a", "b"]))
    assert '"b" new' in error


def test_a_text_that_no_mapping_leads_anywhere_is_of_the_branch_that_lists_it() -> None:
    """It may come, and a reader was never told of it. That of a removed branch is not its neighbour's."""

    def build(mapping: dict[str, str], **branches: list[str]) -> Any:
        shapes = {
            name: {"type": "object", "required": ["kind"], "properties": {"kind": {"type": "string", "enum": listed}}}
            for name, listed in branches.items()
        }
        leads = {text: f"#/components/schemas/{name}" for text, name in mapping.items()}
        union = {
            "oneOf": [{"$ref": f"#/components/schemas/{name}"} for name in branches],
            "discriminator": {"propertyName": "kind", "mapping": leads},
        }
        return build_api(union, union, **shapes)

    both = {"cat": "Cat", "dog": "Dog"}
    old = build(mapping=both, Cat=["cat"], Dog=["dog"])
    (error,) = list_errors(old, build(mapping=both, Cat=["cat", "lynx"], Dog=["dog"]))
    assert error.startswith("the values of POST /pets/{id} 200 application/json<cat>.kind changed")
    old = build(mapping=both, Cat=["cat", "dog"], Dog=["dog"])
    assert list_errors(old, old) == []
    (error,) = list_errors(old, build(mapping={"cat": "Cat"}, Cat=["cat", "dog"]))
    assert " body " in error


def test_what_several_members_of_all_of_say_of_one_field_is_closed_as_a_whole() -> None:
    """Closed one by one each would forbid what the other declares, and nothing of the field could be sent."""

    def build(kind: str) -> Any:
        first = {"type": "object", "properties": {"id": {"type": "integer"}}}
        second = {"type": "object", "properties": {"inner": {"type": "object", "properties": {"x": {"type": kind}}}}}
        third = {"type": "object", "properties": {"inner": {"type": "object", "properties": {"y": {"type": "string"}}}}}

        def wrap(shape: Any) -> Any:
            return {"type": "object", "properties": {"outer": shape, "list": {"type": "array", "items": shape}}}

        members = [{"$ref": "#/components/schemas/First"}, wrap(second), {"allOf": [wrap(third)]}]
        return build_api(TEXT, {"allOf": members}, First=wrap(first))

    errors = [f for f in diff(build("string"), build("integer")) if f.level is Level.ERROR]
    assert [error.payload for error in errors] == [{"outer": {"inner": {"x": 0}}}, {"list": [{"inner": {"x": 0}}]}]


def test_a_parent_in_two_members_of_all_of_may_hold_itself() -> None:
    """What is joined is joined once."""
    base = {"type": "object", "properties": {"child": {"$ref": "#/components/schemas/Base"}, "a": {"type": "string"}}}
    more = {"type": "object", "properties": {"child": {"$ref": "#/components/schemas/Node"}, "b": {"type": "string"}}}
    node = {"allOf": [{"$ref": "#/components/schemas/Base"}, more]}
    old = build_api(TEXT, {"$ref": "#/components/schemas/Node"}, Base=base, Node=node)
    fewer = {**more, "properties": {**more["properties"], "b": {"type": "boolean"}}}
    wider = {"allOf": [{"$ref": "#/components/schemas/Base"}, fewer]}
    new = build_api(TEXT, {"$ref": "#/components/schemas/Node"}, Base=base, Node=wider)
    (error,) = list_errors(old, new)
    assert "b became something else: str → bool" in error


def test_additional_properties_that_are_allowed_go_without_saying() -> None:
    """One more optional field harms nobody then, as it does where the word is not written."""

    def build(more: Any, **fields: str) -> Any:
        body = {"type": "object", "properties": {name: {"type": kind} for name, kind in fields.items()}}
        return build_api({**body, **more}, TEXT)

    allowed = {"additionalProperties": True}
    assert list_errors(build(allowed, a="string"), build(allowed, a="string", b="string")) == []
    assert list_errors(build(allowed, a="string"), build(allowed, a="integer"))
    assert (
        list_errors(build({"additionalProperties": {"type": "integer"}}, a="string"), build({}, a="string", b="string"))
        != []
    )


def test_a_union_within_a_union_is_judged_branch_by_branch() -> None:
    """An empty object beside it, which nothing tells apart, would take whatever its branches lost."""

    def build(**first: str) -> Any:
        fields = {name: {"type": kind} for name, kind in first.items()}
        one = {"type": "object", "properties": fields, "required": list(fields)}
        other = {"type": "object", "properties": {"zip": {"type": "string"}}}
        inner = {"oneOf": [{"$ref": "#/components/schemas/One"}, {"$ref": "#/components/schemas/Other"}]}
        outer = {"anyOf": [{"$ref": "#/components/schemas/Inner"}, {"type": "object", "additionalProperties": False}]}
        return build_api(TEXT, outer, One=one, Other=other, Inner=inner)

    (error,) = list_errors(build(kind="string", regex="string"), build(regex="string"))
    assert "output" in error or "kind" in error
    assert list_errors(build(kind="string"), build(kind="string")) == []


def test_a_break_that_no_payload_shows_says_why() -> None:
    """A text that is too long to be written proves nothing, and the line says that it was for this."""
    short = {"type": "object", "required": ["stdout"], "properties": {"stdout": {"type": "string", "maxLength": 10**7}}}
    changed = {**short, "properties": {"stdout": {"type": "string"}}}
    told = [f for f in diff(build_api(TEXT, short), build_api(TEXT, changed)) if f.level is Level.ERROR]
    line = next(f for f in told if "maxLength" in f.message)
    assert (line.code, line.has_payload) == ("GB304", False)
    assert line.reasons == (
        "Whether it breaks was not decided: a text of 10000001 characters is too long to be made here.",
    )


def test_a_branch_takes_no_null_where_the_type_beside_the_union_takes_none() -> None:
    """In one edition and not in the other it changes nothing, and with another type beside it everything."""
    branches = [{"type": "object", "required": [name], "properties": {name: {"type": "string"}}} for name in "ab"]
    null_taken = [branches[0], {**branches[1], "type": ["object", "null"]}]

    def build(types: Any, members: list[Any]) -> Any:
        field = {**({"type": types} if types else {}), "oneOf": members}
        return build_api(TEXT, {"type": "object", "required": ["v"], "properties": {"v": field}})

    assert list(diff(build("object", branches), build("object", null_taken))) == []
    for types in (None, ["object", "null"]):
        (error,) = [f for f in diff(build(types, branches), build(types, null_taken)) if f.level is Level.ERROR]
        assert error.payload == {"v": None}


def test_lists_in_another_order_are_the_same() -> None:
    """Where the order says nothing it is not compared; what a reordered schema refers to still is."""
    inner = {"type": "object", "required": ["a", "b"], "properties": {"a": {"type": "string"}, "b": {"type": "null"}}}
    members = [{"$ref": "#/components/schemas/Inner"}, {"type": "object", "properties": {"k": {"enum": ["x", "y"]}}}]

    def build(inner: Any, members: list[Any]) -> Any:
        return build_api(TEXT, {"$ref": "#/components/schemas/Outer"}, Inner=inner, Outer={"allOf": members})

    turned = [{"type": "object", "properties": {"k": {"enum": ["y", "x"]}}}, members[0]]
    other_way = {**inner, "required": ["b", "a"]}
    assert list(diff(build(inner, members), build(other_way, turned))) == []
    retyped = {**other_way, "properties": {"a": {"type": "integer"}, "b": {"type": "null"}}}
    (error,) = [f for f in diff(build(inner, members), build(retyped, turned)) if f.level is Level.ERROR]
    assert error.payload == {"a": 0, "b": None}
    either = [{"type": "string"}, {"type": "null"}]
    orders = [{"type": "array", "prefixItems": items} for items in (either, either[::-1])]
    assert list_errors(*(build_api(TEXT, items) for items in orders))


def test_a_change_below_what_can_be_nothing_does_not_pass() -> None:
    """A list that is an object too is never sent; that its items are other ones now is told with the reason."""

    def build(items: Any) -> Any:
        listed = {"allOf": [{"type": "array", "items": items}, {"type": "object"}]}
        return build_api(TEXT, {"type": "object", "properties": {"v": listed}})

    told = [f for f in diff(build({"type": "string"}), build({"type": "integer"})) if f.level is Level.ERROR]
    assert [(f.code, "200 application/json.v can be nothing" in f.message) for f in told] == [("GB304", True)]
