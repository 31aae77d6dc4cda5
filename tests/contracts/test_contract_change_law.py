"""The law of `compare`, over pairs by chance, under each reading; and that each payload proves its own line.

`GRAPHBUS_EXAMPLES=10` tries ten times as many pairs.
"""

from __future__ import annotations

import copy
import os
import random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from graphbus_core.contracts import READINGS, Contract, Undecided, compare
from graphbus_core.contracts.diff.changes import SIDES
from graphbus_core.contracts.parsing import contract
from graphbus_core.contracts.parsing.json_schema import DRAFT2020
from graphbus_core.contracts.validation import judge
from tests.contracts.schemas_by_chance import schemas
from tests.contracts.types_by_chance import Types

pytestmark = pytest.mark.no_cover

MORE = int(os.environ.get("GRAPHBUS_EXAMPLES", "1"))
QUIET = list(HealthCheck)


def law(old: Any, new: Any, reading: str) -> dict[str, int]:
    """Hold the law, and count lines that break, those with a payload, and undecided sides."""
    found = compare(old, new, reading=reading)
    pairs = {"input": (old, new), "output": (new, old)}
    docs = {side: contract.read_documents(*pair, reading) for side, pair in pairs.items()}
    counted = {"breaking": 0, "shown": 0, "undecided": 0}
    for side in SIDES:
        breaking = [line for line in found.lines if side in line.breaks]
        fits = found.fits(side)
        if fits is True:
            assert not breaking
        elif fits is False:
            assert breaking
            assert any(side in line.payloads for line in breaking)
        else:
            assert not breaking
            assert any(isinstance(line, Undecided) and side in line.uncertain for line in found.lines)
            counted["undecided"] += 1
        for line in breaking:
            counted["breaking"] += 1
            if side in line.payloads:
                counted["shown"] += 1
                sent, taken = docs[side]
                if not contract.find_tagged_types(old) | contract.find_tagged_types(new):
                    assert judge.is_accepted(sent, line.payloads[side], DRAFT2020) is True
                    assert judge.is_accepted(taken, line.payloads[side], DRAFT2020) is False
    return counted


@pytest.mark.parametrize("reading", READINGS)
@settings(max_examples=60 * MORE, deadline=None, suppress_health_check=QUIET)
@given(pair=st.tuples(schemas, schemas) | schemas.map(lambda s: (s, s)))
def test_the_law_holds_for_any_two_schemas(reading: str, pair: Any) -> None:
    """Over every keyword, most of them far apart; and what did not change breaks nobody."""
    counted = law(*pair, reading)
    assert counted["breaking"] == 0 or pair[0] != pair[1]


def changed(schema: Any, rng: random.Random) -> Any:
    """The schema with one small thing changed, anywhere in it."""
    made = copy.deepcopy(schema)
    places: list[dict[str, Any]] = []
    stack = [made]
    while stack:
        one = stack.pop()
        if isinstance(one, dict):
            if {"type", "properties", "enum", "anyOf", "items", "const"} & one.keys():
                places.append(one)
            stack.extend(v for k, v in one.items() if k not in ("enum", "const"))
        elif isinstance(one, list):
            stack.extend(one)
    at = rng.choice(places or [made])
    fields = at.get("properties")
    pick = rng.randrange(6)
    if isinstance(fields, dict) and pick == 0:
        fields["added"] = rng.choice([{"type": "string"}, {"type": "integer"}])
    elif isinstance(fields, dict) and fields and pick == 1:
        del fields[rng.choice(list(fields))]
    elif isinstance(fields, dict) and fields and pick == 2:
        name = rng.choice(list(fields))
        needed = at.setdefault("required", [])
        needed.remove(name) if name in needed else needed.append(name)
    elif isinstance(at.get("anyOf"), list) and pick < 5:
        at["anyOf"].append({"type": "null"}) if pick % 2 else at["anyOf"].pop()
        at["anyOf"] = at["anyOf"] or [{"type": "null"}]
    elif isinstance(at.get("type"), str):
        at["type"] = rng.choice(["string", "integer", "number", "boolean", [at["type"], "null"]])
    else:
        at["description"] = "another"
    return made


@pytest.mark.parametrize("reading", READINGS)
def test_the_law_holds_for_versions_of_a_contract(reading: str) -> None:
    """As people change contracts: one to three small things. Nearly every line that breaks has a payload of its own."""
    rng = random.Random(11)
    types = Types(rng)
    counted = {"breaking": 0, "shown": 0, "undecided": 0}
    for _ in range(120 * MORE):
        old = Contract.from_annotations(types.any()).to_json_schema()
        new = old
        for _ in range(rng.randrange(1, 4)):
            new = changed(new, rng)
        for key, value in law(old, new, reading).items():
            counted[key] += value
    assert counted["breaking"] > 50
    assert counted["shown"] >= 0.95 * counted["breaking"]
    print(counted)
