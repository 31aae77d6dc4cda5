"""The independent judge: `jsonschema` decides whether a value fits a schema, whatever our own reasoning says.

Nothing here shares code with the decision procedure. Only formats that are asked for are checked.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from graphbus_core.contracts import formats as known_formats
from graphbus_core.contracts.dialects import DRAFT4, DRAFT6, DRAFT7, DRAFT2019


def accepts(schema: Any, value: Any, draft: int, formats: frozenset[str] = frozenset()) -> bool | None:
    """Whether the validator accepts the value; None where it cannot say (a reference or a pattern it cannot read)."""
    try:
        return bool(_validator(schema, draft, formats).is_valid(value))
    except RecursionError:
        return None
    except Exception:  # whatever an independent judge throws at a schema it cannot read is "cannot say"
        return None


def complaints(schema: Any, value: Any, draft: int, formats: frozenset[str] = frozenset()) -> Iterator[Any]:
    """The validator's own errors, in its order. May raise what the validator raises."""
    yield from _validator(schema, draft, formats).iter_errors(value)


def _validator(schema: Any, draft: int, formats: frozenset[str]) -> Any:
    from jsonschema import validators

    classes = {
        DRAFT4: validators.Draft4Validator,
        DRAFT6: validators.Draft6Validator,
        DRAFT7: validators.Draft7Validator,
        DRAFT2019: validators.Draft201909Validator,
    }
    made: Any = classes.get(draft, validators.Draft202012Validator)
    return made(schema, format_checker=_checker(formats) if formats else None)


def _checker(formats: frozenset[str]) -> Any:
    from jsonschema import FormatChecker

    checker = FormatChecker(formats=())
    checker.checkers = {f: (partial(known_formats.fits, f), ()) for f in formats}
    return checker
