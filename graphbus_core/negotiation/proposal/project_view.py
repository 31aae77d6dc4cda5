"""The ground of a negotiation: the project as it stands after the commits so far. Every proposal is judged on it.

It gives each agent its card and its neighbours' cards, and nothing else of the project, so that what a round costs
grows with the links and not with the square of the agents (design §6.11). Pure; a commit's receipt moves it on.
"""

from __future__ import annotations

import ast
import hashlib
import json
import re
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from graphbus_core.model.agent_def import AgentDefinition
from graphbus_core.model.graph import Endpoint, Link, Mismatch

# The digest of a symbol: what a proposal rests on, and what tells that its ground moved (design §6.5).
#
# Digests are per symbol, so that agents which share a file, and methods which share a class, do not stand in each
# other's way. Pure: it reads an `AgentDefinition` and nothing else, so that whoever commits computes the same.


ABSENT = "absent"  # the digest of a symbol that is not there


def compute_symbol_digest(agent: AgentDefinition, symbol: str) -> str:
    """The digest of `Node.method`, `Node -> /Topic` or `Node` as `Operation.symbol` names them.

    A method: its text with decorators, and both its contracts (a contract may be declared elsewhere). A topic: its
    payload. The node itself: the class without its methods, which is what an import or a new method rests on.
    """
    rest = symbol.removeprefix(agent.name)
    if rest.startswith(" -> "):
        topic = rest.removeprefix(" -> ")
        payloads = [p.schema.json_schema if p.schema else None for p in agent.publications if p.topic.name == topic]
        return _hash_value([topic, payloads]) if payloads else ABSENT
    spans = _find_method_spans(agent.source_code)
    if not rest:
        return _hash_value([agent.name, _remove_methods(agent.source_code, spans)])
    name = rest.removeprefix(".")
    method = agent.method(name)
    if method is None and name not in spans:
        return ABSENT
    sides = [s.json_schema if s else None for s in (method.input_schema, method.output_schema)] if method else []
    return _hash_value([name, _extract_text(agent.source_code, spans.get(name)), sides])


def compute_symbol_digests(agent: AgentDefinition) -> dict[str, str]:
    """The digests of all of an agent's symbols."""
    names = [agent.name]
    names += [
        f"{agent.name}.{n}"
        for n in dict.fromkeys([*_find_method_spans(agent.source_code), *(m.name for m in agent.methods)])
    ]
    names += [f"{agent.name} -> {p.topic.name}" for p in agent.publications]
    return {name: compute_symbol_digest(agent, name) for name in dict.fromkeys(names)}


def _find_method_spans(source: str) -> dict[str, tuple[int, int]]:
    """Method name -> its lines (from 0, end exclusive), decorators included; the last definition of a name wins."""
    try:
        tree = ast.parse(textwrap.dedent(source))
    except (SyntaxError, ValueError):
        return {}
    spans: dict[str, tuple[int, int]] = {}
    for node in tree.body[0].body if tree.body and isinstance(tree.body[0], ast.ClassDef) else ():
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
            spans[node.name] = (first - 1, node.end_lineno or node.lineno)
    return spans


def _extract_text(source: str, span: tuple[int, int] | None) -> str:
    return "" if span is None else "\n".join(_split_lines(source)[span[0] : span[1]])


def _remove_methods(source: str, spans: dict[str, tuple[int, int]]) -> str:
    inside = {i for first, end in spans.values() for i in range(first, end)}
    lines = (line.rstrip() for i, line in enumerate(_split_lines(source)) if i not in inside)
    return "\n".join(line for line in lines if line)


def _split_lines(source: str) -> list[str]:
    return re.split(r"\r\n|\r|\n", source)  # as `ast` counts them: a form feed ends no line


def _hash_value(value: Any) -> str:
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


JsonSchema = Mapping[str, Any]


