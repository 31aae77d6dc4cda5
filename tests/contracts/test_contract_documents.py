"""Whole API documents: YAML as JSON means it, Swagger 2.0, AsyncAPI 2, files above, what stands beside the schemas."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from graphbus_core.cli.main import main
from graphbus_core.contracts.loaders.json_yaml import LineIndex, parse_document
from graphbus_core.errors import ContractError

Document = dict[str, Any]
SWAGGER: Document = yaml.safe_load("""
swagger: "2.0"
info: {title: pets, version: "1"}
consumes: [application/json]
produces: [application/json]
securityDefinitions: {key: {type: apiKey, in: header, name: X-Key}, login: {type: basic}}
paths:
  /pets:
    get:
      parameters: [{name: tags, in: query, type: array, items: {type: string}, collectionFormat: csv}]
      responses: {"200": {description: "", schema: {type: array, items: {$ref: "#/definitions/Pet"}}}}
    post:
      security: [{key: []}, {login: []}]
      parameters: [{name: pet, in: body, required: true, schema: {$ref: "#/definitions/Pet"}}]
      responses: {"201": {description: ""}, "204": {description: ""}}
    put:
      consumes: [application/x-www-form-urlencoded]
      parameters: [{name: name, in: formData, type: string}]
      responses: {"200": {description: ""}}
definitions:
  Pet: {type: object, required: [name], properties: {name: {type: string}, id: {type: integer, readOnly: true}}}
