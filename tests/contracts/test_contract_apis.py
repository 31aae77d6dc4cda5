"""OpenAPI and AsyncAPI: what of an operation breaks whom, what only 3.1 and 3.2 have, other files, what is refused."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from graphbus_core.cli.main import main

PET = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}
REF = {"application/json": {"schema": {"$ref": "#/components/schemas/Pet"}}}
API: dict[str, Any] = {
    "openapi": "3.1.0",
    "info": {"title": "pets", "version": "1"},
    "paths": {
        "/pets": {
            "get": {
                "parameters": [{"name": "q", "in": "query", "schema": {"type": "string"}}],
                "responses": {
                    "200": {
                        "description": "ok",
                        "content": REF,
                        "headers": {"X-Left": {"schema": {"type": "integer"}}},
                    },
                    "404": {"description": "none", "content": {"application/json": {"schema": {"type": "object"}}}},
                },
            },
            "post": {"requestBody": {"content": REF}, "responses": {"default": {"description": "ok"}}},
        },
        "/health": {"get": {"responses": {"200": {"description": "ok"}}}},
    },
    "components": {"schemas": {"Pet": PET}},
}


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def put(name: str, data: Any) -> str:
    Path(name).parent.mkdir(parents=True, exist_ok=True)
    Path(name).write_text(yaml.safe_dump(data) if name.endswith("yaml") else json.dumps(data, indent=1))
    return name


def changed(change: Callable[[dict[str, Any]], Any], base: dict[str, Any] = API) -> dict[str, Any]:
    made: dict[str, Any] = json.loads(json.dumps(base))
    change(made)
    return made


def get(document: dict[str, Any]) -> dict[str, Any]:
    return document["paths"]["/pets"]["get"]


def post(document: dict[str, Any]) -> dict[str, Any]:
    return document["paths"]["/pets"]["post"]


def pet(document: dict[str, Any]) -> dict[str, Any]:
    return document["components"]["schemas"]["Pet"]


CHANGES: list[tuple[str, Callable[[dict[str, Any]], Any], int, str]] = [
    ("an optional field", lambda d: pet(d)["properties"].update(age={"type": "integer"}), 0, "age was added"),
    ("a needed field", lambda d: pet(d).update(required=["name", "tag"]), 1, "POST /pets body"),
    ("an operation without any schema", lambda d: d["paths"].pop("/health"), 1, "GET /health was removed"),
    ("an error", lambda d: get(d)["responses"].pop("404"), 0, "404 application/json was removed"),
    ("the answer", lambda d: get(d)["responses"].pop("200"), 1, "200 application/json was removed"),
    (
        "a needed parameter",
        lambda d: post(d).update(parameters=[{"name": "n", "in": "header", "required": True, "schema": {}}]),
        1,
        "header n was added",
    ),
    (
        "an optional parameter",
        lambda d: post(d).update(parameters=[{"name": "n", "in": "query", "schema": {"type": "integer"}}]),
        0,
        "query n was added",
    ),
    ("a parameter taken away", lambda d: get(d)["parameters"].clear(), 0, "query q was removed"),
    ("a body that must be there", lambda d: post(d)["requestBody"].update(required=True), 1, "body became required"),
    (
        "a header",
        lambda d: get(d)["responses"]["200"]["headers"]["X-Left"].update(schema={"type": "string"}),
        1,
        "200 headers.x-left",
    ),
    (
        "a path with its own parameters",
        lambda d: d["paths"]["/pets"].update(parameters=get(d)["parameters"]),
        0,
        "POST",
    ),
]


@pytest.mark.parametrize(("change", "code", "said"), [c[1:] for c in CHANGES], ids=[c[0] for c in CHANGES])
def test_what_a_change_of_an_operation_breaks(
    here: Path, capsys: pytest.CaptureFixture[str], change: Callable[[dict[str, Any]], Any], code: int, said: str
) -> None:
    """Under the reading that is usual for an API: who sends keeps to the document."""
    old, new = put("old.json", API), put("new.yaml", changed(change))
    assert main(["contracts", "diff", old, new]) == code
    shown = capsys.readouterr().out
    assert said in shown
    assert "read link" in shown
    assert main(["contracts", "diff", old, old]) == 0


def test_what_an_operation_loses_with_itself_is_told_once(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Not its parameters, answers and headers each."""
    new = put("new.json", changed(lambda d: d["paths"]["/pets"].pop("get")))
    assert main(["contracts", "diff", put("old.json", API), new, "--json"]) == 1
    found = [c["finding"]["message"] for c in json.loads(capsys.readouterr().out)["changes"]]
    assert found == ["GET /pets was removed"]


