"""Links, graph and mismatches: what is certain is linked, what could be meant in two ways is said, never guessed."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from graphbus_core.analysis.links import LinkResult, find_link_contracts, link
from graphbus_core.analysis.scan import scan
from graphbus_core.model.graph import LinkOrigin

HEAD = (
    "from typing import NotRequired, TypedDict\n"
    "from graphbus_core import GraphBusNode, depends_on, publishes, schema_method, subscribe\n"
)


def linked(tmp_path: Path, source: str) -> LinkResult:
    """The links of a project of one file."""
    (tmp_path / "agents").mkdir(exist_ok=True)
    (tmp_path / "agents" / "a.py").write_text(HEAD + dedent(source), "utf-8")
    return link(scan(tmp_path / "agents").agents)


def ids(found: LinkResult) -> list[tuple[str, str]]:
    return [(one.id, one.origin.value) for one in found.links]


FETCHER = """
class Fetcher(GraphBusNode):
    @schema_method(output_schema={"headlines": list})
    def fetch(self): ...
"""


def test_a_method_names_its_producer(tmp_path: Path) -> None:
    """The most certain link; a mismatch names the field, both ends and a payload that proves it."""
    found = linked(
        tmp_path,
        FETCHER
        + """
class Cleaner(GraphBusNode):
    @depends_on("Fetcher.fetch")
    @schema_method(input_schema={"items": list})
    def clean(self, items): ...
