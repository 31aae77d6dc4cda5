"""Components written elsewhere: OpenAPI, AsyncAPI and JSON Schema files stand in the graph, and no build edits them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from graphbus_core.analysis.links import link_project
from graphbus_core.analysis.scan import Project, scan
from graphbus_core.artifacts import ArtifactFolder
from graphbus_core.cli.main import main
from graphbus_core.errors import ConfigError
from graphbus_core.services.queries.project import ProjectView
from graphbus_core.testing import write_files

ORDER = {
    "type": "object",
    "required": ["sku", "qty"],
    "properties": {"sku": {"type": "string"}, "qty": {"type": "integer"}},
}
JSON = "application/json"


def body(schema: Any, required: bool = True) -> dict[str, Any]:
    """A request body."""
    return {"required": required, "content": {JSON: {"schema": schema}}}


def answer(schema: Any) -> dict[str, Any]:
    """A response."""
    return {"description": "ok", "content": {JSON: {"schema": schema}}}


BILLING = {
    "openapi": "3.1.0",
    "info": {"title": "Billing", "version": "1"},
    "paths": {
        "/invoices": {
            "post": {
                "operationId": "create_invoice",
                "summary": "Makes an invoice.",
                "requestBody": body({"$ref": "#/components/schemas/Order"}),
                "responses": {
                    "201": answer(
                        {"type": "object", "required": ["amount"], "properties": {"amount": {"type": "number"}}}
                    ),
                    "400": answer({"type": "string"}),
                },
            }
        },
        "/invoices/{id}": {
            "parameters": [{"name": "id", "in": "path", "required": True, "schema": {"type": "string"}}],
            "get": {"responses": {"200": {"description": "nothing said"}}},
            "put": {
                "parameters": [{"name": "X-Trace", "in": "header", "schema": {"type": "string"}}],
                "requestBody": body({"$ref": "#/components/schemas/Order"}),
                "responses": {"200": answer(ORDER), "202": answer({"type": "object"})},
            },
            "patch": {
                "requestBody": body({"type": "object", "properties": {"id": {"type": "integer"}}}, required=False),
                "responses": {"204": {"description": "done"}},
            },
        },
    },
    "webhooks": {"paid": {"post": {"requestBody": body(ORDER), "responses": {"200": {"description": "ok"}}}}},
    "components": {"schemas": {"Order": ORDER, "Unused": {"type": "string"}}},
}
EVENTS = {
    "asyncapi": "3.0.0",
    "info": {"title": "Events", "version": "1"},
    "channels": {
        "placed": {"address": "order/placed", "messages": {"one": {"payload": ORDER}}},
        "paid": {"address": "/order/paid", "messages": {"a": {"payload": ORDER}, "b": {"payload": {"type": "object"}}}},
    },
    "operations": {
        "onPlaced": {"action": "receive", "channel": {"$ref": "#/channels/placed"}},
        "tellPaid": {"action": "send", "channel": {"$ref": "#/channels/paid"}},
    },
}
NODE = """\
from graphbus_core import GraphBusNode, publishes, schema_method


@publishes("/order/placed", {"sku": str, "quantity": int})
class Teller(GraphBusNode):
    @schema_method({"amount": int}, {"ok": bool})
    def book(self, amount):
        return {"ok": True}

    @schema_method({}, {"sku": str, "qty": int})
    def order(self):
        return {"sku": "a", "qty": 1}
"""
CONTRACTS = """\
[external]
"Billing.create_invoice" = ["Teller.order"]

["teller:Teller.book"]
depends_on = "Billing.create_invoice"
"""
SETTINGS = (
    '[tool.graphbus]\nexternal = ["vendor/openapi.json", "Events=vendor/events.json", "vendor/order-line.json"]\n'
)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """One node of ours, and three files of others."""
    write_files(
        tmp_path,
        {
            "pyproject.toml": SETTINGS,
            "contracts.toml": CONTRACTS,
            "teller.py": NODE,
            "vendor/openapi.json": json.dumps(BILLING, indent=1),
            "vendor/events.json": json.dumps(EVENTS, indent=1),
            "vendor/order-line.json": json.dumps(ORDER),
        },
    )
    monkeypatch.chdir(tmp_path)
    return tmp_path


def sides(project: Project, node: str, method: str) -> tuple[Any, Any]:
    """What a method of a node takes and gives."""
    agent = project.find_agent(node)
    assert agent is not None
    found = agent.method(method)
    assert found is not None
    return tuple(None if s is None else s.json_schema for s in (found.input_schema, found.output_schema))  # type: ignore[return-value]


def test_an_operation_takes_its_parameters_and_body_and_gives_its_good_answer(project: Path) -> None:
    """Headers are the transport's; where one name stands in both, the body is `body`; errors are not given."""
    read = scan(".")
    assert [one.name for one in read.external] == ["Billing", "Events", "OrderLine"]
    taken, given = sides(read, "Billing", "create_invoice")
    assert taken == {"$ref": "#/$defs/Order", "$defs": {"Order": ORDER}}
    assert given["properties"] == {"amount": {"type": "number"}}
    taken, given = sides(read, "Billing", "put_invoices_id")
    assert set(taken["properties"]) == {"id", "sku", "qty"}
    assert set(taken["required"]) == {"id", "sku", "qty"}
    assert given == {"anyOf": [ORDER, {"type": "object"}]}
    taken, given = sides(read, "Billing", "patch_invoices_id")
    assert (set(taken["properties"]), taken["required"], given) == ({"id", "body"}, ["id"], None)
    assert sides(read, "Billing", "post_webhook_paid") == (None, ORDER)
    assert sides(read, "OrderLine", "payload") == (ORDER, ORDER)
    events = read.find_agent("Events")
    assert events is not None
    assert [(p.topic.name, p.schema.json_schema if p.schema else None) for p in events.publications] == [
        ("/order/paid", {"anyOf": [ORDER, {"type": "object"}]})
    ]
    assert [(s.topic.name, s.handler_name) for s in events.subscriptions] == [("/order/placed", "onPlaced")]


