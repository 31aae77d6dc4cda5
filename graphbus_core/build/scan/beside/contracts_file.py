"""`contracts.toml`: contracts that stand beside the code, for whoever wants no import of ours in it.

[types.Line]                      # a record, by its fields; `?` says that a field may be left out
sku = "str"
"qty?" = "int"

["shop.cart:Cart.order"]          # module, class and method; or module and function
input = { lines = "list[Line]" }  # a type as in a hint, or a table of fields
output = "Line | None"
depends_on = ["Stock.level"]      # whose output the input takes
description = "…"

["shop.cart:Cart"]                # takes part as it is: its hints are its contracts

[external]                        # of components written elsewhere: whose output an operation takes
"Billing.create_invoice" = ["Cart.order"]
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

from graphbus_core.build.scan.beside.typed import Mistake, record, typed
from graphbus_core.contracts import Contract
from graphbus_core.contracts.reading import static
from graphbus_core.contracts.reading.dialects import looks_like_json_schema
from graphbus_core.errors import ConfigError, ContractError
from graphbus_core.model.schema import Schema
from graphbus_core.nearest import near_names

SIDES = ("input", "output")
KEYS = (*SIDES, "depends_on", "description")
UNDECLARED = "undeclared"  # says of a side that its hints are not a contract
MAX_BYTES = 5_000_000


@dataclass(frozen=True)
class Declaration:
    """What the file says of one component, method or function. `sides` holds those that it writes out.

    None there is "not declared". `place` is file and line; `places` those of the sides.
    """

    module: str
    name: str
    place: str
    sides: Mapping[str, ast.expr | Schema | None] = field(default_factory=dict)
    places: Mapping[str, str] = field(default_factory=dict)
    depends_on: tuple[str, ...] = ()
    description: str | None = None
    types: Mapping[str, ast.AST] = field(default_factory=dict, repr=False)

    @property
    def components(self) -> tuple[str, ...]:
        """Who takes part because of it: the class of a method too."""
        owner = self.name.rpartition(".")[0]
        return tuple(f"{self.module}:{one}" for one in (self.name, owner) if one)

    def schema(self, side: str, resolve: static.Resolve) -> Schema | None:
        """One side. Names are looked up in `[types]`, then as the component's module does. Raises ConfigError."""
        written = self.sides[side]
        if not isinstance(written, ast.expr):
            return written
        read = static.read(written, _types_first(self.types, resolve), side=side)
        if isinstance(read, static.NeedsImport):
            near = near_names(read.expression, self.types, sure=True)
            hint = f" Did you mean {near[0]}?" if near else ""
            raise ConfigError(f"{self.places[side]}: {side} of {self.name}: `{read.expression}`: {read.reason}.{hint}")
        schema = read.to_json_schema()
        return Schema(schema, ast.unparse(written), schema.get("description"))


@dataclass(frozen=True)
class ContractsFile:
    """A file as it was read. `entries` by `module:Name`. `fed`: external `Node.method` -> whose output it takes, and
    the place where that stands."""

    path: Path
    digest: str
    entries: Mapping[str, Declaration]
    fed: Mapping[str, tuple[tuple[str, ...], str]] = field(default_factory=dict)


def read_contracts(path: Path, before: ContractsFile | None = None) -> ContractsFile:
    """Read a contracts file; `before` where its bytes are the same. Raises ConfigError, with file and line."""
    try:
        data = path.read_bytes()
    except OSError as e:
        raise ConfigError(f"{path} cannot be read: {e.strerror}.") from e
    digest = sha256(data).hexdigest()
    if before is not None and before.path == path and before.digest == digest:
        return before
    return contracts_of(path, data)


def contracts_of(path: Path, data: bytes) -> ContractsFile:
    """The same of bytes that may not stand there yet. Raises ConfigError."""
    if len(data) > MAX_BYTES:
        raise ConfigError(f"{path} is larger than {MAX_BYTES:,} bytes. Split the project, or name fewer components.")
    try:
        text = data.decode()
        tables = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as e:
        raise ConfigError(f"{path} is not TOML: {e}. Mend that line.") from e
    reading = _Reading(path.name, text)
    entries = {f"{one.module}:{one.name}": one for one in reading.entries(tables)}
    return ContractsFile(path, sha256(data).hexdigest(), entries, reading.fed(tables.get("external", {})))