""",
    )
    assert ids(found) == [("Fetcher.fetch => Cleaner.clean", "method")]
    (mismatch,) = found.mismatches
    assert mismatch.compatible is False
    assert mismatch.paths == ("items",)
    assert "items" in mismatch.reasons[0]
    assert isinstance(mismatch.counterexample, dict)
    assert "items" not in mismatch.counterexample
    assert found.findings == 1
    assert found.graph.get_agent_activation_order() == ["Fetcher", "Cleaner"]


def test_a_topic_s_payload_reaches_its_subscribers(tmp_path: Path) -> None:
    """Declared payloads are checked against handlers with a contract; the rest are links that cannot be checked."""
    found = linked(
        tmp_path,
        """
        class P(GraphBusNode):
            @publishes("/News/Raw", {"n": int})
            def go(self):
                self.publish("/News/Bare", {})
        class S(GraphBusNode):
            SUBSCRIBE = ["/News/Raw"]
            @subscribe("/News/Raw")
            @schema_method(input_schema={"n": str})
            def wants_text(self, payload): ...
            @subscribe("/News/*")
            @schema_method(input_schema={"n": NotRequired[int]})
            def wants_any(self, payload): ...
            @subscribe("/Other/**")
            def other(self, payload): ...
        """,
    )
    assert {one.id for one in found.links} == {
        "P -> /News/Raw => S.handle_event",
        "P -> /News/Raw => S.wants_text",
        "P -> /News/Raw => S.wants_any",
        "P -> /News/Bare => S.wants_any",
    }
    assert {m.link.consumer.method for m in found.mismatches} == {"wants_text"}
    assert {one.id for one in found.unchecked} == {
        "P -> /News/Raw => S.handle_event",
        "P -> /News/Bare => S.wants_any",
    }
    assert [e.edge_type for e in found.graph.edges] == ["topic"]


@pytest.mark.parametrize(
    ("body", "fits"),
    [
        ('done = {"n": x}; self.publish("/T", done); return done', False),
        ('done = {"n": x}; done["n"] += 1; self.publish("/T", done); return done', None),  # a name on the left side
        ('done = {"n": x}; self.publish("/T", done); return {"n": x, "m": 1}', None),
        ('done = {"n": x}; self.publish("/T", done); done.update(m=1); return done', None),
        ('done = {"n": x}; self.publish("/T", done)', None),
        ('self.publish("/T", {"n": x}); return {"n": x}', None),
    ],
)
def test_what_a_method_publishes_and_gives_has_one_contract(body: str, fits: bool | None, tmp_path: Path) -> None:
    """The very same object, once and as it is; else nobody knows what is published, and the link is not checked."""
    found = linked(
        tmp_path,
        f"""
        class P(GraphBusNode):
            @schema_method(output_schema={{"n": int}})
            def go(self, x):
                {body}
        class S(GraphBusNode):
            @subscribe("/T")
            @schema_method(input_schema={{"m": int}})
            def on(self, payload): ...
        """,
    )
    assert [m.compatible for m in found.mismatches] == ([] if fits is None else [fits])
    assert len(found.unchecked) == (fits is None)


def test_a_contract_that_is_written_out_keeps_its_field_and_a_hint_is_the_payload(tmp_path: Path) -> None:
    """`{"payload": {...}}` on `def on(self, payload)` is a payload with such a field; `payload: Order` is all of it."""
    found = linked(
        tmp_path,
        """
        class P(GraphBusNode):
            @publishes("/Flat", {"n": int})
            @publishes("/Nested", {"payload": {"n": int}})
            def go(self): ...
        class Order(TypedDict):
            n: int
        class S(GraphBusNode):
            @subscribe("/Flat", "/Nested")
            @schema_method(input_schema={"payload": {"n": int}})
            def written(self, payload): ...
            @subscribe("/Flat", "/Nested")
            def hinted(self, payload: Order): ...
        """,
    )
    assert [m.link.id for m in found.mismatches] == ["P -> /Flat => S.written", "P -> /Nested => S.hinted"]


CLASSES = {
    "one method on each side, though no field is shared": (
        'f(self): "{a}"',
        'g(self, b): "{b}"',
        [("P.f => C.g", "class")],
        0,
    ),
    "one pair alone shares fields": (
        'f(self): "{a}" | h(self): "{z}"',
        'g(self, a): "{a}" | k(self, y): "{y}"',
        [("P.f => C.g", "class")],
        0,
    ),
    "two pairs share fields": ('f(self): "{a}" | h(self): "{a}"', 'g(self, a): "{a}"', [], 2),
    "several pairs and none shares": ('f(self): "{a}" | h(self): "{b}"', 'g(self, c): "{c}"', [], 2),
    "nothing is declared": ("", 'g(self, a): "{a}"', [], 0),
}


@pytest.mark.parametrize("case", CLASSES)
def test_a_class_dependency_is_linked_only_where_one_pairing_can_be_meant(tmp_path: Path, case: str) -> None:
    """One contract method on each side, or one pair alone that shares fields; else the line to write."""
    gives, takes, expected, ambiguous = CLASSES[case]

    def methods(text: str, side: str) -> str:
        lines = ["    X = 1"]
        for method in filter(None, text.split(" | ")):
            signature, field = method.split(": ")
            contract = f'{{"{field.strip(chr(34)).strip("{}")}": int}}'
            lines += [f"    @schema_method({side}_schema={contract})", f"    def {signature}: ..."]
        return "\n".join(lines)

    source = (
        f"class P(GraphBusNode):\n{methods(gives, 'output')}\n"
        f'@depends_on("P")\nclass C(GraphBusNode):\n{methods(takes, "input")}\n'
    )
    found = linked(tmp_path, source)
    assert ids(found) == expected
    assert sum(len(a.pairs) for a in found.ambiguous) == ambiguous
    if ambiguous:
        assert '@depends_on("P.f") on C.g' in str(found.ambiguous[0])
    assert found.graph.get_agent_activation_order() == ["P", "C"]


def test_a_method_that_calls_its_producer_is_no_data_link(tmp_path: Path) -> None:
    """The seed's own OrderService depends on the inventory because it asks it, not because it takes its output."""
    found = linked(
        tmp_path,
        """
        class Inventory(GraphBusNode):
            @schema_method({"sku": str}, {"available": bool})
            def check_stock(self, sku): ...
        @depends_on("Inventory")
        class Orders(GraphBusNode):
            @schema_method({"order_id": str}, {"status": str})
            def create(self, order_id):
                return self.call("Inventory", "check_stock", sku=order_id)
        """,
    )
    assert found.links == ()
    assert found.mismatches == ()


