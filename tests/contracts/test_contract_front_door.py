"""The front door as people use it: what is read, what is refused with its place, git, formats, published versions."""

from __future__ import annotations

import json
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft202012Validator

from graphbus_core.cli.main import main
from graphbus_core.contracts.loaders.schema_check import KEYWORDS, check_schema
from graphbus_core.contracts.parsing.json_schema import NEWEST
from graphbus_core.errors import ContractError


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def put(path: Path, data: Any) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(data if isinstance(data, str) else json.dumps(data, indent=1))
    return str(path)


def out(capsys: pytest.CaptureFixture[str]) -> Any:
    return json.loads(capsys.readouterr().out)


OBJECT = {"type": "object", "properties": {"a": {"type": "string"}}}


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ({"type": "strin"}, "at /type"),
        ({"properties": {"a": {"type": ["string", "nil"]}}}, "at /properties/a/type"),
        ({"hello": "world"}, "no keyword of JSON Schema"),
        ({"info": {"title": "x"}, "paths": {}}, "no keyword of JSON Schema"),
        ({"type": "object", "required": "a"}, "at /required"),
        ({"minLength": -1}, "minLength"),
        ({"properties": {"a": {"pattern": "("}}}, "at /properties/a/pattern"),
        ({"pattern": "[a-"}, "an unfinished ["),
        ({"patternProperties": {"*x": {}}}, "at /patternProperties"),
        ({"openapi": "2.0", "paths": {}}, "3.0, 3.1 and 3.2 are read"),
        ({"asyncapi": "1.2.0"}, "3.x are read"),
        ([1], "holds a list"),
        ({"$ref": "../outside.json"}, "leads out of the folder"),
        ({"$ref": "missing.json"}, "cannot be read"),
    ],
)
def test_what_cannot_be_read_is_refused(here: Path, capsys: pytest.CaptureFixture[str], data: Any, said: str) -> None:
    """Exit 2 with the place; some of these were a "✓"."""
    bad, good = put(here / "bad.json", data), put(here / "good.json", OBJECT)
    for words in (["check", bad, good], ["check", good, bad], ["diff", bad, good], ["changes", good, bad]):
        assert main(["contracts", *words]) == 2
        error = capsys.readouterr().err
        assert said in error


@pytest.mark.parametrize(
    "pattern",
    ["(?i)a", "a++", "(?<=a)b", "(?>a)", r"\p{L}", "[]", "^[^]$", "a{", "{", r"[a-\d]", "[[:alpha:]]", r"\/", "[]a]"],
)
def test_patterns_that_some_dialect_reads_are_read(pattern: str) -> None:
    """People write JSON Schema in the dialect of their own language: only what nobody reads is refused."""
    assert refusal({"pattern": pattern}) is None


def refusal(schema: Any) -> str | None:
    try:
        check_schema(schema, "f.json", NEWEST, inner=True)
    except ContractError as e:
        return str(e)
    return None


META_SCHEMA_IS_STRICTER = {  # said by fewer people than write them, or meant in an older draft: read, not refused
    *("$anchor", "$dynamicAnchor", "$id", "$vocabulary", "dependentRequired", "required"),
    *("exclusiveMaximum", "exclusiveMinimum", "items", "$recursiveRef", "$recursiveAnchor"),
}


@pytest.mark.parametrize("keyword", sorted(KEYWORDS - {"definitions", "dependencies", "additionalItems"}))
def test_the_table_refuses_what_the_meta_schema_refuses(keyword: str) -> None:
    """Large documents are judged by our table alone, so it is held against the meta-schema, value by value."""
    values: list[Any] = [None, True, 0, -1, 1.5, "a", "^a", [], ["a"], [1], [{}], {}, {"a": 1}, {"a": {}}, {"a": ["b"]}]
    judge = Draft202012Validator(Draft202012Validator.META_SCHEMA)
    for value in [*values, {"a": True}, ["string", "null"], ["string", "string"]]:
        schema = {"type": "object", "properties": {"p": {keyword: value}}}
        said = refusal(schema)
        refused = said is not None
        assert said is None or f"at /properties/p/{keyword}" in said
        if keyword not in META_SCHEMA_IS_STRICTER:
            assert refused is not judge.is_valid(schema), f"{keyword}: {value!r}"
        assert judge.is_valid(schema) <= (not refused), f"{keyword}: {value!r} is right and refused"


