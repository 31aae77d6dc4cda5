"""Contracts as types: in a copy that only the checker sees, what methods take and give back is written out.

`-> dict` hides a wrong, missing or mistyped key from every checker. So a return that says no more than `dict`, or
nothing, becomes a TypedDict made of the output contract, and a parameter without a type gets the input contract's. A
function that is not a component's and says nothing gets the class that its text shows. Lines stay where they are.
"""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any, Protocol

from graphbus_core.analysis.files import ProjectFiles, derive_module
from graphbus_core.analysis.index import FunctionRef, Index, Instance
from graphbus_core.analysis.objects import ObjectResolver
from graphbus_core.analysis.type_checker.port import Diagnostic, Engine
from graphbus_core.analysis.type_checker.reach import find_reach
from graphbus_core.analysis.values import Const, Function, Places
from graphbus_core.contracts.parsing.type_forms import WORDS
from graphbus_core.gc_control import pause_garbage_collection
from graphbus_core.model.agent_def import AgentDefinition
from graphbus_core.model.schema import Schema, SchemaMethod

MAX_DEPTH = 12  # of a contract that is written as a type; below that, anything
KEPT_TEXTS = 4_000
KEPT_FINDINGS = 8  # trees: a build asks about the same one before each of its commits
VAGUE = ("dict", "Dict", "Mapping", "MutableMapping", "Any", "object")
WORD = re.compile(rb"[\w\x80-\xff]+")
_TEXTS: dict[tuple[str, bytes, str], bytes] = {}
_FINDINGS: dict[bytes, tuple[Diagnostic, ...]] = {}

Edit = tuple[int, int, bytes]  # from, to, what stands there then


def check_types(project: TypedProject, engine: Engine) -> tuple[Diagnostic, ...]:
    """What the checker finds in a project whose contracts are written as types. Raises EngineFailed."""
    with _TypedCopy(engine) as look:
        return look.check_state(project)


def compare_types(
    before: TypedProject, after: TypedProject, engine: Engine
) -> tuple[tuple[Diagnostic, ...], tuple[Diagnostic, ...]]:
    """What it finds before and after a change, as far as the two can differ in what is new. Raises EngineFailed.

    The state after is looked at first. What is not found there is not new, so the state before is asked about the files
    alone in which anything was found: mostly none, and a change costs one look and not two. Of a large project only
    what the change can reach is written out and looked at.
    """
    reach = find_reach(after.texts, after.texts.overlaid | before.texts.overlaid)
    needed = reach.needed if reach is not None else None
    with _TypedCopy(engine) as look:
        now = look.check_state(after, reach.asked if reach is not None else None, needed)
        found = frozenset(diagnostic.path for diagnostic in now)
        return (look.check_state(before, found, needed) if now else ()), now


