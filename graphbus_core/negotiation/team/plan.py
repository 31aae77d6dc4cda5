"""The plan language: one change of one symbol a line. Text in, changes or faults out; nothing of the project is read.

    src/shop/cart.py::Cart.total: add parameter rounding: str = "half-up"
    src/shop/cart.py::Cart.total: add key currency: str
    src/shop/cart.py::load_cart: rename to read_cart
    src/shop/tax.py::vat: behaviour: is zero for books

The symbol may also be a bare name (`Cart.total`); whoever reads the project gives it its file.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Self

from graphbus_core.suggestions import suggest_names

MAX_CHANGES = 200  # of one plan
MAX_TEXT = 400  # characters of one line

ADD = "add"
ADD_PARAMETER = "add parameter"
REMOVE_PARAMETER = "remove parameter"
RENAME_PARAMETER = "rename parameter"
CHANGE_PARAMETER = "change parameter"
ADD_KEY = "add key"
REMOVE_KEY = "remove key"
RENAME_KEY = "rename key"
CHANGE_KEY = "change key"
RETURNS = "returns"
RENAME = "rename"
REMOVE = "remove"
BEHAVIOUR = "behaviour"
BODY = "body"
USE = "use"

CONTRACT_KINDS = frozenset(
    {ADD_PARAMETER, REMOVE_PARAMETER, RENAME_PARAMETER, CHANGE_PARAMETER, ADD_KEY, REMOVE_KEY, RENAME_KEY, CHANGE_KEY,
     RETURNS, RENAME, REMOVE, BEHAVIOUR}
)  # fmt: skip
"""What somebody who uses the symbol can tell. The rest is private: `add` of a new name, `body`, `use`."""

FORM = """\
FILE::SYMBOL: add [(a, b=None) -> dict]
FILE::SYMBOL: add|change parameter NAME[: TYPE][ = DEFAULT]
FILE::SYMBOL: remove parameter NAME · rename parameter OLD to NEW
FILE::SYMBOL: add|remove|change key NAME[: TYPE] · rename key OLD to NEW
FILE::SYMBOL: returns TYPE · rename to NAME · remove
FILE::SYMBOL: behaviour: SENTENCE · body · use"""

_NAME = r"[^\W\d]\w*"
_TYPED = rf"(?P<name>\*{{0,2}}{_NAME})\s*(?::\s*(?P<type>[^=]+?))?\s*(?:=\s*(?P<default>.+))?"
_KEY = r"[\"'`]?(?P<name>[^\s:\"'`]+)[\"'`]?\s*(?::\s*(?P<type>.+))?"
_FORMS: tuple[tuple[str, str], ...] = (
    (ADD_PARAMETER, rf"add parameter {_TYPED}"),
    (CHANGE_PARAMETER, rf"change parameter {_TYPED}"),
    (REMOVE_PARAMETER, rf"remove parameter (?P<name>\*{{0,2}}{_NAME})"),
    (RENAME_PARAMETER, rf"rename parameter (?P<name>{_NAME}) to (?P<to>{_NAME})"),
    (ADD_KEY, rf"add key {_KEY}"),
    (CHANGE_KEY, rf"change key {_KEY}"),
    (REMOVE_KEY, r"remove key [\"'`]?(?P<name>[^\s\"'`]+)[\"'`]?"),
    (RENAME_KEY, r"rename key [\"'`]?(?P<name>[^\s\"'`]+)[\"'`]? to [\"'`]?(?P<to>[^\s\"'`]+)[\"'`]?"),
    (RETURNS, r"returns:? (?P<type>.+)"),
    (RENAME, rf"rename to (?P<to>{_NAME})"),
    (REMOVE, r"remove"),
    (BEHAVIOUR, r"behaviou?r:? (?P<sentence>.+)"),
    (BODY, r"body"),
    (USE, r"use"),
    (ADD, r"add(?:\s*(?P<type>\(.*))?"),
)
_READERS = tuple((kind, re.compile(pattern)) for kind, pattern in _FORMS)
_SYMBOL = re.compile(rf"(?:(?P<file>[^\s:][^:\n]*?\.pyi?)::)?(?P<name>{_NAME}(?:\.{_NAME})*)")


@dataclass(frozen=True, slots=True)
class Change:
    """One change of one symbol: `FILE::QUALIFIED.NAME`, or the name alone where it was not yet looked up."""

    symbol: str
    kind: str
    name: str = ""  # of the parameter or key
    to: str = ""  # the new name, where something is renamed
    type: str = ""
    default: str = ""
    sentence: str = ""
    place: str = ""  # `file:line`, where it stands
    breaks: tuple[dict[str, str], ...] = ()  # the uses that fail if this is done alone: symbol, place, payload, why

    @property
    def is_contract(self) -> bool:
        """Whether somebody who uses the symbol can tell."""
        return self.kind in CONTRACT_KINDS

    @property
    def key(self) -> tuple[str, str]:
        """What two descriptions of the same change have in common."""
        return (self.kind, self.to if self.kind == RENAME else self.name or self.sentence or self.type)

    @property
    def file(self) -> str:
        """The file of the symbol; "" where it was not looked up."""
        return self.symbol.rpartition("::")[0]

    def render(self) -> str:
        """The line of a plan that says this."""
        return f"{self.symbol}: {self.describe()}"

    def describe(self) -> str:
        """The change without its symbol."""
        typed = self.name + (f": {self.type}" if self.type else "") + (f" = {self.default}" if self.default else "")
        match self.kind:
            case "add":
                return f"add {self.type}".rstrip()
            case "rename":
                return f"rename to {self.to}"
            case "rename parameter" | "rename key":
                return f"{self.kind} {self.name} to {self.to}"
            case "returns":
                return f"returns {self.type}"
            case "behaviour":
                return f"behaviour: {self.sentence}"
        return f"{self.kind} {typed}".rstrip()

    def to_dict(self) -> dict[str, Any]:
        """The form in logs and for programs: what says something."""
        values = {field: getattr(self, field) for field in self.__slots__}
        return {field: list(v) if isinstance(v, tuple) else v for field, v in values.items() if v}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Inverse of `to_dict`."""
        return cls(**{**data, "breaks": tuple(dict(b) for b in data.get("breaks", ()))})

    def with_symbol(self, symbol: str, place: str = "") -> Change:
        """The same change of the symbol as it was looked up."""
        return replace(self, symbol=symbol, place=place)


