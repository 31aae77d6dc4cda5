"""`graphbus negotiate run`: seats models (or a script) and a person at the table, beside whoever else takes part."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from graphbus_core.cli import negotiate_text as text
from graphbus_core.cli.negotiate_commands import failed
from graphbus_core.config import LLMConfig
from graphbus_core.errors import ConfigError, GraphBusError, ParticipantError, UsageError
from graphbus_core.negotiation.core import Ask, Participant, Reply
from graphbus_core.negotiation.document.protocol import Outcome
from graphbus_core.negotiation.document.vocabulary import USUAL_NAMES, Settings
from graphbus_core.shown import shown_line
from graphbus_core.stores import directory_files as files
from graphbus_core.stores.directory import NegotiationDirectory
from graphbus_core.stores.directory_join import bring, plan
from graphbus_core.stores.directory_run import Table
from graphbus_core.stores.jsonl import JsonlAnswers

EXIT_DONE, EXIT_UNFINISHED, EXIT_USAGE, EXIT_ERROR = 0, 1, 64, 70


def run(
    directory: Path,
    topic: str,
    sources: Sequence[Path],
    model: str | None,
    beside: int,
    human: bool,
    rigorous: bool,
    settings: Mapping[str, Any],
    budget: Mapping[str, Any],
    as_json: bool = False,
) -> int:
    """0 finished; 1 it ended without a document; 64 bad usage; 70 a participant that cannot answer at all."""
    try:
        return _run(directory, topic, sources, model, beside, human, rigorous, settings, budget, as_json)
    except UsageError as e:
        return failed(str(e), EXIT_USAGE, as_json)
    except (GraphBusError, OSError) as e:
        return failed(f"{e} Run the same command again to go on.", EXIT_ERROR, as_json)


def _run(
    directory: Path,
    topic: str,
    sources: Sequence[Path],
    model: str | None,
    beside: int,
    human: bool,
    rigorous: bool,
    settings: Mapping[str, Any],
    budget: Mapping[str, Any],
    as_json: bool,
) -> int:
    where = NegotiationDirectory(directory)
    plans = [(path.stem, plan(path)) for path in sources]
    mine = _open(where, topic, plans, beside, human, rigorous, settings)
    llm = LLMConfig(model=model, **budget)
    roles = {name: f"You speak for the plan in source {stem}." for name, stem in mine.items() if stem}
    seats, table, note = _seat(llm, [*mine], roles)
    judge: Participant | None = None
    if human and sys.stdin.isatty():
        from graphbus_core.participants.human import TerminalParticipant

        judge = TerminalParticipant()
    if not as_json:
        print(f"{note}\nYou can follow and take part: graphbus negotiate watch '{where.root}'", file=sys.stderr)

    def observe(ask: Ask, reply: Reply | None) -> None:
        if not as_json:
            said = "thinks" if reply is None else "answered" if reply.body is not None else f"silent ({reply.why})"
            print(shown_line(f"{ask.to}: {ask.kind} {said}"), file=sys.stderr, flush=True)

    with JsonlAnswers(where.hidden / "answers.jsonl") as answers:
        if table is not None:
            table.ledger.restore(reply.usage for _, reply in answers)
        outcome = asyncio.run(Table(where, seats, answers, judge, observe).run())
        asked = len(answers)
    usage = table.ledger.report() if table is not None else {}
    _report(where, outcome, usage, table.ledger.sentence() if table is not None else "", asked, as_json)
    return EXIT_DONE if outcome.final else EXIT_UNFINISHED


def _open(
    where: NegotiationDirectory,
    topic: str,
    plans: Sequence[tuple[str, str]],
    beside: int,
    human: bool,
    rigorous: bool,
    settings: Mapping[str, Any],
) -> dict[str, str]:
    """Open or join or go on; our names, each with the source that it speaks for."""
    count = max(len(plans), 1 if beside else 2)
    judge = "human" if human else ""
    told = where.init(Settings(count + beside, rigorous=rigorous, drafting=not rigorous, judge=judge, **settings))
    if not told.ok:
        raise ConfigError(str(told.reasons[0]))
    state = where.look()
    ours = {n: state.participants[n].partition("model:")[2] for n in state.agents if state.seats.get(n) == "model"}
    if ours:
        return ours
    if topic:
        files.create(where.root / "topic.md", f"# Topic\n\n{topic.strip()}\n", where.hidden)
    stems = [bring(where, stem, said) for stem, said in plans]
    stems += [""] * (count - len(stems))
    names = [*USUAL_NAMES, *(f"agent-{n}" for n in range(len(USUAL_NAMES) + 1, 257))]
    for number, stem in enumerate(stems):
        for name in names:
            told = where.register(name, f"model:{stem or number}", "model")
            if told.ok:
                ours[name] = stem
                break
            if told.code != "taken":
                raise ConfigError(str(told.reasons[0]))
    return ours


def _seat(llm: LLMConfig, names: list[str], roles: Mapping[str, str]) -> tuple[Mapping[str, Participant], Any, str]:
    if llm.model and llm.model.startswith("scripted:"):
        from graphbus_core.participants.scripted import scripted

        return scripted(Path(llm.model.partition(":")[2]), names), None, f"{llm.model} speaks for {', '.join(names)}."
    from graphbus_core.participants import llm as models

    choice = models.choose_model(os.environ, llm)
    if not choice.model or not models.is_model(choice.model):
        raise ParticipantError(
            "A document negotiation needs a model, a script or other agents: give --model PROVIDER:NAME (with its key "
            "in the environment), --model scripted:FILE, or let agents join with `graphbus negotiate start`."
        )
    table = models.Table.of(llm)
    seats = models.seat(llm, names, model=choice.model, roles=roles, table=table)
    return seats, table, " ".join([choice.why, *table.notes()])


def _report(
    where: NegotiationDirectory, outcome: Outcome, usage: Mapping[str, Any], sentence: str, asked: int, as_json: bool
) -> None:
    if as_json:
        data = {
            "final": str(where.root / "final.md") if outcome.final else None,
            "agreed": outcome.agreed,
            "escalated": outcome.escalated,
            "turns": outcome.turns,
            "why": outcome.why,
            "answers": asked,
            "usage": usage,
        }
        print(text.as_json(data))
        return
    if outcome.final:
        print(f"Finished after {outcome.turns} turns: {where.root / 'final.md'}")
    else:
        print(shown_line(f"It ended without a document: {outcome.why}."))
    print(
        f"{len(outcome.agreed)} agreed, {len(outcome.escalated)} escalated, {asked} answers kept. {sentence}".rstrip()
    )
