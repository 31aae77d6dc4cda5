"""Who sits at the table of a build: a model, the rules, a script, a recording, a person, or the node itself."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from graphbus_core.config import BuildConfig, LLMConfig
from graphbus_core.model.agent_def import AgentDefinition
from graphbus_core.negotiation.core import Participant

if TYPE_CHECKING:
    from graphbus_core.participants.llm import Table, Watch

RULES = "rules"
HUMAN = "human"


@dataclass(frozen=True)
class Seats:
    """Participants by name. `notes` are sentences for the user: who was seated, and how to seat somebody else."""

    participants: Mapping[str, Participant]
    notes: tuple[str, ...] = ()
    model: str | None = None
    table: Table | None = field(default=None, repr=False)  # what the models share: budget and usage


def seat(
    agents: tuple[AgentDefinition, ...],
    config: BuildConfig,
    watch: Watch | None = None,
    environ: Mapping[str, str] | None = None,
    approver: Participant | None = None,
) -> Seats:
    """Seat everybody. Raises UsageError for a script that cannot be read, or a model that is not there.

    Which model speaks for an agent: `LLMConfig.models`, else `MODEL` on its class, else `--model`, else the provider
    whose key stands in the environment, else the rules.
    """
    llm = config.llm_config or LLMConfig()
    from graphbus_core.participants import llm as models

    choice = models.choose_model(os.environ if environ is None else environ, llm)
    chosen = choice.model or RULES
    wanted = {a.name: llm.models.get(a.name) or _own_model(a, llm) or chosen for a in agents}
    seats: dict[str, Participant] = {}
    table: Table | None = None
    for name in sorted(set(wanted.values())):
        names = [a for a, w in wanted.items() if w == name]
        if name == RULES:
            from graphbus_core.participants.rules import RulesParticipant

            seats.update(dict.fromkeys(names, RulesParticipant()))
        elif name.startswith("scripted:"):
            from graphbus_core.participants.scripted import scripted

            seats.update(scripted(name.partition(":")[2], names))
        elif name.startswith("recorded:"):
            from graphbus_core.participants.recorded import recorded

            seats.update(recorded(name.partition(":")[2], names))
        else:
            table = table or models.Table.of(llm, watch=watch)
            seats.update(models.seat(llm, names, model=name, table=table))
    if config.enable_human_in_loop:
        seats[HUMAN] = approver or _terminal()
    return Seats(seats, (choice.why,), None if chosen == RULES else chosen, table)


def _own_model(agent: AgentDefinition, llm: LLMConfig) -> str | None:
    """`MODEL` on the class counts, unless the user said that no model, or a script, shall speak."""
    said = llm.model or ""
    if said == RULES or said.partition(":")[0] in ("scripted", "recorded"):
        return None
    model = agent.metadata.get("model")
    return model if isinstance(model, str) else None


def _terminal() -> Participant:
    from graphbus_core.participants.human import TerminalParticipant

    return TerminalParticipant()
