"""`map_field` and `unmap_field`: a mapping is written at the subscription, proved by the gates, and taken back."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from graphbus_core.analysis.links import link_project
from graphbus_core.analysis.scan import scan
from graphbus_core.build import build_project
from graphbus_core.config import BuildConfig
from graphbus_core.editing.applicator import DiffApplicator
from graphbus_core.errors import ScanError, UsageError
from graphbus_core.model.edit_outcome import Edited, Refused
from graphbus_core.model.operation import parse_operations
from tests.commit.projects import about, engine, texts, write

CAMERA = '''"""Sees."""
from graphbus_core import GraphBusNode, publishes


@publishes("/Plates", {"plateNo": str, "price": float})
class Camera(GraphBusNode):
    SYSTEM_PROMPT = "I see."
'''
GATE = '''"""Opens."""
from typing import TypedDict

from graphbus_core import GraphBusNode, subscribe


class Plate(TypedDict):
    plate_no: str
    cents: int


def to_cents(price: float) -> int:
    return round(price * 100)


class Gate(GraphBusNode):
    SYSTEM_PROMPT = "I open."

    @subscribe("/Plates")
    def on_plate(self, payload: Plate):
        return payload["plate_no"], payload["cents"]

    @subscribe("/Plates", "/More")
    def on_both(self, payload): ...

    @subscribe("/Plates")  # alone
    def on_alone(self, payload): ...
'''
FILES = {"agents/camera.py": CAMERA, "agents/gate.py": GATE}
ON = {"node": "Gate", "method": "on_plate", "topic": "/Plates"}
MAP_NO = {"op": "map_field", **ON, "field": "plate_no", "source": "plateNo"}
MAP_CENTS = {"op": "map_field", **ON, "field": "cents", "source": "price", "convert": "to_cents"}


def edit(root: Path, *diff: dict[str, Any]) -> Any:
    project = scan(root / "agents")
    return DiffApplicator(project.sources.get, project.agents, project.sources).apply(parse_operations(diff))


def test_a_mapping_closes_a_mismatch_and_is_undone_byte_for_byte(tmp_path: Path) -> None:
    """Both ends stay as they are; every gate has looked, the rehearsal with what is delivered."""
    root = write(tmp_path, FILES)
    before = texts(root)
    (mismatch,) = link_project(scan(root / "agents")).mismatches
    assert mismatch.link.id == "Camera -> /Plates => Gate.on_plate"
    with engine(root) as commits:
        receipt = commits.apply("commit", about("p-1", MAP_NO, MAP_CENTS))
        assert receipt["status"] == "committed", receipt["reason"]
        assert link_project(scan(root / "agents")).mismatches == ()
        written = 'map={"plate_no": "plateNo", "cents": "price"}, convert={"cents": to_cents})\n    def on_plate'
        assert f'    @subscribe("/Plates", {written}' in texts(root)["agents/gate.py"]
        undone = commits.undo("p-1", allow_mismatches=True)  # as before, the link does not fit then
        assert undone["status"] == "committed", undone["reason"]
    assert texts(root) == before


def test_one_field_is_taken_back_and_the_others_stay(tmp_path: Path) -> None:
    """The last one takes the keywords along."""
    root = write(tmp_path, FILES)
    unmap = [{"op": "unmap_field", **ON, "field": field} for field in ("cents", "plate_no")]
    outcome = edit(root, MAP_NO, MAP_CENTS, unmap[0])
    assert isinstance(outcome, Edited), outcome
    (text,) = outcome.after.values()
    assert b'@subscribe("/Plates", map={"plate_no": "plateNo"})\n    def on_plate' in text
    (root / "agents/gate.py").write_bytes(text)
    outcome = edit(root, unmap[1])
    assert isinstance(outcome, Edited), outcome
    assert next(iter(outcome.after.values())) == GATE.encode()


STOCK = '''"""Counts."""
from graphbus_core import GraphBusNode, schema_method


class Stock(GraphBusNode):
    SYSTEM_PROMPT = "I count."

    @schema_method(output_schema={"qty": int})
    def level(self):
        return {"qty": 1}


class Depot(GraphBusNode):
    SYSTEM_PROMPT = "I hold."

    @schema_method(output_schema={"place": str})
    def find(self):
        return {"place": "a"}
'''
ORDER = '''"""Orders."""
from graphbus_core import GraphBusNode, depends_on, schema_method


class Order(GraphBusNode):
    SYSTEM_PROMPT = "I order."

    @depends_on("Stock.level")
    @depends_on("Depot.find")
    @schema_method(input_schema={"amount": int, "place": str})
    def take(self, amount, place):
        return amount
'''
MAP_QTY = {"node": "Order", "method": "take", "producer": "Stock.level", "field": "amount", "source": "qty"}


def test_a_mapping_on_a_producer_closes_a_mismatch_beside_another_one(tmp_path: Path) -> None:
    """The link is checked through it, what the other producer gives is not missed, and the build knows it."""
    root = write(tmp_path, {"agents/stock.py": STOCK, "agents/order.py": ORDER})
    before = texts(root)
    assert [m.link.id for m in link_project(scan(root / "agents")).mismatches] == ["Stock.level => Order.take"]
    with engine(root) as commits:
        receipt = commits.apply("commit", about("p-1", {"op": "map_field", **MAP_QTY}))
        assert receipt["status"] == "committed", receipt["reason"]
        assert '@depends_on("Stock.level", map={"amount": "qty"})' in texts(root)["agents/order.py"]
        linked = link_project(scan(root / "agents"))
        assert linked.mismatches == ()
        links = {link.id: link.to_dict() for link in linked.links}
        assert links["Stock.level => Order.take"]["map"] == {"amount": "qty"}
    build_project(BuildConfig(str(root / "agents"), output_dir=str(built := root.with_name(f"{root.name}-built"))))
    assert json.loads((built / "manifest.json").read_text())["version"] == 2
    with engine(root) as commits:
        undone = commits.undo("p-1", allow_mismatches=True)
        assert undone["status"] == "committed", undone["reason"]
    assert texts(root) == before


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ('@depends_on("Stock", map={"amount": "qty"})', "name it: @depends_on"),
        ('@depends_on("Stock.level", map={"amount": "qty"}, convert={"amount": int})', "takes no convert|convert of"),
    ],
)
def test_a_mapping_of_a_whole_node_or_a_conversion_there_is_an_error(tmp_path: Path, line: str, why: str) -> None:
    """Nothing is delivered at a dependency, and a node has several methods."""
    order = ORDER.replace('@depends_on("Stock.level")', line)
    with pytest.raises(ScanError, match=why):
        scan(write(tmp_path, {"agents/stock.py": STOCK, "agents/order.py": order}) / "agents")


def test_a_mapping_from_a_field_that_is_not_sent_is_a_finding_with_both_ends(tmp_path: Path) -> None:
    order = ORDER.replace('"Stock.level")', '"Stock.level", map={"amount": "quantity"})')
    (mismatch,) = link_project(
        scan(write(tmp_path, {"agents/stock.py": STOCK, "agents/order.py": order}) / "agents")
    ).mismatches
    assert "amount is mapped from quantity, which the producer does not send" in mismatch.reasons[0]


@pytest.mark.parametrize(
    ("operation", "why"),
    [
        ({**MAP_NO, "topic": "/Plate"}, "has no @subscribe('/Plate')"),
        ({**MAP_NO, "method": "on_both"}, "names more than one"),
        ({**MAP_NO, "source": "plate_no"}, "is sent under that name"),
        ({**MAP_CENTS, "convert": "to_pence"}, "is not a function that agents/gate.py knows"),
        ({**MAP_CENTS, "convert": "open('x')"}, "is not a function"),
    ],
)
def test_what_cannot_be_written_is_refused_with_a_reason(tmp_path: Path, operation: dict[str, Any], why: str) -> None:
    """A topic that is not heard, a line of several topics, a conversion that is not there."""
    outcome = edit(write(tmp_path, FILES), operation)
    assert isinstance(outcome, Refused)
    assert why in outcome.reason


def test_a_mapping_names_its_handler_and_topic() -> None:
    """Without them it would speak of nothing."""
    with pytest.raises(UsageError, match="the topic that it hears or the producer"):
        parse_operations([{k: v for k, v in MAP_NO.items() if k != "topic"}])
