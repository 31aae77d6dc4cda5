"""Which producer's data reaches which consumer (design §5): by method, by topic, by calls, most certain first.

A class dependency alone is a guess, and is marked as one; what could be meant in two ways is reported with the line to
write.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from graphbus_core.analysis.flow_types import Flow
from graphbus_core.analysis.project import CallLink
from graphbus_core.model.agent_def import AgentDefinition
from graphbus_core.model.field_mapping import FieldMapping
from graphbus_core.model.graph import AgentGraph, Edge, Endpoint, Link, LinkOrigin, find_fields_beside, narrow_to_link
from graphbus_core.model.schema import Schema, SchemaMethod
from graphbus_core.suggestions import suggest_names

# Links that calls show, in the form in which links are checked; and what joined producers leave to each other.


# People look at two or three. All of a common call would fill the log of a build.
MAX_EVIDENCE = 5  # places of one link that are shown


def build_call_links(call_links: Iterable[CallLink], agents: Mapping[str, AgentDefinition]) -> list[Link]:
    """One link for each pair of ends that calls join."""
    return [_build_link(call_link, agents) for call_link in call_links if _has_known_ends(call_link, agents)]


def _has_known_ends(call_link: CallLink, agents: Mapping[str, AgentDefinition]) -> bool:
    return all(
        end.component in agents and agents[end.component].method(end.method) is not None
        for end in (call_link.producer, call_link.consumer)
    )


def _build_link(call_link: CallLink, agents: Mapping[str, AgentDefinition]) -> Link:
    link = Link(
        Endpoint(call_link.producer.component, call_link.producer.method),
        Endpoint(call_link.consumer.component, call_link.consumer.method),
        LinkOrigin.CALL,
        tuple(str(e) for e in call_link.evidence[:MAX_EVIDENCE]),
        own=call_link.own,
    )
    method = agents[call_link.consumer.component].method(call_link.consumer.method)
    payload = method.payload_parameter if method is not None else None
    flows = [_enter_payload(f, payload) for f in call_link.flows if f.exact]
    whole = [f for f in flows if f.whole and not f.source_keys and not f.target_keys]
    if whole:
        # The strictest of several whole flows speaks for the link: a call that stands under a condition may never
        # happen.
        strictest = min(whole, key=lambda f: (f.guarded, "*" in f.beside, len(f.beside)))
        return replace(link, beside=strictest.beside, guarded=strictest.guarded)
    pairs = {
        (".".join(f.source_keys), f.target_keys[0])
        for f in flows
        if len(f.target_keys) == 1 and not f.soft and not (f.whole and f.source_keys)
    }
    # Code that hands nothing over unchanged shows that there is a link, and nothing of what is in it.
    # An empty pair is kept, or the link would look like one of which everything is compared.
    return replace(link, feeds=tuple(sorted(pairs))) if pairs else replace(link, feeds=(("", ""),))


def _enter_payload(flow: Flow, payload: str | None) -> Flow:
    """What reaches the parameter of a handler whose hint is its contract reaches the contract itself."""
    if payload is None or flow.target_keys[:1] != (payload,):
        return flow
    return replace(flow, target_keys=flow.target_keys[1:], whole=flow.whole or len(flow.target_keys) == 1)


def join_producers(links: Sequence[Link], agents: Mapping[str, AgentDefinition]) -> list[Link]:
    """Links with what the other producers of the same method give set beside.

    Producers are joined where the method names several in `@depends_on`, or where one call takes from several.
    """
    by_consumer: dict[Endpoint, list[Link]] = {}
    for link in links:
        if _is_joinable(link):
            # By consumer, since what is missing is missing at the one that takes.
            by_consumer.setdefault(link.consumer, []).append(link)
    changed: dict[str, Link] = {}
    for consumer, some in by_consumer.items():
        if len({link.producer for link in some}) > 1:
            changed.update({link.id: link for link in _set_beside(consumer, some, agents)})
    return [changed.get(link.id, link) for link in links]


def _is_joinable(link: Link) -> bool:
    whole = link.origin is LinkOrigin.CALL and not link.feeds
    return not link.own and (link.origin is LinkOrigin.METHOD or whole)


def _set_beside(consumer: Endpoint, links: list[Link], agents: Mapping[str, AgentDefinition]) -> Iterable[Link]:
    method = agents[consumer.node].method(consumer.method or "")
    input_schema = method.input_schema if method is not None else None
    sent = {link.id: _find_output(link, agents) for link in links}
    # With one contract unknown nobody can say what that side gives, so nothing is counted as missing.
    if input_schema is None or any(schema is None for schema in sent.values()):
        yield from links
        return
    schemas: dict[str, Mapping[str, Any]] = {}
    for link in links:
        schema = sent[link.id]
        assert schema is not None
        schemas[link.id] = link.mapping.map_schema(schema.json_schema) if link.mapping else schema.json_schema
    beside = find_fields_beside(schemas, input_schema.json_schema)
    for link in links:
        yield replace(link, beside=tuple(sorted({*link.beside, *beside[link.id]})))


def _find_output(link: Link, agents: Mapping[str, AgentDefinition]) -> Schema | None:
    method = agents[link.producer.node].method(link.producer.method or "")
    return method.output_schema if method is not None else None


# Theory of operation
# -------------------
#
# A link says: what this method gives reaches what that one takes. Everything later rests on it. Contracts are compared
# along links, neighbours who must agree to a change are found by them, and a repair is proposed where one is broken. A
# link too many invents a fault; a link too few hides one. So links are graded by how they are known:
#
#     METHOD   somebody wrote it: `@depends_on("Node.method")` on the method that is fed
#     TOPIC    one publishes, the other subscribes, and the names match
#     CALL     the code hands the one's result to the other, with file and line
#     CLASS    a class depends on a class, and one pair of methods could be meant: a guess, and marked as one
#
# The order of looking is the order of trust. A pair of ends is linked once, under the strongest reason; a call that
# shows a declared link becomes evidence of it. Guesses come last, and only for pairs of classes of which nothing
# better is known (`by_method`): a declared or visible link between two classes says that their author thinks in
# methods, and then a guess between two others of theirs would be noise.
#
# Why a guess is not a finding. A guessed link that does not fit may be a wrong guess. It is shown as one
# (`LinkResult.guesses`) and fails nothing. Two pairs that could be meant are not guessed at all: they are
# `AmbiguousDependency`, with the line that somebody should write.
#
# Why several producers are joined. A method may be fed by more than one: two dependencies, or one call with arguments
# from two places. Each of them alone lacks what the others give, and would look broken. `joined` notes with each link
# which fields come from beside it, and a field that nobody gives is missed once, by one of them.
#
# Why a method that calls its producer itself is not linked as fed (`own`). Its code takes the result and does with it
# what it likes: the input contract is filled by whoever calls the method, not by what it fetches. Such a call proves
# that the two belong together, and keeps the pair from being guessed.
#
# Why topics compare the payload with a handler's input. A handler gets the payload in one piece, and its input contract
# is that of the payload: as it is written out, or as the parameter that takes the payload is hinted.
#
# What is not there is told. A name in `@depends_on` that leads nowhere is `DanglingDependency` with the nearest names;
# a link of which an end declares nothing is listed as unchecked. Neither is passed over: silence would read as "it
# fits".


MAX_LINES = 5  # of an ambiguous dependency, how many of the lines that could be written are shown


@dataclass(frozen=True)
class AmbiguousDependency:
    """`consumer` depends on `producer`, and more than one pairing of methods could be meant.

    `pairs` are (producer method, consumer method).
    """

    producer: str
    consumer: str
    pairs: tuple[tuple[str, str], ...]
    source_file: str = ""

    @property
    def lines(self) -> tuple[str, ...]:
        """The lines of which one, or more, should be written, each with the place."""
        return tuple(
            f'@depends_on("{self.producer}.{producer}") on {self.consumer}.{consumer}'
            for producer, consumer in self.pairs[:MAX_LINES]
        )

    def to_dict(self) -> dict[str, Any]:
        """The form of `validate --json`."""
        return {"producer": self.producer, "consumer": self.consumer, "pairs": [list(p) for p in self.pairs]}

    def __str__(self) -> str:
        more = f" (and {len(self.pairs) - MAX_LINES} more)" if len(self.pairs) > MAX_LINES else ""
        return (
            f"{self.consumer} depends on {self.producer}, and {len(self.pairs)} pairings of methods could be meant; "
            f"write which: {'; or '.join(self.lines)}{more}."
        )


@dataclass(frozen=True)
class DanglingDependency:
    """`where` depends on `name`, which is not a node (or method of a node) of this build. `near`: what it may mean."""

    where: str
    name: str
    near: tuple[str, ...] = ()
    is_method: bool = False

    def to_dict(self) -> dict[str, Any]:
        """The form of `validate --json`."""
        return {"where": self.where, "name": self.name, "near": list(self.near), "is_method": self.is_method}

    def __str__(self) -> str:
        hint = f" Did you mean {' or '.join(self.near)}?" if self.near else ""
        what = "method" if self.is_method else "node"
        return f"{self.where} depends on {self.name}, which is not a {what} of this build.{hint}"


@dataclass
class FoundLinks:
    """What was found; `links` without repetition, in the order of their ids."""

    links: tuple[Link, ...] = ()
    ambiguous: tuple[AmbiguousDependency, ...] = ()
    dangling: tuple[DanglingDependency, ...] = ()


class AgentDirectory:
    """Agents by the names they may be called: their own, `module.Class`, the class alone where that is unique."""

    def __init__(self, agents: Sequence[AgentDefinition]) -> None:
        self.by_name: dict[str, AgentDefinition] = {}
        short: dict[str, list[AgentDefinition]] = {}
        for agent in agents:
            short.setdefault(agent.class_name.rpartition(".")[2], []).append(agent)
            self.by_name[f"{agent.module}.{agent.class_name}"] = agent
        # Short names first, full names over them: where a class name is also another's full name, the full one is
        # meant.
        self.by_name.update({name: those[0] for name, those in short.items() if len(those) == 1})
        self.by_name.update({agent.name: agent for agent in agents})

    def get(self, name: str) -> AgentDefinition | None:
        """The agent that a dependency names."""
        return self.by_name.get(name)

    def find_method(self, name: str) -> tuple[AgentDefinition, SchemaMethod] | None:
        """The method that `Node.method` names."""
        node, _, method = name.rpartition(".")
        agent = self.by_name.get(node)
        definition = agent.method(method) if agent else None
        return (agent, definition) if agent and definition else None


@dataclass
class LinkFinder:
    """Finds the links between agents."""

    agents: Sequence[AgentDefinition]
    seen: Sequence[CallLink] = ()  # what calls show
    _links: dict[str, Link] = field(default_factory=dict)
    _ambiguous: list[AmbiguousDependency] = field(default_factory=list)
    _dangling: list[DanglingDependency] = field(default_factory=list)
    _own: set[tuple[str, str]] = field(default_factory=set)  # node and the method that calls it itself

    def find(self) -> FoundLinks:
        """Every link, most certain first; a pair of ends is linked once, with all that speaks for it."""
        directory = AgentDirectory(self.agents)
        by_method: set[tuple[str, str]] = set()
        call_links = build_call_links(self.seen, {a.name: a for a in self.agents})
        # Kept apart before anything is linked: what a method fetches itself is not to be guessed for it afterwards.
        self._own = {(link.producer.node, str(link.consumer)) for link in call_links if link.own}
        for agent in self.agents:
            for method in agent.methods:
                for name in method.depends_on:
                    self._add_method_link(directory, agent, method, name, by_method)
        self._add_topic_links()
        for link in call_links:
            if not link.own:
                by_method.add((link.producer.node, link.consumer.node))
            self._add_call_link(link)
        for agent in self.agents:
            hinted = agent.metadata.get("hinted", ())
            for name in agent.depends_on:
                producer = directory.get(name)
                if producer is None:
                    near = suggest_names(name, directory.by_name, sure=True)
                    self._dangling.append(DanglingDependency(agent.name, name, tuple(near)))
                elif name not in hinted and producer is not agent and (producer.name, agent.name) not in by_method:
                    # A hint on a constructor makes an order of starting, and says nothing of whose data reaches whom.
                    self._add_class_links(producer, agent, [m for m in agent.methods if m.input_schema])
        # Sorted by id: the order of links decides messages and payloads, and must not depend on the order of files.
        links = join_producers([self._links[key] for key in sorted(self._links)], {a.name: a for a in self.agents})
        return FoundLinks(tuple(links), tuple(self._ambiguous), tuple(self._dangling))

    def _add(
        self, producer: Endpoint, consumer: Endpoint, origin: LinkOrigin, mapping: FieldMapping | None = None
    ) -> None:
        link = Link(producer, consumer, origin, mapping=mapping)
        self._links.setdefault(link.id, link)

    def _add_call_link(self, link: Link) -> None:
        """What a call shows: of a link that is declared it is further evidence, and says who feeds it."""
        if (declared := self._links.get(link.id)) is None:
            self._links[link.id] = link
        else:
            # The declaration stays the origin. Somebody is answerable for it, and code may change tomorrow.
            self._links[link.id] = replace(declared, evidence=link.evidence, own=link.own)

    def _add_method_link(
        self,
        directory: AgentDirectory,
        agent: AgentDefinition,
        method: SchemaMethod,
        name: str,
        by_method: set[tuple[str, str]],
    ) -> None:
        where = f"{agent.name}.{method.name}"
        if (producer_method := directory.find_method(name)) is not None:
            producer, its = producer_method
            by_method.add((producer.name, agent.name))
            ends = Endpoint(producer.name, its.name), Endpoint(agent.name, method.name)
            self._add(*ends, LinkOrigin.METHOD, method.find_mapping(name))
        elif (node := directory.get(name)) is not None:  # a bare node name on a method
            by_method.add((node.name, agent.name))
            if node is not agent:
                self._add_class_links(node, agent, [method] if method.input_schema else [])
        elif (owner := directory.get(name.rpartition(".")[0])) is not None:
            # The node is there and the method is not, so only its methods can be meant.
            near = suggest_names(name.rpartition(".")[2], [m.name for m in owner.methods], 2, sure=True)
            self._dangling.append(DanglingDependency(where, name, tuple(f"{owner.name}.{n}" for n in near), True))
        else:
            near = suggest_names(name, [*directory.by_name, *_iter_method_names(self.agents)], sure=True)
            self._dangling.append(DanglingDependency(where, name, tuple(near), "." in name))

    def _add_topic_links(self) -> None:
        exact: dict[str, list[tuple[Endpoint, FieldMapping | None]]] = {}
        patterns: list[tuple[re.Pattern[str], tuple[Endpoint, FieldMapping | None]]] = []
        for agent in self.agents:
            for subscription in agent.subscriptions:
                end = Endpoint(agent.name, subscription.handler_name), subscription.mapping
                if "*" in subscription.topic.name:
                    patterns.append((compile_topic_pattern(subscription.topic.name), end))
                else:
                    exact.setdefault(subscription.topic.name, []).append(end)
        for agent in self.agents:
            for publication in agent.publications:
                topic = publication.topic.name
                # A pattern hears what is published, not other patterns.
                matching = [end for topic_pattern, end in patterns if topic_pattern.fullmatch(topic)]
                for end, mapping in [*exact.get(topic, ()), *matching]:
                    self._add(Endpoint(agent.name, topic=topic), end, LinkOrigin.TOPIC, mapping)

    def _add_class_links(self, producer: AgentDefinition, agent: AgentDefinition, takers: list[SchemaMethod]) -> None:
        givers = [m for m in producer.methods if m.output_schema is not None and m.output_schema.fields]
        pairs = [(p, c) for p in givers for c in self._find_open_methods(producer, agent, takers)]
        if len(pairs) > 1:
            # Shared fields decide between several pairs. One that shares nothing would not even begin to fit.
            sharing = [(p, c) for p, c in pairs if _has_shared_field(p.output_schema, c.input_schema)]
            if len(sharing) != 1:
                method_pairs = tuple((p.name, c.name) for p, c in sharing or pairs)
                self._ambiguous.append(AmbiguousDependency(producer.name, agent.name, method_pairs, agent.source_file))
                return
            pairs = sharing
        for p, c in pairs:
            self._add(Endpoint(producer.name, p.name), Endpoint(agent.name, c.name), LinkOrigin.CLASS)

    def _find_open_methods(
        self, producer: AgentDefinition, agent: AgentDefinition, takers: list[SchemaMethod]
    ) -> list[SchemaMethod]:
        """Of these methods those that a dependency of the class may mean: they take a contract, hear no topic, and
        have no link with this producer that is written down or seen in the code."""
        handlers = {s.handler_name for s in agent.subscriptions}
        return [
            m
            for m in takers
            # A handler is fed by its topic. A dependency of the class on top of it would feed it twice.
            if m.name not in handlers
            and m.input_schema is not None
            and m.input_schema.fields
            and not any(c.rpartition(".")[0] == producer.name for c in m.metadata.get("calls", ()))
            and (producer.name, f"{agent.name}.{m.name}") not in self._own
        ]


def find_link_contracts(link: Link, agents: Mapping[str, AgentDefinition]) -> list[tuple[Schema | None, Schema | None]]:
    """The contracts at both ends of a link: (what is sent, what is taken), None where undeclared.

    A topic that a node publishes with several payloads gives several pairs.
    """
    consumer = agents[link.consumer.node].method(link.consumer.method or "")
    accepted = consumer.input_schema if consumer else None
    return [_intersect_contracts(link, sent_schema, accepted) for sent_schema in list_sent_schemas(link, agents)]


def list_sent_schemas(link: Link, agents: Mapping[str, AgentDefinition]) -> list[Schema | None]:
    """What the producer of a link declares to send; None where it declares nothing."""
    if link.producer.topic is not None:
        publications = [
            p for p in agents[link.producer.node].publications if p.topic.name == link.producer.topic and p.schema
        ]
        # Without any declared payload the link is still there, and is listed as unchecked.
        return [p.schema for p in publications] or [None]
    producer = agents[link.producer.node].method(link.producer.method or "")
    return [producer.output_schema if producer else None]


def _intersect_contracts(
    link: Link, sent: Schema | None, accepted: Schema | None
) -> tuple[Schema | None, Schema | None]:
    """What of two contracts meets on a link; as they are where it is all of them."""
    if not (link.own or link.feeds or link.beside or link.guarded or link.mapping):
        return sent, accepted
    pair = (
        narrow_to_link(link, sent.json_schema, accepted.json_schema)
        if sent is not None and accepted is not None
        else None
    )
    # Nothing meets: the link says that data flows, and not which, so there is nothing to compare.
    return (None, None) if pair is None else (Schema(pair[0]), Schema(pair[1]))


def _has_shared_field(producer: Schema | None, consumer: Schema | None) -> bool:
    return bool(producer and consumer and producer.fields.keys() & consumer.fields.keys())


def _iter_method_names(agents: Sequence[AgentDefinition]) -> Iterator[str]:
    for agent in agents:
        for method in agent.methods:
            yield f"{agent.name}.{method.name}"


def compile_topic_pattern(topic: str) -> re.Pattern[str]:
    """`*` is one segment, `**` any number of them."""
    parts = [".*" if p == "**" else re.escape(p).replace(r"\*", "[^/]*") for p in topic.split("/")]
    return re.compile("/".join(parts))


# `GraphBuilder`: who needs whom, from declared dependencies, data links and topics (seed 002 §4.1).


EDGE_OF = {
    LinkOrigin.METHOD: "schema_depends",
    LinkOrigin.CLASS: "schema_depends",
    LinkOrigin.TOPIC: "topic",
    LinkOrigin.CALL: "schema_depends",
}
STRENGTH = ("depends_on", "schema_depends", "topic")  # the edge type of two nodes is the strongest reason


class GraphBuilder:
    """Builds the AgentGraph of a project."""

    def __init__(self, agents: Sequence[AgentDefinition], links: Sequence[Link] = ()) -> None:
        self.agents = agents
        self.links = links

    def build(self) -> AgentGraph:
        """Nodes by name, with the attributes of seed 002 §2.9; an edge from each node to those that need it."""
        directory = AgentDirectory(self.agents)
        reasons: dict[tuple[str, str], dict[tuple[str, str], None]] = {}

        def add_edge(source: str, target: str, kind: str, why: str) -> None:
            # A node that feeds itself starts no earlier for it.
            if source != target:
                reasons.setdefault((source, target), {})[kind, why] = None

        for agent in self.agents:
            hinted = agent.metadata.get("hinted", ())
            for name in agent.depends_on:
                if (producer := directory.get(name)) is not None:
                    why = f"type hint {name}" if name in hinted else f'@depends_on("{name}")'
                    add_edge(producer.name, agent.name, "depends_on", why)
            for method in agent.methods:
                # Without the method it may still be known who is meant, and the order of starting needs no more.
                for name in method.depends_on:
                    node = directory.get(name) or directory.get(name.rpartition(".")[0])
                    if node is not None:
                        add_edge(node.name, agent.name, "depends_on", f'@depends_on("{name}") on {method.name}')
        for link in self.links:
            add_edge(link.producer.node, link.consumer.node, EDGE_OF[link.origin], link.id)
        # Sorted, so that the artifact of one project has the same bytes on each machine.
        edges = [_build_edge(source, target, list(why)) for (source, target), why in sorted(reasons.items())]
        return AgentGraph({agent.name: _build_attributes(agent) for agent in self.agents}, edges, self.links)


def _build_edge(source: str, target: str, why: list[tuple[str, str]]) -> Edge:
    kind = min((kind for kind, _ in why), key=STRENGTH.index)
    return Edge(source, target, kind, {"reasons": [f"{kind}: {reason}" for kind, reason in why]})


def _build_attributes(agent: AgentDefinition) -> dict[str, Any]:
    return {
        "node_name": agent.name,
        "module": agent.module,
        "class_name": agent.class_name,
        "system_prompt": agent.system_prompt.text,
        "schemas": {
            m.name: {
                "input": m.input_schema.json_schema if m.input_schema else None,
                "output": m.output_schema.json_schema if m.output_schema else None,
            }
            for m in agent.methods
            if m.input_schema or m.output_schema
        },
        "subscriptions": [s.to_dict() for s in agent.subscriptions],
        "metadata": {"is_arbiter": agent.is_arbiter, "source_file": agent.source_file},
    }
