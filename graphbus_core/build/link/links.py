"""Which producer's data reaches which consumer (design §5): by method, by topic, by calls, most certain first.

A class dependency alone is a guess, and is marked as one; what could be meant in two ways is reported with the line to
write.
"""

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
# (`Linked.guesses`) and fails nothing. Two pairs that could be meant are not guessed at all: they are `Ambiguous`,
# with the line that somebody should write.
#
# Why several producers are joined. A method may be fed by more than one: two dependencies, or one call with arguments
# from two places. Each of them alone lacks what the others give, and would look broken. `joined` notes with each link
# which fields come from beside it, and a field that nobody gives is missed once, by one of them.
#
# Why a method that calls its producer itself is not linked as fed (`own`). Its code takes the result and does with it
# what it likes: the input contract is filled by whoever calls the method, not by what it fetches. Such a call proves
# that the two belong together, and keeps the pair from being guessed.
#
# Why topics compare the payload with the handler's field. A handler gets the payload in one piece. Where its contract
# has one field for its one parameter, and that field is an object, the payload is that object (`handler_payload`).
#
# What is not there is told. A name in `@depends_on` that leads nowhere is `Dangling` with the nearest names; a link of
# which an end declares nothing is listed as unchecked. Neither is passed over: silence would read as "it fits".

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from graphbus_core.build.link.called import called_links, joined
from graphbus_core.build.understand.project import Seen
from graphbus_core.model.agent_def import AgentDefinition
from graphbus_core.model.feeding import met
from graphbus_core.model.graph import Endpoint, Link, LinkOrigin
from graphbus_core.model.schema import Schema, SchemaMethod
from graphbus_core.nearest import near_names

MAX_LINES = 5  # of an ambiguous dependency, how many of the lines that could be written are shown


@dataclass(frozen=True)
class Ambiguous:
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
class Dangling:
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
    ambiguous: tuple[Ambiguous, ...] = ()
    dangling: tuple[Dangling, ...] = ()


class Agents:
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

    def method(self, name: str) -> tuple[AgentDefinition, SchemaMethod] | None:
        """The method that `Node.method` names."""
        node, _, method = name.rpartition(".")
        agent = self.by_name.get(node)
        found = agent.method(method) if agent else None
        return (agent, found) if agent and found else None


