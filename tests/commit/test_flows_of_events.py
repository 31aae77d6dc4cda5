"""The gate `flows`, of events: what is published changes as the proposal says it does, and in no other way."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from graphbus_core.analysis.scan import scan
from graphbus_core.commit.engine import CommitEngine
from graphbus_core.config import BuildConfig
from graphbus_core.sandbox.runner import Limits
from tests.commit.projects import about, write

BAKERY = '''"""A bakery."""
from typing import Any, TypedDict

from graphbus_core import GraphBusNode, publishes, schema_method, subscribe


class Order(TypedDict):
    cake: str
    qty: int


class Till(GraphBusNode):
    @schema_method
    @publishes("/Order/Placed", {"cake": str, "qty": int})
    @publishes("/Order/Logged", {"qty": int})
    def order(self, cake: str, qty: int) -> None:
        self.publish("/Order/Logged", {"qty": qty})
        self.publish("/Order/Placed", {"cake": cake, "qty": qty})


class Kitchen(GraphBusNode):
    @subscribe("/Order/Placed")
    def on_order(self, payload: Order) -> None:
        if payload["qty"] < 1:
            raise ValueError(f"cannot bake {payload['qty']} cakes")
'''
UNTYPED = BAKERY.replace("payload: Order", "payload: dict[str, Any]")
SENT = {"op": "rename_field", "node": "Till", "topic": "/Order/Placed", "side": "payload", "field": "qty"}
SENT |= {"to": "amount"}
TAKEN = {"op": "rename_field", "node": "Kitchen", "method": "on_order", "side": "input", "field": "qty"}
TAKEN |= {"to": "amount"}
GIVEN = {"op": "rename_field", "node": "Till", "method": "order", "side": "input", "field": "qty", "to": "amount"}


def judge(root: Path, bakery: str, *diff: Mapping[str, Any]) -> tuple[str, str, str]:
    """How `flows` ends, which gate stops the change, and why."""
    write(root, {"agents/bakery.py": bakery})
    config = BuildConfig(str(root / "agents"), output_dir=str(root / ".graphbus"))
    with CommitEngine(scan(root / "agents"), config, limits=Limits(timeout_s=10), rehearse=True) as commits:
        receipt = commits.apply("prepare", about("p-1", *diff))
    end = next((end["end"] for end in receipt["ends"] if end["gate"] == "flows"), "")
    return end, receipt["gate"], receipt["reason"]


def write_body(first: str, second: str) -> dict[str, str]:
    """`Till.order` with these two calls, as a proposal writes it."""
    return {"op": "replace_body", "node": "Till", "method": "order", "body": f"{first}\n{second}"}


def test_a_field_of_an_event_is_renamed_at_both_ends(tmp_path: Path) -> None:
    """Seen: a stranger's right and whole rename, refused because `publish` is given another name."""
    assert judge(tmp_path, BAKERY, SENT, TAKEN) == ("tested", "", "")


def test_a_handler_without_a_contract_follows_the_event(tmp_path: Path) -> None:
    assert judge(tmp_path, UNTYPED, SENT) == ("tested", "", "")


@pytest.mark.parametrize("call", ["self.bus.publish", "self.apublish"])
def test_each_way_of_publishing_is_known(tmp_path: Path, call: str) -> None:
    way = BAKERY.replace("self.publish", call)
    assert judge(tmp_path, way, SENT, TAKEN) == ("tested", "", "")


def test_an_heir_publishes_under_its_own_name_what_it_inherits(tmp_path: Path) -> None:
    heir = BAKERY + "\n\nclass NightTill(Till):\n    pass\n"
    assert judge(tmp_path, heir, SENT, {**SENT, "node": "NightTill"}, TAKEN) == ("tested", "", "")
    assert judge(tmp_path, heir, SENT, TAKEN)[1] == "contracts"


