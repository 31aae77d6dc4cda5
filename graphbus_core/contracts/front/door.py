"""A file, a folder or `pkg.module:Name` -> the contracts in it, each with its side and its place."""

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

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from importlib import import_module
from pathlib import Path
from typing import Any

from graphbus_core.contracts.front import registry
from graphbus_core.contracts.front.asyncapi import is_asyncapi, read_asyncapi
from graphbus_core.contracts.front.bundle import Bundle
from graphbus_core.contracts.front.components import Part, Parts
from graphbus_core.contracts.front.lines import Lines
from graphbus_core.contracts.front.openapi import is_openapi, read_openapi
from graphbus_core.contracts.front.schema import refuse
from graphbus_core.contracts.front.text import MAX_FILE_BYTES, parse
from graphbus_core.contracts.reading import dialects
from graphbus_core.contracts.reading.contract import Contract
from graphbus_core.contracts.reading.walk import NOWHERE, follow, unescaped
from graphbus_core.errors import ContractError

SUFFIXES = (".json", ".yaml", ".yml")
MAX_FILES = 5_000
_SKIPPED = frozenset({".git", "node_modules", ".venv", "__pycache__"})


@dataclass(frozen=True)
class Item:
    """One contract. `side` is input, output or None: whoever uses it decides. `parts` are the fields that stand for
    operations, each with its place in the file; empty for a plain schema. `under` is where the schema stands in its
    file; `at` says of which revision or version it is, where that is not today's.
    """

    name: str
    schema: Any
    side: str | None = None
    file: str = ""
    lines: Lines = field(default_factory=lambda: Lines("", ""), compare=False)
    parts: Mapping[str, Part] = field(default_factory=dict)
    under: str = ""
    at: str = ""

    def line(self, pointer: str) -> int:
        """The line in the file of a place in the schema."""
        return self.lines.of(self._in_file(pointer) if self.parts else self.under + pointer)

    # Contracts of an API are read as one object, and people want the line in their document.
    def _in_file(self, pointer: str) -> str:
        if pointer.startswith("/$defs/"):
            return "/components/schemas/" + pointer.removeprefix("/$defs/")
        head, _, rest = pointer.removeprefix("/properties/").partition("/")
        part = self.parts.get(unescaped(head))
        if part is not None and not part.pointer:
            return self.under + pointer
        at = part.pointer if part is not None else ""
        return f"{at}/{rest}"


@dataclass(frozen=True)
class Read:
    """What a source holds, by name, and what was strange in it."""

    items: Mapping[str, Item]
    notes: tuple[str, ...] = ()


Load = Callable[[str], bytes]  # a file below the root -> its bytes; raises ContractError


def read_file(
    name: str, load: Load, root: Path | None, *, maps: Mapping[str, str] | None = None, dialect: str | int | None = None
) -> Read:
    """The contracts of one file. Raises ContractError with the place of what cannot be read."""
    # Named and refused: a reader of JSON that took it for an unknown file would say nothing useful.
    if name.endswith(".proto"):
        raise ContractError(
            f"{name} is Protobuf, which is not read: it promises a wire form, by field numbers, which no JSON payload "
            "proves. Use `buf breaking`; for its JSON form give the schema that `protoc-gen-jsonschema` writes."
        )
    data = load(name)
    document = parse(data, name)
    lines = Lines(data.decode("utf-8", "replace"), name)
    if is_openapi(document) or is_asyncapi(document):
        return Read(_by_side(_api(document, name, lines, Bundle(_others(load), root, maps or {})), name, lines))
    # A published version says what it is; read as a plain schema its own fields would be the contract.
    if registry.is_version(document):
        version = registry.of_document(document, name)
        found = {"": Item("", version.schema, version.side, name, lines, under="/schema")}
        if version.taken is not None:
            found[""] = replace(found[""], side="output")
            found["consumer"] = Item("consumer", version.taken, "input", name, lines, under="/consumer_schema")
        return Read(found)
    draft = dialects.dialect_of(document, dialect) if isinstance(document, dict | bool) else dialects.NEWEST
    notes = _refused(document, name, draft, lines)
    # Written in the new words and without a dialect: `dependencies` was taken out of the standard, and is meant all
    # the same.
    if draft >= dialects.DRAFT2019 and dialect is None and isinstance(document, dict) and "$schema" not in document:
        document = dialects.with_dependencies(document)  # who writes it and no dialect means it
    if isinstance(document, dict) and "$schema" not in document and draft != dialects.NEWEST:
        document = {**document, "$schema": dialects.URIS[draft]}
    schema = Bundle(_schemas(load), root, maps or {}).whole(document, name)
    return Read({"": Item("", schema, None, name, lines)}, notes)


_SHARED = ("$schema", "$defs", "definitions", "components")  # where the references of a part lead to


