"""What somebody asks for, read and checked: everything that can be wrong with a decision is found here."""

from __future__ import annotations

import os
import random
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from graphbus_core.errors import ScenarioError, UsageError
from graphbus_core.negotiation.consent.events import MAX_TURNS, ConsentConfig
from graphbus_core.negotiation.consent.optimum.search import require_libraries
from graphbus_core.negotiation.consent.scenario.lookalikes import compute_skeleton, find_lookalikes
from graphbus_core.negotiation.consent.scenario.model import BargainingRule, Preferences, Scenario
from graphbus_core.negotiation.consent.scenario.prompt import read_prompt
from graphbus_core.negotiation.consent.shut_ballots import BallotBox
from graphbus_core.negotiation.consent.transcript import parse_blocks
from graphbus_core.negotiation.core import Participant
from graphbus_core.sessions.consent.files import check_writable, load_scenario, read_text, resolve_scenario_file

# Who answers for whom at the table: people, models, transcripts, rules. Each is imported where it is seated.


def assign_seats(
    scenario: Scenario,
    humans: Sequence[str],
    chosen: Mapping[str, str | None],
    rules: tuple[int, str],
    prompts_to_stderr: bool,
) -> dict[str, Participant]:
    """Who answers for whom: people, models, transcripts, else the rules (which need issues to weigh).

    `chosen`: the model of each advocate that is not a person; None where nobody named one. `rules`: seed and secret of
    the rule advocates.
    """
    from graphbus_core.participants.people.terminal import TerminalAdvocate

    # One terminal for all people: two readers of one keyboard would take each other's lines.
    seats: dict[str, Participant] = dict.fromkeys(humans, TerminalAdvocate(to_stderr=prompts_to_stderr))
    model_names: dict[str, str] = {}
    for name, model in chosen.items():
        # A transcript or a desk needs no key. Asking the providers first would refuse a run that needs none of them.
        if (alone := _seat_without_model(name, model or "")) is not None:
            seats[name] = alone
        elif model not in (None, "rules"):
            model_names[name] = str(model)
    seats.update(_seat_models(model_names) if model_names else {})
    unseated = [n for n in scenario.names if n not in seats]
    # Words alone cannot be weighed by rules. Silently seating them would end in a deadlock that looks like a
    # decision.
    if unseated and not scenario.issues and "rules" not in chosen.values():
        return seats | _seat_default_models(unseated)
    if unseated:
        require_libraries("numpy")
        from graphbus_core.participants.advocates import RuleAdvocate

        seats.update({n: RuleAdvocate(*rules) for n in unseated})
    return seats


def _seat_without_model(name: str, chosen: str) -> Participant | None:
    """A transcript, a script, or whoever sits at the desk over MCP; None where a model or the rules are meant."""
    if chosen.startswith("scripted:"):
        return _seat_script(chosen.removeprefix("scripted:"), name)
    if chosen == "mcp":
        from graphbus_core.participants.people.durable_desk import FOLDER, DurableDesk, DurableDeskParticipant

        return DurableDeskParticipant(DurableDesk(Path(".graphbus") / FOLDER), "consent")
    return None


def _seat_script(file: str, name: str) -> Participant:
    from graphbus_core.participants.scripted.advocates import TranscriptAdvocate

    text = read_text(Path(file))
    # By the suffix: a transcript is plain text and may begin with anything.
    if Path(file).suffix.lower() in (".yaml", ".yml", ".json"):
        from graphbus_core.participants.scripted.advocates import read_advocate

        return read_advocate(text, file, name)
    script_blocks, _ = parse_blocks(text)
    if not any(s.kind == "ADVOCATE" for s in script_blocks):
        raise ScenarioError(
            f"{file}:1: no block `[ADVOCATE - NAME]` is here; a script is a transcript in the seed's blocks."
        )
    if not any(s.name == name for s in script_blocks):
        raise ScenarioError(f"{file}:1: it has no block of the advocate {name!r}.")
    return TranscriptAdvocate(name, script_blocks)


def _seat_models(models: Mapping[str, str]) -> dict[str, Participant]:
    from graphbus_core.config import LLMConfig
    from graphbus_core.participants.llm import choose_model, seat

    # Each model once, before anybody speaks: a key that is missing must be told now and not in turn seven.
    for model in sorted(set(models.values())):
        choose_model(os.environ, LLMConfig(model=model))
    seats = seat(LLMConfig(models=dict(models)), list(models))
    missing = [n for n in models if n not in seats]
    if missing:
        raise UsageError(f"{models[missing[0]]!r} is not a model that can be seated as {missing[0]}.")
    return seats


