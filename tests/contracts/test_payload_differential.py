"""Payload checks beside `jsonschema-rs`, over contract types by chance: no crash, no difference.

`GRAPHBUS_EXAMPLES=10` draws ten times as many types as CI does.
"""

from __future__ import annotations

import os
import random
from typing import Any

import jsonschema_rs
import pytest

from graphbus_core.contracts import Contract, validator
from tests.contracts.types_by_chance import Payloads, Types

pytestmark = pytest.mark.no_cover

TYPES = 2_000 * int(os.environ.get("GRAPHBUS_EXAMPLES", "1"))
SHARES = 4
PAYLOADS = 6


def difference(schema: dict[str, Any], payload: Any, ours: Any, theirs: Any) -> str | None:
    """What is wrong with our answer about one payload, or None."""
    try:
        violation = ours(payload)
    except Exception as e:
        return f"{type(e).__name__}: {e} on {payload!r} of {schema}"
    if (violation is None) is not theirs.is_valid(payload):
        return f"{violation} on {payload!r} of {schema}"
    return None


@pytest.mark.parametrize("share", range(SHARES))
def test_payload_checks_agree_with_an_independent_validator(share: int) -> None:
    """Plain and as a contract without formats: the emitted schema means the same to both."""
    rng = random.Random(1_000 + share)
    types = Types(rng)
    wrong, counted = [], {True: 0, False: 0}
    for _ in range(TYPES // SHARES):
        schema = Contract.from_annotations(types.any()).to_json_schema()
        ours, theirs = validator(schema).check, jsonschema_rs.Draft202012Validator(schema)
        payloads = Payloads(rng, schema)
        for i in range(PAYLOADS):
            payload = payloads.value(schema)
            payload = payloads.near(payload) if i % 2 else payload
            counted[theirs.is_valid(payload)] += 1
            found = difference(schema, payload, ours, theirs)
            if found:
                wrong.append(found)
    assert not wrong, f"{len(wrong)} differences, the first: {wrong[0]}"
    assert min(counted.values()) > TYPES // SHARES  # both answers are met often


@pytest.mark.parametrize("side", ["input", "output"])
def test_contracts_read_as_an_end_agree_too(side: str) -> None:
    """The closed and the open reading are plain schemas again, and are checked as such."""
    rng = random.Random(7)
    types = Types(rng)
    for _ in range(TYPES // 8):
        contract = Contract.from_annotations(types.any())
        read = contract.closed if side == "output" else contract.opened
        ours, theirs = validator(contract, side=side).check, jsonschema_rs.Draft202012Validator(read)
        payloads = Payloads(rng, contract.to_json_schema())
        for i in range(PAYLOADS):
            payload = payloads.value(contract.to_json_schema())
            payload = payloads.near(payload) if i % 2 else payload
            assert difference(read, payload, ours, theirs) is None