class _Reading:
    """One file being read; it knows where everything stands."""

    def __init__(self, file: str, text: str) -> None:
        self.file = file
        self.lines = _lines(text)

    def entries(self, tables: Mapping[str, Any]) -> Iterator[Declaration]:
        types = self._types(tables.get("types", {}))
        for name, table in tables.items():
            if name not in ("types", "external"):
                yield self._entry(name, table, types)

    def fed(self, table: Any) -> dict[str, tuple[tuple[str, ...], str]]:
        """What feeds the operations of components that are written elsewhere. Raises ConfigError."""
        if not isinstance(table, dict):
            raise ConfigError(f"{self._at('external')}: `external` is a table; write [external].")
        return {n: (self._names(given, "external", n), self._at("external", n)) for n, given in table.items()}

    def _at(self, *path: str) -> str:
        """`contracts.toml:12`; of what stands inside an inline table, the line of that table."""
        while path and path not in self.lines:
            path = path[:-1]
        return f"{self.file}:{self.lines.get(path, 1)}"

    def _types(self, tables: Any) -> dict[str, ast.AST]:
        if not isinstance(tables, dict):
            raise ConfigError(f"{self._at('types')}: `types` is a table; write [types.Order].")
        made: dict[str, ast.AST] = {}
        for name, written in tables.items():
            if not name.isidentifier():
                raise ConfigError(f"{self._at('types', name)}: a type's name is one word, not {name!r}.")
            try:
                made[name] = record(name, written) if isinstance(written, dict) else typed(written)
            except Mistake as e:
                raise ConfigError(f"{self._at('types', name, *e.path)}: type {name}: {e}.") from None
        return made

    def _entry(self, name: str, table: Any, types: Mapping[str, ast.AST]) -> Declaration:
        module, colon, inner = name.partition(":")
        if not colon or not all(part.isidentifier() for part in (*module.split("."), *inner.split("."))):
            hint = " Records stand under [types.Name]." if name.isidentifier() else ""
            raise ConfigError(
                f"{self._at(name)}: {name!r} names no component. Write the module, a colon, and the class, method or "
                f'function, in quotes: ["shop.cart:Cart.order"].{hint}'
            )
        if not isinstance(table, dict):
            raise ConfigError(f'{self._at(name)}: {name!r} is a table; write ["{name}"].')
        for key in table:
            if key not in KEYS:
                near = near_names(key, KEYS)
                hint = f" Did you mean `{near[0]}`?" if near else ""
                raise ConfigError(f"{self._at(name, key)}: there is no `{key}`; an entry has {', '.join(KEYS)}.{hint}")
        return Declaration(
            module.removeprefix("src."),
            inner,
            self._at(name),
            {side: self._side(name, side, table[side]) for side in SIDES if side in table},
            {side: self._at(name, side) for side in SIDES if side in table},
            self._names(table.get("depends_on", []), name, "depends_on"),
            self._text(name, table.get("description")),
            types,
        )

    def _side(self, name: str, side: str, written: Any) -> ast.expr | Schema | None:
        if written == UNDECLARED:
            return None
        if looks_like_json_schema(written):
            try:
                schema = Contract.from_json_schema(written).to_json_schema()
            except ContractError as e:
                raise ConfigError(f"{self._at(name, side)}: {side} of {name}: {e}") from None
            return Schema(schema, None, schema.get("description"))
        try:
            return typed(written)
        except Mistake as e:
            raise ConfigError(f"{self._at(name, side, *e.path)}: {side} of {name}: {e}.") from None

    def _names(self, given: Any, *at: str) -> tuple[str, ...]:
        some = [given] if isinstance(given, str) else given
        if not isinstance(some, list) or not all(isinstance(one, str) and one for one in some):
            raise ConfigError(f'{self._at(*at)}: `{at[-1]}` is a list of names: ["Stock.level"].')
        return tuple(some)

    def _text(self, name: str, given: Any) -> str | None:
        if given is not None and not isinstance(given, str):
            raise ConfigError(f"{self._at(name, 'description')}: `description` is a text, not {given!r}.")
        return given


def _types_first(types: Mapping[str, ast.AST], outer: static.Resolve) -> static.Resolve:
    def inside(name: str) -> Any:  # a type of the file sees the other types, and the words of typing
        return (types[name], inside) if name in types else None

    def resolve(name: str) -> Any:
        return inside(name) or outer(name)

    resolve.imported = getattr(outer, "imported", lambda name: None)  # type: ignore[attr-defined]
    return resolve


_HEADER = re.compile(r"\s*\[\[?(?P<key>[^\[\]=#]+?)\]\]?\s*(#.*)?")
_KEY = re.compile(r"""\s*(?P<key>(?:"[^"]*"|'[^']*'|[\w-]+)(?:\s*\.\s*(?:"[^"]*"|'[^']*'|[\w-]+))*)\s*=""")


def _lines(text: str) -> dict[tuple[str, ...], int]:
    """Where each table and key stands, by its path: tomllib keeps no lines. The last part of a path is its key."""
    found: dict[tuple[str, ...], int] = {}
    inside: tuple[str, ...] = ()
    for number, line in enumerate(text.splitlines(), 1):
        if head := _HEADER.fullmatch(line):
            inside = _path(head["key"])
            found.setdefault(inside, number)
        elif key := _KEY.match(line):
            path = (*inside, *_path(key["key"]))
            for end in range(len(inside) + 1, len(path) + 1):
                found.setdefault(path[:end], number)
    return found


def _path(written: str) -> tuple[str, ...]:
    try:
        at: Any = tomllib.loads(f"{written.strip()} = 0")
    except tomllib.TOMLDecodeError:  # a line of a long text that looks like a key
        return ()
    path: list[str] = []
    while isinstance(at, dict):
        key, at = next(iter(at.items()))
        path.append(key)
    return tuple(path)