FAULTS: list[tuple[Callable[[dict[str, Any]], Any], str]] = [
    (lambda d: pet(d).update(type="objekt"), "at /components/schemas/Pet/type"),
    (lambda d: pet(d).update(properties={"name": ["string"]}), "at /components/schemas/Pet/properties"),
    (lambda d: get(d)["responses"].update({"2000": {}}), "at /paths/~1pets/get/responses/2000"),
    (lambda d: get(d)["parameters"][0].update({"in": "query string"}), "at /paths/~1pets/get/parameters/0/in"),
    (lambda d: get(d)["parameters"][0].pop("schema"), "either `schema` or `content`"),
    (lambda d: get(d)["parameters"][0].update(schema={"type": "txt"}), "parameters/0/schema/type"),
    (lambda d: d["paths"]["/pets"].update(get=[]), "at /paths/~1pets/get an object is wanted"),
    (lambda d: d.update(paths={"pets": {}}), "begins with `/`"),
    (lambda d: d.pop("paths") and d.pop("components"), "is wanted"),
    (lambda d: post(d)["requestBody"].pop("content"), "`content` is wanted"),
    (lambda d: d["components"].update(schemas={}), "leads nowhere"),
    (lambda d: d["paths"].update({"/x": {"$ref": "https://example.com/x.yaml"}}), "--map"),
    (lambda d: d["paths"].update({"/x": {"$ref": "../x.yaml"}}), "leads out of the folder"),
]


@pytest.mark.parametrize(("fault", "said"), FAULTS)
def test_what_is_not_openapi_is_refused(
    here: Path, capsys: pytest.CaptureFixture[str], fault: Callable[[dict[str, Any]], Any], said: str
) -> None:
    """Exit 2 with the pointer; most of these passed as "No contract changed"."""
    bad, good = put("bad.json", changed(fault)), put("good.json", API)
    for words in ([bad, good], [good, bad], [bad, bad]):
        assert main(["contracts", "diff", *words]) == 2
        assert said in capsys.readouterr().err


