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

from graphbus_core.contracts.parsing import json_schema
from graphbus_core.contracts.parsing.contract import Contract
from graphbus_core.contracts.parsing.json_schema import FORMS, SCHEMA_MAPS, follow_pointer, iter_in_place, walk_schemas
from graphbus_core.contracts.parsing.jsonable import convert_to_json
from graphbus_core.contracts.parsing.type_forms import OPAQUE, TYPE_FORMATS, annotation, render_short
from graphbus_core.contracts.validation import judge
from graphbus_core.contracts.validation.compiler import compile_check
from graphbus_core.contracts.validation.first_error import BOUNDS, TYPES, FirstError, FirstErrorSearch
from graphbus_core.errors import ContractError
from graphbus_core.text import shorten

# Whether the search for a first violation knows everything that a schema says.


_UNREAD = frozenset(
    {"unevaluatedProperties", "unevaluatedItems", "$dynamicRef", "$recursiveRef", "$dynamicAnchor", "dependencies"}
)


def is_readable(schema: Any) -> bool:
    """Whether every keyword of a schema is known here, and every reference leads down within it."""
    for _, subschema in walk_schemas(schema):
        if isinstance(subschema, bool):
            continue
        if not isinstance(subschema, dict) or not _UNREAD.isdisjoint(subschema) or not _is_well_formed(subschema):
            return False
        ref = subschema.get("$ref")
        if ref is not None and not (ref == "#" or ref.startswith("#/")):
            return False
        if ref is not None and not isinstance(follow_pointer(schema, ref), dict | bool):
            return False
        if "$id" in subschema and subschema is not schema:
            return False  # references within it are resolved against another base
    return not _has_loop(schema)


def _is_well_formed(schema: dict[str, Any]) -> bool:
    """Whether keywords have the form that is relied on here; the judge says what is wrong with others."""
    kinds = schema.get("type", "null")
    names = kinds if isinstance(kinds, list) else [kinds]
    if not all(isinstance(n, str) and (n in TYPES or n in ("integer", "number")) for n in names):
        return False
    for key, value in schema.items():
        wanted_form = _FORMS.get(key)
        if wanted_form is not None and (
            not isinstance(value, wanted_form) or (isinstance(value, bool) and wanted_form is not bool)
        ):
            return False
    named_schemas = (subschema for key in SCHEMA_MAPS.intersection(schema) for subschema in schema[key].values())
    return bool(schema.get("multipleOf", 1) > 0) and all(
        isinstance(subschema, dict | bool) for subschema in named_schemas
    )


_FORMS: Mapping[str, Any] = {**FORMS, **dict.fromkeys(BOUNDS, int | float), "required": list, OPAQUE: str}


def _has_loop(document: Any) -> bool:
    """Whether a schema comes back to itself for the same value: nothing could be said of any value there."""
    cleared: set[int] = set()

    def visit(schema: Any, above: frozenset[int]) -> bool:
        if not isinstance(schema, dict) or id(schema) in cleared:
            return False
        if id(schema) in above:
            return True
        inside = [follow_pointer(document, schema["$ref"])] if "$ref" in schema else []
        inside += [sub for _, sub in iter_in_place(schema)]
        has_loop = any(visit(s, above | {id(schema)}) for s in inside)
        cleared.add(id(schema))
        return has_loop

    return any(visit(subschema, frozenset()) for _, subschema in walk_schemas(document))


# What a violation says to a person: one sentence without the path.


_LIMITS = {
    "minimum": "must be at least",
    "maximum": "must be at most",
    "exclusiveMinimum": "must be above",
    "exclusiveMaximum": "must be below",
    "multipleOf": "must be a multiple of",
}
_COUNTS = {
    "minLength": ("at least", "characters"),
    "maxLength": ("at most", "characters"),
    "minItems": ("at least", "items"),
    "maxItems": ("at most", "items"),
    "minProperties": ("at least", "fields"),
    "maxProperties": ("at most", "fields"),
}


def describe_error(error: FirstError) -> str:
    """What is wrong with the value, and what it is."""
    text = _describe_keyword(error)
    return f"{text} ({error.note})" if error.note else text


def _describe_keyword(error: FirstError) -> str:
    keyword, limit = error.keyword, error.wanted
    if keyword == "required":
        return "is missing"
    value_text = render_value(error.value)
    if keyword == "type":
        return f"must be {' or '.join(limit) if isinstance(limit, list) else limit}, got {value_text}"
    if keyword in _LIMITS:
        return f"{_LIMITS[keyword]} {render_short(limit)}, got {value_text}"
    if keyword in _COUNTS:
        how, what = _COUNTS[keyword]
        return f"must have {how} {limit} {what}, has {len(error.value)}"
    if keyword == "additionalProperties":
        return f"has fields that are not declared: {render_value(limit)} in {value_text}"
    if keyword in ("anyOf", "oneOf"):
        return _describe_union(keyword, limit, value_text)
    return f"{_REST.get(keyword, 'does not fit').format(render_values(limit))}, got {value_text}"


_REST = {
    "const": "must be {}",
    "enum": "must be one of {}",
    "pattern": "must match the pattern {}",
    "format": "must have the format {}",
    "uniqueItems": "must not hold an item twice",
    "contains": "holds too few items of the kind that is wanted",
    "maxContains": "holds too many items of the kind that is counted",
    "propertyNames": "holds a name that is not allowed",
    "not": "is one of the values that are excluded",
    "false schema": "must not be there",
    "x-python-type": "must be an object of the class {}",
}