""")


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def diff(old: Document, new: Document, capsys: pytest.CaptureFixture[str]) -> list[str]:
    """What breaks, as `contracts diff` says it."""
    Path("old.json").write_text(json.dumps(old))
    Path("new.yaml").write_text(yaml.safe_dump(new))
    capsys.readouterr()
    main(["contracts", "diff", "old.json", "new.yaml", "--json", "--mode", "FULL"])
    rows = json.loads(capsys.readouterr().out)["changes"]
    return [row["message"] for row in rows if row["finding"]["level"] == "error"]


def edit(document: Document, change: Callable[[Document], Any]) -> Document:
    edited = copy.deepcopy(document)
    change(edited)
    return edited


PETS = "/pets"
SWAGGER_BREAKS: list[tuple[Callable[[Document], Any], str]] = [
    (lambda d: d["definitions"]["Pet"]["properties"]["name"].update(type="integer"), "body application/json.name"),
    (lambda d: d["definitions"]["Pet"].update(required=["name", "id"]), ""),  # `id` is never sent in a request
    (lambda d: d["paths"][PETS]["get"]["parameters"][0].update(collectionFormat="multi"), "query tags is written as"),
    (lambda d: d["paths"][PETS]["get"]["parameters"][0].update(required=True), "parameters.query tags became required"),
    (lambda d: d["paths"][PETS]["put"]["parameters"][0].update(type="integer"), "x-www-form-urlencoded.name"),
    (lambda d: d["paths"][PETS]["post"]["responses"].pop("204"), "POST /pets 204 response was removed"),
    (
        lambda d: d["paths"][PETS]["post"].update(security=[{"login": []}]),
        "who has key is no longer let in",
    ),
    (lambda d: d["paths"][PETS]["post"].update(security=[{}]), ""),
    (lambda d: d["paths"][PETS]["get"].update(security=[{"key": []}]), "who has nothing is no longer let in"),
]


@pytest.mark.parametrize(("change", "said"), SWAGGER_BREAKS)
def test_swagger_is_judged_like_its_successors(
    change: Callable[[Document], Any], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    messages = diff(SWAGGER, edit(SWAGGER, change), capsys)
    assert messages and said in messages[0] if said else not messages


def test_a_version_without_quotes_is_a_version(capsys: pytest.CaptureFixture[str]) -> None:
    """`swagger: 2.0` was read as a plain schema, and nothing had changed in it."""
    other = edit(SWAGGER, lambda d: d["definitions"]["Pet"]["properties"]["name"].update(type="integer"))
    assert len(diff({**SWAGGER, "swagger": 2.0}, {**other, "swagger": 2.0}, capsys)) == 2


def test_a_definition_of_swagger_has_its_own_line(capsys: pytest.CaptureFixture[str]) -> None:
    other = edit(SWAGGER, lambda d: d["definitions"]["Pet"]["properties"]["name"].update(type="integer"))
    diff(SWAGGER, other, capsys)
    main(["contracts", "diff", "old.json", "new.yaml", "--json"])
    line = json.loads(capsys.readouterr().out)["changes"][0]["place"]["line"]
    assert "integer" in Path("new.yaml").read_text().splitlines()[line]  # below the field's own line


YAML = """
200: &pet {name: cat, 1: x}
date: 2020-01-01
yes: yes
merged: {<<: *pet, name: dog}
list: [*pet, 0x1F, 1.5, ~, "200"]
"<<": kept
"""


def test_yaml_is_read_as_json_means_it() -> None:
    """A status without quotes is a key, a date a text; anchors and merge keys are followed."""
    pet = {"name": "cat", "1": "x"}
    assert parse_document(YAML.encode(), "a.yaml") == {
        "200": pet,
        "date": "2020-01-01",
        "yes": "yes",
        "merged": {"1": "x", "name": "dog"},
        "list": [pet, 31, 1.5, None, "200"],
        "<<": "kept",
    }
    lines = LineIndex(YAML, "a.yaml")
    assert [lines.find_line(p) for p in ("/200/name", "/merged", "/list/1", "/gone")] == [2, 5, 6, 1]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a: 1\n---\nb: 2", "second document"),
        ("a: &x [*x]", "refers to itself"),
        ("a: *x", "anchor"),
        ("? [a]\n: 1", "line 1 has a key that is not text"),
        ("a: !python/object x", "tag"),
        ("a: .inf", "not a JSON number"),
        ("a: {<<: 1}", "merge key"),
        ("a: [", "not YAML"),
    ],
)
def test_what_json_does_not_have_is_refused_with_its_line(text: str, said: str) -> None:
    with pytest.raises(ContractError, match=said):
        parse_document(text.encode(), "a.yaml")


def build_api(**operation: Any) -> Document:
    head = {"openapi": "3.0.0", "info": {"title": "a", "version": "1"}}
    return {**head, "paths": {"/a": {"post": {"responses": {"204": {"description": ""}}, **operation}}}}


def build_body(media: Any) -> Document:
    return build_api(requestBody={"content": {"application/json": media}})


def test_a_body_without_a_schema_that_gets_one_breaks(capsys: pytest.CaptureFixture[str]) -> None:
    schema = {"type": "object", "required": ["a"], "properties": {"a": {"type": "string"}}}
    assert "body application/json" in diff(build_body({}), build_body({"schema": schema}), capsys)[0]
    assert "body application/json was removed" in diff(build_body({}), build_api(), capsys)[0]


def test_a_library_of_schemas_is_judged_in_both_directions(capsys: pytest.CaptureFixture[str]) -> None:
    """Nobody says who sends what; it passed as "No contract changed"."""

    def build(kind: str) -> Document:
        return {"openapi": "3.1.0", "info": {}, "components": {"schemas": {"A": {"type": kind}}}}

    assert len(diff(build("string"), build("integer"), capsys)) == 2


def build_async(version: str, kind: str, **more: Any) -> Document:
    message = {"payload": {"type": "object", "properties": {"a": {"type": kind}}}}
    items: Any = {"2": {"publish": {"message": message}}, "3": {"messages": {"m": message}}}[version[0]]
    return {"asyncapi": version, "info": {"title": "a", "version": "1"}, "channels": {"c": items}, **more}


@pytest.mark.parametrize("version", ["2.6.0", "3.0.0"])
def test_asyncapi_of_both_versions_is_judged(version: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Also channels that no operation uses. In version 2 who publishes is the client."""
    messages = diff(build_async(version, "string"), build_async(version, "integer"), capsys)
    assert messages
    assert messages[0].startswith("receive c publish message.a" if version == "2.6.0" else "channel c m taken.a")


def test_asyncapi_without_a_message_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    Path("a.json").write_text(json.dumps({**build_async("3.0.0", "string"), "channels": {}}))
    assert main(["contracts", "diff", "a.json", "a.json"]) == 2
    assert "describes no message" in capsys.readouterr().err


