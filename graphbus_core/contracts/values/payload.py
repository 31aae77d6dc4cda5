"""Payload checks: a schema compiled once, then asked for every payload.

`validator(schema).check(payload)` gives None, or the first violation with its path. The compiled test says "surely
fine"; what it does not pass is searched for its first violation. Live values (tuples, dates, enums, dataclasses,
models) are read as the JSON that they become. A schema with keywords that the search does not know goes to the
independent judge.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from graphbus_core.contracts.reading import dialects
from graphbus_core.contracts.reading.contract import Contract
from graphbus_core.contracts.reading.forms import TYPE_FORMATS
from graphbus_core.contracts.reading.jsonable import jsonable
from graphbus_core.contracts.reading.wording import short
from graphbus_core.contracts.values import judge, words
from graphbus_core.contracts.values.compiled import compile_check
from graphbus_core.contracts.values.first import Search
from graphbus_core.contracts.values.readable import readable
from graphbus_core.contracts.values.rules import Found
from graphbus_core.errors import ContractError
from graphbus_core.shown import shortened


class Violation:
    """Where a payload breaks its contract: `path` as in a field operation with indexes (`lines[2].qty`).

    Path and message are written when they are first read: who only counts violations does not pay for words.
    """

    __slots__ = ("_found", "_message", "_path", "keyword")

    def __init__(self, path: str | None, message: str | None, keyword: str = "", found: Found | None = None) -> None:
        self._path, self._message, self.keyword, self._found = path, message, keyword, found

    @property
    def path(self) -> str:
        """Where; empty for the whole payload."""
        if self._path is None:
            assert self._found is not None
            inner = [self._found.wanted] if self.keyword == "required" else []
            self._path = path_text(reversed([*inner, *self._found.parts]))
        return self._path

    @property
    def message(self) -> str:
        """What is wrong there, without the path."""
        if self._message is None:
            assert self._found is not None
            self._message = words.sentence(self._found)
        return self._message

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Violation) and str(self) == str(other) and self.keyword == other.keyword

    def __hash__(self) -> int:
        return hash((self.path, self.keyword))

    def __str__(self) -> str:
        return f"{self.path or 'the payload'}: {self.message}"

    def __repr__(self) -> str:
        return f"Violation({self.path!r}, {self.message!r}, {self.keyword!r})"


_MUTABLE = frozenset((list, dict))
_TOO_DEEP = Violation("", "the payload is nested too deeply to be checked")
_TOO_LARGE = Violation("", "holds a number that is too large, or not finite, to be checked")


class Validator:
    """A compiled contract. `check` may be called from any thread."""

    check: Callable[[Any], Violation | None]
    """None where the payload fits, else its first violation."""

    def __init__(self, schema: Any, draft: int, formats: frozenset[str], *, live: bool = False) -> None:
        self._schema, self._draft, self._formats = schema, draft, formats
        modern = schema if draft == dialects.NEWEST else dialects.modern(schema, draft)
        try:
            if readable(modern):
                search = Search(modern, formats, live)
                self.check = compile_check(modern, search, formats, _searched(search))
                return
        except RecursionError:  # nested too deeply for us: the judge says what it can
            pass
        except re.error as e:
            raise ContractError(f"the contract cannot be checked: a pattern of it cannot be read: {e}") from None
        self.check = self._judged

    def _judged(self, payload: Any) -> Violation | None:
        value = jsonable(payload)
        try:
            for error in judge.complaints(self._schema, value, self._draft, self._formats):
                return _complaint(error)
        except RecursionError:
            return _TOO_DEEP
        except OverflowError:
            return _TOO_LARGE
        except Exception as e:
            raise ContractError(f"the contract cannot be checked: {type(e).__name__}: {e}") from None
        return None


def _searched(search: Search) -> Callable[[Any], Violation | None]:
    """What happens to a payload that the compiled test does not pass."""
    find, document = search.find, search.document

    def slow(payload: Any) -> Violation | None:
        try:
            found = find(document, payload)
        except RecursionError:
            return _TOO_DEEP
        except OverflowError:
            return _TOO_LARGE
        if found is None:
            return None
        # The payload may be another when the words are read: what can change is written down now.
        shows = type(found.value) in _MUTABLE and found.keyword != "required"
        return Violation(None, words.sentence(found) if shows else None, found.keyword, found)

    return slow


def validator(
    schema: Contract | Mapping[str, Any] | bool,
    *,
    side: str | None = None,
    dialect: str | int | None = None,
    formats: bool = False,
) -> Validator:
    """Compile a contract, or a plain JSON Schema, for payload checks.

    `side` says how a contract is read: `"output"` closed (what is not declared must not be sent), `"input"` open,
    None as it stands. A Contract checks the formats that stand for a Python type; a plain schema only with `formats`.
    """
    if side not in (None, "input", "output", "payload"):
        raise ContractError(f"side is {side!r}; use input, output, payload or nothing.")
    if isinstance(schema, Contract) or side is not None:
        contract = schema if isinstance(schema, Contract) else Contract.from_json_schema(schema, dialect=dialect)
        if side is None:
            read = contract.to_json_schema()
        else:
            read = contract.opened if side == "input" else contract.closed
        return Validator(read, dialects.NEWEST, TYPE_FORMATS, live=True)
    asked = dialects.formats_in(schema) if formats else frozenset()
    return Validator(schema, dialects.dialect_of(schema, dialect), asked)


def _complaint(error: Any) -> Violation:
    """The violation in the judge's own words."""
    path = path_text(error.absolute_path)
    keyword = str(error.validator)
    if keyword == "required" and isinstance(error.instance, Mapping):
        missing = next((n for n in error.validator_value if n not in error.instance), "?")
        return Violation(f"{path}.{missing}" if path else str(missing), "is missing", keyword)
    if error.validator in ("additionalProperties", "unevaluatedProperties"):
        return Violation(path, f"has fields that are not declared: {short(error.instance)}", keyword)
    message = shortened(error.message, 200)
    return Violation(path, message, keyword)


def path_text(path: Iterable[Any]) -> str:
    """`lines[2].qty` from the parts of a path."""
    text = ""
    for part in path:
        text += f"[{part}]" if isinstance(part, int) else (f".{part}" if text else str(part))
    return text