def test_an_event_in_an_event_is_renamed_at_its_own_place_alone(tmp_path: Path) -> None:
    nested = BAKERY.replace('{"cake": str, "qty": int}', '{"cake": str, "lines": [{"qty": int}], "qty": int}')
    nested = nested.replace('{"cake": cake, "qty": qty}', '{"cake": cake, "lines": [{"qty": qty}], "qty": qty}')
    nested = nested.replace("    qty: int\n", "    qty: int\n    lines: list[dict[str, int]]\n")
    first = {**SENT, "field": "lines[].qty"}
    assert judge(tmp_path, nested.replace("payload: Order", "payload"), first)[0] == "tested"
    both = 'self.publish("/Order/Placed", {"cake": cake, "lines": [{"amount": qty}], "amount": qty})'
    body = write_body('self.publish("/Order/Logged", {"qty": qty})', both)
    end, _, why = judge(tmp_path, nested.replace("payload: Order", "payload"), first, body)
    assert (end, "after it, Till publishes amount, cake, lines, lines[].amount to" in why) == ("refused", True), why


@pytest.mark.parametrize(
    ("placed", "said"),
    [
        ('{"amount": qty}', "after it, Till publishes amount to"),
        ('{"cake": cake, "amount": qty, "more": 1}', "after it, Till publishes amount, cake, more to"),
        ('{"cake": cake, "qty": qty, "amount": qty}', "after it, Till publishes amount, cake, qty to"),
        ('{"cake": cake, "amount": 3}', "after it, Till publishes amount, cake to"),
    ],
)
def test_what_the_renames_do_not_say_is_refused(tmp_path: Path, placed: str, said: str) -> None:
    """A field that is dropped, added, sent twice, or sent with another value."""
    body = write_body('self.publish("/Order/Logged", {"qty": qty})', f'self.publish("/Order/Placed", {placed})')
    end, gate, why = judge(tmp_path, BAKERY, SENT, TAKEN, body)
    assert (end, gate, said in why) == ("refused", "flows", True), why


def test_an_empty_field_that_is_dropped_is_seen(tmp_path: Path) -> None:
    noted = BAKERY.replace('"cake": cake', '"cake": cake, "notes": {}')
    assert judge(tmp_path, noted, SENT, TAKEN)[0] == "tested"
    placed = 'self.publish("/Order/Placed", {"cake": cake, "amount": qty})'
    end, gate, _ = judge(
        tmp_path, noted, SENT, TAKEN, write_body('self.publish("/Order/Logged", {"qty": qty})', placed)
    )
    assert (end, gate) == ("refused", "flows")


def test_another_topic_of_the_same_component_keeps_its_fields(tmp_path: Path) -> None:
    logged = 'self.publish("/Order/Logged", {"amount": qty})'
    body = write_body(logged, 'self.publish("/Order/Placed", {"cake": cake, "amount": qty})')
    end, _, why = judge(tmp_path, BAKERY, SENT, TAKEN, body)
    assert (end, "to /Order/Logged; after it" in why) == ("refused", True), why


def test_the_rename_of_an_input_renames_nothing_that_is_published(tmp_path: Path) -> None:
    assert judge(tmp_path, BAKERY, GIVEN) == ("tested", "", "")
    placed = 'self.publish("/Order/Placed", {"cake": cake, "amount": amount})'
    end, gate, _ = judge(tmp_path, BAKERY, GIVEN, write_body('self.publish("/Order/Logged", {"qty": amount})', placed))
    assert (end, gate) == ("refused", "flows")


def test_a_rename_at_one_end_breaks_the_link_as_before(tmp_path: Path) -> None:
    assert judge(tmp_path, BAKERY, SENT)[1] == "mismatches"
    assert judge(tmp_path, BAKERY, TAKEN)[1] == "mismatches"


def test_code_outside_is_given_the_names_that_it_had(tmp_path: Path) -> None:
    """A client that is called `publish` as well is not the component's bus."""
    client = BAKERY.replace('"""A bakery."""\n', '"""A bakery."""\nimport smtplib\n')
    client = client.replace('self.publish("/Order/Placed"', 'smtplib.SMTP().publish("/Order/Placed"')
    body = write_body(
        'self.publish("/Order/Logged", {"qty": qty})',
        'smtplib.SMTP().publish("/Order/Placed", {"cake": cake, "amount": qty})',
    )
    end, _, why = judge(tmp_path, client, SENT, TAKEN, body)
    assert (end, "publish is given" in why) == ("refused", True), why
