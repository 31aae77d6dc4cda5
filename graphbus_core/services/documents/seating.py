"""Models or a script at a table, beside whoever else takes part: opened or joined, seated, run to its end."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from graphbus_core.config import LLMConfig
from graphbus_core.errors import ConfigError, ParticipantError, UsageError
from graphbus_core.logs.jsonl import JsonlAnswers
from graphbus_core.negotiation.core import Ask, Participant, Reply
from graphbus_core.negotiation.document.model import Settings
from graphbus_core.negotiation.document.protocol import Outcome
from graphbus_core.negotiation.document.state import State
from graphbus_core.sessions.document.directory import NegotiationDirectory
from graphbus_core.sessions.document.driver import DirectoryDriver
from graphbus_core.sessions.document.registration import (
    NAMES,
    SourceDocument,
    contains_topic,
    explain_differing_settings,
    read_plans,
    seat_models,
    write_topic,
)

SCRIPTED = "scripted:"


@dataclass(frozen=True)
class RunRequest:
    """What a run asks of its negotiation. `beside`: other agents; what is None, in `settings` too, was not given."""

    topic: str
    sources: Sequence[Path]
    beside: int | None
    human: bool
    settings: Mapping[str, Any]

    @property
    def given_settings(self) -> dict[str, Any]:
        """The settings that were given."""
        return {key: value for key, value in self.settings.items() if value is not None}


class NoSeat(UsageError):
    """There is no room for the models at this table."""


def prepare_sources(where: NegotiationDirectory, llm: LLMConfig, request: RunRequest) -> list[SourceDocument]:
    """The documents of a run. All that can be wrong with it is found here, before anything is opened.

    Raises ConfigError for a document, UsageError or ParticipantError for a model or a script that could never answer.
    """
    plans = read_plans(request.sources)
    _check_can_answer(llm, where, max(len(plans), 2) + (request.beside or 0))
    return plans


def open_or_join(where: NegotiationDirectory, request: RunRequest, plans: Sequence[SourceDocument]) -> dict[str, str]:
    """Open or join or go on; our names, each with the source that it speaks for. Raises ConfigError where what is there
    is not what is wanted, and NoSeat where there is no room."""
    count = max(len(plans), 1 if request.beside else 2)
    open_settings = {
        "expected_agents": count + (request.beside or 0),
        **request.given_settings,
        "judge": "human" if request.human else "",
    }
    result = where.init(Settings(**open_settings, drafting=not open_settings.get("rigorous")))
    ours: dict[str, str] = {}
    new = list(plans)
    if not result.data.get("initializer"):
        state = where.read_state()
        ours = {n: _find_source(state, n) for n in state.agents if state.seats.get(n) == "model"}
        if not ours and not result.ok:
            raise NoSeat(str(result.reasons[0]))
        new = _compare(where, state, request, ours, plans)
        if not ours and request.beside is None:  # we fill the table, as far as it is free
            count = max(len(plans), min(count, state.settings.expected_agents - len(state.agents)))
        elif ours:
            count = len(new)
        if result.ok:
            _bring(where, request, bool(ours))
    if new or not ours:
        seated, reasons = seat_models(where, request.topic, new, count)
        if reasons:
            raise NoSeat(str(reasons[0]))
        ours |= seated
    return ours


def _bring(where: NegotiationDirectory, request: RunRequest, topic: bool) -> None:
    """What a run may still add to a negotiation that others opened: its topic, if it sits there; a person who rules."""
    if topic and request.topic:
        write_topic(where, request.topic)
    if request.human:
        where.set_judge("human")


def _find_source(state: State, name: str) -> str:
    """The source that a seat of ours speaks for, "" for none."""
    stem = state.participants[name].removeprefix("model:")
    return stem if stem in state.sources or not stem.isdecimal() else ""


def _compare(
    where: NegotiationDirectory,
    state: State,
    request: RunRequest,
    ours: Mapping[str, str],
    plans: Sequence[SourceDocument],
) -> list[SourceDocument]:
    """The documents that have still to be brought in. Raises ConfigError for all that is asked for and cannot be."""
    known_texts = {
        *state.sources.values(),
        *filter(None, (where.read_text(f"sources/{s}.md") for s in where.shelf.list_stems("sources"))),
    }
    new = [plan for plan in plans if plan.text not in known_texts] if ours else list(plans)
    wrong = list(_explain_conflicts(where, state, request, ours, new))
    if wrong:
        raise ConfigError(
            f"{where.root} was opened before, and what you ask for is not what it has. {' '.join(wrong)} "
            "Leave that out to go on with it as it is, or name another DIR."
        )
    return new


def _explain_conflicts(
    where: NegotiationDirectory,
    state: State,
    request: RunRequest,
    ours: Mapping[str, str],
    new: Sequence[SourceDocument],
) -> Iterator[str]:
    """What is asked for and cannot be any more, in a sentence each."""
    topic = state.topic or where.read_text("topic.md") or ""
    if request.topic and (topic.strip() or ours) and not contains_topic(topic, request.topic):
        has = " ".join(topic.removeprefix("# Topic").split())[:80]
        if has:
            yield f"--topic says {request.topic!r}; it is about {has!r}."
        elif state.analyses or state.turn:
            yield "--topic: it was opened without one, and they have begun."
    free = state.settings.expected_agents - len(state.agents)
    if ours and new and (state.has_started or free < len(new)):
        had = ", ".join(f"sources/{stem}.md" for stem in state.sources) or "none"
        given_now = ", ".join(str(plan.path) for plan in new)
        yield f"{given_now} is not among its sources as it is now (it has {had}), and no seat is free for it."
    yield from explain_differing_settings(state.settings, request.given_settings)
    expected = state.settings.expected_agents
    if request.beside is not None and ours and request.beside != expected - len(ours):
        yield f"--with {request.beside}: it was opened for {expected} agents, {len(ours)} of them ours."


def _check_can_answer(llm: LLMConfig, where: NegotiationDirectory, agents: int) -> None:
    """Raises UsageError or ParticipantError for a model or a script that could never answer."""
    if llm.model and llm.model.startswith(SCRIPTED):
        from graphbus_core.participants.scripted.script import seat_scripted

        known_names = {*NAMES[: max(agents, 5)]}
        with suppress(UsageError):  # nothing there yet
            known_names.update(where.read_state().agents)
        seat_scripted(Path(llm.model.removeprefix(SCRIPTED)), (), known_names)
        return
    from graphbus_core.participants import llm as models

    name, _ = _choose_model(llm)
    models.Table.of(llm).opener(models.resolve_model_name(name), llm)


def _choose_model(llm: LLMConfig) -> tuple[str, str]:
    """The model, and why it is this one."""
    from graphbus_core.participants import llm as models

    choice = models.choose_model(os.environ, llm)
    if not choice.model or not models.is_model(choice.model):
        raise ParticipantError(
            "A document negotiation needs a model, a script or other agents: give --model PROVIDER:NAME (with its key "
            "in the environment), --model scripted:FILE, or let agents join with `graphbus negotiate start`."
        )
    return choice.model, choice.why


@dataclass(frozen=True)
class SeatedNames:
    """Who answers for each of our names. `note` says who and why; `models` keeps their account, None for a script."""

    participants: Mapping[str, Participant]
    note: str
    models: Any = None


def seat_participants(llm: LLMConfig, mine: Mapping[str, str]) -> SeatedNames:
    """Our names, each with the source that it speaks for (as `open_or_join` gives them), with whoever answers for
    them.
    """
    names = [*mine]
    if llm.model and llm.model.startswith(SCRIPTED):
        from graphbus_core.participants.scripted.script import seat_scripted

        script = Path(llm.model.removeprefix(SCRIPTED))
        return SeatedNames(seat_scripted(script, names), f"{llm.model} speaks for {', '.join(names)}.")
    from graphbus_core.participants import llm as models

    model, why = _choose_model(llm)
    table = models.Table.of(llm)
    roles = {name: f"You speak for the plan in source {stem}." for name, stem in mine.items() if stem}
    seats = models.seat(llm, names, model=model, roles=roles, table=table)
    return SeatedNames(seats, " ".join([why, *table.list_notes()]), table)


@dataclass(frozen=True)
class RunResult:
    """How a run ended. `answers`: how many are kept. `usage`, `sentence`: what the models took, empty for a script."""

    outcome: Outcome
    answers: int
    usage: Mapping[str, Any]
    sentence: str


def play(
    where: NegotiationDirectory,
    seated: SeatedNames,
    judge: Participant | None,
    observe: Callable[[Ask, Reply | None], None],
    refused: Callable[[Ask, str], None],
) -> RunResult:
    """Answer for our seats until the negotiation is over. Every answer is kept: cut off and run again, it goes on."""
    spending = seated.models.spending if seated.models is not None else None
    with JsonlAnswers(where.hidden / "answers.jsonl") as answers:
        if spending is not None:
            spending.restore(reply.usage for _, reply in answers)
        outcome = asyncio.run(
            DirectoryDriver(where, seated.participants, answers, judge, observe, refused=refused).run()
        )
        answer_count = len(answers)
    return RunResult(
        outcome, answer_count, spending.report() if spending else {}, spending.summarize() if spending else ""
    )
