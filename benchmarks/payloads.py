"""Payload checks beside pydantic, jsonschema-rs, msgspec and fastjsonschema: valid and invalid, in one run.

    python benchmarks/payloads.py               some fifteen seconds
    GRAPHBUS_ROUNDS=9                           rounds a figure is the median of (default 5)

Each peer is asked for what its users get from it: a check that says yes, or the first (pydantic: every) violation with
its path. pydantic and msgspec convert while they check; both are asked for Python objects, not for text. What a peer
cannot do is shown as "-". Goals: invalid at least half of pydantic's speed, flat, 1,000 items and a union of ten.
"""

from __future__ import annotations

import os
import statistics
import sys
import timeit
from collections.abc import Callable
from functools import partial
from pathlib import Path
from time import process_time
from typing import Annotated, Any, Literal, Union

sys.path.insert(0, str(Path(__file__).parent.parent))

import jsonschema_rs
from pydantic import Field, TypeAdapter, ValidationError
from typing_extensions import TypedDict  # pydantic asks for this one before Python 3.12

from graphbus_core.contracts import Contract, validator

ROUNDS = int(os.environ.get("GRAPHBUS_ROUNDS", "5"))
PEERS = ("graphbus", "pydantic", "jsonschema-rs", "msgspec", "fastjsonschema")


class Line(TypedDict):
    sku: str
    qty: int


class Order(TypedDict):
    id: int
    name: str
    price: float
    paid: bool
    note: str


class Batch(TypedDict):
    lines: list[Line]


Sku = Annotated[str, Field(min_length=3, max_length=12, pattern="^[A-Z]+-[0-9]+$")]


class Parcel(TypedDict):
    sku: Sku
    to: Annotated[str, Field(min_length=1, max_length=40)]
    weight: Annotated[float, Field(gt=0, le=30)]


class Stock(TypedDict):
    counts: dict[str, int]


def branch(i: int) -> Any:
    """One of ten shapes, told apart by `kind`."""
    return TypedDict(f"Kind{i}", {"kind": Literal[f"k{i}"], f"value{i}": int, "name": str})  # type: ignore[misc]


def branches(i: int) -> Any:
    """One of ten shapes that only their fields tell apart."""
    return TypedDict(f"Shape{i}", {f"value{i}": int, "name": str})  # type: ignore[misc]


ORDER: Any = {"id": 1, "name": "a", "price": 1.5, "paid": True, "note": "b"}
PARCEL: Any = {"sku": "ABC-12", "to": "Somewhere", "weight": 2.5}
COUNTS: Any = {f"k{i}": i for i in range(1_000)}
NUMBERS: Any = list(range(10_000))
DECIMALS: Any = [n / 7 for n in NUMBERS]
TEXTS: Any = [f"ABC-{i}" for i in range(1_000)]
LINES: Any = [{"sku": "a", "qty": i} for i in range(1_000)]
DICT: Any = {f"k{i}": {"sku": "a", "qty": i} for i in range(1_000)}
CASES: list[tuple[str, Any, Any, Any, bool]] = [
    ("flat, 5 fields", Order, ORDER, {**ORDER, "note": 3}, True),
    ("1,000 items, the last", Batch, {"lines": LINES}, {"lines": [*LINES[:-1], {"sku": "a", "qty": "1"}]}, True),
    ("1,000 items, the first", Batch, {"lines": LINES}, {"lines": [{"sku": "a"}, *LINES[1:]]}, True),
    ("10,000 numbers, the last", list[int], NUMBERS, [*NUMBERS[:-1], "1"], True),
    ("10,000 numbers, the first", list[int], NUMBERS, ["1", *NUMBERS[1:]], True),
    ("10,000 texts, the last", list[str], [*map(str, NUMBERS)], [*map(str, NUMBERS[:-1]), 1], True),
    ("10,000 decimals, the last", list[float], DECIMALS, [*DECIMALS[:-1], "1"], True),
    ("dict of 5 numbers", dict[str, int], dict(list(COUNTS.items())[:5]), {"k0": 0, "k1": "1"}, True),
    ("dict of 1,000, the last", Stock, {"counts": COUNTS}, {"counts": {**COUNTS, "k999": "1"}}, True),
    ("dict of 1,000, the first", Stock, {"counts": COUNTS}, {"counts": {**COUNTS, "k0": "1"}}, True),
    ("dict of 1,000 records, the last", dict[str, Line], DICT, {**DICT, "k999": {"sku": "a", "qty": "1"}}, True),
    ("a text, its pattern", Sku, "ABC-12", "abc-12", True),
    ("a text, its length", Sku, "ABC-12", "A-1234567890123", True),
    ("constrained, 3 fields", Parcel, PARCEL, {**PARCEL, "sku": "abc-12"}, True),
    ("constrained, a number", Parcel, PARCEL, {**PARCEL, "weight": 31.0}, True),
    ("1,000 constrained texts, the last", list[Sku], TEXTS, [*TEXTS[:-1], "abc-12"], True),
    (
        "union of ten, by kind",
        Union[tuple(map(branch, range(10)))],  # noqa: UP007 - made, not written
        {"kind": "k9", "value9": 1, "name": "a"},
        {"kind": "k9", "value9": "1", "name": "a"},
        True,
    ),
    (
        "union of ten, by shape",
        Union[tuple(map(branches, range(10)))],  # noqa: UP007 - made, not written
        {"value9": 1, "name": "a"},
        {"value9": "1", "name": "a"},
        True,
    ),
]


