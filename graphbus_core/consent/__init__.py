"""Consent negotiations as a library: prepare (everything that can be wrong is found here), run, resume, read, verify.

    prepared = prepare("scenario.yaml")                    # or a game's folder, an XML domain, a prompt
    finished = run(prepared)
    finished.outcome.status, finished.agreement, finished.record

The front ends call this; the rules are `negotiation.consent`, who answers is `participants`.
"""

from __future__ import annotations

import json
import os
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from graphbus_core.consent.files import Ledger, Run, check_writable, load_scenario, read_text, the_file, write_document
from graphbus_core.errors import ScenarioError, UsageError
from graphbus_core.negotiation.consent.rules import ConsentNegotiation
from graphbus_core.negotiation.consent.scenario.prompt import read_prompt
from graphbus_core.negotiation.consent.scenario.scenario import Preferences, Scenario
from graphbus_core.negotiation.consent.state import State
from graphbus_core.negotiation.consent.told.certificate import certificate, checkable, digest, minimums, proof, scores
from graphbus_core.negotiation.consent.told.report import document
from graphbus_core.negotiation.consent.told.texts import block, status_block
from graphbus_core.negotiation.consent.told.transcript import blocks
from graphbus_core.negotiation.consent.vocabulary import (
    EVENTS,
    MAX_TURNS,
    ConsentConfig,
    Outcome,
    PositionStated,
    Status,
)
from graphbus_core.negotiation.core import Driver, Event, Participant, Session
from graphbus_core.negotiation.core.blocking import run_blocking
from graphbus_core.stores.jsonl import JsonlAnswers, JsonlLog
from graphbus_core.stores.memory import MemoryAnswers, MemoryLog

Observe = Callable[[Event], None]


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


@dataclass(frozen=True)
class Finished:
    """How it ended, with what can be computed about it."""

    scenario: Scenario
    outcome: Outcome
    events: tuple[Event, ...]
    record: dict[str, Any] | None

    @property
    def agreement(self) -> Any:
        """Issue → option, or the lines of the terms; None without one."""
        terms = self.outcome.terms
        return list(terms) if isinstance(terms, tuple) else terms

    def to_dict(self) -> dict[str, Any]:
        """What `--json` prints."""
        done = self.outcome.status is Status.DONE
        structured = done and self.scenario.issues and isinstance(self.outcome.terms, Mapping)
        return {
            "status": self.outcome.status.value,
            "agreement": self.agreement,
            "scores": scores(self.scenario, self.scenario.outcome(self.outcome.terms)) if structured else {},
            "minimums": minimums(self.scenario),
            "turns": self.outcome.turns,
            "speaking_turns": self.outcome.speaking_turns,
            "certificate" if done else "proof": self.record,
        }


# ---------------------------------------------------------------------- before the first question


def prepare(request: Request | str, prompts_to_stderr: bool = False) -> Prepared:
    """Read and check everything. Raises UsageError (ScenarioError with file and line) before anyone is asked.

    `prompts_to_stderr`: people at the terminal are asked there, where stdout is for a program.
    """
    if isinstance(request, str):
        request = Request(request)
    scenario, file = _scenario(request)
    if request.preferences is not None:
        if request.preferences not in set(Preferences):
            raise UsageError(f"--preferences is disclosed or private, not {request.preferences!r}.")
        scenario = replace(scenario, preferences=Preferences(request.preferences))
    if request.seed is not None:
        seats = list(scenario.advocates)
        random.Random(request.seed).shuffle(seats)
        scenario = replace(scenario, advocates=tuple(seats))
    bound = request.max_turns if request.max_turns is not None else scenario.max_turns or MAX_TURNS
    work = _work(request, scenario, file)
    config = ConsentConfig(scenario, bound, work=work)
    output = request.output or scenario.output
    out = Path(output) if output else None
    if out is not None:
        check_writable(out, _place_of(request, file, "output"))
    comms = Path(request.comms) if request.comms else None
    if comms is not None:
        check_writable(comms, "--comms", replaced=False)
    return Prepared(request, scenario, config, _seats(request, scenario, prompts_to_stderr), out, comms, file)


def _scenario(request: Request) -> tuple[Scenario, str]:
    source = request.source.strip()
    path = Path(source) if source and "\n" not in source and len(source) < 4096 else None
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
        source = "Use negotiation for the decision at hand."
    prompt = read_prompt(source, request.advocates)
    return prompt.scenario(), ""


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:
        return False


def _work(request: Request, scenario: Scenario, file: str) -> str:
    """The text of the decision to be made."""
    named = request.work or scenario.work
    if not named:
        return ""
    path = Path(named)
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
        if f"{key}:" in line.lower() or f"{key}=" in line.lower():
            return f"{name}:{number}"
    return f"{name}:1"


