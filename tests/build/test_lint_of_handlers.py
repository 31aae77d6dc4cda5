"""No lint against handlers that run: the contract of a handler may be that of the events, whatever its parameter is."""

from __future__ import annotations

from pathlib import Path

import pytest

from graphbus_core.analysis.links.findings import lint
from graphbus_core.analysis.scan import scan
from graphbus_core.build import build_project
from graphbus_core.config import BuildConfig
from graphbus_core.runtime import RuntimeExecutor

NODE = """
from dataclasses import dataclass
from typing import Any

from graphbus_core import GraphBusNode, publishes, schema_method, subscribe


@dataclass
class Order:
    id: int
    note: str = ""


class Maker(GraphBusNode):
    @publishes("/order", payload={{"id": int, "note": str}})
    @schema_method(input_schema={{"id": int}}, output_schema={{"id": int}})
    def make(self, id):
        self.publish("/order", {{"id": id, "note": "n"}})
        return {{"id": id}}


class Hearer(GraphBusNode):
    heard = 0

    @subscribe("/order")
    @schema_method({schema})
    def on_order({signature}):
        self.heard += 1

    @schema_method(output_schema={{"heard": int}})
    def count(self):
        return {{"heard": self.heard}}
"""
FIELDS = 'input_schema={"id": int, "note": str}'


def project(folder: Path, schema: str, signature: str) -> Path:
    """Two agents, of which one hears what the other says."""
    (folder / "agents").mkdir()
    (folder / "pyproject.toml").write_text("", "utf-8")
    (folder / "agents" / "__init__.py").write_text("", "utf-8")
    (folder / "agents" / "a.py").write_text(NODE.format(schema=schema, signature=signature), "utf-8")
    return folder / "agents"


@pytest.mark.parametrize(
    ("schema", "signature"),
    [
        (FIELDS, "self, event"),
        (FIELDS, "self, payload: dict[str, Any]"),
        (FIELDS, "self, topic, payload"),
        (FIELDS, "self, where: str, what"),
        (FIELDS, "self, message, *, more=None"),
        (FIELDS, "self, message, /"),
        (FIELDS, "self"),
        (FIELDS, "self, *events"),
        ("input_schema=Order", "self, order"),
        ('input_schema={"id": int}', "self, given=None"),
    ],
)
def test_a_handler_that_runs_is_no_finding(tmp_path: Path, schema: str, signature: str) -> None:
    """It hears the event, and `validate` has nothing against it."""
    agents = project(tmp_path, schema, signature)
    assert lint(scan(agents)) == ()
    build_project(BuildConfig(str(agents), output_dir=str(tmp_path / "out")))
    with RuntimeExecutor(str(tmp_path / "out")) as running:
        running.call_method("Maker", "make", id=3)
        assert running.call_method("Hearer", "count") == {"heard": 1}


@pytest.mark.parametrize("signature", ["self, id, more", "self, event, other", "self, *, event"])
def test_a_handler_that_nothing_can_call_is_one(tmp_path: Path, signature: str) -> None:
    """It has a field's name and another beside, or takes what neither a call nor an event gives."""
    assert lint(scan(project(tmp_path, FIELDS, signature)))
