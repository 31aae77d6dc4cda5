"""Payloads made from contracts: one valid sample, and a Hypothesis strategy of many."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from graphbus_core.contracts import Contract, check
from graphbus_core.contracts.parsing.json_schema import SILENT
from graphbus_core.errors import ContractError

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy


def sample(contract: Any) -> Any:
    """A value that fits a contract: a JSON Schema, a Contract, or annotations such as `{"sku": str}`.

    It is what disproves that the contract promises nothing, so it is judged before it is given.
    """
    schema = _convert_to_schema(contract)
    # "Does this fit nothing at all?" A counterexample to that is a value that fits, and it was judged already.
    verdict = check(schema, False)
    if verdict.compatible is not False:
        raise ContractError(f"no value fits {schema}, or none was found.")
    return verdict.counterexample


def payloads(contract: Any) -> SearchStrategy[Any]:
    """A Hypothesis strategy of values that fit a contract."""
    return _build_strategy(_convert_to_schema(contract))


def _convert_to_schema(contract: Any) -> Any:
    if isinstance(contract, Contract):
        return contract.to_json_schema()
    if isinstance(contract, bool) or (isinstance(contract, Mapping) and contract.keys() & {"type", "anyOf", "$ref"}):
        return contract
    return Contract.from_annotations(contract).to_json_schema()


def _build_strategy(schema: Any) -> SearchStrategy[Any]:
    from hypothesis import strategies as st

    if schema is True or not isinstance(schema, Mapping):
        return st.none() | st.booleans() | st.integers() | st.text()
    if "const" in schema:
        return st.just(schema["const"])
    if "enum" in schema:
        return st.sampled_from(list(schema["enum"]))
    # Of a union any branch may be drawn, since a value of one of them is a value of the whole.
    if "anyOf" in schema:
        return st.one_of(*(_build_strategy(branch) for branch in schema["anyOf"]))
    kind = schema.get("type")
    if isinstance(kind, list):
        return st.one_of(*(_build_strategy({**schema, "type": branch}) for branch in kind))
    build_kind = _BUILDERS.get(str(kind))
    strategy = build_kind(schema) if build_kind is not None else _build_strategy(True)
    # Keywords that are not built in are filtered, so that no drawn value ever breaks the contract.
    if set(schema) - _KNOWN:
        from graphbus_core.contracts import validator

        valid = validator(dict(schema))
        strategy = strategy.filter(lambda value: valid.check(value) is None)
    return strategy


def _build_object(schema: Mapping[str, Any]) -> SearchStrategy[Any]:
    from hypothesis import strategies as st

    fields = {name: _build_strategy(field_schema) for name, field_schema in schema.get("properties", {}).items()}
    required = set(schema.get("required", ()))
    # What must be there and is not described may be anything; left out, every value would be wrong.
    fields |= {name: _build_strategy(True) for name in required - fields.keys()}
    return st.fixed_dictionaries(
        {name: fields[name] for name in fields if name in required},
        optional={name: fields[name] for name in fields if name not in required},
    )


def _build_array(schema: Mapping[str, Any]) -> SearchStrategy[Any]:
    from hypothesis import strategies as st

    return st.lists(
        _build_strategy(schema.get("items", True)),
        min_size=schema.get("minItems", 0),
        max_size=schema.get("maxItems", 10),
    )


def _build_text(schema: Mapping[str, Any]) -> SearchStrategy[Any]:
    from hypothesis import strategies as st

    if "pattern" in schema:
        return st.from_regex(schema["pattern"], fullmatch=False)
    return st.text(min_size=schema.get("minLength", 0), max_size=schema.get("maxLength"))


def _build_number(schema: Mapping[str, Any]) -> SearchStrategy[Any]:
    from hypothesis import strategies as st

    whole = st.integers(schema.get("minimum"), schema.get("maximum"))
    if schema.get("type") == "integer":
        return whole
    low, high = schema.get("minimum"), schema.get("maximum")
    # Without NaN and infinities: JSON has neither.
    return whole | st.floats(low, high, allow_nan=False, allow_infinity=False)


def _build_simple(name: str) -> Any:
    def build(schema: Mapping[str, Any]) -> SearchStrategy[Any]:
        from hypothesis import strategies as st

        return st.booleans() if name == "boolean" else st.none()

    return build


_BUILDERS: dict[str, Any] = {
    "object": _build_object,
    "array": _build_array,
    "string": _build_text,
    "integer": _build_number,
    "number": _build_number,
    "boolean": _build_simple("boolean"),
    "null": _build_simple("null"),
}
_KNOWN = frozenset(
    (
        *("type", "properties", "required", "items", "minItems", "maxItems", "minLength", "maxLength"),
        *("minimum", "maximum", "additionalProperties", *SILENT),
    )
)