def test_parts_of_3_2_webhooks_and_callbacks(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`additionalOperations`, `itemSchema`, `querystring`, shared media types; who calls back is the API itself."""
    new = copy.deepcopy(API)
    new["openapi"] = "3.2.0"
    whole = {"name": "all", "in": "querystring", "content": {"application/json": {"schema": {"type": "integer"}}}}
    stream = {"content": {"text/event-stream": {"$ref": "#/components/mediaTypes/Events"}}}
    new["components"]["mediaTypes"] = {"Events": {"itemSchema": {"type": "integer"}}}
    new["paths"]["/pets"]["additionalOperations"] = {"COPY": {"parameters": [whole], "responses": {"200": stream}}}
    hook = {"requestBody": {"content": {"application/json": {"schema": {"type": "integer"}}}}, "responses": {}}
    new["webhooks"] = {"born": {"post": hook}}
    get(new)["callbacks"] = {"done": {"{$request.body#/url}": {"post": json.loads(json.dumps(hook))}}}
    old = put("old.json", new)
    wider = changed(lambda d: None, new)
    text = json.dumps(wider).replace('"integer"', '"number"')
    assert main(["contracts", "diff", old, put("new.json", json.loads(text)), "--json"]) == 1
    broken = {
        c["finding"]["message"]
        for c in json.loads(capsys.readouterr().out)["changes"]
        if c["finding"]["level"] == "error"
    }
    assert any("COPY /pets 200 text/event-stream item" in one for one in broken)
    assert any("POST webhook born body" in one for one in broken)
    assert any("callback done" in one for one in broken)
    assert not any("querystring" in one for one in broken), "an input that widens breaks nobody"


def test_a_request_that_widens_is_said_to(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It breaks nobody, and it does not keep its meaning."""
    wider = changed(lambda d: get(d)["parameters"][0].update(schema={"type": ["string", "null"]}))
    assert main(["contracts", "diff", put("old.json", API), put("new.json", wider)]) == 0
    assert "query q became wider: str → str | None" in capsys.readouterr().out


def test_an_api_in_several_files(here: Path) -> None:
    """Schemas, responses and whole paths in files of their own are the same as in one."""
    shown = {"example": {"$ref": "gone.yaml"}}  # data, and no reference
    whole = {"Pet": {**PET, "properties": {"name": {"$ref": "#/Name"}}, **shown}, "Name": {"type": "string"}}
    put("api/parts/pet.yaml", whole)
    put("api/paths/health.yaml", API["paths"]["/health"])
    split = changed(lambda d: d["components"]["schemas"].update(Pet={"$ref": "parts/pet.yaml#/Pet"}))
    split["paths"]["/health"] = {"$ref": "paths/health.yaml"}
    old = put("old.json", API)
    assert main(["contracts", "diff", old, put("api/whole.yaml", split), "--mode", "FULL"]) == 0
    put("api/parts/pet.yaml", {"Pet": PET | {"properties": {"name": {"type": "integer"}}}})
    assert main(["contracts", "diff", old, "api/whole.yaml"]) == 1
    mapped = changed(lambda d: d["components"]["schemas"].update(Pet={"$ref": "https://example.com/pet.json"}))
    put("pet.json", PET)
    words = ["contracts", "diff", old, put("mapped.json", mapped), "--mode", "FULL"]
    assert main([*words, "--map", "https://example.com/pet.json=pet.json"]) == 0
    assert main(words) == 3


def test_an_api_is_published_and_held_against_its_history(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Two contracts: what it takes and what it sends. Read again, every operation is known."""
    file = put("pets.json", API)
    assert main(["contracts", "publish", file]) == 0
    assert sorted(p.name for p in Path("contracts-history").iterdir()) == ["pets-input", "pets-output"]
    assert main(["contracts", "diff", file, "--history", "contracts-history", "--mode", "FULL"]) == 0
    put("pets.json", changed(lambda d: d["paths"].pop("/health") and get(d)["responses"].pop("404")))
    capsys.readouterr()
    assert main(["contracts", "diff", file, "--history", "contracts-history", "--json"]) == 1
    found = {c["finding"]["message"]: c["finding"]["level"] for c in json.loads(capsys.readouterr().out)["changes"]}
    assert found == {"GET /health was removed": "error", "GET /pets 404 application/json was removed": "note"}
    assert main(["contracts", "publish", file, "--mode", "BACKWARD"]) == 1


@pytest.mark.parametrize(
    ("operation", "said"),
    [
        ({"action": "publish", "channel": {"$ref": "#/channels/c"}}, "at /operations/o/action"),
        ({"action": "send"}, "at /operations/o/channel"),
        ({"action": "send", "channel": {"$ref": "#/channels/d"}}, "#/channels/d, which is not there"),
        ({"action": "send", "channel": {"$ref": "#/channels/avro"}}, "vnd.apache.avro"),
        ({"action": "send", "channel": {"$ref": "#/channels/bad"}}, "at /operations/o/type"),
    ],
)
def test_what_is_not_asyncapi_is_refused(
    here: Path, capsys: pytest.CaptureFixture[str], operation: Any, said: str
) -> None:
    """Another language of schemas is not taken for JSON Schema."""
    avro = {"schemaFormat": "application/vnd.apache.avro;version=1.9.0", "schema": {"type": "record"}}
    channels = {
        "c": {"messages": {}},
        "avro": {"messages": {"m": {"payload": avro}}},
        "bad": {"messages": {"m": {"payload": {"type": "record"}}}},
    }
    file = put("a.json", {"asyncapi": "3.0.0", "channels": channels, "operations": {"o": operation}})
    assert main(["contracts", "diff", file, file]) == 2
    assert said in capsys.readouterr().err


def test_protobuf_is_refused_with_the_way_out(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It promises field numbers, which no JSON payload proves."""
    Path("a.proto").write_text('syntax = "proto3";\nmessage A {}\n')
    assert main(["contracts", "check", "a.proto", put("b.json", PET)]) == 2
    assert "buf breaking" in capsys.readouterr().err