def _seat_default_models(names: Sequence[str]) -> dict[str, Participant]:
    """With words alone, a model must argue: the one whose key is in the environment."""
    from graphbus_core.participants.llm import choose_model

    choice = choose_model(os.environ)
    if choice.model is None:
        raise UsageError(
            f"Nobody can argue for {' and '.join(names)}: the issues are words, which rules cannot weigh. Seat a model "
            "(--model NAME, or a provider's key in the environment), a person (--human NAME), a transcript "
            "(--model scripted:FILE), or give a scenario file with issues and scores."
        )
    return _seat_models(dict.fromkeys(names, choice.model))


@dataclass(frozen=True)
class Request:
    """What somebody asks for, as the command line gives it. All of it is kept, so that a run can be resumed."""

    source: str = ""  # a prompt, or the path of a scenario
    advocates: dict[str, str] = field(default_factory=dict)  # name -> priority, beside or instead of the prompt's
    model: str | None = None
    models: dict[str, str] = field(default_factory=dict)
    humans: tuple[str, ...] = ()
    max_turns: int | None = None
    seed: int | None = None
    preferences: str | None = None
    output: str | None = None
    work: str | None = None
    comms: str | None = None
    choose: str | None = None
    stand_aside: bool | None = None  # whether somebody may let a proposal pass without supporting it
    links: bool | None = None  # people answer behind a link of their own
    deadline: str | None = None  # how long a question behind a link waits, like `3d`
    notify: str | None = None  # a command, or an address: told once of each question behind a link
    seal: str | None = None  # what the advocates' ballots are sealed with; drawn at the start where none is given


@dataclass(frozen=True)
class PreparedNegotiation:
    """A negotiation about to begin. `scenario_file` is empty where it came from a prompt."""

    request: Request
    scenario: Scenario
    config: ConsentConfig
    seats: Mapping[str, Participant]
    output: Path | None
    comms: Path | None
    scenario_file: str

    @property
    def notice(self) -> str | None:
        """What whoever starts it should know: that the turns cannot hold everybody's ballots. None: nothing."""
        is_private = self.scenario.preferences is Preferences.PRIVATE and bool(self.scenario.issues)
        rules = all(type(seat).__name__ == "RuleAdvocate" for seat in self.seats.values())
        needed = BallotBox(self.scenario.names, tuple(len(i.options) for i in self.scenario.issues)).least_turns
        if not is_private or not rules or self.config.max_turns >= needed:
            return None
        return (
            f"max_turns {self.config.max_turns} cannot hold the ballots of {len(self.seats)} advocates, so they talk "
            f"in words, which finds fewer deals. Ballots take {needed} turns: --max-turns {needed}"
        )


def prepare(request: Request | str, prompts_to_stderr: bool = False, begun: bool = False) -> PreparedNegotiation:
    """Read and check everything. Raises UsageError (ScenarioError with file and line) before anyone is asked.

    `prompts_to_stderr`: people at the terminal are asked there, where stdout is for a program. `begun`: it is a run
    that was started earlier, by whatever rules then held for a start.
    """
    if isinstance(request, str):
        request = Request(request)
    scenario, file = _load_requested_scenario(request)
    scenario = _apply_options(scenario, request)
    bound = request.max_turns if request.max_turns is not None else scenario.max_turns or MAX_TURNS
    # Drawn here and kept with the request: a run that is resumed must seal its ballots with the same secret, or the
    # hashes of before no longer open.
    if scenario.preferences is Preferences.PRIVATE and not begun and request.seal is None:
        request = replace(request, seal=secrets.token_hex(16))
    if not begun:
        _refuse_lookalikes(scenario, file or "the prompt")
        refuse_second_seats(scenario, file or "the prompt")
    config = ConsentConfig(scenario, bound, work=_read_work(request, scenario, file))
    # A run that began under older rules goes on under them. Refusing it now would lose what people said.
    if not begun and (why := config.explain_too_few_turns()) is not None:
        place = (
            "--max-turns" if request.max_turns is not None or not file else _locate_setting(request, file, "max_turns")
        )
        raise UsageError(f"{place}: {why}.")
    out, comms = _resolve_output_paths(request, scenario, file)
    return PreparedNegotiation(
        request, scenario, config, _assign_requested_seats(request, scenario, prompts_to_stderr), out, comms, file
    )


def _refuse_lookalikes(scenario: Scenario, file: str) -> None:
    """Raise ScenarioError where two advocates look the same to people: one vote could be taken for the other's."""
    if (alike := find_lookalikes(scenario.names)) is not None:
        first, second = (f"{n!r} ({n.encode('unicode_escape').decode()})" for n in alike)
        raise ScenarioError(f"{file}: two advocates look alike: {first} and {second}. Name one of them otherwise.")


def refuse_second_seats(scenario: Scenario, file: str) -> None:
    """Raise ScenarioError where somebody would sit twice: whoever counts twice in a product gets more of every deal."""
    seats: dict[str, str] = {}
    for advocate in scenario.advocates:
        person = advocate.person or advocate.name
        other = seats.setdefault(compute_skeleton(person), advocate.name)
        if other != advocate.name:
            raise ScenarioError(
                f"{file}: {other!r} and {advocate.name!r} would both be {person!r}, and one person has one seat. "
                "Put what both stand for into one advocate, or let somebody else speak for one of them."
            )


