"""A hint on a handler's payload is its contract: `validate` and a run say the same of every form of it."""

from __future__ import annotations

import logging
from dataclasses import replace
from pathlib import Path
from typing import ClassVar, TypedDict

import pytest

from graphbus_core import GraphBusNode, subscribe
from graphbus_core.analysis.links import link_project
from graphbus_core.analysis.links.findings import collect_findings
from graphbus_core.analysis.scan import scan
from graphbus_core.artifacts import ArtifactContents, ArtifactFolder, write_artifacts
from graphbus_core.build.builder import build_project
from graphbus_core.config import BuildConfig, RuntimeConfig
from graphbus_core.editing.applicator import DiffApplicator
from graphbus_core.errors import PayloadRejected
from graphbus_core.model.edit_outcome import Edited
from graphbus_core.model.graph import AgentGraph
from graphbus_core.model.operation import RenameField
from graphbus_core.model.schema import Schema
from graphbus_core.runtime.executor import RuntimeExecutor
from graphbus_core.runtime.message_bus import MessageBus
from graphbus_core.testing import running, write_files

HEAD = """
import dataclasses, typing
import typing as t
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Generic, Literal, NewType, NotRequired, Optional, TypedDict, TypeVar, Union

from pydantic import BaseModel, Field

from graphbus_core import GraphBusNode, depends_on, publishes, schema_method, subscribe
from graphbus_core.model.message import Event
from graphbus_core.model.message import Event as E

Sku = NewType("Sku", str)
MyEvent = Event

class Priced(TypedDict):
    sku: str
    qty: int

class Base(TypedDict):
    sku: str

class Derived(Base):
    qty: int

class Loose(TypedDict, total=False):
    sku: int

class Whole(TypedDict):
    payload: Priced

class Nested(TypedDict):
    sku: Sku
    qty: NotRequired[Annotated[int, "how many"]]
    more: NotRequired[list[Priced]]

class Tree(TypedDict):
    sku: str
    qty: int
    below: "NotRequired[list[Tree]]"

Functional = TypedDict("Functional", {"sku": str, "qty": int})
Alias = Priced

@dataclass
class Record:
    sku: str
    qty: int

@dataclasses.dataclass(frozen=True)
class Defaulted:
    sku: str
    qty: int = 0

class Model(BaseModel):
    sku: str
    qty: int

class OwnEvent(Event): ...
"""
BOTH, NEITHER, GOOD = "both", "neither", "good"
# What follows `@subscribe`: a signature, or decorators and a signature. `good` is {"sku": str, "qty": int}; what is
# `bad` has a number for sku.
FORMS: dict[str, str] = {
    "def on(self, payload: Priced): ...": GOOD,
    'def on(self, payload: "Priced"): ...': GOOD,
    "def on(self, order: Priced): ...": GOOD,
    "def on(self, event: Priced): ...": GOOD,
    "def on(self, payload: Priced, /): ...": GOOD,
    "def on(self, payload: Priced, extra: int = 1): ...": GOOD,
    "def on(self, order: Record, extra=1): ...": GOOD,
    "def on(self, order: Priced, *, extra=1): ...": GOOD,
    "def on(self, order: Priced, *rest): ...": GOOD,
    "def on(self, order: Priced, **rest): ...": GOOD,
    "def on(self, topic, payload: Priced): ...": GOOD,
    "def on(self, topic: str, payload: Priced): ...": GOOD,
    "def on(self, where: str, what: Priced): ...": GOOD,
    "async def on(self, payload: Priced): ...": GOOD,
    "async def on(self, topic: str, payload: Priced) -> None: ...": GOOD,
    "@schema_method\n    def on(self, payload: Priced): ...": GOOD,
    "@schema_method()\n    def on(self, payload: Priced) -> None: ...": GOOD,
    "@schema_method(output_schema={'n': int})\n    def on(self, payload: Priced): ...": GOOD,
    "@schema_method\n    def on(self, topic: str, payload: Priced): ...": GOOD,
    "@schema_method({'sku': str, 'qty': int})\n    def on(self, payload): ...": GOOD,
    "@schema_method(Priced)\n    def on(self, payload): ...": GOOD,
    "@schema_method(Priced)\n    def on(self, payload: dict): ...": GOOD,
    "@schema_method({'payload': Priced})\n    def on(self, payload): ...": NEITHER,
    "@schema_method({'payload': Priced})\n    def on(self, payload: Priced): ...": NEITHER,
    "@schema_method(None)\n    def on(self, payload: Priced): ...": BOTH,
    "def on(self, payload: Whole): ...": NEITHER,
    "def on(self, payload: Base): ...": GOOD,
    "def on(self, payload: Derived): ...": GOOD,
    "def on(self, payload: Loose): ...": "bad",
    "def on(self, payload: Nested): ...": GOOD,
    "def on(self, payload: Tree): ...": GOOD,
    "def on(self, payload: Functional): ...": GOOD,
    "def on(self, payload: Alias): ...": GOOD,
    "def on(self, payload: Record): ...": GOOD,
    "def on(self, record: Defaulted): ...": GOOD,
    "def on(self, payload: Model): ...": GOOD,
    "def on(self, model: Model): ...": GOOD,
    "def on(self, payload: Optional[Priced]): ...": GOOD,
    "def on(self, payload: Priced | None = None): ...": GOOD,
    "def on(self, payload: Union[Priced, Whole]): ...": GOOD,
    "def on(self, payload: Annotated[Priced, 'what was sold']): ...": GOOD,
    "def on(self, payload: dict[str, Any]): ...": BOTH,
    "def on(self, payload: dict): ...": BOTH,
    "def on(self, payload: typing.Dict): ...": BOTH,
    "def on(self, payload: Mapping[str, Any]): ...": BOTH,
    "def on(self, payload: t.Mapping[str, object]): ...": BOTH,
    "def on(self, payload: dict[str, str]): ...": NEITHER,
    "def on(self, payload: dict[str, int | str]): ...": BOTH,
    "def on(self, payload: Any): ...": BOTH,
    "def on(self, payload: object): ...": BOTH,
    "def on(self, payload): ...": BOTH,
    "def on(self): ...": BOTH,
    "def on(self, topic, payload): ...": BOTH,
    "def on(self, *events): ...": BOTH,
    "def on(self, event: Event): ...": BOTH,
    "def on(self, event: 'Event'): ...": BOTH,
    "def on(self, event: E): ...": BOTH,
    "def on(self, event: MyEvent): ...": BOTH,
    "def on(self, event: Event | None): ...": BOTH,
    "def on(self, event: OwnEvent): ...": BOTH,
    "def on(self, payload: Event): ...": BOTH,
    "def on(self, payload: str): ...": NEITHER,
    "def on(self, sku: str): ...": NEITHER,
    "def on(self, payload: list): ...": NEITHER,
    "def on(self, payload: list[Priced]): ...": NEITHER,
    "def on(self, payload: Sequence[str]): ...": NEITHER,
    "def on(self, payload: Literal['x']): ...": NEITHER,
    "def on(self, payload: int | None): ...": NEITHER,
    "@staticmethod\n    def on(payload: Priced): ...": GOOD,
}
NO_OBJECT = ("payload: str", "sku: str", "list", "Sequence", "Literal", "int | None")


