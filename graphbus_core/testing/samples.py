"""Payloads made from contracts: one valid sample, and a Hypothesis strategy of many."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from graphbus_core.contracts import Contract, check
from graphbus_core.contracts.reading.walk import SILENT
from graphbus_core.errors import ContractError

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy


def sample(contract: Any) -> Any:
    """A value that fits a contract: a JSON Schema, a Contract, or annotations such as `{"sku": str}`.

    It is what disproves that the contract promises nothing, so it is judged before it is given.
    """
    schema = _schema(contract)
    # "Does this fit nothing at all?" A counterexample to that is a value that fits, and it was judged already.
    verdict = check(schema, False)
    if verdict.compatible is not False:
        raise ContractError(f"no value fits {schema}, or none was found.")
    return verdict.counterexample


def payloads(contract: Any) -> SearchStrategy[Any]:
    """A Hypothesis strategy of values that fit a contract."""
    return _strategy(_schema(contract))


def _schema(contract: Any) -> Any:
    if isinstance(contract, Contract):
        return contract.to_json_schema()
    if isinstance(contract, bool) or (isinstance(contract, Mapping) and contract.keys() & {"type", "anyOf", "$ref"}):
        return contract
    return Contract.from_annotations(contract).to_json_schema()


def _strategy(schema: Any) -> SearchStrategy[Any]:
    from hypothesis import strategies as st

    if schema is True or not isinstance(schema, Mapping):
        return st.none() | st.booleans() | st.integers() | st.text()
    if "const" in schema:
        return st.just(schema["const"])
    if "enum" in schema:
        return st.sampled_from(list(schema["enum"]))
    # Of a union any branch may be drawn, since a value of one of them is a value of the whole.
    if "anyOf" in schema:
        return st.one_of(*(_strategy(one) for one in schema["anyOf"]))
    kind = schema.get("type")
    if isinstance(kind, list):
        return st.one_of(*(_strategy({**schema, "type": one}) for one in kind))
    made = _MADE.get(str(kind))
    found = made(schema) if made is not None else _strategy(True)
    # Keywords that are not built in are filtered, so that no drawn value ever breaks the contract.
    if set(schema) - _KNOWN:
        from graphbus_core.contracts import validator

        valid = validator(dict(schema))
        found = found.filter(lambda value: valid.check(value) is None)
    return found


def _object(schema: Mapping[str, Any]) -> SearchStrategy[Any]:
    from hypothesis import strategies as st

    fields = {name: _strategy(one) for name, one in schema.get("properties", {}).items()}
    required = set(schema.get("required", ()))
    # What must be there and is not described may be anything; left out, every value would be wrong.
    fields |= {name: _strategy(True) for name in required - fields.keys()}
    return st.fixed_dictionaries(
        {name: fields[name] for name in fields if name in required},
        optional={name: fields[name] for name in fields if name not in required},
    )


def _array(schema: Mapping[str, Any]) -> SearchStrategy[Any]:
    from hypothesis import strategies as st

    return st.lists(
        _strategy(schema.get("items", True)), min_size=schema.get("minItems", 0), max_size=schema.get("maxItems", 10)
    )


def _text(schema: Mapping[str, Any]) -> SearchStrategy[Any]:
    from hypothesis import strategies as st

    if "pattern" in schema:
        return st.from_regex(schema["pattern"], fullmatch=False)
    return st.text(min_size=schema.get("minLength", 0), max_size=schema.get("maxLength"))


def _number(schema: Mapping[str, Any]) -> SearchStrategy[Any]:
    from hypothesis import strategies as st

    whole = st.integers(schema.get("minimum"), schema.get("maximum"))
    if schema.get("type") == "integer":
        return whole
    low, high = schema.get("minimum"), schema.get("maximum")
    # Without NaN and infinities: JSON has neither.
    return whole | st.floats(low, high, allow_nan=False, allow_infinity=False)


def _simple(name: str) -> Any:
    def made(schema: Mapping[str, Any]) -> SearchStrategy[Any]:
        from hypothesis import strategies as st

        return st.booleans() if name == "boolean" else st.none()

    return made


_MADE: dict[str, Any] = {
    "object": _object,
    "array": _array,
    "string": _text,
    "integer": _number,
    "number": _number,
    "boolean": _simple("boolean"),
    "null": _simple("null"),
}
_KNOWN = frozenset(
    (
        *("type", "properties", "required", "items", "minItems", "maxItems", "minLength", "maxLength"),
        *("minimum", "maximum", "additionalProperties", *SILENT),
    )
)
