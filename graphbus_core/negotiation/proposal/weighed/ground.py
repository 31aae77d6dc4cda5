"""The ground of a negotiation: the project as it stands after the commits so far. Every proposal is judged on it.

It gives each agent its card and its neighbours' cards, and nothing else of the project, so that what a round costs
grows with the links and not with the square of the agents (design §6.11). Pure; a commit's receipt moves it on.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from graphbus_core.model.agent_def import AgentDefinition
from graphbus_core.model.graph import Endpoint, Link, Mismatch
from graphbus_core.negotiation.proposal.weighed.digests import ABSENT, symbol_digest

JsonSchema = Mapping[str, Any]


@dataclass(frozen=True)
class Surface:
    """The contracts of one node: what others may rely on. None: not declared."""

    methods: Mapping[str, tuple[JsonSchema | None, JsonSchema | None]]  # name -> input, output
    topics: Mapping[str, JsonSchema | None]
    parameters: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # method -> its parameters' names

    @classmethod
    def of_card(cls, card: Mapping[str, Any]) -> Surface:
        """The surface that a card shows."""
        return cls(
            {m["name"]: (m["input"], m["output"]) for m in card["methods"]},
            {t["topic"]: t["payload"] for t in card["topics"]},
            {m["name"]: tuple(p["name"] for p in m["parameters"]) for m in card["methods"]},
        )


class Ground:
    """Agents in the order of their activation, with the links between them and the mismatches that are open."""

    def __init__(
        self,
        agents: Sequence[AgentDefinition],
        links: Sequence[Link] = (),
        mismatches: Sequence[Mismatch] = (),
        around: Mapping[str, str] | None = None,
    ) -> None:
        self.agents: dict[str, AgentDefinition] = {a.name: a for a in agents}
        self.around = dict(around or {})  # agent -> the file around its class, in short
        self.version = 0  # how many commits it has taken in
        self._place = {name: i for i, name in enumerate(self.agents)}
        self._cards: dict[tuple[str, bool], dict[str, Any]] = {}
        self._beside: dict[str, list[dict[str, Any]]] = {}
        self._surfaces: dict[str, Surface] = {}
        self._digests: dict[str, str] = {}
        self._relink(links, mismatches)

    # -- who is who

    def in_order(self, names: Iterable[str]) -> tuple[str, ...]:
        """Those of `names` that are agents, each once, in the order of activation."""
        # The order of activation everywhere: agendas, cards and messages must not depend on how a set was filled.
        return tuple(sorted({n for n in names if n in self._place}, key=self._place.__getitem__))

    def file(self, node: str) -> str:
        """The source file of a node."""
        return self.agents[node].source_file

    def files(self, nodes: Iterable[str]) -> tuple[str, ...]:
        """The source files of these nodes, each once, in the order of the nodes."""
        return tuple(dict.fromkeys(self.agents[n].source_file for n in nodes if n in self.agents))

    def neighbours(self, name: str) -> tuple[str, ...]:
        """Who stands next to an agent: across a data link, or because one depends on the other."""
        return self._neighbours.get(name, ())

    # -- what it looks like

    def card(self, name: str, own: bool = False) -> dict[str, Any]:
        """An agent as others see it; with `own` its source as well. Shared: do not change it."""
        card = self._cards.get((name, own))
        # Shared, because a round shows the same cards to everybody; whoever changed one would change it for all.
        if card is None:
            card = self._cards[name, own] = _card(self.agents[name], own)
            if own and name in self.around:
                card["around"] = self.around[name]
        return card

    def cards_beside(self, name: str) -> list[dict[str, Any]]:
        """The neighbours' cards. Shared: do not change them."""
        cards = self._beside.get(name)
        if cards is None:
            cards = self._beside[name] = [self.card(n) for n in self.neighbours(name)]
        return cards

    def surface(self, name: str) -> Surface | None:
        """The contracts of a node, or None where there is no such node."""
        surface = self._surfaces.get(name)
        if surface is None and name in self.agents:
            surface = self._surfaces[name] = Surface.of_card(self.card(name))
        return surface

    def digest(self, symbol: str) -> str:
        """What a proposal that touches `symbol` rests on."""
        found = self._digests.get(symbol)
        if found is None:
            node = symbol.partition(" -> ")[0]
            # `Node.method.field`, and a node's name may hold dots: it is cut from the right until it is known.
            while node and node not in self.agents:
                node = node.rpartition(".")[0]
            found = self._digests[symbol] = symbol_digest(self.agents[node], symbol) if node else ABSENT
        return found

    def moved(self, base: Mapping[str, str]) -> list[str]:
        """The symbols that are no longer as `base` has them."""
        return [symbol for symbol, digest in base.items() if self.digest(symbol) != digest]

    # -- links

    def links_of(self, node: str) -> Sequence[Link]:
        """The data links with this node at either end."""
        return self._links_of.get(node, ())

    def mismatches_of(self, node: str) -> list[dict[str, Any]]:
        """The open mismatches at this node, as dictionaries."""
        return self._mismatches_of.get(node, [])

    # -- a commit

    def receive(self, receipt: Mapping[str, Any]) -> None:
        """Take in what a commit changed: `agents`, and where it says so `links` and `mismatches`."""
        self.version += 1
        changed = receipt.get("agents") or {}
        for name, data in changed.items():
            if name in self.agents:
                self.agents[name] = AgentDefinition.from_dict(data)
        # Texts around a class change with its file, also where the class itself did not.
        self.around |= receipt.get("around") or {}
        for name in {*changed, *(receipt.get("around") or ())}:
            self._surfaces.pop(name, None)
            self._cards.pop((name, False), None)
            self._cards.pop((name, True), None)
            for beside in self.neighbours(name):
                self._beside.pop(beside, None)
        # All of them. A digest is cheap, and finding out which ones a commit touched is not.
        self._digests.clear()
        links, mismatches = receipt.get("links"), receipt.get("mismatches")
        if links is not None or mismatches is not None:
            self._beside.clear()
            self._relink(
                self.links if links is None else [Link.from_dict(link) for link in links],
                self.mismatches if mismatches is None else [Mismatch.from_dict(m) for m in mismatches],
            )

    def _relink(self, links: Sequence[Link], mismatches: Sequence[Mismatch]) -> None:
        # Links to agents outside of the negotiation have nobody to ask at that end.
        self.links = tuple(link for link in links if {link.producer.node, link.consumer.node} <= self.agents.keys())
        self.mismatches = tuple(mismatches)
        self._links_of: dict[str, list[Link]] = {}
        beside: dict[str, set[str]] = {}
        for link in self.links:
            ends = link.producer.node, link.consumer.node
            for end in dict.fromkeys(ends):
                self._links_of.setdefault(end, []).append(link)
                beside.setdefault(end, set()).update(ends)
        for agent in self.agents.values():
            for other in agent.depends_on:
                if other in self.agents:
                    beside.setdefault(agent.name, set()).add(other)
                    beside.setdefault(other, set()).add(agent.name)
        self._neighbours = {name: self.in_order(others - {name}) for name, others in beside.items()}
        self._mismatches_of: dict[str, list[dict[str, Any]]] = {}
        for mismatch in self.mismatches:
            said = mismatch.to_dict()
            for end in dict.fromkeys((mismatch.link.producer.node, mismatch.link.consumer.node)):
                self._mismatches_of.setdefault(end, []).append(said)


