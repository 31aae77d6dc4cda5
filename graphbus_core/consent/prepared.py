"""What somebody asks for, read and checked: everything that can be wrong with a decision is found here."""

from __future__ import annotations

import os
import random
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from graphbus_core.consent.files import check_writable, load_scenario, read_text, the_file
from graphbus_core.consent.seating import seats_of
from graphbus_core.errors import ScenarioError, UsageError
from graphbus_core.negotiation.consent.scenario.prompt import read_prompt
from graphbus_core.negotiation.consent.scenario.scenario import BargainingRule, Preferences, Scenario
from graphbus_core.negotiation.consent.vocabulary import MAX_TURNS, ConsentConfig
from graphbus_core.negotiation.core import Participant


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
class Prepared:
    """A negotiation about to begin. `scenario_file` is empty where it came from a prompt."""

    request: Request
    scenario: Scenario
    config: ConsentConfig
    seats: Mapping[str, Participant]
    output: Path | None
    comms: Path | None
    scenario_file: str


def prepare(request: Request | str, prompts_to_stderr: bool = False, begun: bool = False) -> Prepared:
    """Read and check everything. Raises UsageError (ScenarioError with file and line) before anyone is asked.

    `prompts_to_stderr`: people at the terminal are asked there, where stdout is for a program. `begun`: it is a run
    that was started earlier, by whatever rules then held for a start.
    """
    if isinstance(request, str):
        request = Request(request)
    scenario, file = _scenario(request)
    scenario = _as_asked(scenario, request)
    bound = request.max_turns if request.max_turns is not None else scenario.max_turns or MAX_TURNS
    # Drawn here and kept with the request: a run that is resumed must seal its ballots with the same secret, or the
    # hashes of before no longer open.
    if scenario.preferences is Preferences.PRIVATE and not begun and request.seal is None:
        request = replace(request, seal=secrets.token_hex(16))
    config = ConsentConfig(scenario, bound, work=_work(request, scenario, file))
    # A run that began under older rules goes on under them. Refusing it now would lose what people said.
    if not begun and (why := config.why_too_few()) is not None:
        place = "--max-turns" if request.max_turns is not None or not file else _place_of(request, file, "max_turns")
        raise UsageError(f"{place}: {why}.")
    out, comms = _places(request, scenario, file)
    return Prepared(request, scenario, config, _seats(request, scenario, prompts_to_stderr), out, comms, file)


def _as_asked(scenario: Scenario, request: Request) -> Scenario:
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


def _places(request: Request, scenario: Scenario, file: str) -> tuple[Path | None, Path | None]:
    """Where the document and the ledger go; both can be written there."""
    output = request.output or scenario.output
    out = Path(output) if output else None
    if out is not None:
        check_writable(out, _place_of(request, file, "output"))
    comms = Path(request.comms) if request.comms else None
    if comms is not None:
        check_writable(comms, "--comms", replaced=False)
    return out, comms


def _scenario(request: Request) -> tuple[Scenario, str]:
    source = request.source.strip()
    # A prompt can be a page of text; the system call would fail on it with a message about file names.
    path = Path(source) if source and "\n" not in source and len(source) < 4096 else None
    # A path that does not exist is still meant as one: "no such file" helps, and a decision named `storage.yml` is
    # unlikely.
    looks_like_a_file = path is not None and (
        _exists(path) or path.suffix.lower() in (".yaml", ".yml", ".xml") or (os.sep in source and " " not in source)
    )
    if looks_like_a_file and path is not None:
        path = the_file(path)
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
    return prompt.scenario(), ""


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    # A name too long, or with a null byte, raises instead of being absent. Then it is a prompt.
    except OSError:
        return False


def _work(request: Request, scenario: Scenario, file: str) -> str:
    """The text of the decision to be made."""
    named = request.work or scenario.work
    if not named:
        return ""
    path = Path(named)
    # A path in a scenario file is relative to that file, one on the command line to where the person stands.
    if request.work is None and file and not path.is_absolute():
        path = Path(file).parent / path
    try:
        return read_text(path)
    except ScenarioError as e:
        raise ScenarioError(f"{_place_of(request, file, 'work')}: {e}") from None


def _place_of(request: Request, file: str, key: str) -> str:
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


def _seats(request: Request, scenario: Scenario, prompts_to_stderr: bool) -> dict[str, Participant]:
    for name in (*request.humans, *request.models):
        if name not in scenario.names:
            raise UsageError(f"There is no advocate {name!r}; there are {', '.join(scenario.names)}.")
    chosen = {n: request.models.get(n, request.model) for n in scenario.names if n not in request.humans}
    return seats_of(scenario, request.humans, chosen, (request.seed or 0, request.seal or ""), prompts_to_stderr)
