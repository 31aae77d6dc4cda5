"""The generated clients: as the document says, whole in all three languages, and walked through from outside."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import tree_sitter_swift
from tree_sitter import Language, Parser

from clients import write_python, write_swift, write_typescript
from clients.__main__ import FILES, document
from clients.python.graphbus_api import GraphBus
from clients.reading import Type, read, type_of
from clients.road import python_road, served

ROOT = Path(__file__).resolve().parents[2]
# Where a user's own JSON stands: payloads, schemas, counterexamples, diffs, what a question or a fact is about.
# `value` is that of a setting: a text, a number, or a table, as somebody wrote it.
OWN = {
    "payload",
    "result",
    "record",
    "json_schema",
    "counterexample",
    "data",
    "after",
    "diff",
    "about",
    "answer_schema",
    "value",
}


@pytest.fixture(scope="module")
def described() -> dict[str, Any]:
    return document()


def test_what_is_committed_is_what_the_document_says(described: dict[str, Any]) -> None:
    """Nobody edits a client by hand, and nobody forgets to write it again."""
    api = read(described)
    assert [str(path.relative_to(ROOT)) for path, write in FILES.items() if path.read_text() != write(api)] == []


def test_swift_parses(described: dict[str, Any]) -> None:
    """The one Swift file has no error for the grammar that editors use. It is not compiled where swiftc is missing."""
    parser = Parser(Language(tree_sitter_swift.language()))
    assert not parser.parse(write_swift.write(read(described)).encode()).root_node.has_error
    assert parser.parse(b"public struct X { let y: }").root_node.has_error


def test_unknown_stands_where_a_users_own_json_does(described: dict[str, Any]) -> None:
    """In the TypeScript client nothing of ours is of an unknown type."""
    text = write_typescript.write(read(described))
    models = text[: text.index("export class GraphBus")]
    assert set(re.findall(r"^  (\w+)\??: .*Json", models, re.MULTILINE)) <= OWN | {"producer", "consumer"}
    assert models.count("unknown;") == 1


def test_every_operation_has_a_method_in_every_language(described: dict[str, Any]) -> None:
    """By its stable id, or by that as Python spells it."""
    ids = [one["operationId"] for methods in described["paths"].values() for one in methods.values()]
    api = read(described)
    python, typescript, swift = write_python.write(api), write_typescript.write(api), write_swift.write(api)
    for one in ids:
        snake = re.sub(r"(?<!^)([A-Z])", r"_\1", one).lower()
        assert f"def {snake}(" in python
        assert f"async {one}(" in typescript
        assert f"func {one}(" in swift


def test_the_python_client_is_typed(tmp_path: Path) -> None:
    """mypy --strict has nothing to say of it."""
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path), "clients/python/graphbus_api.py"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=110)
    assert done.returncode == 0, done.stdout


@pytest.mark.timeout(120)
def test_the_main_road_in_python() -> None:
    """Look, try, propose, approve, run, call, publish, take back: by the generated client alone."""
    with served() as (address, token):
        python_road(address, token)  # each of its steps asserts what came of it
        assert GraphBus(address, token).get_picture()["mismatches"] == 2, "what was taken back is as it was"


@pytest.mark.parametrize(
    ("schema", "meant"),
    [
        ({"anyOf": [{"type": "string"}, {"type": "null"}]}, Type("string", nullable=True)),
        (
            {"type": "array", "items": {"$ref": "#/components/schemas/Page_Node_"}},
            Type("list", (Type("ref", name="PageNode"),)),
        ),
        ({"const": "x"}, Type("words", words=("x",))),
        ({"type": "object", "additionalProperties": {"type": "integer"}}, Type("map", (Type("integer"),))),
        ({"type": "object", "additionalProperties": True}, Type("object")),
        ({}, Type("json")),
    ],
)
def test_types_are_read(schema: dict[str, Any], meant: Type) -> None:
    """Each form that pydantic writes has one meaning."""
    assert type_of(json.loads(json.dumps(schema))) == meant