class _TypedCopy:
    """An engine's looks at states of one project, in one folder: of the second only what differs is written."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._folder = tempfile.TemporaryDirectory(prefix="graphbus-typed-")
        self._root = Path(self._folder.name)
        self._stands: dict[str, bytes] = {}

    def __enter__(self) -> _TypedCopy:
        return self

    def __exit__(self, *_: object) -> None:
        self._folder.cleanup()

    def check_state(
        self, project: TypedProject, only: frozenset[str] | None = None, needed: frozenset[str] | None = None
    ) -> tuple[Diagnostic, ...]:
        """The findings in a state; with `only`, those in these files, which rest on the files `needed`."""
        with pause_garbage_collection():  # as for every reading of a whole project
            files = dict(iter_typed_files(project, needed))
        parts = (part for path, text in files.items() for part in (path.encode(), sha256(text).digest()))
        key = sha256(b"\0".join((self._engine.name.encode(), *parts))).digest()
        if (cached := _FINDINGS.get(key)) is not None:
            return cached
        self._write(files)
        if only is not None:
            changed_paths = sorted(only & files.keys())
            return self._engine.find_diagnostics(self._root, changed_paths) if changed_paths else ()
        diagnostics = self._engine.find_diagnostics(self._root)
        if len(_FINDINGS) >= KEPT_FINDINGS:
            del _FINDINGS[next(iter(_FINDINGS))]
        _FINDINGS[key] = diagnostics
        return diagnostics

    def _write(self, files: dict[str, bytes]) -> None:
        for path in self._stands.keys() - files.keys():
            (self._root / path).unlink()
        folders: set[str] = set()
        for path, text in files.items():
            if self._stands.get(path) == text:
                continue
            if (parent := path.rpartition("/")[0]) not in folders:
                (self._root / parent).mkdir(parents=True, exist_ok=True)
                folders.add(parent)
            with open(f"{self._folder.name}/{path}", "wb", buffering=0) as file:
                file.write(text)
        self._stands = files


def iter_typed_files(project: TypedProject, needed: frozenset[str] | None = None) -> Iterator[tuple[str, bytes]]:
    """Every file that a checker reads, or those that are needed, with its contracts written as types."""
    paths = [path for path in project.texts.paths if needed is None or path in needed]
    types_by_file = _collect_types(project, paths)
    for path in paths:
        if path.endswith((".py", ".pyi")):
            content = project.texts.read_content(path)
            more = types_by_file.get(path)
            yield path, _write_cached(path, content, more, project.texts[path].functions.values()) if more else content


class TypedProject(Protocol):
    """What this asks of a project."""

    texts: ProjectFiles
    agents: tuple[AgentDefinition, ...]

    @property
    def index(self) -> Index:
        """What a name leads to."""

    @property
    def objects(self) -> ObjectResolver:
        """What a value is."""

    def iter_contract_methods(self) -> Iterable[tuple[str, SchemaMethod]]:
        """Every method with a contract, with its component's name."""

    def find_code(self, component: str, method: str) -> FunctionRef | None:
        """The function behind a component's method."""


class _FileTypes:
    """What is to be written into one file. By the line of a function: what it gives back, what its parameters are."""

    def __init__(self) -> None:
        self.returns: dict[int, str] = {}
        self.parameters: dict[int, dict[str, str]] = {}
        self.made: dict[str, str] = {}  # name -> the TypedDict that it stands for, written behind the file's end

    @property
    def key(self) -> str:
        return json.dumps([self.returns, self.parameters, self.made], sort_keys=True)


def _collect_types(project: TypedProject, paths: list[str]) -> dict[str, _FileTypes]:
    files: dict[str, _FileTypes] = {}
    handled: set[FunctionRef] = set()
    names = {path.rpartition("/")[2] for path in paths}
    near = {agent.name for agent in project.agents if agent.source_file.rpartition("/")[2] in names}
    for agent, method in project.iter_contract_methods():
        code = project.find_code(agent, method.name) if agent in near else None
        if code is None or FunctionRef(code.path, code.name) in handled:
            continue
        handled.add(FunctionRef(code.path, code.name))  # an inherited method is written once
        function = project.index.find_function(code)
        if function is None or function.yields:
            continue
        _add_method_types(files.setdefault(code.path, _FileTypes()), f"{agent}_{method.name}", method, function.line)
    for path, line, name, module in _find_shown_returns(project, handled, paths):
        file = files.setdefault(path, _FileTypes())
        alias = f"_gb_{name}"
        file.returns.setdefault(line, alias)
        file.made[alias] = f"from {module} import {name} as {alias}" if module else f"{alias} = {name}"
    return files


def _clean_word(name: str) -> str:
    """A part of a Python name: a field may be called `m²`, which `isalnum` takes and Python does not."""
    return "".join(c if f"_{c}".isidentifier() else "_" for c in name)


def restore_names(text: str, agents: Iterable[AgentDefinition]) -> str:
    """What the checker says, without the names of the types that were written out of contracts for it alone."""
    words: dict[str, str] = {}
    for agent in agents:
        for method in agent.methods:
            safe, label = _clean_word(f"{agent.name}_{method.name}"), f"{agent.name}.{method.name}"
            words[f"{safe}_result"] = f"what the contract of {label} gives back"
            arguments = method.input_schema.fields if method.input_schema is not None else {}
            words |= {f"{safe}_{_clean_word(field)}": f"'{field}' of {label}" for field in arguments}
    for name in sorted(words, key=len, reverse=True):
        # What lies deeper in a contract has the name of what it lies in before its own.
        label = words[name].replace("\\", "\\\\")
        text = re.sub(rf"`?\b{re.escape(name)}(?:_\w+)?\b`?", label, text)
    return text.replace("_gb_", "").replace("_gb.", "")