def test_references_may_lead_above_the_file_below_a_root(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for version, kind in (("v1", "string"), ("v2", "integer")):
        (here / version / "apis").mkdir(parents=True)
        (here / version / "pet.json").write_text(json.dumps({"type": kind}))
        api = build_body({"schema": {"$ref": "../pet.json"}})
        (here / version / "apis" / "api.json").write_text(json.dumps(api))
    asked = ["contracts", "diff", "v1/apis/api.json", "v2/apis/api.json"]
    assert main(asked) == 2
    assert main([*asked, "--root", "."]) == 1
    assert "body application/json" in capsys.readouterr().out
    assert main([*asked, "--root", "nowhere"]) == 2


def test_every_line_of_json_has_one_shape(capsys: pytest.CaptureFixture[str]) -> None:
    """A removed operation, a security rule, a field and a note: the same keys, and whom each breaks."""
    new = edit(SWAGGER, lambda d: d["paths"][PETS].pop("get"))
    new = edit(new, lambda d: d["paths"][PETS]["post"].update(security=[{"login": []}]))
    new = edit(new, lambda d: d["definitions"]["Pet"].update(required=[], title="Pet"))
    diff(SWAGGER, new, capsys)
    main(["contracts", "diff", "old.json", "new.yaml", "--json", "--mode", "FULL"])
    told = json.loads(capsys.readouterr().out)
    assert told["version"] == 2
    assert len({tuple(row) for row in told["changes"]}) == 1
    whom = {row["kind"]: row["whom"] for row in told["changes"]}
    assert whom == {
        "contract_removed": ["who sends"],
        "wire_changed": ["who sends"],
        "made_optional": ["who reads"],
        "annotation_changed": [],
    }
    assert all(row["place"]["file"] for row in told["changes"])


def test_a_line_that_breaks_nobody_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    new = edit(SWAGGER, lambda d: d["definitions"]["Pet"].update(title="Pet"))
    diff(SWAGGER, new, capsys)
    assert main(["contracts", "diff", "old.json", "new.yaml"]) == 0
    assert "has a title now, which breaks nobody" in capsys.readouterr().out


def build_query(schema: Any, **more: Any) -> Document:
    return build_api(parameters=[{"name": "q", "in": "query", "schema": schema, **more}])


def test_a_size_of_integers_is_a_bound(capsys: pytest.CaptureFixture[str]) -> None:
    """A caller who sends what 64 bits hold is refused where 32 are taken; the other way nobody is."""
    small, large = (build_query({"type": "integer", "format": f"int{size}"}) for size in (32, 64))
    assert "query q became narrower" in diff(large, small, capsys)[0]
    assert diff(small, large, capsys) == []


def test_an_empty_value_that_is_no_longer_taken_breaks(capsys: pytest.CaptureFixture[str]) -> None:
    text = {"type": "string"}
    assert "(empty) is no longer taken" in diff(build_query(text, allowEmptyValue=True), build_query(text), capsys)[0]


@pytest.mark.parametrize("version", ["3.0.3", "3.1.0"])
def test_null_that_is_no_longer_taken_breaks_in_every_edition(version: str, capsys: pytest.CaptureFixture[str]) -> None:
    """3.1 has no `nullable`; who writes it there means it."""
    old, new = build_body({"schema": {"type": "string", "nullable": True}}), build_body({"schema": {"type": "string"}})
    assert len(diff({**old, "openapi": version}, {**new, "openapi": version}, capsys)) == 1


@pytest.mark.parametrize(
    ("security", "place"), [(7, "security"), ([7], "security/0"), ([{"key": 7}], "security/0/key")]
)
def test_a_security_that_is_none_is_refused(security: Any, place: str, capsys: pytest.CaptureFixture[str]) -> None:
    """For the document and for an operation: who is let in is compared, so a wrong word must not pass as nobody."""
    for at, broken in (("", {**build_api(), "security": security}), ("/paths/~1a/post", build_api(security=security))):
        Path("a.json").write_text(json.dumps(broken))
        assert main(["contracts", "diff", "a.json", "a.json"]) == 2
        said = capsys.readouterr().err
        assert f"{at}/{place} " in said
        assert " is wanted, not 7" in said
