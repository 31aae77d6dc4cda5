"""Who sits at the table of a build: a model, the rules, a script, a recording, a person, or the node itself."""

from __future__ import annotations

import builtins
import os
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from graphbus_core.analysis.class_context import describe_project_context
from graphbus_core.analysis.links import link_project
from graphbus_core.analysis.scan import Project, scan
from graphbus_core.artifacts.private_modules import PrivateModules
from graphbus_core.config import BuildConfig, LLMConfig
from graphbus_core.errors import ConfigError, ParticipantError
from graphbus_core.logs.memory import MemoryLog
from graphbus_core.model.agent_def import AgentDefinition
from graphbus_core.negotiation.core import Ask, Participant, Session
from graphbus_core.negotiation.proposal import ProposalConfig, ProposalProtocol
from graphbus_core.negotiation.proposal.config import DECIDER, HUMAN
from graphbus_core.negotiation.proposal.vocabulary import CommitRecord
from graphbus_core.participants import llm as models
from graphbus_core.participants.llm import Estimate, estimate, fill_missing_keys
from graphbus_core.participants.node_participant import WITHIN_S, NodeParticipant
from graphbus_core.suggestions import suggest_names

if TYPE_CHECKING:
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
        return all(
            isinstance(participant, RulesParticipant)
            for name, participant in self.participants.items()
            if name not in others
        )

    @property
    def are_rules(self) -> bool:
        """Whether rules sit at the table, who know contracts and not code: then every change is rehearsed, also what
        a model wrote, because those who judge it may not have read it."""
        return seats_rules(self.participants)


def seats_rules(participants: Mapping[str, Participant]) -> bool:
    """Whether rules are among them."""
    from graphbus_core.participants.rules import RulesParticipant

    return any(isinstance(participant, RulesParticipant) for participant in participants.values())


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
    _check_agent_names(llm.models, [a.name for a in project.agents])
    choice = models.choose_model(os.environ if environ is None else environ, llm)
    chosen = choice.model or RULES
    seats, table = _seat_speakers(project, config, llm, chosen, watch)
    voices: OwnVoices | None = None
    if any(agent.metadata.get("overrides") for agent in project.agents):
        voices = OwnVoices(project, llm.timeout_s)
        seats.update(voices.seat(seats))
    seats.update(_seat_outside([component.name for component in project.external]))
    if config.enable_human_in_loop:
        seats[HUMAN] = seats[DECIDER] = approver or _seat_terminal()
    if config.answers is not None:
        seats[DECIDER], table = _seat_decider(config.answers, llm, table, watch)
    return Seats(seats, (choice.why,), None if chosen == RULES else chosen, table, voices)


def will_rules_sit(project: Project, config: BuildConfig) -> bool:
    """Whether rules would speak for an agent (`Seats.are_rules`). Seats nobody. Raises UsageError as `seat` does."""
    llm = config.llm_config or LLMConfig()
    return RULES in _name_speakers(project, llm, models.choose_model(os.environ, llm).model or RULES).values()


def _name_speakers(project: Project, llm: LLMConfig, chosen: str) -> dict[str, str]:
    return {a.name: llm.models.get(a.name) or _find_own_model(a, llm) or chosen for a in project.agents}


def _seat_speakers(
    project: Project, config: BuildConfig, llm: LLMConfig, chosen: str, watch: Watch | None
) -> tuple[dict[str, Participant], Table | None]:
    """Who speaks for each agent, and the table that the models among them share."""
    speakers = _name_speakers(project, llm, chosen)
    seats: dict[str, Participant] = {}
    table: Table | None = None
    for name in sorted(set(speakers.values())):
        names = [agent for agent, speaker in speakers.items() if speaker == name]
        if models.is_model(name):
            table = table or models.Table.of(llm, watch=watch)
            seats.update(models.seat(llm, names, model=name, table=table))
        else:
            seats.update(_seat_without_model(name, names, [a.name for a in project.everyone], Path(config.output_dir)))
    return seats, table


def _check_agent_names(models: Mapping[str, str], agents: list[str]) -> None:
    """A model for an agent that is not there would answer nobody. Raises ConfigError with the nearest name."""
    for name, model in models.items():
        if name not in agents:
            near = suggest_names(name, agents, 3)
            raise ConfigError(
                f"--model {name}={model}: there is no agent {name}; "
                f"{'the nearest are' if near else 'the agents are'} {', '.join(near or sorted(agents)[:20])}."
            )


def _seat_without_model(name: str, names: list[str], agent_names: list[str], output: Path) -> Mapping[str, Participant]:
    kind, file, path = name.partition(":")
    if name == "mcp":
        from graphbus_core.participants.people.durable_desk import FOLDER, DurableDesk, DurableDeskParticipant

        return dict.fromkeys(names, DurableDeskParticipant(DurableDesk(output / FOLDER), "build"))
    if kind != RULES and not file:
        raise ConfigError(f"--model {name}: say which file, as in --model {kind}:FILE.")
    source = Path(path)
    if name.startswith("scripted:"):
        from graphbus_core.participants.scripted.script import seat_scripted

        return seat_scripted(source, names, agent_names)
    if name.startswith("recorded:"):
        from graphbus_core.logs.build_history import read_recording
        from graphbus_core.participants.scripted.recorded import seat_recorded

        return seat_recorded(read_recording(source), names, source.name)
    from graphbus_core.participants.rules import RulesParticipant

    return dict.fromkeys(names, RulesParticipant())


