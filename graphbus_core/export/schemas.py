"""Contracts inside a larger document: names for components, and references that still point to what they meant."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from graphbus_core.contracts.reading.dialects import DRAFT7, SINCE
from graphbus_core.contracts.reading.walk import DATA, SCHEMA_MAPS

# What draft-07 tools pass over without a word: a contract that uses one would promise less than it does.
_SINCE_2019 = {"$dynamicRef", "$anchor"} | {key for key, since in SINCE.items() if since > DRAFT7}


class ComponentNames:
    """Names that keys of components may have (letters, digits, `_`, `-`), one for each thing, the same each time."""

    def __init__(self) -> None:
        self._given: dict[str, str] = {}
        self._taken: set[str] = set()

    def of(self, thing: str) -> str:
        """`/Order/Created` -> `Order-Created`; another thing that would have that name gets a number."""
        if thing not in self._given:
            plain = re.sub(r"[^A-Za-z0-9_-]+", "-", thing).strip("-") or "any"
            name, number = plain, 1
            # A counter and not a hash: names are read by people, and the same build counts in the same order.
            while name in self._taken:
                number += 1
                name = f"{plain}-{number}"
            self._given[thing] = name
            self._taken.add(name)
        return self._given[thing]


def placed(schema: Mapping[str, Any] | None, at: str) -> dict[str, Any]:
    """The contract as it may stand at `at` (`#/components/schemas/X`): its own `#/$defs/…` are found from there.

    A contract that was not declared allows any object.
    """
    if schema is None:
        # Any object, because that is what the runtime takes there; `{}` would also allow a number.
        return {"type": "object", "description": "Not declared."}
    moved: dict[str, Any] = _moved(dict(schema), at)
    return moved


def _moved(value: Any, at: str, names: bool = False) -> Any:
    """`names` says that the keys are names somebody chose: a field may be called `default`."""
    if isinstance(value, Mapping):
        return {
            key: at + inner[1:]
            if key == "$ref" and isinstance(inner, str) and inner.startswith("#")
            # Data is not schema: a value that has the key `$ref` must reach the reader as it was written.
            else (inner if key in DATA and not names else _moved(inner, at, key in SCHEMA_MAPS and not names))
            for key, inner in value.items()
        }
    return [_moved(inner, at) for inner in value] if isinstance(value, list) else value


def needs_2020_12(schema: Any) -> bool:
    """Whether a tool that knows draft-07 alone would read less out of the contract than it says."""
    if isinstance(schema, Mapping):
        return not _SINCE_2019.isdisjoint(schema) or any(map(needs_2020_12, schema.values()))
    return any(map(needs_2020_12, schema)) if isinstance(schema, list) else False


def text_of(document: Mapping[str, Any]) -> str:
    """The document as people read it; the same build gives the same bytes."""
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"
