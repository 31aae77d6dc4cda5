"""The same picture in two languages: nodes as boxes, topics as rounded boxes, who publishes, hears and calls whom."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from graphbus_core.artifacts import ArtifactFolder
from graphbus_core.model.graph import LinkOrigin
from graphbus_core.runtime.topics import matches


@dataclass
class _Diagram:
    nodes: list[str] = field(default_factory=list)
    topics: list[str] = field(default_factory=list)
    # A dict and not a set: the same build must draw the same bytes, and a set of strings has another order each run.
    arrows: dict[tuple[str, str, str], None] = field(default_factory=dict)  # from, to, label; in order, once each

    def assign_ids(self) -> dict[str, str]:
        """A name of our own for each: what people wrote may be a word of the language."""
        # `end` or `graph` as a node's name breaks Mermaid without a word of why.
        return {what: f"n{number}" for number, what in enumerate([*self.nodes, *self.topics])}


def _build_diagram(build: ArtifactFolder) -> _Diagram:
    diagram = _Diagram([agent.name for agent in build.all_agents])
    topic_names = [topic["name"] for topic in build.topics if "*" not in topic["name"]]
    # A pattern is drawn as the topics that it stands for, and as itself only where the build has none of them.
    heard_topics = [
        (topic, subscription)
        for subscription in build.subscriptions
        for topic in [name for name in topic_names if matches(subscription.topic.name, name)]
        or [subscription.topic.name]
    ]
    diagram.topics = list(dict.fromkeys([*topic_names, *(topic for topic, _ in heard_topics)]))
    arrows = [(subscription.node_name, subscription.topic.name, "") for subscription in build.publications]
    arrows += [(topic, subscription.node_name, subscription.handler_name) for topic, subscription in heard_topics]
    arrows += [
        (link.producer.node, link.consumer.node, f"{link.producer.method or ''} → {link.consumer.method or ''}")
        for link in build.graph.links
        # A topic is drawn by its own two arrows; a call inside a node would be a loop that says nothing.
        if link.origin is not LinkOrigin.TOPIC and not link.own and link.producer.node != link.consumer.node
    ]
    diagram.arrows = dict.fromkeys(arrows)
    return diagram


def render_mermaid(build: ArtifactFolder) -> str:
    """A Mermaid flowchart."""
    picture = _build_diagram(build)
    ids = picture.assign_ids()

    def render_lines() -> Iterator[str]:
        yield "flowchart LR"
        yield from (f'  {ids[name]}["{_escape_mermaid(name)}"]' for name in picture.nodes)
        yield from (f'  {ids[name]}(["{_escape_mermaid(name)}"])' for name in picture.topics)
        for start, end, label in picture.arrows:
            label_text = f'|"{_escape_mermaid(label)}"|' if label else ""
            yield f"  {ids[start]} -->{label_text} {ids[end]}"

    return "\n".join(render_lines()) + "\n"


def render_dot(build: ArtifactFolder) -> str:
    """A Graphviz digraph."""
    picture = _build_diagram(build)
    ids = picture.assign_ids()

    def render_lines() -> Iterator[str]:
        yield "digraph graphbus {"
        yield "  rankdir=LR;"
        yield from (f'  {ids[name]} [shape=box, label="{_escape_dot(name)}"];' for name in picture.nodes)
        yield from (
            f'  {ids[name]} [shape=box, style=rounded, label="{_escape_dot(name)}"];' for name in picture.topics
        )
        for start, end, label in picture.arrows:
            attributes = f' [label="{_escape_dot(label)}"]' if label else ""
            yield f"  {ids[start]} -> {ids[end]}{attributes};"
        yield "}"

    return "\n".join(render_lines()) + "\n"


def _escape_mermaid(text: str) -> str:
    """As Mermaid reads it: what ends a label or begins an entity stands as a number."""
    return "".join(f"#{ord(c)};" if c in '"#<>&`' or ord(c) < 32 else c for c in text)


def _escape_dot(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
