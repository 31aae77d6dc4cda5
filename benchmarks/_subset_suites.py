"""The cases of seven other projects: two JSON Schemas, and whether all of the first fits the second.

Read from the files of their own tests, at a commit that is named here; nothing of theirs is kept or run. A pair that is
judged in both directions is two cases.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks._js_literals import Call, Script, Unreadable, holds_call
from benchmarks._openapi_sources import find_clone, read_git
from graphbus_core.contracts.loaders.json_yaml import parse_document


@dataclass(frozen=True)
class Case:
    """`fits`: whether the other project's tests say that every value of `producer` is one of `consumer`."""

    name: str
    producer: Any
    consumer: Any
    fits: bool


Files = Mapping[str, str]
Found = Iterator[Case | str]  # a text says what was not read


@dataclass(frozen=True)
class Suite:
    """Where the cases of one project stand, and how they are read. `dialect`: of schemas that name none."""

    name: str
    repository: str
    commit: str
    under: tuple[str, ...]  # files, or folders of them
    read: Callable[[Files], Found]
    dialect: str = "draft7"

    def list_cases(self, clones: Path) -> tuple[list[Case], list[str]]:
        """The cases, and what was not read of them."""
        clone = find_clone(clones, self.repository)
        listed = read_git(clone, "ls-tree", "-r", "-z", "--name-only", self.commit, *self.under).decode()
        files = {name: read_git(clone, "show", f"{self.commit}:{name}").decode() for name in listed.split("\0") if name}
        found = list(self.read(files))
        return [case for case in found if isinstance(case, Case)], [text for text in found if isinstance(text, str)]


# ---- cases that are data


def read_confluent(files: Files) -> Found:
    """`compatible`: who reads with the update reads what was written with the original."""
    for file, text in files.items():
        for case in parse_document(text.encode(), "cases.yaml"):  # as YAML: a comma stands before some brackets
            name = f"{Path(file).stem}: {case['description']}"
            yield Case(name, case["original_schema"], case["update_schema"], case["compatible"])


def read_apicurio(files: Files) -> Found:
    """`backward`: the update reads the original, and not the other way round; `both` and `none` as they say."""
    for text in files.values():
        for case in json.loads(text)["tests"]:
            old, new, what = case["original"], case["updated"], case["compatibility"]
            yield Case(f"{case['id']}, backward", old, new, what in ("backward", "both"))
            yield Case(f"{case['id']}, forward", new, old, what == "both")


def read_jsoncompat(files: Files) -> Found:
    """A folder a case: who writes by the new schema is read by the old one (`serializer`), and the other way round."""
    for file, text in files.items():
        folder, _, name = file.rpartition("/")
        if name == "expect.json":
            expected = json.loads(text)
            old, new = (json.loads(files[f"{folder}/{which}.json"]) for which in ("old", "new"))
            if expected.get("allowed_failure"):
                yield f"{folder}: a failure of its own that it allows"
                continue
            label = folder.rpartition("/")[2]
            yield Case(f"{label}, serializer", new, old, expected["serializer"])
            yield Case(f"{label}, deserializer", old, new, expected["deserializer"])


# ---- cases in Python


def read_karapace(files: Files) -> Found:
    """`schemas_are_compatible(reader=A, writer=B)`: what is written by B is read by A. The constants are JSON."""
    constants: dict[str, Any] = {}
    trees = [ast.parse(text) for text in files.values()]
    for tree in trees:
        constants |= dict(_find_constants(tree))
    for tree in trees:
        for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
            asked = getattr(call.func, "id", "")
            if asked not in ("schemas_are_compatible", "not_schemas_are_compatible"):
                continue
            sides = {word.arg: ast.unparse(word.value) for word in call.keywords}
            reader, writer = sides.get("reader", ""), sides.get("writer", "")
            if reader in constants and writer in constants:
                name = f"reader {reader}, writer {writer}"
                yield Case(name, constants[writer], constants[reader], asked == "schemas_are_compatible")
            elif call.keywords:
                yield f"line {call.lineno}: {reader}, {writer}"