def slot_of(end: Endpoint, producer: bool) -> tuple[str, str, str]:
    """Which contract an end of a link speaks of: node, method or topic, side."""
    if not producer:
        return (end.node, end.method or "", "input")
    if end.topic is not None:
        return (end.node, end.topic, "payload")
    return (end.node, end.method or "", "output")


def _card(agent: AgentDefinition, own: bool) -> dict[str, Any]:
    topics: dict[str, JsonSchema | None] = {}
    for p in agent.publications:
        payload = p.schema.json_schema if p.schema else None
        # The first payload that is declared speaks for the topic; a publication without one says nothing.
        topics[p.topic.name] = topics.get(p.topic.name) or payload
    card: dict[str, Any] = {
        "name": agent.name,
        "file": agent.source_file,
        "system_prompt": agent.system_prompt.text,
        "methods": [
            {
                "name": m.name,
                "input": m.input_schema.json_schema if m.input_schema else None,
                "output": m.output_schema.json_schema if m.output_schema else None,
                "parameters": [vars(p) for p in m.parameters],
            }
            for m in agent.methods
        ],
        "topics": [{"topic": name, "payload": payload} for name, payload in topics.items()],
        "subscriptions": [{"topic": s.topic.name, "handler": s.handler_name} for s in agent.subscriptions],
        "depends_on": list(agent.depends_on),
    }
    if own:
        card["source"] = agent.source_code
    return card
