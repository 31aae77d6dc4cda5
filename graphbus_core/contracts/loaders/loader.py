"""A file, a folder or `pkg.module:Name` -> the contracts in it, each with its side and its place."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from importlib import import_module
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urldefrag, urljoin, urlsplit

from graphbus_core.contracts.loaders import registry
from graphbus_core.contracts.loaders.asyncapi import is_asyncapi, read_asyncapi
from graphbus_core.contracts.loaders.json_yaml import MAX_FILE_BYTES, LineIndex, parse_document
from graphbus_core.contracts.loaders.openapi import ApiPart, ApiParts, is_openapi, read_openapi
from graphbus_core.contracts.loaders.schema_check import check_schema
from graphbus_core.contracts.parsing import json_schema
from graphbus_core.contracts.parsing.contract import Contract
from graphbus_core.contracts.parsing.json_schema import (
    DATA,
    NOWHERE,
    SCHEMA_MAPS,
    decode_pointer_part,
    encode_pointer_part,
    follow_pointer,
    walk_schemas,
)
from graphbus_core.errors import ContractError

# References to other files, brought into one document. Nothing is fetched, and nothing outside the folder is read.
#
# A relative reference is a file below `root`; a URI is a file only where a map says so. Any other URI stays as it is:
# an unknown type, equal to itself.


# A bound on what one contract may pull in: references could lead through a whole disk.
MAX_BUNDLED_FILES = 10_000
# Of OpenAPI and AsyncAPI: what stands under these keys is called as its author likes.
_NAMED = SCHEMA_MAPS | {"callbacks", "channels", "content", "headers", "mediaTypes", "messages", "operations", "paths"}
_NAMED |= {"additionalOperations", "parameters", "pathItems", "requestBodies", "responses", "schemas", "webhooks"}
LoadDocument = Callable[[str], Any]  # a file of the folder, by its path below it -> the document in it


class Bundle:
    """One document with the files that it refers to under `$defs`."""

    def __init__(self, load: LoadDocument, root: Path | None, maps: Mapping[str, str]) -> None:
        self._load, self._root, self._maps = load, root, maps
        self._files: dict[str, Any] = {}

    def bundle_schema(self, schema: Any, file: str) -> Any:
        """The schema of a file, in 2020-12, with everything that it refers to. Raises ContractError."""
        bundled = self._rewrite_schema(schema, file, "")
        if not self._files or not isinstance(bundled, dict):
            return bundled
        return {**bundled, "$defs": {**bundled.get("$defs", {}), **self._files}}

    def bundle_api(self, document: Any, file: str) -> Any:
        """An OpenAPI or AsyncAPI document with the files that it refers to under `x-files`. Raises ContractError."""
        bundled = self._rebase(document, file, "")
        return {**bundled, "x-files": self._files} if self._files and isinstance(bundled, dict) else bundled

    def _rebase(self, node: Any, file: str, prefix: str, names: bool = False) -> Any:
        """The same with every reference led into the one document; what is data stays as it is.

        `names` says that the keys are names somebody chose: a response may be called `default`, a field `const`.
        """
        if isinstance(node, list):
            return [self._rebase(part, file, prefix) for part in node]
        if not isinstance(node, dict):
            return node
        if names and node.keys() == {"$ref"} and isinstance(node["$ref"], str):
            return self._take_names(node["$ref"], file, prefix)
        rebased = {
            # Data is copied as it stands: a payload in an example may have the key `$ref`.
            k: v if k in DATA and not names else self._rebase(v, file, prefix, k in _NAMED and not names)
            for k, v in node.items()
        }
        ref = node.get("$ref")
        return {**rebased, "$ref": self._rewrite_file_reference(ref, file, prefix)} if isinstance(ref, str) else rebased

    def _take_names(self, ref: str, file: str, prefix: str) -> Any:
        """All members of an object in another file: every bundler reads `properties: {$ref: FILE#/…}` so."""
        led = self._rewrite_file_reference(ref, file, prefix)
        members = follow_pointer({"x-files": self._files}, led) if led.startswith("#/x-files/") else None
        return members if isinstance(members, dict) else {"$ref": led}

    def _rewrite_file_reference(self, ref: str, file: str, prefix: str) -> str:
        uri, fragment = urldefrag(ref)
        if not uri:
            return f"#{prefix}{fragment}"
        path = self._find_path(uri, file)
        if path is None:
            return ref
        # The escapes of a JSON pointer: a file name holds slashes.
        name = encode_pointer_part(path)
        if path not in self._files:
            if len(self._files) >= MAX_BUNDLED_FILES:
                raise ContractError(f"{file} refers to more than {MAX_BUNDLED_FILES:,} files.")
            loaded = self._load(path)
            self._files[path] = True  # taken, before the file is met again within itself
            self._files[path] = self._rebase(loaded, path, f"/x-files/{name}")
        return f"#/x-files/{name}{fragment}"

    def _rewrite_schema(self, schema: Any, file: str, prefix: str) -> Any:
        draft = json_schema.detect_dialect(schema)
        modern = json_schema.convert_to_newest(schema, draft)
        if not isinstance(modern, dict):
            return modern
        own = modern.get("$id")
        needed = [
            referring
            for _, referring in walk_schemas(modern)
            if isinstance(referring, dict) and isinstance(referring.get("$ref"), str)
        ]
        leads = {
            referring["$ref"]: self._rewrite_reference(
                referring["$ref"], file, prefix, own if isinstance(own, str) else ""
            )
            for referring in needed
        }
        if all(old == new for old, new in leads.items()):
            return modern
        return _replace_references(modern, leads)

    def _rewrite_reference(self, ref: str, file: str, prefix: str, own: str) -> str:
        uri, fragment = urldefrag(ref)
        if not uri or uri == own:
            return f"#{prefix}{fragment}" if prefix else ref
        path = self._find_path(uri, file)
        if path is None:
            return ref
        name = f"file:{path}".replace("/", ":")
        if name not in self._files:
            if len(self._files) >= MAX_BUNDLED_FILES:
                raise ContractError(f"{file} refers to more than {MAX_BUNDLED_FILES:,} files.")
            try:
                loaded = self._load(path)
            except ContractError:
                # A schema with a URI of its own means its neighbours at that URI, and those are not here.
                if not urlsplit(own).scheme or uri in self._maps:
                    raise
                return urljoin(own, ref)  # beside its own URI, not beside the file: a document that is not here
            self._files[name] = True  # taken, before the file is met again within itself
            self._files[name] = self._rewrite_schema(loaded, path, f"/$defs/{name}")
        return f"#/$defs/{name}{fragment}"

    def _find_path(self, uri: str, file: str) -> str | None:
        """The file below the folder that a URI means; None where it means none."""
        # What somebody mapped on purpose goes before everything that could be found.
        if uri in self._maps:
            return self._maps[uri]
        if urlsplit(uri).scheme or uri.startswith("//"):
            return None
        if self._root is None:
            return None
        target = (self._root / file).parent / unquote(uri)
        try:
            # Resolved on both sides, or a link in the folder would lead out of it.
            return str(target.resolve().relative_to(self._root.resolve()))
        except ValueError:
            raise ContractError(
                f"{file} refers to {uri}, which leads out of the folder; "
                f"name the folder that holds both with --root FOLDER, or the file with --map {uri}=FILE."
            ) from None


def _replace_references(schema: Any, leads: Mapping[str, str]) -> Any:
    from graphbus_core.contracts.parsing.json_schema import map_subschemas

    if not isinstance(schema, dict):
        return schema
    replaced = map_subschemas(schema, lambda subschema: _replace_references(subschema, leads))
    return {**replaced, "$ref": leads[replaced["$ref"]]} if replaced.get("$ref") in leads else replaced


# Theory of operation
# -------------------
#
# Contracts come in many forms: JSON Schema of five dialects, OpenAPI, AsyncAPI, published versions, agreements,
# classes. Behind this door there is one form, JSON Schema 2020-12 in one document, with nothing left to fetch. All
# that is special about a form ends here, so that comparing and proving know nothing of where a contract came from.
#
#     bytes ──> text (bounded) ──> which form? ──> refused where it is not one ──> references led ──> Item, with lines
#
# Refusing comes before reading. A schema that is malformed is not a schema that allows everything: read generously, a
# limit written as text would make the check pass. Every refusal names the place as a pointer, and with it the line. A
# keyword that nobody knows may be an extension, so it is told as a note.
#
# References are led into the one document (`bundle`). Files are read below the folder alone, an address only where a
# map says which file it is. What is neither stays an unknown type that equals itself: nothing is claimed of it, and a
# change beside it is still found. Nothing is ever fetched, since a check must say the same without a network and
# tomorrow.
#
# An API is two contracts: all that it takes is one object, all that it sends another, a field for each part of each
# operation. Then one comparison serves for a thousand operations, a component that many of them share is compared
# once, and a removed operation is a removed field.
#
# Lines are kept beside the schema, not in it: the schema is compared by equality, and a contract that moved is the
# same.


SUFFIXES = (".json", ".yaml", ".yml")
MAX_FILES = 5_000
_SKIPPED = frozenset({".git", "node_modules", ".venv", "__pycache__"})


@dataclass(frozen=True)
class LoadedContract:
    """One contract. `side` is input, output or None: whoever uses it decides. `parts` are the fields that stand for
    operations, each with its place in the file; empty for a plain schema. `under` is where the schema stands in its
    file; `at` says of which revision or version it is, where that is not today's.
    """

    name: str
    schema: Any
    side: str | None = None
    file: str = ""
    lines: LineIndex = field(default_factory=lambda: LineIndex("", ""), compare=False)
    parts: Mapping[str, ApiPart] = field(default_factory=dict)
    under: str = ""
    at: str = ""
    components: str = "/components/schemas/"  # where the schemas of an API stand that have a name

    def find_line(self, pointer: str) -> int:
        """The line in the file of a place in the schema."""
        return self.lines.find_line(self._locate_in_file(pointer) if self.parts else self.under + pointer)

    # Contracts of an API are read as one object, and people want the line in their document.
    def _locate_in_file(self, pointer: str) -> str:
        if pointer.startswith("/$defs/"):
            return self.components + pointer.removeprefix("/$defs/")
        head, _, rest = pointer.removeprefix("/properties/").partition("/")
        part = self.parts.get(decode_pointer_part(head))
        if part is not None and not part.pointer:
            return self.under + pointer
        part_pointer = part.pointer if part is not None else ""
        return f"{part_pointer}/{rest}"


@dataclass(frozen=True)
class LoadResult:
    """What a source holds, by name, and what was strange in it."""

    items: Mapping[str, LoadedContract]
    notes: tuple[str, ...] = ()


Load = Callable[[str], bytes]  # a file below the root -> its bytes; raises ContractError


def read_file(
    name: str, load: Load, root: Path | None, *, maps: Mapping[str, str] | None = None, dialect: str | int | None = None
) -> LoadResult:
    """The contracts of one file. Raises ContractError with the place of what cannot be read."""
    # Named and refused: a reader of JSON that took it for an unknown file would say nothing useful.
    if name.endswith(".proto"):
        raise ContractError(
            f"{name} is Protobuf, which is not read: it promises a wire form, by field numbers, which no JSON payload "
            "proves. Use `buf breaking`; for its JSON form give the schema that `protoc-gen-jsonschema` writes."
        )
    data = load(name)
    document = parse_document(data, name)
    lines = LineIndex(data.decode("utf-8", "replace"), name)
    if is_openapi(document) or is_asyncapi(document):
        return LoadResult(
            _group_by_side(
                _read_api(document, name, lines, Bundle(_build_document_loader(load), root, maps or {})),
                name,
                lines,
                "/definitions/" if "swagger" in document else "/components/schemas/",
            )
        )
    # A published version says what it is; read as a plain schema its own fields would be the contract.
    if registry.is_version(document):
        version = registry.parse_version(document, name)
        items = {"": LoadedContract("", version.schema, version.side, name, lines, under="/schema")}
        if version.taken is not None:
            items[""] = replace(items[""], side="output")
            items["consumer"] = LoadedContract(
                "consumer", version.taken, "input", name, lines, under="/consumer_schema"
            )
        return LoadResult(items)
    draft = json_schema.detect_dialect(document, dialect) if isinstance(document, dict | bool) else json_schema.NEWEST
    notes = _check_document(document, name, draft, lines)
    # Written in the new words and without a dialect: `dependencies` was taken out of the standard, and is meant all
    # the same.
    if draft >= json_schema.DRAFT2019 and dialect is None and isinstance(document, dict) and "$schema" not in document:
        document = json_schema.convert_dependencies(document)  # who writes it and no dialect means it
    if isinstance(document, dict) and "$schema" not in document and draft != json_schema.NEWEST:
        document = {**document, "$schema": json_schema.URIS[draft]}
    schema = Bundle(_build_schema_loader(load), root, maps or {}).bundle_schema(document, name)
    return LoadResult({"": LoadedContract("", schema, None, name, lines)}, notes)


_SHARED = ("$schema", "$defs", "definitions", "components")  # where the references of a part lead to


def read_part(
    name: str,
    pointer: str,
    load: Load,
    root: Path | None,
    *,
    maps: Mapping[str, str] | None = None,
    dialect: str | int | None = None,
) -> LoadResult:
    """The schema at a JSON pointer of any JSON or YAML file, whatever the file is. Raises ContractError."""
    data = load(name)
    document = parse_document(data, name)
    part_schema = follow_pointer(document, pointer)
    if part_schema is NOWHERE:
        raise ContractError(f"{name} has nothing at #{pointer}.")
    # The part's references lead into the document around it.
    if isinstance(part_schema, dict) and isinstance(document, dict):
        part_schema = {**{key: document[key] for key in _SHARED if key in document}, **part_schema}
    part = f"{name}#{pointer}"
    draft = (
        json_schema.detect_dialect(part_schema, dialect) if isinstance(part_schema, dict | bool) else json_schema.NEWEST
    )
    notes = check_schema(part_schema, part, draft)
    schema = Bundle(_build_schema_loader(load), root, maps or {}).bundle_schema(part_schema, part)
    return LoadResult(
        {"": LoadedContract("", schema, None, name, LineIndex(data.decode("utf-8", "replace"), name), under=pointer)},
        notes,
    )


def _read_api(document: Any, name: str, lines: LineIndex, bundle: Bundle) -> ApiParts:
    try:
        whole = bundle.bundle_api(document, name)
        return read_openapi(whole, name) if is_openapi(document) else read_asyncapi(whole, name)
    except ContractError as e:
        raise _add_line(e, lines) from None


def _check_document(document: Any, name: str, draft: int, lines: LineIndex) -> tuple[str, ...]:
    try:
        return check_schema(document, name, draft)
    except ContractError as e:
        raise _add_line(e, lines) from None


def _add_line(error: ContractError, lines: LineIndex) -> ContractError:
    # The place stands in the message, which is what errors of the judge have in common.
    place = str(error).partition(": at ")[2].partition(" ")[0]
    where = f" (line {lines.find_line(place)})" if place.startswith("/") else ""
    return ContractError(f"{str(error).removesuffix('.')}{where}.")


def _build_document_loader(load: Load) -> Callable[[str], Any]:
    return lambda path: parse_document(load(path), path)


def _build_schema_loader(load: Load) -> Callable[[str], Any]:
    def load_schema(path: str) -> Any:
        document = parse_document(load(path), path)
        check_schema(document, path, json_schema.detect_dialect(document))
        return document

    return load_schema


def _group_by_side(
    parts_and_definitions: ApiParts, file: str, lines: LineIndex, components: str
) -> dict[str, LoadedContract]:
    """All that is sent as one object, and all that is taken: a component that many share is compared once."""
    parts, definitions = parts_and_definitions
    items = {}
    for side in ("input", "output"):
        mine = {name: part for name, part in parts.items() if part.whole or part.side == side}
        schema = {"type": "object", "properties": {n: p.schema for n, p in mine.items()}, "$defs": definitions}
        items[side] = LoadedContract(side, schema, side, file, lines, mine, components=components)
    return items


def build_folder_loader(root: Path) -> Load:
    """Files below a folder."""

    def load(name: str) -> bytes:
        try:
            with (root / name).open("rb") as file:
                # One byte more than is allowed, so that "too large" can be told from "exactly as large".
                return file.read(MAX_FILE_BYTES + 1)
        except OSError as e:
            raise ContractError(f"{name} cannot be read: {e.strerror or e}.") from None

    return load


def find_files(folder: Path) -> list[str]:
    """The JSON and YAML files below a folder, sorted."""
    names = []
    for current, folders, files in os.walk(folder):
        # Sorted and cut here: `os.walk` then never enters what is skipped.
        folders[:] = sorted(f for f in folders if f not in _SKIPPED)
        names += [str(Path(current, f).relative_to(folder)) for f in files if f.endswith(SUFFIXES)]
        if len(names) > MAX_FILES:
            raise ContractError(f"{folder} has more than {MAX_FILES:,} JSON and YAML files; name a smaller folder.")
    return sorted(names)


def read_files(names: list[str], load: Load, root: Path | None, **how: Any) -> LoadResult:
    """The contracts of many files; each item is named by its file."""
    items: dict[str, LoadedContract] = {}
    notes: list[str] = []
    for name in names:
        read = read_file(name, load, root, **how)
        notes += read.notes
        for inner, item in read.items.items():
            items[f"{name} {inner}".strip()] = item
    return LoadResult(items, tuple(notes))


def read_python(text: str, side: str | None, folder: Path) -> LoadedContract:
    """The contract of `pkg.module:Name`, imported from `folder`. It runs the module, as any import does."""
    module_name, _, name = text.partition(":")
    # In front of everything: a module of the same name that is installed must not answer for the project's own.
    sys.path.insert(0, str(folder.resolve()))
    try:
        value: Any = import_module(module_name)
        for part in name.split("."):
            value = getattr(value, part)
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException as e:
        # Importing runs their code, which may raise anything. It is their module's fault, told as one.
        raise ContractError(f"{text} cannot be imported from {folder}: {type(e).__name__}: {e}.") from None
    finally:
        sys.path.remove(str(folder.resolve()))
    return LoadedContract(text, Contract.from_annotations(value, side=side), side)