def _seats(request: Request, scenario: Scenario, prompts_to_stderr: bool) -> dict[str, Participant]:
    """Who answers for whom: people, models, transcripts, else the rules (which need issues to weigh)."""
    from graphbus_core.participants.advocates import RuleAdvocate
    from graphbus_core.participants.people.terminal import TerminalAdvocate

    for name in (*request.humans, *request.models):
        if name not in scenario.names:
            raise UsageError(f"There is no advocate {name!r}; there are {', '.join(scenario.names)}.")
    seats: dict[str, Participant] = {}
    person = TerminalAdvocate(to_stderr=prompts_to_stderr)
    for name in request.humans:
        seats[name] = person
    chosen = {n: request.models.get(n, request.model) for n in scenario.names if n not in seats}
    for name, model in chosen.items():
        if model is not None and model.startswith("scripted:"):
            seats[name] = _scripted(model.removeprefix("scripted:"), name)
    named = {n: m for n, m in chosen.items() if n not in seats and m not in (None, "rules")}
    if named:
        seats.update(_models({n: m for n, m in named.items() if m is not None}))
    left = [n for n in scenario.names if n not in seats]
    if left and not scenario.issues and "rules" not in chosen.values():
        seats.update(_default_models(left))
    for name in scenario.names:
        if name not in seats:
            seats[name] = RuleAdvocate(request.seed or 0)
    return seats


def _scripted(file: str, name: str) -> Participant:
    from graphbus_core.participants.written.transcript_seat import TranscriptAdvocate

    text = read_text(Path(file))
    if Path(file).suffix.lower() in (".yaml", ".yml", ".json"):
        from graphbus_core.participants.written.script_seat import read_script

        return read_script(text, file, name)
    said, _ = blocks(text)
    if not any(s.kind == "ADVOCATE" for s in said):
        raise ScenarioError(
            f"{file}:1: no block `[ADVOCATE - NAME]` is here; a script is a transcript in the seed's blocks."
        )
    if not any(s.name == name for s in said):
        raise ScenarioError(f"{file}:1: it has no block of the advocate {name!r}.")
    return TranscriptAdvocate(name, said)


def _models(models: Mapping[str, str]) -> dict[str, Participant]:
    from graphbus_core.config import LLMConfig
    from graphbus_core.participants.llm import choose_model, seat

    for model in sorted(set(models.values())):
        choose_model(os.environ, LLMConfig(model=model))
    seats = seat(LLMConfig(models=dict(models)), list(models))
    missing = [n for n in models if n not in seats]
    if missing:
        raise UsageError(f"{models[missing[0]]!r} is no model that can be seated as {missing[0]}.")
    return seats


def _default_models(names: Sequence[str]) -> dict[str, Participant]:
    """With words alone, a model must argue: the one whose key is in the environment."""
    from graphbus_core.participants.llm import choose_model

    choice = choose_model(os.environ)
    if choice.model is None:
        raise UsageError(
            f"Nobody can argue for {' and '.join(names)}: the issues are words, which rules cannot weigh. Seat a model "
            "(--model NAME, or a provider's key in the environment), a person (--human NAME), a transcript "
            "(--model scripted:FILE), or give a scenario file with issues and scores."
        )
    return _models(dict.fromkeys(names, choice.model))


# ---------------------------------------------------------------------- the run


def run(prepared: Prepared, kept: Run | None = None, observe: Observe | None = None) -> Finished:
    """Negotiate to the end. `kept`: the folder that makes it survive a kill; None keeps it in memory."""
    return run_blocking(run_async(prepared, kept, observe))


async def run_async(prepared: Prepared, kept: Run | None = None, observe: Observe | None = None) -> Finished:
    """See `run`."""
    ledger = Ledger(prepared.comms) if prepared.comms is not None else None
    protocol = ConsentNegotiation()
    if kept is None:
        session: Session[State, Outcome] = Session(protocol, prepared.config, MemoryLog())
        return await _drive(prepared, session, MemoryAnswers(), ledger, observe, None)
    if not (kept.folder / "run.json").exists():
        kept.keep(_start(prepared, ledger))
    start = kept.start()
    with JsonlLog(kept.log, EVENTS, kept.id, "consent") as log, JsonlAnswers(kept.answers) as answers:
        session = Session(protocol, prepared.config, log)
        if ledger is not None:
            said = [b for e in log if (b := block(e.event)) is not None]
            ledger.catch_up(int(start.get("ledger_at", 0)), said)
        finished = await _drive(prepared, session, answers, ledger, observe, int(start.get("ledger_at", 0)))
    kept.keep({**start, "ended": finished.outcome.status.value})
    return finished


