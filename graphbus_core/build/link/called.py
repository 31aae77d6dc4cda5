"""Links that calls show, in the form in which links are checked; and what joined producers leave to each other."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from graphbus_core.build.understand.project import Seen
from graphbus_core.model.agent_def import AgentDefinition
from graphbus_core.model.graph import Endpoint, Link, LinkOrigin
from graphbus_core.model.schema import Schema

# People look at two or three. All of a common call would fill the log of a build.
MAX_EVIDENCE = 5  # places of one link that are shown


def called_links(seen: Iterable[Seen], agents: Mapping[str, AgentDefinition]) -> list[Link]:
    """One link for each pair of ends that calls join."""
    return [_link(one, agents) for one in seen if _known(one, agents)]


def _known(one: Seen, agents: Mapping[str, AgentDefinition]) -> bool:
    return all(
        end.component in agents and agents[end.component].method(end.method) is not None
        for end in (one.producer, one.consumer)
    )


def _link(one: Seen, agents: Mapping[str, AgentDefinition]) -> Link:
    link = Link(
        Endpoint(one.producer.component, one.producer.method),
        Endpoint(one.consumer.component, one.consumer.method),
        LinkOrigin.CALL,
        tuple(str(e) for e in one.evidence[:MAX_EVIDENCE]),
        own=one.own,
    )
    flows = [f for f in one.flows if f.exact]
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


def joined(links: Sequence[Link], agents: Mapping[str, AgentDefinition]) -> list[Link]:
    """Links with what the other producers of the same method give set beside.

    Producers are joined where the method names several in `@depends_on`, or where one call takes from several. A
    field that none of them gives is missed by those that have something left to offer, else by the first.
    """
    by_consumer: dict[Endpoint, list[Link]] = {}
    for link in links:
        if _joins(link):
            # By consumer, since what is missing is missing at the one that takes.
            by_consumer.setdefault(link.consumer, []).append(link)
    changed: dict[str, Link] = {}
    for consumer, some in by_consumer.items():
        if len({link.producer for link in some}) > 1:
            changed.update({link.id: link for link in _shared(consumer, some, agents)})
    return [changed.get(link.id, link) for link in links]


def _joins(link: Link) -> bool:
    whole = link.origin is LinkOrigin.CALL and not link.feeds
    return not link.own and (link.origin is LinkOrigin.METHOD or whole)


def _shared(consumer: Endpoint, links: list[Link], agents: Mapping[str, AgentDefinition]) -> Iterable[Link]:
    method = agents[consumer.node].method(consumer.method or "")
    taken = method.input_schema if method is not None else None
    sent = {link.id: _output(link, agents) for link in links}
    # With one contract unknown nobody can say what that side gives, so nothing is counted as missing.
    if taken is None or any(schema is None for schema in sent.values()):
        yield from links
        return
    given = {key: frozenset(s.fields) for key, s in sent.items() if s is not None}
    always = {key: s.required for key, s in sent.items() if s is not None}
    missing = taken.required - frozenset().union(*given.values())
    # One is blamed and not all: a fault that is told three times looks like three.
    blamed = [link.id for link in links if given[link.id] - taken.fields.keys()] or [links[0].id]
    for link in links:
        others = frozenset().union(*(always[key] for key in always if key != link.id))
        beside = (others - given[link.id]) | (missing if link.id not in blamed else frozenset())
        yield replace(link, beside=tuple(sorted({*link.beside, *(beside & taken.fields.keys())})))


def _output(link: Link, agents: Mapping[str, AgentDefinition]) -> Schema | None:
    method = agents[link.producer.node].method(link.producer.method or "")
    return method.output_schema if method is not None else None
