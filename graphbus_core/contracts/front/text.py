"""The document in the bytes of a JSON or YAML file. Whatever is not JSON ends in a sentence with its place."""

from __future__ import annotations

import json
from typing import Any

from graphbus_core.errors import ContractError

MAX_FILE_BYTES = 20_000_000
MAX_PARTS = 2_000_000  # of a document once its aliases are written out


def parse(data: bytes, name: str) -> Any:
    """Read a document; `name` says whether it is YAML. Raises ContractError that names the line."""
    if len(data) > MAX_FILE_BYTES:
        raise ContractError(f"{name} is larger than {MAX_FILE_BYTES // 1_000_000} MB; that is not a schema.")
    try:
        if name.endswith((".yaml", ".yml")):
            import yaml

            made = yaml.load(data, getattr(yaml, "CSafeLoader", yaml.SafeLoader))
        else:
            made = json.loads(data, parse_constant=_no_constant)
    except (ValueError, RecursionError) as e:
        raise ContractError(f"{name} is not JSON: {e}.") from None
    except Exception as e:  # yaml has a tree of its own
        raise ContractError(f"{name} is not YAML: {' '.join(str(e).split())}.") from None
    odd = _odd(made)
    if odd:
        raise ContractError(f"{name} {odd}.")
    return made


def _no_constant(text: str) -> None:
    raise ValueError(f"{text} is not a JSON number")


def _odd(made: Any) -> str | None:
    """What makes a document no JSON: YAML reads dates, keys that are not text, and parts that hold themselves."""
    sizes: dict[int, int] = {}  # parts of what is finished, aliases written out
    above: set[int] = set()
    stack: list[tuple[Any, bool]] = [(made, False)]
    while stack:
        one, left = stack.pop()
        if not isinstance(one, dict | list):
            if why := _odd_scalar(one):
                return why
            continue
        inside = list(one.values() if isinstance(one, dict) else one)
        if left:
            above.discard(id(one))
            sizes[id(one)] = 1 + sum(sizes.get(id(v), 1) for v in inside)
            if sizes[id(one)] > MAX_PARTS:
                return f"has aliases of aliases: written out it is more than {MAX_PARTS:,} parts; use $ref"
            continue
        if id(one) in above:
            return "refers to itself by an anchor; use $ref"
        if id(one) in sizes:
            continue
        if len(above) > 500:
            return "is nested too deeply to be read; move inner parts to $defs"
        if isinstance(one, dict) and (key := next((k for k in one if not isinstance(k, str)), None)) is not None:
            return f"has the key {key!r}, which is not text; put it in quotes"
        above.add(id(one))
        stack.append((one, True))
        stack.extend((v, False) for v in inside)
    return None


def _odd_scalar(one: Any) -> str | None:
    if not isinstance(one, str | int | float | bool | None):
        return f"holds {one!s}, a {type(one).__name__}, which JSON does not have; put it in quotes"
    if isinstance(one, float) and one - one != 0:
        return f"holds {one}, which is not a JSON number"
    return None
