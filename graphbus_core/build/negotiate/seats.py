"""Who sits at the table of a build: a model, the rules, a script, a recording, a person, or the node itself."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from graphbus_core.build.scan import Project
from graphbus_core.config import BuildConfig, LLMConfig
from graphbus_core.errors import ConfigError
from graphbus_core.model.agent_def import AgentDefinition
from graphbus_core.nearest import near_names
from graphbus_core.negotiation.core import Participant
from graphbus_core.negotiation.proposal.said.config import DECIDER, HUMAN
from graphbus_core.participants import llm as models

if TYPE_CHECKING:
    from graphbus_core.build.negotiate.own_voices import OwnVoices
    from graphbus_core.participants.llm import Table, Watch

RULES = "rules"


@dataclass(frozen=True)
class Seats:
    """Participants by name. `notes` are sentences for the user: who was seated, and how to seat somebody else."""

    participants: Mapping[str, Participant]
    notes: tuple[str, ...] = ()
    model: str | None = None
    table: Table | None = field(default=None, repr=False)  # what the models share: budget and usage
    voices: OwnVoices | None = field(default=None, repr=False)  # the nodes that speak for themselves

    @property
    def only_mend(self) -> bool:
        """Whether nobody here proposes anything but repairs of links that do not fit."""
        from graphbus_core.participants.rules import RulesParticipant

        others = (HUMAN, DECIDER)
        return all(isinstance(one, RulesParticipant) for name, one in self.participants.items() if name not in others)

    @property
    def are_rules(self) -> bool:
        """Whether rules sit at the table, who know contracts and not code: then every change is rehearsed, also what
        a model wrote, because those who judge it may not have read it."""
        from graphbus_core.participants.rules import RulesParticipant

        return any(isinstance(one, RulesParticipant) for one in self.participants.values())


def seat(
    project: Project,
    config: BuildConfig,
    watch: Watch | None = None,
    environ: Mapping[str, str] | None = None,
    approver: Participant | None = None,
) -> Seats:
    """Seat everybody. Raises UsageError for a script that cannot be read, or a model that is not there.

    Which model speaks for an agent: `LLMConfig.models`, else `MODEL` on its class, else `--model`, else the provider
    whose key stands in the environment, else the rules. A node that overrides `propose` or `evaluate`
    speaks for itself.
    """
    llm = config.llm_config or LLMConfig()
    _must_be_agents(llm.models, [a.name for a in project.agents])
    choice = models.choose_model(os.environ if environ is None else environ, llm)
    chosen = choice.model or RULES
    seats, table = _speakers(project, config, llm, chosen, watch)
    voices: OwnVoices | None = None
    if any(agent.metadata.get("overrides") for agent in project.agents):
        from graphbus_core.build.negotiate.own_voices import OwnVoices

        voices = OwnVoices(project, llm.timeout_s)
        seats.update(voices.seat(seats))
    seats.update(_outside([one.name for one in project.external]))
    if config.enable_human_in_loop:
        seats[HUMAN] = seats[DECIDER] = approver or _terminal()
    if config.answers is not None:
        seats[DECIDER], table = _decider(config.answers, llm, table, watch)
    return Seats(seats, (choice.why,), None if chosen == RULES else chosen, table, voices)


def _speakers(
    project: Project, config: BuildConfig, llm: LLMConfig, chosen: str, watch: Watch | None
) -> tuple[dict[str, Participant], Table | None]:
    """Who speaks for each agent, and the table that the models among them share."""
    wanted = {a.name: llm.models.get(a.name) or _own_model(a, llm) or chosen for a in project.agents}
    seats: dict[str, Participant] = {}
    table: Table | None = None
    for name in sorted(set(wanted.values())):
        names = [agent for agent, speaker in wanted.items() if speaker == name]
        if models.is_model(name):
            table = table or models.Table.of(llm, watch=watch)
            seats.update(models.seat(llm, names, model=name, table=table))
        else:
            seats.update(_without_model(name, names, [a.name for a in project.everyone], Path(config.output_dir)))
    return seats, table


def _must_be_agents(models: Mapping[str, str], agents: list[str]) -> None:
    """A model for an agent that is not there would answer nobody. Raises ConfigError with the nearest name."""
    for name, model in models.items():
        if name not in agents:
            near = near_names(name, agents, 3)
            raise ConfigError(
                f"--model {name}={model}: there is no agent {name}; "
                f"{'the nearest are' if near else 'the agents are'} {', '.join(near or sorted(agents)[:20])}."
            )


def _without_model(name: str, names: list[str], known: list[str], output: Path) -> Mapping[str, Participant]:
    kind, file, path = name.partition(":")
    if name == "mcp":
        from graphbus_core.participants.people.lasting import FOLDER, LastingDesk, LastingParticipant

        return dict.fromkeys(names, LastingParticipant(LastingDesk(output / FOLDER), "build"))
    if kind != RULES and not file:
        raise ConfigError(f"--model {name}: say which file, as in --model {kind}:FILE.")
    source = Path(path)
    if name.startswith("scripted:"):
        from graphbus_core.participants.written.scripted import scripted

        return scripted(source, names, known)
    if name.startswith("recorded:"):
        from graphbus_core.participants.written.recorded import recorded
        from graphbus_core.stores.builds.recordings import read_recording

        return recorded(read_recording(source), names, source.name)
    from graphbus_core.participants.rules import RulesParticipant

    return dict.fromkeys(names, RulesParticipant())


def _outside(names: list[str]) -> Mapping[str, Participant]:
    """Who answers for components that are written elsewhere: their contract. They judge, and propose nothing."""
    if not names:
        return {}
    from graphbus_core.participants.rules import OutsideParticipant

    return dict.fromkeys(names, OutsideParticipant())


def _own_model(agent: AgentDefinition, llm: LLMConfig) -> str | None:
    """`MODEL` on the class counts, unless the user said that no model, or a script, shall speak."""
    if llm.model and not models.is_model(llm.model):
        return None
    model = agent.metadata.get("model")
    return model if isinstance(model, str) else None


def _decider(who: str, llm: LLMConfig, table: Table | None, watch: Watch | None) -> tuple[Participant, Table | None]:
    """Who says what is meant: a model by its name, or a file of answers."""
    if models.is_model(who) and not Path(who).exists():
        table = table or models.Table.of(llm, watch=watch)
        return models.seat(llm, [DECIDER], model=who, table=table)[DECIDER], table
    from graphbus_core.participants.written.scripted import decider_of

    return decider_of(who), table


def _terminal() -> Participant:
    from graphbus_core.participants.people.human import TerminalParticipant

    return TerminalParticipant()