def _apply_options(scenario: Scenario, request: Request) -> Scenario:
    """The scenario with what the options of a command put in its place."""
    if request.preferences is not None:
        if request.preferences not in set(Preferences):
            raise UsageError(f"--preferences is disclosed, private or sealed, not {request.preferences!r}.")
        scenario = replace(scenario, preferences=Preferences(request.preferences))
    if request.choose is not None:
        if request.choose not in set(BargainingRule):
            raise UsageError(f"--choose is nash, leximin or kalai-smorodinsky, not {request.choose!r}.")
        scenario = replace(scenario, choose=BargainingRule(request.choose))
    if request.stand_aside is not None:
        scenario = replace(scenario, stand_aside=request.stand_aside)
    # Only the order of the seats is drawn. Who speaks first matters, and a seed makes that fair and repeatable.
    if request.seed is not None:
        seats = list(scenario.advocates)
        random.Random(request.seed).shuffle(seats)
        scenario = replace(scenario, advocates=tuple(seats))
    return scenario


def _resolve_output_paths(request: Request, scenario: Scenario, file: str) -> tuple[Path | None, Path | None]:
    """Where the document and the ledger go; both can be written there."""
    output = request.output or scenario.output
    out = Path(output) if output else None
    if out is not None:
        check_writable(out, _locate_setting(request, file, "output"))
    comms = Path(request.comms) if request.comms else None
    if comms is not None:
        check_writable(comms, "--comms", replaced=False)
    return out, comms


def _load_requested_scenario(request: Request) -> tuple[Scenario, str]:
    source = request.source.strip()
    # A prompt can be a page of text; the system call would fail on it with a message about file names.
    path = Path(source) if source and "\n" not in source and len(source) < 4096 else None
    # A path that does not exist is still meant as one: "no such file" helps, and a decision named `storage.yml` is
    # unlikely.
    looks_like_a_file = path is not None and (
        _exists(path) or path.suffix.lower() in (".yaml", ".yml", ".xml") or (os.sep in source and " " not in source)
    )
    if looks_like_a_file and path is not None:
        path = resolve_scenario_file(path)
        scenario = load_scenario(path)
        unknown = [n for n in request.advocates if n not in scenario.names]
        if unknown:
            raise ScenarioError(f"{path}: there is no advocate {unknown[0]!r}; there are {', '.join(scenario.names)}.")
        seats = tuple(replace(a, priority=request.advocates.get(a.name, a.priority)) for a in scenario.advocates)
        return replace(scenario, advocates=seats), str(path)
    if not source and not request.advocates:
        raise UsageError("Say what is to be decided: a prompt, a scenario file, or --advocate NAME=Priority twice.")
    if not source:
        # A sentence is enough to begin: the names alone say who sits there, and positions are asked for anyway.
        source = "Use negotiation for the decision at hand."
    prompt = read_prompt(source, request.advocates)
    return prompt.build_scenario(), ""


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    # A name too long, or with a null byte, raises instead of being absent. Then it is a prompt.
    except OSError:
        return False


def _read_work(request: Request, scenario: Scenario, file: str) -> str:
    """The text of the decision to be made."""
    work_file = request.work or scenario.work
    if not work_file:
        return ""
    path = Path(work_file)
    # A path in a scenario file is relative to that file, one on the command line to where the person stands.
    if request.work is None and file and not path.is_absolute():
        path = Path(file).parent / path
    try:
        return read_text(path)
    except ScenarioError as e:
        raise ScenarioError(f"{_locate_setting(request, file, 'work')}: {e}") from None


def _locate_setting(request: Request, file: str, key: str) -> str:
    """Where a setting stands: the option, the scenario file with its line, or the prompt with its line."""
    if getattr(request, key) is not None:
        return f"--{key}"
    name, text = (file, read_text(Path(file))) if file else ("the prompt", request.source)
    for number, line in enumerate(text.splitlines(), 1):
        # A plain search, since the YAML library gives no line once a value has been read. A wrong line costs a
        # glance.
        if f"{key}:" in line.lower() or f"{key}=" in line.lower():
            return f"{name}:{number}"
    return f"{name}:1"


def _assign_requested_seats(request: Request, scenario: Scenario, prompts_to_stderr: bool) -> dict[str, Participant]:
    for name in (*request.humans, *request.models):
        if name not in scenario.names:
            raise UsageError(f"There is no advocate {name!r}; there are {', '.join(scenario.names)}.")
    chosen = {n: request.models.get(n, request.model) for n in scenario.names if n not in request.humans}
    return assign_seats(scenario, request.humans, chosen, (request.seed or 0, request.seal or ""), prompts_to_stderr)
