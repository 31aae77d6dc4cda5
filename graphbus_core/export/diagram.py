"""The same picture in two languages: nodes as boxes, topics as rounded boxes, who publishes, hears and calls whom."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from graphbus_core.artifacts import ArtifactFolder
from graphbus_core.model.graph import LinkOrigin
from graphbus_core.runtime.handling.topics import matches


@dataclass
class _Picture:
    nodes: list[str] = field(default_factory=list)
    topics: list[str] = field(default_factory=list)
    # A dict and not a set: the same build must draw the same bytes, and a set of strings has another order each run.
    arrows: dict[tuple[str, str, str], None] = field(default_factory=dict)  # from, to, label; in order, once each

    def ids(self) -> dict[str, str]:
        """A name of our own for each: what people wrote may be a word of the language."""
        # `end` or `graph` as a node's name breaks Mermaid without a word of why.
        return {what: f"n{number}" for number, what in enumerate([*self.nodes, *self.topics])}


def _picture(build: ArtifactFolder) -> _Picture:
    made = _Picture([agent.name for agent in build.everyone])
    known = [topic["name"] for topic in build.topics if "*" not in topic["name"]]
    # A pattern is drawn as the topics that it stands for, and as itself only where the build has none of them.
    heard = [
        (topic, one)
        for one in build.subscriptions
        for topic in [name for name in known if matches(one.topic.name, name)] or [one.topic.name]
    ]
    made.topics = list(dict.fromkeys([*known, *(topic for topic, _ in heard)]))
    arrows = [(one.node_name, one.topic.name, "") for one in build.publications]
    arrows += [(topic, one.node_name, one.handler_name) for topic, one in heard]
    arrows += [
        (link.producer.node, link.consumer.node, f"{link.producer.method or ''} → {link.consumer.method or ''}")
        for link in build.graph.links
        # A topic is drawn by its own two arrows; a call inside a node would be a loop that says nothing.
        if link.origin is not LinkOrigin.TOPIC and not link.own and link.producer.node != link.consumer.node
    ]
    made.arrows = dict.fromkeys(arrows)
    return made


def mermaid(build: ArtifactFolder) -> str:
    """A Mermaid flowchart."""
    picture = _picture(build)
    ids = picture.ids()

    def lines() -> Iterator[str]:
        yield "flowchart LR"
        yield from (f'  {ids[name]}["{_entities(name)}"]' for name in picture.nodes)
        yield from (f'  {ids[name]}(["{_entities(name)}"])' for name in picture.topics)
        for start, end, label in picture.arrows:
            said = f'|"{_entities(label)}"|' if label else ""
            yield f"  {ids[start]} -->{said} {ids[end]}"

    return "\n".join(lines()) + "\n"


def dot(build: ArtifactFolder) -> str:
    """A Graphviz digraph."""
    picture = _picture(build)
    ids = picture.ids()

    def lines() -> Iterator[str]:
        yield "digraph graphbus {"
        yield "  rankdir=LR;"
        yield from (f'  {ids[name]} [shape=box, label="{_escaped(name)}"];' for name in picture.nodes)
        yield from (f'  {ids[name]} [shape=box, style=rounded, label="{_escaped(name)}"];' for name in picture.topics)
        for start, end, label in picture.arrows:
            said = f' [label="{_escaped(label)}"]' if label else ""
            yield f"  {ids[start]} -> {ids[end]}{said};"
        yield "}"

    return "\n".join(lines()) + "\n"


def _entities(text: str) -> str:
    """As Mermaid reads it: what ends a label or begins an entity stands as a number."""
    return "".join(f"#{ord(c)};" if c in '"#<>&`' or ord(c) < 32 else c for c in text)


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