def _add_method_types(file: _FileTypes, name: str, method: SchemaMethod, line: int) -> None:
    safe = _clean_word(name)
    if method.output_schema is not None:
        writer = _TypeWriter(method.output_schema)
        text = writer.write(method.output_schema.json_schema, f"{safe}_result", 0)
        if text != "_gb.Any":
            file.returns[line] = text
            file.made.update(writer.made)
    if method.input_schema is not None:
        arguments = Schema(method.arguments_schema or {})
        writer = _TypeWriter(arguments)
        types = {field: writer.write(schema, f"{safe}_{field}", 0) for field, schema in arguments.fields.items()}
        file.parameters[line] = {field: text for field, text in types.items() if text != "_gb.Any"}
        file.made.update(writer.made)


def _find_shown_returns(
    project: TypedProject, contracts: set[FunctionRef], paths: list[str]
) -> Iterator[tuple[str, int, str, str]]:
    """Functions without a type that give back an object of one class: file, line, class, and the module it is in."""
    names = {agent.class_name.rpartition(".")[2].encode() for agent in project.agents}
    for path in paths:
        if not path.endswith(".py") or names.isdisjoint(WORD.findall(project.texts.read_content(path))):
            continue
        for function in project.texts[path].functions.values():
            code = FunctionRef(path, function.name)
            if function.annotation is not None or code in contracts or function.decorators or not function.returns:
                continue
            kinds = project.objects.resolve(path, function.returns)
            if len(kinds) == 1 and isinstance(kinds[0], Instance) and "." not in kinds[0].name and not function.yields:
                module = "" if kinds[0].path == path else derive_module(kinds[0].path)
                yield path, function.line, kinds[0].name, module


class _TypeWriter:
    """A contract as the text of a type."""

    def __init__(self, schema: Schema) -> None:
        self.definitions = schema.json_schema.get("$defs", {})
        self.made: dict[str, str] = {}
        self._open: set[str] = set()

    def write(self, schema: Mapping[str, Any], name: str, depth: int) -> str:
        """The type of a schema; what it cannot say is anything."""
        if depth > MAX_DEPTH or not isinstance(schema, Mapping):
            return "_gb.Any"
        if "$ref" in schema:
            return self._write_reference(str(schema["$ref"]), name, depth)
        if "enum" in schema or "const" in schema:
            return self._write_literal(schema.get("enum", [schema.get("const")]))
        if "anyOf" in schema or "oneOf" in schema:
            parts = schema.get("anyOf", schema.get("oneOf", ()))
            return self._write_union([self.write(part, f"{name}_{i}", depth + 1) for i, part in enumerate(parts)])
        kind = schema.get("type")
        if isinstance(kind, list):
            return self._write_union([self.write({**schema, "type": member}, name, depth + 1) for member in kind])
        if kind == "string" and "format" in schema:
            return "_gb.Any"  # an object of another class, in process
        if kind == "object":
            return self._write_object(schema, name, depth)
        if kind == "array":
            return self._write_array(schema, name, depth)
        return WORDS.get(str(kind), "_gb.Any")

    def _write_reference(self, reference: str, name: str, depth: int) -> str:
        key = reference.rpartition("/")[2]
        if key in self._open or key not in self.definitions:
            return "_gb.Any"
        self._open.add(key)
        try:
            return self.write(self.definitions[key], f"{name}_{key}", depth + 1)
        finally:
            self._open.discard(key)

    def _write_literal(self, values: Any) -> str:
        plain = all(value is None or isinstance(value, str | int | bool) for value in values)
        return f"_gb.Literal[{', '.join(map(repr, values))}]" if plain and values else "_gb.Any"

    def _write_union(self, parts: list[str]) -> str:
        return "_gb.Any" if "_gb.Any" in parts or not parts else " | ".join(dict.fromkeys(parts))

    def _write_array(self, schema: Mapping[str, Any], name: str, depth: int) -> str:
        items = schema.get("items")
        if "prefixItems" in schema:  # a tuple, or a list of such elements: the contract takes either
            return "_gb.Any"
        inner = self.write(items, f"{name}_item", depth + 1) if isinstance(items, Mapping) else "_gb.Any"
        return "_gb.Any" if schema.get("uniqueItems") else f"list[{inner}]"

    def _write_object(self, schema: Mapping[str, Any], name: str, depth: int) -> str:
        fields = schema.get("properties")
        if not fields or schema.get("additionalProperties"):
            return "dict[str, _gb.Any]"
        required = set(schema.get("required", ()))
        rows = []
        for field, inner in fields.items():
            part = _clean_word(field)
            text = self.write(inner, f"{name}_{part}", depth + 1)
            field_text = text if field in required else f"_gb.NotRequired[{text}]"
            rows.append(f"{field!r}: {field_text!r}")
        self.made[name] = f"{name} = _gb.TypedDict({name!r}, {{{', '.join(rows)}}})"
        return name