def _describe_union(keyword: str, options_given: Any, value_text: str) -> str:
    if keyword == "oneOf" and all(isinstance(w, int) for w in options_given) and options_given:
        return f"fits {len(options_given)} alternatives where one alone may fit, got {value_text}"
    options = " | ".join(dict.fromkeys(annotation(w) for w in options_given))
    return f"fits none of {options if len(options) <= 120 else f'{len(options_given)} alternatives'}, got {value_text}"


def render_values(values: Any) -> str:
    """The values of an enum, or one value."""
    if not isinstance(values, list):
        return render_value(values)
    head = ", ".join(render_value(w) for w in values[:8])
    return head if len(values) <= 8 else f"{head} … ({len(values)} values)"


def render_value(value: Any) -> str:
    """A value, short. Plain ones are written at once: most violations show one."""
    kind = type(value)
    if kind is int:
        return str(value) if -(10**15) < value < 10**15 else render_short(value)
    if (
        kind is str
        and len(value) <= 50
        and value.isascii()
        and value.isprintable()
        and '"' not in value
        and "\\" not in value
    ):
        return f'"{value}"'
    return render_short(value)


class Violation:
    """Where a payload breaks its contract: `path` as in a field operation with indexes (`lines[2].qty`).

    Path and message are written when they are first read: who only counts violations does not pay for words.
    """

    __slots__ = ("_found", "_message", "_path", "keyword")

    def __init__(
        self, path: str | None, message: str | None, keyword: str = "", error: FirstError | None = None
    ) -> None:
        self._path, self._message, self.keyword, self._found = path, message, keyword, error

    @property
    def path(self) -> str:
        """Where; empty for the whole payload."""
        if self._path is None:
            assert self._found is not None
            inner = [self._found.wanted] if self.keyword == "required" else []
            self._path = render_path(reversed([*inner, *self._found.parts]))
        return self._path

    @property
    def message(self) -> str:
        """What is wrong there, without the path."""
        if self._message is None:
            assert self._found is not None
            self._message = describe_error(self._found)
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
        modern = schema if draft == json_schema.NEWEST else json_schema.convert_to_newest(schema, draft)
        try:
            if is_readable(modern):
                search = FirstErrorSearch(modern, formats, live)
                self.check = compile_check(modern, search, formats, _build_slow_check(search))
                return
        except RecursionError:  # nested too deeply for us: the judge says what it can
            pass
        except re.error as e:
            raise ContractError(f"the contract cannot be checked: a pattern of it cannot be read: {e}") from None
        self.check = self._check_by_judge

    def _check_by_judge(self, payload: Any) -> Violation | None:
        value = convert_to_json(payload)
        try:
            for error in judge.iter_errors(self._schema, value, self._draft, self._formats):
                return _convert_judge_error(error)
        except RecursionError:
            return _TOO_DEEP
        except OverflowError:
            return _TOO_LARGE
        except Exception as e:
            raise ContractError(f"the contract cannot be checked: {type(e).__name__}: {e}") from None
        return None


def _build_slow_check(search: FirstErrorSearch) -> Callable[[Any], Violation | None]:
    """What happens to a payload that the compiled test does not pass."""
    find, document = search.find, search.document

    def check_slowly(payload: Any) -> Violation | None:
        try:
            error = find(document, payload)
        except RecursionError:
            return _TOO_DEEP
        except OverflowError:
            return _TOO_LARGE
        finally:
            if search.doubts:
                search.doubts.clear()
        if error is None:
            return None
        # The payload may be another when the words are read: what can change is written down now.
        shows = type(error.value) in _MUTABLE and error.keyword != "required"
        return Violation(None, describe_error(error) if shows else None, error.keyword, error)

    return check_slowly


def validator(
    schema: Contract | Mapping[str, Any] | bool,
    *,
    side: str | None = None,
    dialect: str | int | None = None,
    formats: bool = False,
    registry: Any = None,
) -> Validator:
    """Compile a contract, or a plain JSON Schema, for payload checks.

    `side` says how a contract is read: `"output"` closed (what is not declared must not be sent), `"input"` open,
    None as it stands. A Contract checks the formats that stand for a Python type; a plain schema only with `formats`.
    """
    if registry is not None:
        from graphbus_core.contracts.parsing.registry_references import bring_in

        schema = bring_in(schema, registry)
    if side not in (None, "input", "output", "payload"):
        raise ContractError(f"side is {side!r}; use input, output, payload or nothing.")
    if isinstance(schema, Contract) or side is not None:
        contract = schema if isinstance(schema, Contract) else Contract.from_json_schema(schema, dialect=dialect)
        if side is None:
            read = contract.to_json_schema()
        else:
            read = contract.opened if side == "input" else contract.closed
        return Validator(read, json_schema.NEWEST, TYPE_FORMATS, live=True)
    checked_formats = json_schema.collect_formats(schema) if formats else frozenset()
    return Validator(schema, json_schema.detect_dialect(schema, dialect), checked_formats)


def _convert_judge_error(error: Any) -> Violation:
    """The violation in the judge's own words."""
    path = render_path(error.absolute_path)
    keyword = str(error.validator)
    if keyword == "required" and isinstance(error.instance, Mapping):
        missing = next((n for n in error.validator_value if n not in error.instance), "?")
        return Violation(f"{path}.{missing}" if path else str(missing), "is missing", keyword)
    if error.validator in ("additionalProperties", "unevaluatedProperties"):
        return Violation(path, f"has fields that are not declared: {render_short(error.instance)}", keyword)
    message = shorten(error.message, 200)
    return Violation(path, message, keyword)


def render_path(path: Iterable[Any]) -> str:
    """`lines[2].qty` from the parts of a path."""
    text = ""
    for part in path:
        text += f"[{part}]" if isinstance(part, int) else (f".{part}" if text else str(part))
    return text
