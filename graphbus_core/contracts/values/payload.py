"""Payload checks: a schema compiled once, then asked for every payload.

`validator(schema).check(payload)` gives None, or the first violation with its path. Flat and nested objects of simple
types take the fast road: a function made for the schema, which says "surely fine" or hands over. Whoever is handed
over to the slow road is read as JSON (tuples, sets, dates, enums, dataclasses and models included) and judged by the
independent validator.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from graphbus_core.contracts.reading import dialects
from graphbus_core.contracts.reading.contract import Contract
from graphbus_core.contracts.reading.forms import TYPE_FORMATS
from graphbus_core.contracts.reading.jsonable import jsonable
from graphbus_core.contracts.reading.wording import short
from graphbus_core.contracts.values import compiled as roads
from graphbus_core.contracts.values import judge
from graphbus_core.errors import ContractError


@dataclass(frozen=True, slots=True)
class Violation:
    """Where a payload breaks its contract: `path` as in a field operation with indexes (`lines[2].qty`)."""

    path: str
    message: str
    keyword: str = ""

    def __str__(self) -> str:
        return f"{self.path or 'the payload'}: {self.message}"


class Validator:
    """A compiled contract. `check` may be called from any thread."""

    check: Callable[[Any], Violation | None]
    """None where the payload fits, else its first violation."""

    def __init__(self, schema: Any, draft: int, formats: frozenset[str]) -> None:
        self._schema, self._draft, self._formats = schema, draft, formats
        self.check = roads.compile_road(schema, draft, formats, self._slow) or self._slow

    def _slow(self, payload: Any) -> Violation | None:
        value = jsonable(payload)
        try:
            for error in judge.complaints(self._schema, value, self._draft, self._formats):
                return _violation(error)
        except RecursionError:
            return Violation("", "the payload is nested too deeply to be checked")
        except OverflowError:
            return Violation("", "holds a number that is too large, or not finite, to be checked")
        except Exception as e:
            raise ContractError(f"the contract cannot be checked: {type(e).__name__}: {e}") from None
        return None


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
        return Validator(read, dialects.NEWEST, TYPE_FORMATS)
    asked = dialects.formats_in(schema) if formats else frozenset()
    return Validator(schema, dialects.dialect_of(schema, dialect), asked)


def _violation(error: Any) -> Violation:
    path = path_text(error.absolute_path)
    keyword = str(error.validator)
    if keyword == "required" and isinstance(error.instance, Mapping):
        missing = next((n for n in error.validator_value if n not in error.instance), "?")
        return Violation(f"{path}.{missing}" if path else str(missing), "is missing", keyword)
    if keyword == "type":
        wanted = error.validator_value if isinstance(error.validator_value, list) else [error.validator_value]
        return Violation(path, f"must be {' or '.join(wanted)}, got {short(error.instance)}", keyword)
    if error.validator in ("additionalProperties", "unevaluatedProperties"):
        return Violation(path, f"has fields that are not declared: {short(error.instance)}", keyword)
    message = error.message if len(error.message) <= 200 else error.message[:199] + "…"
    return Violation(path, message, keyword)


def path_text(path: Any) -> str:
    """`lines[2].qty` from the parts of a path."""
    text = ""
    for part in path:
        text += f"[{part}]" if isinstance(part, int) else (f".{part}" if text else str(part))
    return text
