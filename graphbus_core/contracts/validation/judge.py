"""The independent judge: `jsonschema` decides whether a value fits a schema, whatever our own reasoning says.

Nothing here shares code with the decision procedure. Only formats that are asked for are checked.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import islice
from typing import Any

from graphbus_core.contracts.parsing.json_schema import DRAFT4, DRAFT6, DRAFT7, DRAFT2019
from graphbus_core.contracts.validation import formats as known_formats

MAX_ERRORS = 200  # that are looked at


def is_accepted(schema: Any, value: Any, draft: int, formats: frozenset[str] = frozenset()) -> bool | None:
    """Whether the validator accepts the value; None where it cannot say (a reference or a pattern it cannot read)."""
    try:
        return bool(_build_validator(schema, draft, formats, large=_is_large(value)).is_valid(value))
    except BaseException as e:
        _raise_if_interrupt(e)
        return None


def _raise_if_interrupt(e: BaseException) -> None:
    """Whatever an independent judge throws at a schema that it cannot read. (Its Rust part panics out of Exception.)"""
    if isinstance(e, KeyboardInterrupt | SystemExit | GeneratorExit):
        raise e


def iter_errors(schema: Any, value: Any, draft: int, formats: frozenset[str] = frozenset()) -> Iterator[Any]:
    """The validator's own errors, in its order. May raise what the validator raises."""
    yield from _build_validator(schema, draft, formats, large=_is_large(value)).iter_errors(value)


def list_errors(schema: Any, value: Any, draft: int, formats: frozenset[str] = frozenset()) -> list[Any] | None:
    """The first of the validator's errors; none where it accepts the value, None where it cannot say."""
    try:
        return list(islice(iter_errors(schema, value, draft, formats), MAX_ERRORS))
    except BaseException as e:
        _raise_if_interrupt(e)
        return None


def _build_validator(schema: Any, draft: int, formats: frozenset[str], *, large: bool = False) -> Any:
    from jsonschema import validators
    from jsonschema_specifications import REGISTRY

    classes = {
        DRAFT4: validators.Draft4Validator,
        DRAFT6: validators.Draft6Validator,
        DRAFT7: validators.Draft7Validator,
        DRAFT2019: validators.Draft201909Validator,
    }
    validator_class: Any = classes.get(draft, validators.Draft202012Validator)
    if large:
        schema = _strip_declarations(schema)  # a nested $schema would bring the unchanged validator back
        validator_class = validators.extend(  # type: ignore[no-untyped-call]
            validator_class, {"items": _build_items_rule(validator_class.VALIDATORS["items"])}
        )
    # A registry of our own: the default one would fetch a foreign `$ref` from the network.
    return validator_class(
        schema, registry=REGISTRY, format_checker=_build_format_checker(formats) if formats else None
    )


def _is_large(value: Any) -> bool:
    """Whether a value holds a long list; those that are made here hold the same item many times."""
    stack = [(value, 0)]
    while stack:
        part, depth = stack.pop()
        if isinstance(part, list):
            if len(part) > 1_000:
                return True
            stack.extend((v, depth + 1) for v in part[:2] if depth < 5)
        elif isinstance(part, dict) and depth < 5:
            stack.extend((v, depth + 1) for v in list(part.values())[:100])
    return False


def _strip_declarations(schema: Any) -> Any:
    if isinstance(schema, list):
        return [_strip_declarations(s) for s in schema]
    if not isinstance(schema, dict):
        return schema
    return {k: _strip_declarations(v) for k, v in schema.items() if not (k == "$schema" and isinstance(v, str))}


def _build_items_rule(rule: Any) -> Any:
    """The validator's own rule, asked once for each item that stands in a list many times."""

    def check_items(validator: Any, schema: Any, value: Any, parent: Any) -> Any:
        if isinstance(value, list) and isinstance(schema, dict) and not parent.get("prefixItems"):
            value = list({id(v): v for v in value}.values())
        yield from rule(validator, schema, value, parent) or ()

    return check_items


def _build_format_checker(formats: frozenset[str]) -> Any:
    from jsonschema import FormatChecker

    checker = FormatChecker(formats=())
    checker.checkers = {f: (partial(known_formats.fits, f), ()) for f in formats}
    return checker