# ---- writing


def _write_cached(path: str, content: bytes, file: _FileTypes, functions: Iterable[Function]) -> bytes:
    key = (path, content, file.key)
    if key not in _TEXTS:
        if len(_TEXTS) >= KEPT_TEXTS:
            _TEXTS.clear()
        _TEXTS[key] = _write_types(content, file, functions)
    return _TEXTS[key]


def _write_types(content: bytes, file: _FileTypes, functions: Iterable[Function]) -> bytes:
    starts = [0]
    for line in content.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    edits: list[Edit] = []
    for function in functions:
        if (return_type := file.returns.get(function.line)) is not None:
            edits += _edit_return(content, starts, function, return_type)
        edits += _edit_parameters(starts, function, file.parameters.get(function.line, {}))
    for start, end, text in sorted(edits, reverse=True):
        content = content[:start] + text + content[end:]
    definitions = "\n".join(["import typing as _gb", *file.made.values()])
    return content.rstrip(b"\n") + b"\n" + definitions.encode() + b"\n"


def _find_offset(starts: list[int], place: tuple[int, int]) -> int:
    return starts[place[0] - 1] + place[1]


def _edit_return(content: bytes, starts: list[int], function: Function, return_type: str) -> Iterator[Edit]:
    if (hint := function.places.hint) is not None:
        if (function.annotation or "").partition("[")[0].rpartition(".")[2] in VAGUE:
            yield _find_offset(starts, hint[:2]), _find_offset(starts, hint[2:]), json.dumps(return_type).encode()
        return
    if (place := _find_closing(content, starts, function.places)) is not None:
        yield place, place, f" -> {json.dumps(return_type)}".encode()


def _find_closing(content: bytes, starts: list[int], places: Places) -> int | None:
    """Behind the parenthesis that ends a function's parameters."""
    start = _find_offset(starts, places.start)
    offset = _find_offset(starts, places.last) if places.last is not None else content.find(b"(", start) + 1
    end = starts[places.body - 1] if places.body > places.start[0] else len(content)
    while offset < end:
        byte = content[offset : offset + 1]
        if byte == b"#":
            offset = content.find(b"\n", offset)
        elif byte == b")":
            follows = content[offset + 1 : offset + 40].lstrip()
            if follows.startswith(b":"):
                return offset + 1
        offset += 1
    return None


def _edit_parameters(starts: list[int], function: Function, types: Mapping[str, str]) -> Iterator[Edit]:
    for parameter, end in zip(function.parameters, function.places.ends, strict=True):
        if parameter.annotation is None and parameter.name in types and not parameter.kind.startswith("var_"):
            text = types[parameter.name]
            if (
                any(isinstance(value, Const) and value.value is None for value in parameter.default)
                and "None" not in text
            ):
                text = f"{text} | None"
            place = _find_offset(starts, end)
            yield place, place, f": {json.dumps(text)}".encode()