def _find_constants(tree: ast.Module) -> Iterator[tuple[str, Any]]:
    """`NAME = parse_jsonschema_definition(TEXT)`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call) and isinstance(node.targets[0], ast.Name):
            name = getattr(node.value.func, "id", "")
            if name == "parse_jsonschema_definition" and isinstance(node.value.args[0], ast.Constant):
                yield node.targets[0].id, json.loads(str(node.value.args[0].value))


# ---- cases in TypeScript


def read_haggholm(files: Files) -> Found:
    """`expect(A).toSatisfy(B)`, `expect(A).toViolate(B)`."""
    for file, text in files.items():
        script = Script(text)
        for at in script.find_calls("expect"):
            name = f"{Path(file).name.partition('.')[0]} {_number_line(text, script, at)}"
            try:
                asked, expected = _read_expectation(script, at)
            except Unreadable as e:
                yield f"{name}: {e}"
                continue
            if expected.name in ("toSatisfy", "toViolate") and len(expected.arguments) == 1:
                yield Case(name, asked, expected.arguments[0], expected.name == "toSatisfy")
            elif expected.name in ("toSatisfy", "toViolate"):
                yield f"{name}: with options of its own"


def read_checker(files: Files) -> Found:
    """`expect(checker.isSubset(A, B)).toBe(true)`, and `checker.check(A, B).isSubset` likewise."""
    yield from _read_calls(files, {("isSubset", ""), ("check", "isSubset")}, set())


def read_describes(files: Files) -> Found:
    """`expect(schemaDescribesSubset(A, B)).toBe(true)`; `null` expects nothing. What is empty fits `false`."""
    yield from _read_calls(files, {("schemaDescribesSubset", "")}, {"schemaDescribesEmptySet"})


def _read_calls(files: Files, subsets: set[tuple[str, str]], empties: set[str]) -> Found:
    """Expectations of calls with two schemas, and of those with one that is expected to be empty."""
    names = {name for name, _ in subsets} | empties
    for file, text in files.items():
        script = Script(text)
        for at in script.find_calls("expect"):
            name = f"{Path(file).name.partition('.')[0]} {_number_line(text, script, at)}"
            try:
                asked, expected = _read_expectation(script, at)
            except Unreadable as e:
                if names & {token.text for token in script.tokens[at : script.end_of(at + 1)]}:
                    yield f"{name}: {e}"
                continue
            if not isinstance(asked, Call) or expected.name != "toBe" or expected.arguments not in ([True], [False]):
                continue
            schemas, fits = asked.arguments, expected.arguments[0]
            if (asked.name, asked.member) in subsets and len(schemas) == 2:
                yield Case(name, *schemas, fits)
            elif asked.name in empties and len(schemas) == 1:
                yield Case(name, schemas[0], False, fits)
            elif asked.name in names and not asked.member:
                yield f"{name}: with options of its own"


def _read_expectation(script: Script, at: int) -> tuple[Any, Call]:
    """What stands in `expect(…)`, and the call behind it."""
    asked, _ = script.read(at + 2)
    behind = script.end_of(at + 1) + 1
    expected, _ = script.read(behind + 1) if script.tokens[behind].text == "." else (None, 0)
    if not isinstance(expected, Call):
        raise Unreadable("what is expected")
    if holds_call([*(asked.arguments if isinstance(asked, Call) else [asked]), *expected.arguments]):
        raise Unreadable("a call within")
    return asked, expected


def _number_line(text: str, script: Script, at: int) -> str:
    """Which expectation of its file it is: lines would have to be counted beside the tokens."""
    return f"expectation {sum(1 for other in script.find_calls('expect') if other <= at)}"


_APICURIO = "schema-util/json/src/test/resources/io/apicurio/registry/rules/compatibility/jsonschema"
_CONFLUENT = "json-schema-provider/src/test/resources"
SUITES = (
    Suite("is-json-schema-subset", "haggholm/is-json-schema-subset", "9f95d7e1ab", ("test/",), read_haggholm),
    Suite(
        "schema-registry",
        "confluentinc/schema-registry",
        "794611bd86",
        tuple(
            f"{_CONFLUENT}/diff-{kind}schema-examples{edition}.json"
            for kind in ("", "combined-")
            for edition in ("", "-2020-12")
        ),
        read_confluent,
    ),
    Suite(
        "apicurio-registry",
        "Apicurio/apicurio-registry",
        "b40e017382",
        (f"{_APICURIO}/compatibility-test-data.json",),
        read_apicurio,
    ),
    Suite(
        "jsoncompat", "ostrowr/jsoncompat", "31436553fc", ("tests/fixtures/backcompat/",), read_jsoncompat, "2020-12"
    ),
    Suite(
        "json-schema-compatibility-checker",
        "atinseau/json-schema-compatibility-checker",
        "fbc3d7854e",
        ("tests/",),
        read_checker,
    ),
    Suite(
        "karapace",
        "Aiven-Open/karapace",
        "3bbc1f8d30",
        ("tests/schemas/json_schemas.py", "tests/unit/compatibility/jsonschema/test_jsonschema_compatibility.py"),
        read_karapace,
    ),
    Suite(
        "json-schema-describes-subset",
        "jobohner/json-schema-describes-subset",
        "2b21cbdaac",
        ("src/",),
        read_describes,
        "2020-12",
    ),
)