def test_a_reference_into_the_file_leads_somewhere(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A misspelt reference was "not decided"; it is a fault of the file, with its line."""
    bad = put(here / "bad.json", {"properties": {"a": {"$ref": "#/$defs/b"}}, "$defs": {"c": {}}})
    assert main(["contracts", "check", bad, bad]) == 2
    assert "at /properties/a/$ref #/$defs/b leads nowhere (line 4)" in capsys.readouterr().err


def test_the_empty_schema_is_one(here: Path) -> None:
    """`{}` takes everything; `true` and `false` are schemas."""
    empty, good = put(here / "e.json", {}), put(here / "g.json", OBJECT)
    assert main(["contracts", "check", good, empty]) == 0
    assert main(["contracts", "check", empty, good]) == 1
    assert main(["contracts", "check", put(here / "f.json", "false"), good]) == 0


def test_unknown_keywords_are_a_note(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """They say nothing, and somebody may think that they do."""
    odd = put(here / "o.json", {**OBJECT, "requierd": ["a"]})
    assert main(["contracts", "check", odd, put(here / "g.json", OBJECT)]) == 0
    assert "'requierd' is not a keyword" in capsys.readouterr().err


def test_aliases_of_aliases_end(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """703 bytes had no answer in 40 seconds."""
    rows = ["a0: &a0 {type: string}"]
    rows += [f"a{i}: &a{i} {{anyOf: [{', '.join([f'*a{i - 1}'] * 9)}]}}" for i in range(1, 12)]
    bomb = put(here / "bomb.yaml", "\n".join(rows))
    start = time.process_time()
    assert main(["contracts", "diff", bomb, bomb]) == 2
    assert time.process_time() - start < 5
    assert "aliases of aliases" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ({"type": "object", "required": ["a"]}, {"type": "object", "required": ["a"], "dependencies": {"a": ["b"]}}, 1),
        ({"type": "integer"}, {"$schema": "http://json-schema.org/draft-04/schema#", "exclusiveMaximum": 5}, 1),
    ],
)
def test_words_of_another_dialect_count(here: Path, old: Any, new: Any, code: int) -> None:
    """`dependencies` without a $schema, and the numeric bound beside draft 4, passed as nothing."""
    assert main(["contracts", "diff", put(here / "o.json", old), put(here / "n.json", new)]) == code


def test_references_to_files_and_maps(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Relative files are read, a mapped URI is a file, any other URI is a type equal to itself."""
    put(here / "s/parts/item.json", {"$defs": {"n": {"type": "integer"}}, "properties": {"n": {"$ref": "#/$defs/n"}}})
    whole = put(here / "s/whole.json", {"properties": {"i": {"$ref": "parts/item.json"}}})
    plain = put(here / "s/plain.json", {"properties": {"i": {"properties": {"n": {"type": "integer"}}}}})
    assert main(["contracts", "check", whole, plain]) == 0
    assert main(["contracts", "check", plain, whole]) == 0
    named = {"$id": "https://example.com/s/named.json", "properties": {"i": {"$ref": "elsewhere.json"}}}
    assert main(["contracts", "diff", put(here / "s/named.json", named), put(here / "s/again.json", named)]) == 0
    far = put(here / "s/far.json", {"properties": {"i": {"$ref": "https://example.com/item"}}})
    assert main(["contracts", "check", far, far]) == 0
    assert main(["contracts", "check", far, plain]) == 3
    assert main(["contracts", "check", far, plain, "--map", "https://example.com/item=parts/item.json"]) == 0


def api(version: str, field: dict[str, Any], **extra: Any) -> dict[str, Any]:
    pet = {"type": "object", "properties": {"name": field}, "required": ["name"]}
    body = {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Pet"}}}}
    get = {"responses": {"200": body}, "parameters": [{"name": "q", "in": "query", "schema": {"type": "string"}}]}
    paths = {"/pets": {"post": {"requestBody": body, "responses": {}}, "get": get}, **extra}
    return {"openapi": version, "paths": paths, "components": {"schemas": {"Pet": pet}}}


def test_openapi_by_operation(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A wider response breaks clients, a wider request nobody; an operation that is gone breaks."""
    gone = {"get": {"responses": {"200": {"content": {"a/b": {"schema": {"type": "null"}}}}}}}
    old = put(here / "old.json", api("3.0.3", {"type": "string"}, **{"/gone": gone}))
    new = put(here / "new.json", api("3.0.3", {"type": "string", "nullable": True}))
    assert main(["contracts", "diff", old, new, "--json"]) == 1
    told = [c["finding"] for c in out(capsys)["changes"]]
    broken = {f["code"]: f for f in told if f["level"] == "error"}
    assert broken["GB302"]["message"] == "GET /gone was removed"
    assert "GET /pets 200 application/json.name" in broken["GB301"]["message"]
    assert broken["GB301"]["payload"] == {"name": None}
    lines = Path(new).read_text().splitlines()
    assert '"type": "string"' in lines[broken["GB301"]["line"] - 1]
    assert sum(f["code"] == "GB301" for f in told) == 1


def test_asyncapi_by_direction(here: Path) -> None:
    """What is sent may narrow, what is received may widen."""

    def doc(action: str, kind: str) -> str:
        message = {"payload": {"type": "object", "properties": {"n": {"type": kind}}, "required": ["n"]}}
        made = {"asyncapi": "3.0.0", "channels": {"c": {"messages": {"m": message}}}}
        operation = {"action": action, "channel": {"$ref": "#/channels/c"}}
        return put(here / f"{action}{kind}.yaml", yaml.safe_dump({**made, "operations": {"o": operation}}))

    assert main(["contracts", "diff", doc("send", "number"), doc("send", "integer")]) == 0
    assert main(["contracts", "diff", doc("send", "integer"), doc("send", "number")]) == 1
    assert main(["contracts", "diff", doc("receive", "integer"), doc("receive", "number")]) == 0


def test_python_names(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`pkg.module:Name`, a model in both modes."""
    put(
        here / "shapes_for_door.py",
        "from dataclasses import dataclass\n@dataclass\nclass Order:\n    sku: str\n    qty: int = 1\n"
        "@dataclass\nclass Strict:\n    sku: str\n    qty: int\n",
    )
    assert main(["contracts", "check", "shapes_for_door:Order", "shapes_for_door:Strict"]) == 0
    assert main(["contracts", "check", "shapes_for_door:Strict", "shapes_for_door:Order"]) == 0
    assert main(["contracts", "check", "shapes_for_door:None_here", "shapes_for_door:Order"]) == 2


def git(here: Path, *words: str) -> None:
    line = ["git", "-c", "user.name=t", "-c", "user.email=t@example.com", "-C", str(here), *words]
    subprocess.run(line, check=True, timeout=30, capture_output=True)


def test_against_git_a_folder_and_a_deleted_schema(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`git:REF`, `git:REF:PATH`, a folder, a file; a schema that is gone breaks."""
    put(here / "s/a.json", OBJECT)
    put(here / "s/b.json", {"properties": {"x": {"$ref": "a.json"}}})
    git(here, "init", "-q")
    git(here, "add", ".")
    git(here, "commit", "-qm", "one")
    assert main(["contracts", "diff", "s", "--against", "git:HEAD"]) == 0
    put(here / "s/a.json", {**OBJECT, "required": ["a"]})
    capsys.readouterr()
    assert main(["contracts", "diff", "s", "--against", "git:HEAD", "--json"]) == 1
    found = [c["finding"] for c in out(capsys)["changes"]]
    assert {f["file"] for f in found} == {"s/a.json", "s/b.json"}
    assert all("payload" in f for f in found)
    assert main(["contracts", "diff", "s/a.json", "--against", "git:HEAD:s/a.json"]) == 1
    put(here / "old/a.json", OBJECT)
    put(here / "old/b.json", {"properties": {"x": {"$ref": "a.json"}}})
    assert main(["contracts", "diff", "s", "--against", "old"]) == 1
    assert main(["contracts", "diff", "old", "--against", "old"]) == 0
    (here / "s/a.json").unlink()
    (here / "s/b.json").unlink()
    capsys.readouterr()
    assert main(["contracts", "diff", "s/a.json", "--against", "git:HEAD"]) == 1
    assert "a.json was removed" in capsys.readouterr().out


@pytest.mark.parametrize("form", ["text", "json", "sarif", "github", "junit", "markdown"])
def test_formats(here: Path, capsys: pytest.CaptureFixture[str], form: str) -> None:
    """Each says the file and the line of the new version."""
    old = put(here / "old.json", OBJECT)
    new = put(here / "new.json", {**OBJECT, "required": ["a"]})
    assert main(["contracts", "diff", old, new, "--format", form]) == 1
    told = capsys.readouterr().out
    assert "new.json" in told
    assert "became required" in told


def test_ignores_and_a_baseline(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """In pyproject.toml, with a reason and an expiry."""
    old = put(here / "old.json", OBJECT)
    new = put(here / "new.json", {**OBJECT, "required": ["a"]})
    entry = '[[tool.graphbus.contracts.ignore]]\ncode = "GB301"\nfiles = "new.json"\nreason = "agreed"\nuntil = "%s"\n'
    put(here / "pyproject.toml", entry % "2999-01")
    assert main(["contracts", "diff", old, new]) == 0
    assert "1 are ignored" in capsys.readouterr().out
    put(here / "pyproject.toml", entry % "2020-01")
    assert main(["contracts", "diff", old, new]) == 1


def test_publish_history_and_can_i_use(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One file a version, nothing written twice, an altered one refused; transitive modes ask all of them."""
    file = here / "s/order.json"
    for schema in (OBJECT, {**OBJECT, "required": ["a"]}, {**OBJECT, "required": ["a"]}):
        put(file, schema)
        assert main(["contracts", "publish", "s", "--history", "h"]) == 0
    assert sorted(p.name for p in (here / "h/order").iterdir()) == ["1.json", "2.json"]
    assert main(["contracts", "diff", "s/order.json", "--history", "h", "--mode", "BACKWARD"]) == 0
    assert main(["contracts", "diff", "s/order.json", "--history", "h", "--mode", "BACKWARD_TRANSITIVE"]) == 1
    capsys.readouterr()
    assert main(["contracts", "can-i-use", "order@2", "order@1", "--history", "h", "--json"]) == 1
    assert out(capsys)["counterexample"] == {}
    assert main(["contracts", "can-i-use", "order@1", "order", "--history", "h"]) == 0
    assert main(["contracts", "can-i-use", "order", "nothing", "--history", "h"]) == 2
    put(file, {**OBJECT, "required": ["a", "b"]})
    assert main(["contracts", "publish", "s", "--history", "h", "--mode", "BACKWARD"]) == 1
    assert not (here / "h/order/3.json").exists()
    (here / "h/order/1.json").write_text((here / "h/order/1.json").read_text().replace("string", "integer"))
    assert main(["contracts", "can-i-use", "order@2", "order@1", "--history", "h"]) == 2


def test_a_part_of_a_file_is_named(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """By pointer, or by the beginning of an operation's name; what is not there, or there twice, is said."""
    answer = {"type": "object", "required": ["id"], "properties": {"id": {"$ref": "#/components/schemas/Id"}}}
    content = {"application/json": {"schema": answer}}
    put(
        here / "api.json",
        {
            "openapi": "3.1.0",
            "info": {"title": "shop", "version": "1"},
            "paths": {
                "/orders": {
                    "post": {
                        "requestBody": {"content": {"application/json": {"schema": {"type": "object"}}}},
                        "responses": {"200": {"description": "done", "content": content}},
                    }
                }
            },
            "components": {"schemas": {"Id": {"type": "integer"}}},
        },
    )
    put(
        here / "both.json",
        {
            "$defs": {
                "Id": {"type": "integer"},
                "Has": {"required": ["id"], "properties": {"id": {"$ref": "#/$defs/Id"}}},
            }
        },
    )
    assert main(["contracts", "check", "api.json#POST /orders 200", "both.json#/$defs/Has"]) == 0
    assert main(["contracts", "check", "both.json#/$defs/Has", "api.json#POST /orders 200"]) == 1
    assert main(["contracts", "diff", "api.json#POST /orders 200", "both.json#/$defs/Has", "--mode", "FORWARD"]) == 1
    capsys.readouterr()
    for wrong, said in (
        ("api.json", "Name it: 'api.json#POST"),
        ("api.json#POST /orders", "has 3 contracts named"),
        ("api.json#GET", "has 0 contracts named"),
        ("both.json#/$defs/Nothing", "has nothing at #/$defs/Nothing"),
        ("none.json#/a", "none.json"),
    ):
        assert main(["contracts", "check", wrong, "both.json#/$defs/Has"]) == 2
        assert said in capsys.readouterr().err