@dataclass(frozen=True)
class Surface:
    """The contracts of one node: what others may rely on. None: not declared."""

    methods: Mapping[str, tuple[JsonSchema | None, JsonSchema | None]]  # name -> input, output
    topics: Mapping[str, JsonSchema | None]

    @classmethod
    def from_card(cls, card: Mapping[str, Any]) -> Surface:
        """The surface that a card shows."""
        return cls(
            {m["name"]: (m["input"], m["output"]) for m in card["methods"]},
            {t["topic"]: t["payload"] for t in card["topics"]},
        )


class ProjectView:
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
        self._set_links(links, mismatches)

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
            card = self._cards[name, own] = _build_card(self.agents[name], own)
            if own and name in self.around:
                card["around"] = self.around[name]
        return card

    def neighbour_cards(self, name: str) -> list[dict[str, Any]]:
        """The neighbours' cards. Shared: do not change them."""
        cards = self._beside.get(name)
        if cards is None:
            cards = self._beside[name] = [self.card(n) for n in self.neighbours(name)]
        return cards

    def surface(self, name: str) -> Surface | None:
        """The contracts of a node, or None where there is no such node."""
        surface = self._surfaces.get(name)
        if surface is None and name in self.agents:
            surface = self._surfaces[name] = Surface.from_card(self.card(name))
        return surface

    def digest(self, symbol: str) -> str:
        """What a proposal that touches `symbol` rests on."""
        value = self._digests.get(symbol)
        if value is None:
            node = symbol.partition(" -> ")[0]
            # `Node.method.field`, and a node's name may hold dots: it is cut from the right until it is known.
            while node and node not in self.agents:
                node = node.rpartition(".")[0]
            value = self._digests[symbol] = compute_symbol_digest(self.agents[node], symbol) if node else ABSENT
        return value

    def find_moved(self, base: Mapping[str, str]) -> list[str]:
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
            self._set_links(
                self.links if links is None else [Link.from_dict(link) for link in links],
                self.mismatches if mismatches is None else [Mismatch.from_dict(m) for m in mismatches],
            )

    def _set_links(self, links: Sequence[Link], mismatches: Sequence[Mismatch]) -> None:
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
            entry = mismatch.to_dict()
            for end in dict.fromkeys((mismatch.link.producer.node, mismatch.link.consumer.node)):
                self._mismatches_of.setdefault(end, []).append(entry)


def find_slot(end: Endpoint, producer: bool) -> tuple[str, str, str]:
    """Which contract an end of a link speaks of: node, method or topic, side."""
    if not producer:
        return (end.node, end.method or "", "input")
    if end.topic is not None:
        return (end.node, end.topic, "payload")
    return (end.node, end.method or "", "output")


def _build_card(agent: AgentDefinition, own: bool) -> dict[str, Any]:
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


# What an agent is shown beside its own card: the path that an intent needs, what is tabled, what competes.
#
# An agent sees its neighbours (design §6.11), so that a round costs what its links cost. With an intent that is too
# little: a field that travels four hops must fit into one proposal, and whoever proposes it must know all four. So
# with an intent, and only then, the nearest agents along the links are shown as well, a bounded number of them. Of
# proposals an agent sees those that it has a part in, and no others (seed 000). Pure.


# Each character is paid for in every question, by every agent.
SOURCES_MAX = 2_000  # characters of others' source that an intent brings with it
ALONG_MAX = 12  # agents beyond the neighbours that are shown with an intent
HOPS_MAX = 5  # how far along the links they may be
COMPETING_MAX = 6  # proposals that are told beside the one at hand
_WORD = re.compile(r"[a-z]{3,}")


def select_cards_for_intent(ground: ProjectView, agent: str, intent: str | None) -> list[dict[str, Any]]:
    """The cards beyond the neighbours that an intent may need: those that it names first, then the nearest."""
    # Without an intent nobody has to see beyond the neighbours, and a round costs what its links cost.
    if not intent:
        return []
    visible = {agent, *ground.neighbours(agent)}
    distance = _measure_distances(ground, agent)
    beyond = [n for n in distance if n not in visible]
    return [
        _strip_card(ground.card(n))
        for n in ground.in_order(_rank_by_distance(ground, beyond, distance, intent)[:ALONG_MAX])
    ]


