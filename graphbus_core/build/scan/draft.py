"""What was read of one node class before every name in it is known, and what only an import can tell of it."""

from __future__ import annotations

from dataclasses import dataclass, field

from graphbus_core.model.agent_def import AgentDefinition


@dataclass(frozen=True)
class Open:
    """Something that only an import can tell. `slot` says what: `class`, `method:clean:input`, `prompt`, …"""

    slot: str
    lineno: int
    reason: str


@dataclass
class Draft:
    """A definition whose `depends_on` may still hold `module:Class`, and what is open about it."""

    agent: AgentDefinition
    open: list[Open] = field(default_factory=list)
    text: str = ""  # the agent in the form of agents.json, where that is known
