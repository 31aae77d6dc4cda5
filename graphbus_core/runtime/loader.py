"""`ArtifactLoader`: what was built, as the runtime wants it (seed 002 §5.2). The folder is `artifacts`' matter."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from graphbus_core.artifacts import ArtifactFolder
from graphbus_core.errors import UnknownNode
from graphbus_core.model.agent_def import AgentDefinition
from graphbus_core.model.graph import AgentGraph
from graphbus_core.model.topic import Topic
from graphbus_core.runtime.handling.topics import nearest


@dataclass(frozen=True)
class TopicData(Topic):
    """A topic of the build: its payload as JSON Schema (None: not declared), who publishes and who listens."""

    schema: dict[str, Any] | None = None
    publishers: tuple[str, ...] = ()
    subscribers: tuple[str, ...] = ()


class SubscriptionData(dict[str, str]):
    """A subscription as seed 002 §5.5 reads it, `["agent"]`, and as a `model.topic.Subscription`, `.node_name`."""

    @property
    def node_name(self) -> str:
        """Whose handler it is."""
        return self["agent"]

    @property
    def topic(self) -> Topic:
        """What it listens to."""
        return Topic(self["topic"])

    @property
    def handler_name(self) -> str:
        """The method that is called."""
        return self["handler"]


class ArtifactLoader:
    """Reads one build. Raises ArtifactError, with the file's name, if something is missing, altered or newer."""

    def __init__(self, artifacts_dir: str | Path) -> None:
        self.artifacts_dir = Path(artifacts_dir)
        self.folder = ArtifactFolder(self.artifacts_dir)

    def load_graph(self) -> AgentGraph:
        """Who needs whom; `.graph` is the networkx graph."""
        return self.folder.graph

    def load_agents(self) -> list[AgentDefinition]:
        """Every agent, with its source."""
        return list(self.folder.agents)

    def load_topics(self) -> list[TopicData]:
        """Every topic that somebody publishes to or listens to."""
        listeners: dict[str, list[str]] = {}
        for subscription in self.folder.subscriptions:
            listeners.setdefault(subscription.topic.name, []).append(subscription.node_name)
        return [
            TopicData(
                topic["name"],
                topic["schema"]["json_schema"] if topic["schema"] else None,
                tuple(topic["publishers"]),
                tuple(listeners.get(topic["name"], ())),
            )
            for topic in self.folder.topics
        ]

    def load_subscriptions(self) -> list[dict[str, str]]:
        """Who is called with what: `{"agent": …, "topic": …, "handler": …}`."""
        return [SubscriptionData(subscription.to_dict()) for subscription in self.folder.subscriptions]

    def load_build_summary(self) -> dict[str, Any]:
        """What the build said about itself."""
        return self.folder.summary

    def load_all(self) -> tuple[AgentGraph, list[AgentDefinition], list[TopicData], list[dict[str, str]]]:
        """Graph, agents, topics, subscriptions."""
        return self.load_graph(), self.load_agents(), self.load_topics(), self.load_subscriptions()

    def get_agent_by_name(self, name: str) -> AgentDefinition:
        """The agent of that name. Raises UnknownNode (a ValueError), with the nearest."""
        agents = {agent.name: agent for agent in self.folder.agents}
        if name not in agents:
            raise UnknownNode(f"Agent '{name}' not found in {self.artifacts_dir}.{nearest(name, agents)}")
        return agents[name]

    def validate_artifacts(self) -> list[str]:
        """What is wrong with the build, one sentence each; empty when it can run."""
        issues = self.folder.verify()
        if issues:
            return issues
        names = {agent.name for agent in self.folder.agents}
        issues += [
            f"{s.topic} is subscribed to by '{s.node_name}', and there is no such agent."
            for s in self.folder.subscriptions
            if s.node_name not in names
        ]
        issues += [
            f"The graph does not hold the agent '{name}'." for name in sorted(names) if name not in self.folder.graph
        ]
        modules = self.folder.modules
        issues += [
            f"The module {agent.module} of '{agent.name}' is not among the frozen sources."
            for agent in self.folder.agents
            if agent.module not in modules
        ]
        return issues
