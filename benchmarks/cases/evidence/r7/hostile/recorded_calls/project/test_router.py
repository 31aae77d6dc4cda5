import json
from pathlib import Path

import pytest
from dispatch import Dispatch
from router import Router

CALLS = [json.loads(line) for line in (Path(__file__).parent / "calls.jsonl").read_text().splitlines()]


@pytest.mark.parametrize("call", CALLS)
def test_last_week(call):
    assert len(getattr(Router(), call["method"])(**call["kwargs"])["stops"]) == call["stops"]


def test_assigned():
    assigned = Dispatch().assign("A")
    assert Router().route(courier=assigned["driver"], zone=assigned["zone"])["stops"][1] == "Kim"
