"""The independent judge: `jsonschema` decides whether a value fits a schema, whatever our own reasoning says.

Nothing here shares code with the decision procedure. Only formats that are asked for are checked.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import islice
from typing import Any

from graphbus_core.contracts.reading.dialects import DRAFT4, DRAFT6, DRAFT7, DRAFT2019
from graphbus_core.contracts.values import formats as known_formats

MAX_ERRORS = 200  # that are looked at


def accepts(schema: Any, value: Any, draft: int, formats: frozenset[str] = frozenset()) -> bool | None:
    """Whether the validator accepts the value; None where it cannot say (a reference or a pattern it cannot read)."""
    try:
        return bool(_validator(schema, draft, formats, large=_is_large(value)).is_valid(value))
    except BaseException as e:
        _cannot_say(e)
        return None


def _cannot_say(e: BaseException) -> None:
    """Whatever an independent judge throws at a schema that it cannot read. (Its Rust part panics out of Exception.)"""
    if isinstance(e, KeyboardInterrupt | SystemExit | GeneratorExit):
        raise e


def complaints(schema: Any, value: Any, draft: int, formats: frozenset[str] = frozenset()) -> Iterator[Any]:
    """The validator's own errors, in its order. May raise what the validator raises."""
    yield from _validator(schema, draft, formats, large=_is_large(value)).iter_errors(value)


def errors(schema: Any, value: Any, draft: int, formats: frozenset[str] = frozenset()) -> list[Any] | None:
    """The first of the validator's errors; none where it accepts the value, None where it cannot say."""
    try:
        return list(islice(complaints(schema, value, draft, formats), MAX_ERRORS))
    except BaseException as e:
        _cannot_say(e)
        return None


def _validator(schema: Any, draft: int, formats: frozenset[str], *, large: bool = False) -> Any:
    from jsonschema import validators
    from jsonschema_specifications import REGISTRY

    classes = {
        DRAFT4: validators.Draft4Validator,
        DRAFT6: validators.Draft6Validator,
        DRAFT7: validators.Draft7Validator,
        DRAFT2019: validators.Draft201909Validator,
    }
    made: Any = classes.get(draft, validators.Draft202012Validator)
    if large:
        schema = _undeclared(schema)  # a nested $schema would bring the unchanged validator back
        made = validators.extend(  # type: ignore[no-untyped-call]
            made, {"items": _items_once(made.VALIDATORS["items"])}
        )
    # A registry of our own: the default one would fetch a foreign `$ref` from the network.
    return made(schema, registry=REGISTRY, format_checker=_checker(formats) if formats else None)


def _is_large(value: Any) -> bool:
    """Whether a value holds a long list; those that are made here hold the same item many times."""
    stack = [(value, 0)]
    while stack:
        one, depth = stack.pop()
        if isinstance(one, list):
            if len(one) > 1_000:
                return True
            stack.extend((v, depth + 1) for v in one[:2] if depth < 5)
        elif isinstance(one, dict) and depth < 5:
            stack.extend((v, depth + 1) for v in list(one.values())[:100])
    return False


def _undeclared(schema: Any) -> Any:
    if isinstance(schema, list):
        return [_undeclared(s) for s in schema]
    if not isinstance(schema, dict):
        return schema
    return {k: _undeclared(v) for k, v in schema.items() if not (k == "$schema" and isinstance(v, str))}


def _items_once(rule: Any) -> Any:
    """The validator's own rule, asked once for each item that stands in a list many times."""

    def items(validator: Any, schema: Any, value: Any, parent: Any) -> Any:
        if isinstance(value, list) and isinstance(schema, dict) and not parent.get("prefixItems"):
            value = list({id(v): v for v in value}.values())
        yield from rule(validator, schema, value, parent) or ()

    return items


def _checker(formats: frozenset[str]) -> Any:
    from jsonschema import FormatChecker

    checker = FormatChecker(formats=())
    checker.checkers = {f: (partial(known_formats.fits, f), ()) for f in formats}
    return checker