def test_links_to_them_are_proved_with_a_payload_and_their_line(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """By `depends_on`, by what the contracts file says feeds them, and by topics."""
    assert main(["validate", ".", "--json"]) == 1
    told = json.loads(capsys.readouterr().out)
    found = {one["subject"]: (one["payload"], one["file"], one["line"]) for one in told["findings"]}
    line = json.dumps(EVENTS, indent=1).splitlines().index('  "onPlaced": {') + 1
    assert found == {
        "Billing.create_invoice => Teller.book": ({"amount": 0.5}, "teller.py", 7),
        "Teller -> /order/placed => Events.onPlaced": ({"sku": "", "quantity": 0}, "vendor/events.json", line),
    }
    ends = [(link["producer"]["method"], link["consumer"]["method"]) for link in told["links"]]
    assert ("order", "create_invoice") in ends


def test_they_are_shown_and_frozen_and_never_run(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The graph and the page have them; the runtime does not know them."""
    assert main(["build", "."]) == 0
    folder = ArtifactFolder(".graphbus")
    assert [one.name for one in folder.agents] == ["Teller"]
    assert {"Billing", "Events", "OrderLine"} < set(folder.graph)
    assert folder.subscriptions == ()
    for where in (".", ".graphbus"):
        assert main(["inspect", where, "Billing"]) == 0
        assert "create_invoice Order ->" in capsys.readouterr().out
    assert main(["run", "--call", "Teller.book", "--args", '{"amount": 1}', "--payload-checks", "enforce"]) == 0
    view = ProjectView(Path("."), Path(".graphbus"))
    assert "Events" in [one["name"] for one in view.list_nodes()]
    (project / "vendor/events.json").write_text(json.dumps(EVENTS).replace("onPlaced", "heard"))
    assert [m["name"] for m in view.describe_node("Events")["methods"]] == ["heard"]


def test_they_are_asked_and_no_build_edits_them(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A proposal to change one falls before anybody votes on it; one of the code is judged by their contracts."""
    script = (
        "default:\n  evaluate: {decision: accept}\nagents:\n  Teller:\n    propose:\n      - proposals:\n"
        "          - {type: schema_extension, summary: theirs, diff: [{op: rename_field, node: Billing, "
        "method: create_invoice, side: input, field: qty, to: quantity}]}\n"
        "          - {type: schema_extension, summary: ours, diff: [{op: rename_field, "
        "method: order, side: output, field: qty, to: quantity}]}\n"
    )
    Path("own.yaml").write_text(script)
    before = {path: path.read_bytes() for path in project.rglob("*.*") if path.is_file()}
    assert main(["build", ".", "--enable-agents", "--model", "scripted:own.yaml", "--rounds", "1", "--json"]) == 1
    told = json.loads(capsys.readouterr().out)
    fates = {one["summary"]: (one["outcome"], one["why"]) for one in told["negotiation"]["proposals"]}
    assert "vendor/openapi.json must not be changed" in fates["theirs"][1]
    assert "Billing said no" in fates["ours"][1]
    assert {path: path.read_bytes() for path in before} == before


@pytest.mark.parametrize(
    ("settings", "contracts", "said"),
    [
        ('external = ["vendor/none.json"]', "", r"pyproject\.toml:2: external 'vendor/none.json': .* cannot be read"),
        ('external = ["teller.py"]', "", r"external 'teller.py': teller\.py .*"),
        ('external = ["1x=vendor/events.json"]', "", "is not a name of a node"),
        ('external = ["A=vendor/events.json", "A=vendor/openapi.json"]', "", "are both A"),
        ('external = ["Teller=vendor/events.json"]', "", "there is a component Teller in the code too"),
        (
            'external = ["vendor/openapi.json"]',
            '[external]\n"Billing.create_invoce" = ["Teller.order"]\n',
            r"contracts\.toml:2: there is no external Billing\.create_invoce\. Did you mean Billing\.create_invoice",
        ),
        ('external = ["vendor/openapi.json"]', '[external]\n"Billing.x" = 3\n', r"contracts\.toml:2: .*list of names"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(project: Path, settings: str, contracts: str, said: str) -> None:
    """The setting's line, the file, and what is wrong in it."""
    (project / "pyproject.toml").write_text(f"[tool.graphbus]\n{settings}\n")
    (project / "contracts.toml").write_text(contracts)
    with pytest.raises(ConfigError, match=said):
        scan(".")


def test_nothing_of_theirs_is_linked_twice_or_left_dangling(project: Path) -> None:
    """Every name in the links is a node of the graph."""
    linked = link_project(scan("."))
    assert linked.dangling == ()
    assert {end.node for link in linked.links for end in (link.producer, link.consumer)} <= set(linked.graph)