def write_project(folder: Path, head: str) -> Path:
    """A publisher, and a node for each form that hears the good and the bad of its own."""
    nodes = []
    for i, text in enumerate(FORMS):
        nodes.append(
            f"@publishes('/good/{i}', {{'sku': str, 'qty': int}})\n@publishes('/bad/{i}', {{'sku': int, 'qty': int}})\n"
            f"class Sends{i}(GraphBusNode): ...\n"
            f"class Node{i}(GraphBusNode):\n    @subscribe('/good/{i}', '/bad/{i}')\n    {text}\n"
        )
    write_files(folder, {"pyproject.toml": "", "shop/__init__.py": "", "shop/nodes.py": head + "\n".join(nodes)})
    return folder / "shop"


@pytest.fixture(scope="module", params=["", "from __future__ import annotations"], ids=["live", "text"])
def shop(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_project(tmp_path_factory.mktemp("shop"), request.param + HEAD)


def test_validate_and_a_run_say_the_same_of_every_form(shop: Path, caplog: pytest.LogCaptureFixture) -> None:
    """For what each handler is sent: what `validate` says fits is delivered, and nothing else."""
    caplog.set_level(logging.CRITICAL, "graphbus")
    broken = {m.link.id for m in link_project(scan(shop)).mismatches}
    output = shop.parent / ".graphbus"
    build_project(BuildConfig(root_package=str(shop), output_dir=str(output)))
    refused: dict[str, set[str]] = {}
    for kind, sku in (("good", "a"), ("bad", 1)):
        # Only where a handler takes it: what breaks the topic's own contract is refused where it is published.
        with RuntimeExecutor(RuntimeConfig(artifacts_dir=str(output), payload_checks="enforce")) as executor:
            for i in range(len(FORMS)):
                executor.publish(f"/{kind}/{i}", {"sku": sku, "qty": 1})
            refused[kind] = {letter.topic for letter in executor.bus.dead_letters}
    wrong = []
    for i, (text, expected) in enumerate(FORMS.items()):
        validated = [kind for kind in ("good", "bad") if f"Sends{i} -> /{kind}/{i} => Node{i}.on" not in broken]
        ran = [kind for kind in ("good", "bad") if f"/{kind}/{i}" not in refused[kind]]
        fits = {BOTH: ["good", "bad"], NEITHER: []}.get(expected, [expected])
        wrong += [(text, validated, ran)] if not validated == ran == fits else []
    assert wrong == []


def test_a_hint_that_no_event_fits_is_a_finding_though_nobody_publishes(tmp_path: Path) -> None:
    """GB109, with the line: for a hint that takes no object, and for parameters that nothing fills."""
    refused = ["self, sku, qty", "self, *, payload", "self, a, b, c=1, *, d", "self, **payload"]
    forms = [text for text in FORMS if "schema_method" not in text] + [f"def on({text}): ..." for text in refused]
    nodes = "".join(f"class N{i}(GraphBusNode):\n    @subscribe('/{i}')\n    {t}\n" for i, t in enumerate(forms))
    write_files(tmp_path, {"pyproject.toml": "", "shop/__init__.py": "", "shop/nodes.py": HEAD + nodes})
    project = scan(tmp_path / "shop")
    findings = [f for f in collect_findings(project, link_project(project)) if f.code == "GB109"]
    expected = [i for i, text in enumerate(forms) if any(part in text for part in (*NO_OBJECT, *refused))]
    unfit = [i for i in expected if "dict" not in forms[i] and "Tree" not in forms[i]]
    assert [f.subject for f in findings] == [f"N{i}.on" for i in unfit]
    lines = (HEAD + nodes).splitlines()
    assert all("def on" in lines[f.line - 1] for f in findings)
    assert "it takes str, and every payload is an object" in findings[0].message


def test_a_topic_that_no_run_takes_is_a_finding(tmp_path: Path) -> None:
    """GB109 says what a start would say: no slash, a blank, a hole; what a run takes is no finding."""
    topics = {"lab.critical": True, "/lab critical": True, "/lab//x": True, "/lab/": True, "/a***": True, "": True}
    topics |= {"/lab/critical": False, "/lab/*": False, "/**": False, "**": False}
    nodes = "".join(
        f"class N{i}(GraphBusNode):\n    @subscribe({topic!r})\n    def on(self, payload: dict): ...\n"
        for i, topic in enumerate(topics)
    )
    write_files(tmp_path, {"pyproject.toml": "", "shop/__init__.py": "", "shop/nodes.py": HEAD + nodes})
    project = scan(tmp_path / "shop")
    found = {f.subject for f in collect_findings(project, link_project(project)) if f.code == "GB109"}
    told = {topic: f"N{i}.on" in found for i, topic in enumerate(topics)}
    for topic, is_found in told.items():
        bus = MessageBus()
        try:
            bus.subscribe(topic, lambda event: None)
        except Exception:
            assert is_found, topic
        else:
            assert not is_found, topic
    assert told["lab.critical"]


NODES = """
from typing import TypedDict
from graphbus_core import GraphBusNode, schema_method, subscribe

class Priced(TypedDict):
    sku: str
    qty: int

class Base(GraphBusNode):
    SUBSCRIBE = {"/listed": "_listed"}
    got: list = []

    def _listed(self, payload: Priced):
        self.got.append(payload)

    @subscribe("/inherited")
    def on(self, payload: Priced):
        self.got.append(payload["qty"])

class Child(Base): ...

class Whole(GraphBusNode):
    SUBSCRIBE = ["/whole"]
    def handle_event(self, topic: str, payload: Priced):
        Base.got.append((topic, payload))
"""


@pytest.fixture
def nodes(tmp_path: Path) -> Path:
    write_files(tmp_path, {"pyproject.toml": "", "shop/__init__.py": "", "shop/nodes.py": NODES})
    return tmp_path / "shop"


def test_handlers_that_are_listed_inherited_or_private_have_their_hints_too(nodes: Path) -> None:
    """Whatever routes a topic to a method, its hint is the contract."""
    agents = {agent.name: agent for agent in scan(nodes).agents}
    hinted = {(a.name, m.name): m.payload_parameter for a in agents.values() for m in a.methods}
    assert hinted == {
        ("Base", "_listed"): "payload",
        ("Base", "on"): "payload",
        ("Child", "_listed"): "payload",
        ("Child", "on"): "payload",
        ("Whole", "handle_event"): "payload",
    }
    assert all(m.input_schema and m.input_schema.source == "Priced" for a in agents.values() for m in a.methods)


def test_a_direct_call_of_a_handler_gives_the_payload_by_name(nodes: Path, caplog: pytest.LogCaptureFixture) -> None:
    """The contract of a call is the parameter, that of an event the payload: both are enforced."""
    caplog.set_level(logging.CRITICAL, "graphbus")
    output = nodes.parent / ".graphbus"
    build_project(BuildConfig(root_package=str(nodes), output_dir=str(output)))
    assert "def on(self, *, payload: _Base_on_payload)" in (output / "types" / "graphbus_nodes.pyi").read_text("utf-8")
    good = {"sku": "a", "qty": 1}
    with RuntimeExecutor(RuntimeConfig(artifacts_dir=str(output), payload_checks="enforce")) as executor:
        executor.call_method("Base", "on", payload=good)
        executor.call_method("Whole", "handle_event", topic="/x", payload=good)
        for arguments in ({"payload": {"sku": 1}}, {"sku": "a", "qty": 1}):
            with pytest.raises(PayloadRejected):
                executor.call_method("Base", "on", **arguments)
        for topic in ("/listed", "/inherited", "/whole"):
            executor.publish(topic, {"sku": "a"})
        assert len(executor.bus.dead_letters) == 2 + 5  # the calls; and Base and Child hear two of the events each


def test_a_test_of_classes_holds_handlers_to_their_hints(caplog: pytest.LogCaptureFixture) -> None:
    """`running` has no build, and reads the same contract from the live class."""
    caplog.set_level(logging.CRITICAL, "graphbus")
    with running([Hears]) as app:
        app.publish("/Order", {"n": "one"})
        app.publish("/Order", {"n": 1})
        assert [letter.topic for letter in app.dead_letters] == ["/Order"]
    assert Hears.heard == [{"n": 1}]


class Order(TypedDict):
    n: int


class Hears(GraphBusNode):
    heard: ClassVar[list[Order]] = []

    @subscribe("/Order")
    def on(self, order: Order, more: int = 0) -> None:
        self.heard.append(order)


def test_a_field_of_a_hinted_payload_is_edited_where_the_hint_leads(nodes: Path) -> None:
    """A rename goes to the TypedDict, though the handler has no `@schema_method`."""
    project = scan(nodes)
    rename = RenameField(node="Base", method="on", side="input", field="qty", to="quantity")
    outcome = DiffApplicator(project.sources.get, project.agents, project.sources).apply([rename])
    assert isinstance(outcome, Edited), outcome
    (written,) = outcome.after.values()
    assert b"    quantity: int\n" in written
    assert b'payload["quantity"]' in written


def test_a_build_of_0_2_0_is_read_as_one_of_today(nodes: Path, tmp_path: Path) -> None:
    """There the hint stood as a field of the parameter's name, in words of its own; what was written out stays."""
    agents = scan(nodes).agents
    payload = agents[0].method("on").input_schema
    then = {"type": "object", "properties": {"payload": payload.json_schema}, "required": ["payload"]}
    old = []
    for agent in agents:
        methods = [
            replace(m, input_schema=Schema(then, source), metadata={})
            for m, source in zip(agent.methods, ("{payload: Priced}", '{"payload": Priced}'), strict=False)
        ]
        old.append(replace(agent, methods=tuple(methods)))
    write_artifacts(tmp_path / "old", ArtifactContents(old, AgentGraph({a.name: {} for a in old}), {}, [], {}, "0.2.0"))
    read = ArtifactFolder(tmp_path / "old").agents
    assert read[0].methods[0] == replace(agents[0].methods[0], input_schema=payload)
    assert read[0].methods[1].input_schema == Schema(then, '{"payload": Priced}')
    assert read[2].methods[0].payload_parameter is None  # topic and payload: nothing was read of it then