def select_sources_for_intent(ground: ProjectView, agent: str, intent: str | None) -> list[dict[str, Any]]:
    """The source of those around an agent that an intent may need, as much of it as SOURCES_MAX holds.

    A field that travels takes a change in each body that it passes, and nobody can write a body that he does not see.
    """
    if not intent:
        return []
    distance = _measure_distances(ground, agent)
    selected, budget = {}, SOURCES_MAX
    files = {ground.file(agent)}  # whose surroundings stand in the question already
    for name in _rank_by_distance(ground, [n for n in distance if n != agent], distance, intent):
        card = ground.card(name, own=True)
        # The text around a class is that of its file, and agents of one file share it.
        around = "" if card["file"] in files else str(card.get("around") or "")
        for text in (f"{around}\n\n{card['source']}" if around else card["source"], card["source"]):
            # Without its surroundings, if only that fits: a class alone is better than nothing.
            if len(text) <= budget:
                selected[name] = {"name": name, "file": card["file"], "source": text}
                budget -= len(text)
                files.add(card["file"])
                break
    return [selected[name] for name in ground.in_order(selected)]


def _measure_distances(ground: ProjectView, agent: str) -> dict[str, int]:
    """Everybody within HOPS_MAX links of an agent, itself included, and how far away."""
    visible = {agent, *ground.neighbours(agent)}
    distance = dict.fromkeys(visible, 1)
    edge, hops = sorted(visible), 1
    while edge and hops < HOPS_MAX:
        hops += 1
        # Sorted in each ring, so that the nearest are the same ones whatever the order of a set.
        edge = sorted({n for name in edge for n in ground.neighbours(name) if n not in distance})
        distance.update(dict.fromkeys(edge, hops))
    return distance


def _rank_by_distance(ground: ProjectView, names: list[str], distance: Mapping[str, int], intent: str) -> list[str]:
    """Those that the intent names first, then the nearest."""
    words = _split_words(intent)
    place = {name: i for i, name in enumerate(ground.agents)}
    return sorted(names, key=lambda n: (not _is_named(ground.card(n), words), distance[n], place[n]))


def _strip_card(card: Mapping[str, Any]) -> dict[str, Any]:
    """A card without its role: what others rely on."""
    return {k: v for k, v in card.items() if k not in ("system_prompt", "source", "around")}


def _is_named(card: Mapping[str, Any], words: frozenset[str]) -> bool:
    names = [str(card["name"])]
    for method in card["methods"]:
        names.append(method["name"])
        for side in (method["input"], method["output"]):
            names += (side or {}).get("properties", {})
    return any(_split_words(name) & words for name in names)


def _split_words(text: str) -> frozenset[str]:
    """The words of a text or of a name, whichever way it is written."""
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])|_", " ", text).lower()
    return frozenset(_WORD.findall(spaced))


def summarize_proposals(proposals: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Proposals in short: who wants what, and the operations without their code."""
    short = []
    for proposal in list(proposals)[:COMPETING_MAX]:
        diff = [{k: v for k, v in op.items() if k not in ("body", "source")} for op in proposal["diff"]]
        short.append({k: proposal[k] for k in ("proposal_id", "proposer", "summary")} | {"diff": diff})
    return short


def is_competing(diff: Sequence[Mapping[str, Any]], other: Sequence[Mapping[str, Any]]) -> bool:
    """Whether two diffs touch a method or a topic in common."""

    def list_touched(ops: Sequence[Mapping[str, Any]]) -> set[tuple[Any, Any]]:
        return {(op["node"], op.get("method") or op.get("topic")) for op in ops}

    return not list_touched(diff).isdisjoint(list_touched(other))