def read_part(
    name: str,
    pointer: str,
    load: Load,
    root: Path | None,
    *,
    maps: Mapping[str, str] | None = None,
    dialect: str | int | None = None,
) -> Read:
    """The schema at a JSON pointer of any JSON or YAML file, whatever the file is. Raises ContractError."""
    data = load(name)
    document = parse(data, name)
    found = follow(document, pointer)
    if found is NOWHERE:
        raise ContractError(f"{name} has nothing at #{pointer}.")
    # The part's references lead into the document around it.
    if isinstance(found, dict) and isinstance(document, dict):
        found = {**{key: document[key] for key in _SHARED if key in document}, **found}
    part = f"{name}#{pointer}"
    draft = dialects.dialect_of(found, dialect) if isinstance(found, dict | bool) else dialects.NEWEST
    notes = refuse(found, part, draft)
    schema = Bundle(_schemas(load), root, maps or {}).whole(found, part)
    return Read({"": Item("", schema, None, name, Lines(data.decode("utf-8", "replace"), name), under=pointer)}, notes)


def _api(document: Any, name: str, lines: Lines, bundle: Bundle) -> Parts:
    try:
        whole = bundle.api(document, name)
        return read_openapi(whole, name) if is_openapi(document) else read_asyncapi(whole, name)
    except ContractError as e:
        raise _with_line(e, lines) from None


def _refused(document: Any, name: str, draft: int, lines: Lines) -> tuple[str, ...]:
    try:
        return refuse(document, name, draft)
    except ContractError as e:
        raise _with_line(e, lines) from None


def _with_line(error: ContractError, lines: Lines) -> ContractError:
    # The place stands in the message, which is what errors of the judge have in common.
    place = str(error).partition(": at ")[2].partition(" ")[0]
    where = f" (line {lines.of(place)})" if place.startswith("/") else ""
    return ContractError(f"{str(error).removesuffix('.')}{where}.")


def _others(load: Load) -> Callable[[str], Any]:
    return lambda path: parse(load(path), path)


def _schemas(load: Load) -> Callable[[str], Any]:
    def other(path: str) -> Any:
        made = parse(load(path), path)
        refuse(made, path, dialects.dialect_of(made))
        return made

    return other


def _by_side(found: Parts, file: str, lines: Lines) -> dict[str, Item]:
    """All that is sent as one object, and all that is taken: a component that many share is compared once."""
    parts, definitions = found
    made = {}
    for side in ("input", "output"):
        mine = {name: part for name, part in parts.items() if part.whole or part.side == side}
        schema = {"type": "object", "properties": {n: p.schema for n, p in mine.items()}, "$defs": definitions}
        made[side] = Item(side, schema, side, file, lines, mine)
    return made


def disk(root: Path) -> Load:
    """Files below a folder."""

    def load(name: str) -> bytes:
        try:
            with (root / name).open("rb") as file:
                # One byte more than is allowed, so that "too large" can be told from "exactly as large".
                return file.read(MAX_FILE_BYTES + 1)
        except OSError as e:
            raise ContractError(f"{name} cannot be read: {e.strerror or e}.") from None

    return load


def files_below(folder: Path) -> list[str]:
    """The JSON and YAML files below a folder, sorted."""
    found = []
    for at, folders, files in os.walk(folder):
        # Sorted and cut here: `os.walk` then never enters what is skipped.
        folders[:] = sorted(f for f in folders if f not in _SKIPPED)
        found += [str(Path(at, f).relative_to(folder)) for f in files if f.endswith(SUFFIXES)]
        if len(found) > MAX_FILES:
            raise ContractError(f"{folder} has more than {MAX_FILES:,} JSON and YAML files; name a smaller folder.")
    return sorted(found)


def read_files(names: list[str], load: Load, root: Path | None, **how: Any) -> Read:
    """The contracts of many files; each item is named by its file."""
    items: dict[str, Item] = {}
    notes: list[str] = []
    for name in names:
        read = read_file(name, load, root, **how)
        notes += read.notes
        for inner, item in read.items.items():
            items[f"{name} {inner}".strip()] = item
    return Read(items, tuple(notes))


def read_python(text: str, side: str | None, folder: Path) -> Item:
    """The contract of `pkg.module:Name`, imported from `folder`. It runs the module, as any import does."""
    module_name, _, name = text.partition(":")
    # In front of everything: a module of the same name that is installed must not answer for the project's own.
    sys.path.insert(0, str(folder.resolve()))
    try:
        found: Any = import_module(module_name)
        for part in name.split("."):
            found = getattr(found, part)
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException as e:
        # Importing runs their code, which may raise anything. It is their module's fault, told as one.
        raise ContractError(f"{text} cannot be imported from {folder}: {type(e).__name__}: {e}.") from None
    finally:
        sys.path.remove(str(folder.resolve()))
    return Item(text, Contract.from_annotations(found, side=side), side)