@dataclass(frozen=True, slots=True)
class Fault:
    """A line of a plan that could not be taken: what is wrong, and what to do."""

    line: int
    text: str
    why: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.why}"


def parse_plan(text: str) -> tuple[list[Change], list[Fault]]:
    """The changes of a plan, and what of it could not be read."""
    changes: list[Change] = []
    faults: list[Fault] = []
    for number, line in enumerate(text.splitlines(), 1):
        plain = line.strip().removeprefix("- ").strip()
        if not plain or plain.startswith("#"):
            continue
        read = parse_change(plain)
        if isinstance(read, str):
            faults.append(Fault(number, plain[:MAX_TEXT], read))
        else:
            changes.append(read)
    if len(changes) > MAX_CHANGES:
        faults.append(Fault(MAX_CHANGES + 1, "", f"A plan has {MAX_CHANGES} changes at most. Plan the next step only."))
    return list(dict.fromkeys(changes)), faults


def parse_change(line: str) -> Change | str:
    """One line, or why it is not a change of a symbol."""
    if len(line) > MAX_TEXT:
        return f"It is longer than {MAX_TEXT} characters. One change a line, in one sentence."
    found = _SYMBOL.match(line)
    rest = line[found.end() :] if found else ""
    if found is None or not rest.startswith(":") or rest.startswith("::"):
        return f"It does not begin with a symbol and a colon: {line[:60]!r}. Write `FILE::SYMBOL: CHANGE`."
    said = " ".join(rest[1:].split())
    for kind, reader in _READERS:
        match = reader.fullmatch(said)
        if match is not None:
            fields: dict[str, Any] = {k: v.strip() for k, v in match.groupdict().items() if v}
            return Change(_join_symbol(found["file"], found["name"]), kind, **fields)
    near = suggest_names(" ".join(said.split()[:2]).rstrip(":"), [kind for kind, _ in _FORMS])
    hint = f" Did you mean `{near[0]}`?" if near else ""
    return f"{said[:60]!r} is not a change.{hint} There are: {', '.join(kind for kind, _ in _FORMS)}."


def _join_symbol(file: str | None, name: str) -> str:
    return f"{file.removeprefix('./')}::{name}" if file else name


def read_changes(data: Iterable[Mapping[str, Any]]) -> tuple[Change, ...]:
    """The changes that a fact holds."""
    return tuple(Change.from_dict(entry) for entry in data)