@dataclass
class LinkFinder:
    """Finds the links between agents."""

    agents: Sequence[AgentDefinition]
    seen: Sequence[Seen] = ()  # what calls show
    _links: dict[str, Link] = field(default_factory=dict)
    _ambiguous: list[Ambiguous] = field(default_factory=list)
    _dangling: list[Dangling] = field(default_factory=list)
    _own: set[tuple[str, str]] = field(default_factory=set)  # node and the method that calls it itself

    def find(self) -> FoundLinks:
        """Every link, most certain first; a pair of ends is linked once, with all that speaks for it."""
        known = Agents(self.agents)
        by_method: set[tuple[str, str]] = set()
        called = called_links(self.seen, {a.name: a for a in self.agents})
        # Kept apart before anything is linked: what a method fetches itself is not to be guessed for it afterwards.
        self._own = {(link.producer.node, str(link.consumer)) for link in called if link.own}
        for agent in self.agents:
            for method in agent.methods:
                for name in method.depends_on:
                    self._method_link(known, agent, method, name, by_method)
        self._topic_links()
        for link in called:
            if not link.own:
                by_method.add((link.producer.node, link.consumer.node))
            self._seen_link(link)
        for agent in self.agents:
            hinted = agent.metadata.get("hinted", ())
            for name in agent.depends_on:
                producer = known.get(name)
                if producer is None:
                    near = near_names(name, known.by_name, sure=True)
                    self._dangling.append(Dangling(agent.name, name, tuple(near)))
                elif name not in hinted and producer is not agent and (producer.name, agent.name) not in by_method:
                    # A hint on a constructor makes an order of starting, and says nothing of whose data reaches whom.
                    self._class_link(producer, agent, [m for m in agent.methods if m.input_schema])
        # Sorted by id: the order of links decides messages and payloads, and must not depend on the order of files.
        links = joined([self._links[key] for key in sorted(self._links)], {a.name: a for a in self.agents})
        return FoundLinks(tuple(links), tuple(self._ambiguous), tuple(self._dangling))

    def _add(self, producer: Endpoint, consumer: Endpoint, origin: LinkOrigin) -> None:
        link = Link(producer, consumer, origin)
        self._links.setdefault(link.id, link)

    def _seen_link(self, link: Link) -> None:
        """What a call shows: of a link that is declared it is further evidence, and says who feeds it."""
        if (declared := self._links.get(link.id)) is None:
            self._links[link.id] = link
        else:
            # The declaration stays the origin. Somebody is answerable for it, and code may change tomorrow.
            self._links[link.id] = replace(declared, evidence=link.evidence, own=link.own)

    def _method_link(
        self,
        known: Agents,
        agent: AgentDefinition,
        method: SchemaMethod,
        name: str,
        by_method: set[tuple[str, str]],
    ) -> None:
        where = f"{agent.name}.{method.name}"
        if (found := known.method(name)) is not None:
            producer, its = found
            by_method.add((producer.name, agent.name))
            self._add(Endpoint(producer.name, its.name), Endpoint(agent.name, method.name), LinkOrigin.METHOD)
        elif (node := known.get(name)) is not None:  # a bare node name on a method
            by_method.add((node.name, agent.name))
            if node is not agent:
                self._class_link(node, agent, [method] if method.input_schema else [])
        elif (owner := known.get(name.rpartition(".")[0])) is not None:
            # The node is there and the method is not, so only its methods can be meant.
            near = near_names(name.rpartition(".")[2], [m.name for m in owner.methods], 2, sure=True)
            self._dangling.append(Dangling(where, name, tuple(f"{owner.name}.{n}" for n in near), True))
        else:
            near = near_names(name, [*known.by_name, *_methods(self.agents)], sure=True)
            self._dangling.append(Dangling(where, name, tuple(near), "." in name))

    def _topic_links(self) -> None:
        exact: dict[str, list[Endpoint]] = {}
        patterns: list[tuple[re.Pattern[str], Endpoint]] = []
        for agent in self.agents:
            for subscription in agent.subscriptions:
                end = Endpoint(agent.name, subscription.handler_name)
                if "*" in subscription.topic.name:
                    patterns.append((pattern(subscription.topic.name), end))
                else:
                    exact.setdefault(subscription.topic.name, []).append(end)
        for agent in self.agents:
            for publication in agent.publications:
                topic = publication.topic.name
                # A pattern hears what is published, not other patterns.
                matching = [end for heard, end in patterns if heard.fullmatch(topic)]
                for end in [*exact.get(topic, ()), *matching]:
                    self._add(Endpoint(agent.name, topic=topic), end, LinkOrigin.TOPIC)

    def _class_link(self, producer: AgentDefinition, agent: AgentDefinition, takers: list[SchemaMethod]) -> None:
        givers = [m for m in producer.methods if m.output_schema is not None and m.output_schema.fields]
        pairs = [(p, c) for p in givers for c in self._open_to(producer, agent, takers)]
        if len(pairs) > 1:
            # Shared fields decide between several pairs. One that shares nothing would not even begin to fit.
            sharing = [(p, c) for p, c in pairs if _share(p.output_schema, c.input_schema)]
            if len(sharing) != 1:
                named = tuple((p.name, c.name) for p, c in sharing or pairs)
                self._ambiguous.append(Ambiguous(producer.name, agent.name, named, agent.source_file))
                return
            pairs = sharing
        for p, c in pairs:
            self._add(Endpoint(producer.name, p.name), Endpoint(agent.name, c.name), LinkOrigin.CLASS)

    def _open_to(
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


def contracts_of(link: Link, agents: Mapping[str, AgentDefinition]) -> list[tuple[Schema | None, Schema | None]]:
    """The contracts at both ends of a link: (what is sent, what is taken), None where undeclared.

    A topic that a node publishes with several payloads gives several pairs.
    """
    consumer = agents[link.consumer.node].method(link.consumer.method or "")
    sent: list[Schema | None]
    if link.producer.topic is not None:
        publications = [
            p for p in agents[link.producer.node].publications if p.topic.name == link.producer.topic and p.schema
        ]
        # Without any declared payload the link is still there, and is listed as unchecked.
        sent = [p.schema for p in publications] or [None]
        taken = handler_payload(consumer) if consumer else None
    else:
        producer = agents[link.producer.node].method(link.producer.method or "")
        sent = [producer.output_schema if producer else None]
        taken = consumer.input_schema if consumer else None
    return [_met(link, one, taken) for one in sent]


def _met(link: Link, sent: Schema | None, taken: Schema | None) -> tuple[Schema | None, Schema | None]:
    """What of two contracts meets on a link; as they are where it is all of them."""
    if not (link.own or link.feeds or link.beside or link.guarded):
        return sent, taken
    pair = met(link, sent.json_schema, taken.json_schema) if sent is not None and taken is not None else None
    # Nothing meets: the link says that data flows, and not which, so there is nothing to compare.
    return (None, None) if pair is None else (Schema(pair[0]), Schema(pair[1]))


def handler_payload(handler: SchemaMethod) -> Schema | None:
    """What a handler takes as payload. A handler gets the payload whole, so its input contract describes the payload;
    where the contract's only field is the handler's only parameter, and an object, that field does."""
    schema = handler.input_schema
    if schema is None or len(schema.fields) != 1 or len(handler.parameters) != 1:
        return schema
    (name, inner), parameter = next(iter(schema.fields.items())), handler.parameters[0]
    is_object = inner.get("type") == "object" and not schema.json_schema.get("$defs")
    return Schema(inner, schema.source) if name == parameter.name and is_object else schema


def _share(producer: Schema | None, consumer: Schema | None) -> bool:
    return bool(producer and consumer and producer.fields.keys() & consumer.fields.keys())


def _methods(agents: Sequence[AgentDefinition]) -> Iterator[str]:
    for agent in agents:
        for method in agent.methods:
            yield f"{agent.name}.{method.name}"


def pattern(topic: str) -> re.Pattern[str]:
    """`*` is one segment, `**` any number of them."""
    parts = [".*" if p == "**" else re.escape(p).replace(r"\*", "[^/]*") for p in topic.split("/")]
    return re.compile("/".join(parts))