def test_a_method_link_settles_the_class_dependency(tmp_path: Path) -> None:
    """Where a method says what it takes, the class is not asked."""
    found = linked(
        tmp_path,
        """
        class P(GraphBusNode):
            @schema_method(output_schema={"a": int})
            def f(self): ...
            @schema_method(output_schema={"a": int})
            def g(self): ...
        @depends_on("P")
        class C(GraphBusNode):
            @depends_on("P.g")
            @schema_method(input_schema={"a": int})
            def take(self, a): ...
        """,
    )
    assert ids(found) == [("P.g => C.take", "method")]
    assert found.ambiguous == ()


def test_names_that_lead_nowhere_are_said(tmp_path: Path) -> None:
    """A method that is not there is a finding, with the nearest name; a node may be outside of this build."""
    found = linked(
        tmp_path,
        FETCHER
        + """
@depends_on("Elsewhere")
class Cleaner(GraphBusNode):
    @depends_on("Fetcher.fetsh")
    @schema_method(input_schema={"headlines": list})
    def clean(self, headlines): ...
""",
    )
    assert [(d.where, d.name, d.near, d.is_method) for d in found.dangling] == [
        ("Cleaner.clean", "Fetcher.fetsh", ("Fetcher.fetch",), True),
        ("Cleaner", "Elsewhere", (), False),
    ]
    assert "Did you mean Fetcher.fetch?" in str(found.dangling[0])
    assert found.findings == 1


def test_methods_without_a_contract_are_listed(tmp_path: Path) -> None:
    """They take part in the graph, not in the checks."""
    found = linked(
        tmp_path,
        FETCHER
        + """
class Cleaner(GraphBusNode):
    @depends_on("Fetcher.fetch")
    def clean(self, items): ...
    @schema_method(output_schema={"n": int})
    def half(self): ...
""",
    )
    assert found.undeclared == ("Cleaner.clean",)
    assert [one.id for one in found.unchecked] == ["Fetcher.fetch => Cleaner.clean"]
    assert found.mismatches == ()


def test_cycles_are_allowed(tmp_path: Path) -> None:
    """Condensed, and by name inside."""
    found = linked(
        tmp_path,
        """
        @depends_on("Z")
        class M(GraphBusNode): ...
        @depends_on("M")
        class Z(GraphBusNode): ...
        @depends_on("Z")
        class A(GraphBusNode): ...
        """,
    )
    assert found.graph.get_agent_activation_order() == ["M", "Z", "A"]


def test_edges_keep_every_reason_and_the_strongest_type(tmp_path: Path) -> None:
    """One edge for two nodes, however many reasons."""
    found = linked(
        tmp_path,
        """
        class P(GraphBusNode):
            @publishes("/T", {"a": int})
            @schema_method(output_schema={"a": int})
            def f(self): ...
        @depends_on("P")
        class C(GraphBusNode):
            @subscribe("/T")
            @depends_on("P.f")
            @schema_method(input_schema={"a": int})
            def take(self, a): ...
        """,
    )
    (edge,) = found.graph.edges
    assert (edge.source, edge.target, edge.edge_type) == ("P", "C", "depends_on")
    assert len(edge.metadata["reasons"]) == 4
    agents = {a.name: a for a in scan(tmp_path / "agents").agents}
    for one in found.links:
        ((sent, taken),) = find_link_contracts(one, agents)
        assert sent is not None
        assert taken is not None
        assert sent.fields == taken.fields
    assert {one.origin for one in found.links} == {LinkOrigin.METHOD, LinkOrigin.TOPIC}
