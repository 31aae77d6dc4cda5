"""Authoring (seed 002 §2): decorators record and do nothing else; a node works however its __init__ is written."""

import subprocess
import sys

import pytest

from graphbus_core import GraphBusNode, depends_on, publishes, schema_method, subscribe
from graphbus_core.decorators import DEPENDS_ON, PUBLICATIONS, SCHEMA, SUBSCRIPTIONS


class Bus:
    def __init__(self):
        self.published = []

    def publish(self, topic, payload, source="system"):
        self.published.append((topic, payload, source))
        return "event"


def test_decorators_return_the_same_function_with_its_record():
    def check(self, sku: str): ...

    decorated = schema_method({"sku": str}, output_schema={"ok": bool})(check)
    assert decorated is check
    assert getattr(check, SCHEMA) == {"input_schema": {"sku": str}, "output_schema": {"ok": bool}, "description": None}


def test_records_keep_the_order_written():
    class Orders(GraphBusNode):
        @subscribe("/Order/Created")
        @subscribe("/Order/Changed", "/Order/Paid")
        @publishes("/Log/Line")
        @publishes("/Stock/Low", {"sku": str})
        @depends_on("Fetcher.fetch")
        def on_order(self, payload): ...

    assert getattr(Orders.on_order, SUBSCRIPTIONS) == ("/Order/Created", "/Order/Changed", "/Order/Paid")
    assert getattr(Orders.on_order, PUBLICATIONS) == (("/Log/Line", None), ("/Stock/Low", {"sku": str}))
    assert getattr(Orders.on_order, DEPENDS_ON) == ("Fetcher.fetch",)
    assert Orders.get_subscriptions() == ["/Order/Created", "/Order/Changed", "/Order/Paid"]


def test_a_decorated_subclass_leaves_its_parent_as_it_was():
    @depends_on("A")
    class Parent(GraphBusNode): ...

    @depends_on("B", Parent)
    class Child(Parent): ...

    assert Child.get_dependencies() == ["B", "Parent", "A"]
    assert Parent.get_dependencies() == ["A"]


def test_schema_method_without_parentheses():
    class Node(GraphBusNode):
        @schema_method
        def f(self): ...

    assert Node.get_schema_methods() == {"f": {"input_schema": None, "output_schema": None, "description": None}}


@pytest.mark.parametrize("decorator", [subscribe, publishes, depends_on])
def test_a_name_that_is_no_text_is_refused_where_it_is_written(decorator):
    with pytest.raises(TypeError, match=decorator.__name__):
        decorator(42)


def test_a_forgotten_topic_is_refused_where_it_is_written():
    with pytest.raises(TypeError, match="parentheses"):

        class Node(GraphBusNode):
            @subscribe
            def on(self, payload): ...


class NoArguments(GraphBusNode):
    def __init__(self):
        self.seen = 0


class BusAndMemory(GraphBusNode):
    def __init__(self, bus=None, memory=None):
        super().__init__(bus, memory)


class SuperWithNothing(GraphBusNode):
    def __init__(self):
        super().__init__()


@pytest.mark.parametrize("make", [NoArguments, BusAndMemory, SuperWithNothing, GraphBusNode])
def test_a_node_works_however_its_init_is_written(make):
    node = make()
    assert node.name == make.__name__
    assert node.publish("/T", {"a": 1}) is None
    node.bus = Bus()
    node.name = "Other"
    assert node.publish("/T", {"a": 1}) == "event"
    assert node.publish("/T") == "event"
    assert node.bus.published == [("/T", {"a": 1}, "Other"), ("/T", {}, "Other")]
    with pytest.raises(RuntimeError, match="running runtime"):
        node.call("Inventory", "check", sku="x")


def test_a_mode_is_build_or_runtime():
    node = GraphBusNode()
    node.set_mode("build")
    assert node.is_build_mode()
    with pytest.raises(ValueError, match="build, runtime"):
        node.set_mode("turbo")


def test_a_class_may_name_itself():
    class Node(GraphBusNode):
        name = "custom"

    assert Node().name == "custom"


def test_importing_the_authors_names_is_light():
    heavy = ["networkx", "pydantic", "typer", "rich", "jsonschema", "yaml", "click"]
    code = f"import sys, graphbus_core; print([m for m in {heavy!r} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
