"""The graph of agents, the data links between them, and the links that do not fit (seed 002 §2.9, design §5)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import networkx as nx


class LinkOrigin(StrEnum):
    """How a data link was found, most certain first (design §5)."""

    METHOD = "method"  # @depends_on("Fetcher.fetch_headlines") on a method
    TOPIC = "topic"  # a topic with a declared payload, and a subscriber
    CLASS = "class"  # a class dependency where only one pairing of methods can be meant


@dataclass(frozen=True)
class Endpoint:
    """One end of a data link: a method's output or input, or a topic's payload."""

    node: str
    method: str | None = None
    topic: str | None = None

    def __str__(self) -> str:
        return f"{self.node}.{self.method}" if self.method else f"{self.node} -> {self.topic}"


@dataclass(frozen=True)
class Link:
    """Data flows from what `producer` promises to what `consumer` takes."""

    producer: Endpoint
    consumer: Endpoint
    origin: LinkOrigin

    @property
    def id(self) -> str:
        """A stable name of the link."""
        return f"{self.producer} => {self.consumer}"

    def to_dict(self) -> dict[str, Any]:
        """The form in `graph.json`."""
        return {"producer": vars(self.producer), "consumer": vars(self.consumer), "origin": self.origin.value}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Link:
        """Inverse of `to_dict`."""
        return cls(Endpoint(**data["producer"]), Endpoint(**data["consumer"]), LinkOrigin(data["origin"]))


@dataclass(frozen=True)
class Mismatch:
    """A link whose contracts do not fit (conflict type 1 of seed 000), with the payload that proves it.

    `compatible` is False (proved) or None (could not be decided, treated as no). `reasons` are sentences;
    `paths` the fields they speak of, as `headlines[].title`. `counterexample` is what the producer may send
    and the consumer rejects; None where none could be constructed.
    """

    link: Link
    compatible: bool | None
    reasons: tuple[str, ...]
    paths: tuple[str, ...] = ()
    counterexample: Any = None

    def to_dict(self) -> dict[str, Any]:
        """The form in `build_summary.json` and of `validate --json`."""
        return {
            "link": self.link.to_dict(),
            "producer": str(self.link.producer),
            "consumer": str(self.link.consumer),
            "compatible": self.compatible,
            "reasons": list(self.reasons),
            "paths": list(self.paths),
            "counterexample": self.counterexample,
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Mismatch:
        """Inverse of `to_dict`."""
        return cls(
            Link.from_dict(data["link"]),
            data["compatible"],
            tuple(data["reasons"]),
            tuple(data["paths"]),
            data["counterexample"],
        )


class AgentGraph:
    """A `networkx.DiGraph` of agents: an edge from a node to each node that it depends on's dependants.

    An edge `a -> b` says that b needs a, so a is activated first. Node attributes are those of seed 002 §2.9
    (`node_name, module, class_name, system_prompt, schemas, subscriptions, metadata`), edge attributes
    `edge_type` (`depends_on | schema_depends | topic`) and `metadata`.
    """

    def __init__(self, graph: nx.DiGraph[str] | None = None, order: tuple[str, ...] | None = None) -> None:
        self.graph: nx.DiGraph[str] = graph if graph is not None else nx.DiGraph()
        self._order = order

    def __len__(self) -> int:
        return len(self.graph)

    def __contains__(self, name: object) -> bool:
        return name in self.graph

    def __iter__(self) -> Iterator[str]:
        return iter(self.graph)

    def get_agent_activation_order(self) -> list[str]:
        """Names in the order of activation: dependencies first; inside a cycle by name (design §5)."""
        if self._order is None:
            self._order = activation_order({n: tuple(self.graph.predecessors(n)) for n in self.graph})
        return list(self._order)


GraphBusGraph = AgentGraph  # the seed's other name for it


def activation_order(needs: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    """Sort names so that what a name needs stands before it; cycles are condensed, then sorted by name.

    Linear in names and needs, up to the sorting of names (design §15 wants 10,000 agents in a chain).
    """
    condensed: dict[str, int] = {}
    graph: nx.DiGraph[str] = nx.DiGraph()
    graph.add_nodes_from(sorted(needs))
    graph.add_edges_from((n, name) for name in sorted(needs) for n in sorted(needs[name]) if n in needs and n != name)
    components = [sorted(c) for c in nx.strongly_connected_components(graph)]
    for number, component in enumerate(components):
        condensed.update(dict.fromkeys(component, number))
    waiting: dict[int, set[int]] = {i: set() for i in range(len(components))}
    frees: dict[int, set[int]] = {i: set() for i in range(len(components))}
    for before, after in graph.edges:
        a, b = condensed[before], condensed[after]
        if a != b:
            waiting[b].add(a)
            frees[a].add(b)
    import heapq  # only here: a priority queue keeps ties in name order

    ready = [(components[i][0], i) for i, w in waiting.items() if not w]
    heapq.heapify(ready)
    order: list[str] = []
    while ready:
        _, i = heapq.heappop(ready)
        order.extend(components[i])
        for j in frees[i]:
            waiting[j].discard(i)
            if not waiting[j]:
                heapq.heappush(ready, (components[j][0], j))
    return tuple(order)