def _seat_outside(names: list[str]) -> Mapping[str, Participant]:
    """Who answers for components that are written elsewhere: their contract. They judge, and propose nothing."""
    if not names:
        return {}
    from graphbus_core.participants.rules import OutsideParticipant

    return dict.fromkeys(names, OutsideParticipant())


def _find_own_model(agent: AgentDefinition, llm: LLMConfig) -> str | None:
    """`MODEL` on the class counts, unless the user said that no model, or a script, shall speak."""
    if llm.model and not models.is_model(llm.model):
        return None
    model = agent.metadata.get("model")
    return model if isinstance(model, str) else None


def _seat_decider(
    who: str, llm: LLMConfig, table: Table | None, watch: Watch | None
) -> tuple[Participant, Table | None]:
    """Who says what is meant: a model by its name, or a file of answers."""
    if models.is_model(who) and not Path(who).exists():
        table = table or models.Table.of(llm, watch=watch)
        return models.seat(llm, [DECIDER], model=who, table=table)[DECIDER], table
    from graphbus_core.participants.scripted.script import seat_decider

    return seat_decider(who), table


def _seat_terminal() -> Participant:
    from graphbus_core.participants.people.terminal import TerminalParticipant

    return TerminalParticipant()


# What a build with agents would cost, before its first call: the questions of its first round, and their prompts.


def estimate_build(config: BuildConfig, environ: Mapping[str, str] | None = None) -> tuple[Estimate, tuple[str, ...]]:
    """The plan, and sentences for the user (who was seated and why). Nobody is asked, and nothing is written.

    Raises ScanError, and UsageError where a model was named that cannot be seated.
    """
    project = scan(config.root_package, config.include_modules, config.exclude_modules).with_whole_folder(
        config.whole_project
    )
    linked = link_project(project)
    start = ProposalConfig(
        agents=project.everyone,
        links=tuple(linked.links),
        mismatches=tuple(linked.mismatches),
        safety=config.safety_config,
        intent=config.intent,
        goals=tuple(config.refactoring_goals or ()),
        files=dict(project.files),
        around=describe_project_context(project),
    )
    environ = fill_missing_keys(config.llm_config or LLMConfig(), os.environ if environ is None else environ)
    seats = seat(project, config, environ=environ)
    if seats.voices is not None:
        seats.voices.close()
    session = Session(ProposalProtocol(), start, MemoryLog())
    session.advance()
    asks = [want for want in session.pending() if isinstance(want, Ask)]
    plan = estimate(seats.participants, asks, config.safety_config.max_negotiation_rounds, start.arbiters)
    notes = (*seats.notes, *(seats.table.list_notes() if seats.table else ()))
    return plan, notes


# The nodes of a build that speak for themselves: their classes, imported for this build alone, and whom to tell what.
#
# Every build imports the project's modules anew, from the bytes that it scanned, apart from what this process has
# imported before (`artifacts.importing`): an earlier build, or another project with a module of the same name, never
# answers. A node speaks with the voice it had when the build began, also after a commit has changed its source.


class OwnVoices:
    """The nodes of `project` that override `propose`, `evaluate` or `commit`; `within_s`: how long they may take."""

    def __init__(self, project: Project, within_s: float = WITHIN_S) -> None:
        self.project = project
        self.within_s = within_s
        self._modules = PrivateModules(
            {m.name: m for m in project.modules}, project.sources, str(project.root), {"print": _print}
        )
        self._seats: dict[str, NodeParticipant] = {}

    def seat(self, otherwise: Mapping[str, Participant]) -> Mapping[str, Participant]:
        """A participant for each of them. Raises ParticipantError for a class that cannot be imported or made."""
        try:
            for agent in self.project.agents:
                if overrides := agent.metadata.get("overrides"):
                    node = self._build_node(agent, overrides)
                    self._seats[agent.name] = NodeParticipant(node, overrides, otherwise[agent.name], self.within_s)
        except BaseException:
            self.close()
            raise
        return self._seats

    def note_commit(self, record: CommitRecord, audience: Iterable[str]) -> None:
        """Note a commit for those of `audience` that speak for themselves."""
        for name in audience:
            if name in self._seats:
                self._seats[name].note_commit(record)

    async def tell_commits(self) -> None:
        """Tell every node what was noted for it."""
        for voice in self._seats.values():
            await voice.tell_commits()

    def close(self) -> None:
        """Forget the modules."""
        self._modules.unload()

    def _build_node(self, agent: AgentDefinition, overrides: Iterable[str]) -> Any:
        """The node: this imports the user's own class, as running it would."""
        roots = [str(self.project.root / base) for base in self.project.layout.import_roots]
        sys.path[:0] = roots
        try:
            target: Any = self._modules.load(agent.module)
            for part in agent.class_name.split("."):
                target = getattr(target, part)
            node = target()
        except (Exception, SystemExit) as e:
            raise ParticipantError(
                f"{agent.name} overrides {', '.join(overrides)} and so speaks for itself, but it cannot be made: "
                f"{type(e).__name__}: {e}. Mend {agent.source_file}, or take the override out."
            ) from e
        finally:
            for root in roots:
                if root in sys.path:
                    sys.path.remove(root)
        node.name = agent.name
        node.set_mode("build")
        return node


def _print(*values: Any, file: Any = None, **how: Any) -> None:
    """`print` as these modules see it: a build's stdout is the program's (`--json`), so it goes to stderr."""
    builtins.print(*values, file=sys.stderr if file is None else file, **how)