async def _drive(
    prepared: Prepared,
    session: Session[State, Outcome],
    answers: Any,
    ledger: Ledger | None,
    observe: Observe | None,
    ledger_at: int | None,
) -> Finished:
    def tell(what: Any, reply: Any) -> None:
        if not isinstance(what, Event):
            return
        said = block(what)
        if ledger is not None and said is not None:
            ledger.append(said)
        if observe is not None:
            observe(what)

    outcome = await Driver(prepared.seats, answers, observe=tell).run(session)
    events = tuple(entry.event for entry in session.log)
    finished = settle(prepared.scenario, outcome, events)
    if ledger is not None:
        said = status_of(finished, prepared.output)
        if ledger_at is None:
            ledger.append(said)
        else:
            ledger.catch_up(ledger_at, [*[b for e in events if (b := block(e)) is not None], said])
    if prepared.output is not None:
        write_document(prepared.output, written(prepared, finished))
    return finished


def settle(scenario: Scenario, outcome: Outcome, events: tuple[Event, ...]) -> Finished:
    """The certificate of an agreement, or the proof of a deadlock."""
    record: dict[str, Any] | None = None
    if checkable(scenario):
        if outcome.status is Status.DONE:
            record = certificate(scenario, scenario.outcome(outcome.terms), outcome.consented)
        else:
            record = proof(scenario)
    return Finished(scenario, outcome, events, record)


def written(prepared: Prepared, finished: Finished) -> str:
    """The output document."""
    out = str(prepared.output) if prepared.output is not None else None
    source = prepared.scenario_file
    if source and prepared.output is not None:
        source = os.path.relpath(source, prepared.output.parent)
    return document(finished.scenario, finished.events, finished.outcome, finished.record, out, source)


def status_of(finished: Finished, output: Path | None) -> str:
    """The seed's final status block."""
    said = {e.advocate: e.priority for e in finished.events if isinstance(e, PositionStated)}
    seats = {a.name: a.priority or said.get(a.name, "") for a in finished.scenario.advocates}
    return status_block(finished.outcome.status, finished.outcome.turns, str(output) if output else None, seats)


def _start(prepared: Prepared, ledger: Ledger | None) -> dict[str, Any]:
    request = {k: v for k, v in vars(prepared.request).items() if v not in (None, {}, (), "")}
    return {
        "request": request,
        "scenario": _identity(prepared),
        "ledger_at": ledger.size() if ledger is not None else 0,
    }


def _identity(prepared: Prepared) -> str:
    """What must be the same for a run to be resumed."""
    texts = [[a.name, a.priority, a.rationale, a.red_line, a.willing_to_trade] for a in prepared.scenario.advocates]
    rest = [prepared.scenario.topic, texts, prepared.config.max_turns, prepared.scenario.preferences.value]
    return json.dumps([digest(prepared.scenario), rest, prepared.config.work], ensure_ascii=False)


def resume(kept: Run, prompts_to_stderr: bool = False) -> Prepared:
    """The same negotiation again, from what its folder keeps. Raises UsageError where its scenario has changed."""
    start = kept.start()
    asked = _asked(kept, start)
    prepared = prepare(Request(**asked), prompts_to_stderr)
    if _identity(prepared) != start["scenario"]:
        raise UsageError(
            f"{asked.get('source')}: the scenario is not what {kept.id} started from. Restore it, or start a new "
            "negotiation with `graphbus consent run`."
        )
    return prepared


_KEPT: dict[str, tuple[type, ...]] = {
    **dict.fromkeys(("source", "model", "preferences", "output", "work", "comms"), (str,)),
    **dict.fromkeys(("advocates", "models"), (dict,)),
    **dict.fromkeys(("max_turns", "seed"), (int,)),
    "humans": (list,),
}


def _asked(kept: Run, start: Mapping[str, Any]) -> dict[str, Any]:
    """What the run was asked for. Raises UsageError where its record is damaged."""
    asked = start.get("request")
    sound = (
        isinstance(asked, dict)
        and isinstance(start.get("scenario"), str)
        and isinstance(start.get("ledger_at", 0), int)
        and all(isinstance(value, _KEPT.get(key, ())) for key, value in asked.items())
    )
    if not sound or not isinstance(asked, dict):
        raise UsageError(f"{kept.folder / 'run.json'} is damaged: it does not say what was asked. Start anew.")
    return {**asked, "humans": tuple(asked.get("humans", ()))}


def folded(kept: Run) -> tuple[Prepared, State, tuple[Event, ...]]:
    """Where a kept run stands, without going on with it."""
    prepared = resume(kept)
    events = tuple(e.event for e in JsonlLog.read(kept.log, EVENTS)) if kept.log.exists() else ()
    session: Session[State, Outcome] = Session(ConsentNegotiation(), prepared.config, MemoryLog(events))
    return prepared, session.state, events