def measured(calls: dict[str, Callable[[], Any]]) -> tuple[dict[str, float], float]:
    """Processor seconds of one call of each peer, and pydantic's share of ours: medians over rounds.

    The peers take turns within each round, so that a busy machine slows them all.
    """
    numbers = {}
    for peer, call in calls.items():
        call()
        numbers[peer] = max(1, int(0.02 / max(timeit.timeit(call, number=3) / 3, 1e-7)))
    rounds = []
    for _ in range(ROUNDS):
        rounds.append(
            {p: timeit.timeit(c, number=numbers[p], timer=process_time) / numbers[p] for p, c in calls.items()}
        )
    middle = {p: statistics.median(r[p] for r in rounds) for p in calls}
    return middle, statistics.median(r["pydantic"] / r["graphbus"] for r in rounds)


def checks(kind: Any) -> dict[str, Callable[[Any], Any]]:
    """For each peer a call that gives None for a valid payload, else what it says of an invalid one."""
    contract = Contract.from_annotations(kind)
    schema = contract.to_json_schema()
    adapter = TypeAdapter(kind)
    rust = jsonschema_rs.Draft202012Validator(schema)

    def pydantic(payload: Any) -> Any:
        try:
            adapter.validate_python(payload, strict=True)
        except ValidationError as e:
            return e
        return None

    made: dict[str, Callable[[Any], Any]] = {
        "graphbus": validator(contract).check,
        "pydantic": pydantic,
        "jsonschema-rs": lambda payload: next(rust.iter_errors(payload), None),
    }
    return made | _msgspec(kind) | _fastjsonschema(schema)


def _msgspec(kind: Any) -> dict[str, Callable[[Any], Any]]:
    import msgspec

    try:
        msgspec.convert({}, kind)
    except TypeError:  # no unions of several TypedDicts
        return {}
    except msgspec.ValidationError:
        pass

    def check(payload: Any) -> Any:
        try:
            msgspec.convert(payload, kind)
        except msgspec.ValidationError as e:
            return e
        return None

    return {"msgspec": check}


def _fastjsonschema(schema: Any) -> dict[str, Callable[[Any], Any]]:
    import fastjsonschema

    compiled = fastjsonschema.compile({k: v for k, v in schema.items() if k != "$schema"}, use_default=False)

    def check(payload: Any) -> Any:
        try:
            compiled(payload)
        except fastjsonschema.JsonSchemaException as e:
            return e
        return None

    return {"fastjsonschema": check}


def is_right(call: Callable[[Any], Any], valid: Any, invalid: Any) -> bool:
    """Whether a peer reads the bounds of this case at all: msgspec has words of its own for them."""
    return call(valid) is None and call(invalid) is not None


def shown(seconds: float | None) -> str:
    """Microseconds, or "-" for what a peer does not do."""
    return "-" if seconds is None else f"{seconds * 1e6:,.2f}"


def main() -> int:
    """Print the table; 1 if a goal is missed."""
    print(f"{'microseconds a check':<34}" + "".join(f"{p:>16}" for p in PEERS) + "   goal")
    missed = 0
    for name, kind, valid, invalid, counts in CASES:
        made = {p: call for p, call in checks(kind).items() if is_right(call, valid, invalid)}
        assert made.keys() >= {"graphbus", "pydantic"}, f"wrong about {name}"
        for what, payload in (("valid", valid), ("invalid", invalid)):
            took, ratio = measured({peer: partial(call, payload) for peer, call in made.items()})
            goal = 0.5 if what == "invalid" else 1.0
            ok = ratio >= goal or not counts
            missed += not ok
            row = "".join(f"{shown(took.get(p)):>16}" for p in PEERS)
            print(f"{name + ', ' + what:<34}{row}   {ratio:.2f} of pydantic's speed, ≥ {goal} {'ok' if ok else 'NO'}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
