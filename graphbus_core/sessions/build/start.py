"""What a negotiation of a project starts from: the one beginning of builds and of trials."""

from __future__ import annotations

from typing import Any

from graphbus_core.analysis.links import LinkResult
from graphbus_core.analysis.scan import Project
from graphbus_core.config import BuildConfig
from graphbus_core.negotiation.proposal import ProposalConfig


def build_start(project: Project, linked: LinkResult, config: BuildConfig, **seated: Any) -> ProposalConfig:
    """The agents in the order of their activation, the links, and the bounds; `seated`: what depends on who sits
    there."""
    order = {name: i for i, name in enumerate(linked.graph.get_agent_activation_order())}
    return ProposalConfig(
        agents=tuple(sorted(project.everyone, key=lambda agent: order[agent.name])),
        links=tuple(linked.links),
        mismatches=tuple(linked.mismatches),
        safety=config.safety_config,
        intent=config.intent,
        goals=tuple(config.refactoring_goals or ()),
        human_in_loop=config.enable_human_in_loop,
        files=dict(project.files),
        dry_run=config.dry_run,
        **seated,
    )
