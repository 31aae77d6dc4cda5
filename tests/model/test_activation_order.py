"""Activation order: what a node needs stands before it, with cycles and on long chains."""

from __future__ import annotations

import sys

import networkx as nx
import pytest
from hypothesis import given, strategies as st

from graphbus_core.errors import GraphBusError
from graphbus_core.model.graph import AgentGraph, Edge, sort_by_activation

NAMES = [f"n{i}" for i in range(8)]


def test_dependencies_first_and_ties_by_name() -> None:
    """A diamond."""
    assert sort_by_activation({"d": ("b", "c"), "c": ("a",), "b": ("a",), "a": ()}) == ("a", "b", "c", "d")


def test_a_cycle_is_condensed_and_sorted_by_name() -> None:
    """Inside a cycle there is no right order, so it is by name."""
    assert sort_by_activation({"z": ("c",), "c": ("b",), "b": ("c", "a"), "a": ()}) == ("a", "b", "c", "z")


def test_unknown_needs_and_self_needs_are_left_out() -> None:
    """A name that is not there cannot be activated."""
    assert sort_by_activation({"a": ("a", "ghost")}) == ("a",)


@pytest.mark.no_cover
def test_a_long_chain_does_not_recurse() -> None:
    """50,000 in a chain, and as one cycle."""
    n = 50_000
    chain = {f"{i:06}": (f"{i - 1:06}",) for i in range(n)}
    assert sort_by_activation(chain) == tuple(sorted(chain))
    chain["000000"] = (f"{n - 1:06}",)
    assert sort_by_activation(chain) == tuple(sorted(chain))


@given(st.dictionaries(st.sampled_from(NAMES), st.sets(st.sampled_from(NAMES)), min_size=1))
def test_it_agrees_with_networkx(needs: dict[str, set[str]]) -> None:
    """Same components, and no name before what it needs outside its component."""
    order = sort_by_activation(needs)
    assert sorted(order) == sorted(needs)
    graph: nx.DiGraph[str] = nx.DiGraph()
    graph.add_nodes_from(needs)
    graph.add_edges_from((n, name) for name in needs for n in needs[name] if n in needs)
    component = {name: frozenset(c) for c in nx.strongly_connected_components(graph) for name in c}
    at = {name: i for i, name in enumerate(order)}
    for before, after in graph.edges:
        if component[before] != component[after]:
            assert at[before] < at[after]
    for names in component.values():
        places = sorted(at[n] for n in names)
        assert places == list(range(places[0], places[0] + len(names)))
        assert [order[p] for p in places] == sorted(names)


def test_the_networkx_view_has_the_attributes_of_the_seed() -> None:
    """`AgentGraph.graph` is a DiGraph with edge types."""
    graph = AgentGraph({"a": {"module": "m"}, "b": {}}, [Edge("a", "b", "depends_on", {"reasons": ["x"]})])
    assert graph.graph.nodes["a"]["module"] == "m"
    assert graph.graph.edges["a", "b"] == {"edge_type": "depends_on", "metadata": {"reasons": ["x"]}}
    assert graph.get_agent_activation_order() == ["a", "b"]
    assert "a" in graph
    assert len(graph) == 2
    assert list(AgentGraph.from_dict(graph.to_dict())) == ["a", "b"]


def test_without_networkx_its_view_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    """An install without extras has none."""
    monkeypatch.setitem(sys.modules, "networkx", None)
    with pytest.raises(GraphBusError, match=r"graphbus-core\[graph\]"):
        _ = AgentGraph({"a": {}}, []).graph
