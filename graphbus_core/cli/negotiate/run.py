"""`graphbus negotiate run`: seats models (or a script) and a person at the table, beside whoever else takes part."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from shlex import quote
from typing import Any

from graphbus_core.cli.negotiate import text
from graphbus_core.cli.negotiate.ends import EXIT_ERROR, EXIT_INTERRUPTED, EXIT_USAGE, failed
from graphbus_core.config import LLMConfig
from graphbus_core.errors import GraphBusError, UsageError
from graphbus_core.shown import shown_line
from graphbus_core.workspace.tables import Ask, NegotiationDirectory, Participant, Reply, seating

EXIT_DONE, EXIT_UNFINISHED = 0, 1

GO_ON = "Every answer is kept: run the same command again to go on."


def run(directory: Path, wanted: seating.RunRequest, model: Mapping[str, Any], as_json: bool = False) -> int:
    """0 finished; 1 it ended without a document, or has no seat; 64 bad usage; 70 a participant that cannot answer."""
    begun = False
    try:
        llm = LLMConfig(**model)
        where = NegotiationDirectory(directory)
        mine = seating.opened(where, wanted, seating.readied(where, llm, wanted))
        begun = True
        return _run(where, seating.seat(llm, mine), wanted, as_json)
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return failed(UsageError("Interrupted."), EXIT_INTERRUPTED, as_json, GO_ON if begun else "")
    except seating.NoSeat as e:
        return failed(e, EXIT_UNFINISHED, as_json)
    except UsageError as e:
        return failed(e, EXIT_USAGE, as_json)
    except (GraphBusError, OSError) as e:
        return failed(e, EXIT_ERROR, as_json, GO_ON if begun else "")


def _run(where: NegotiationDirectory, seated: seating.SeatedNames, wanted: seating.RunRequest, as_json: bool) -> int:
    judge: Participant | None = None
    if wanted.human and sys.stdin.isatty():
        from graphbus_core.workspace.does import TerminalParticipant

        judge = TerminalParticipant()
    here = quote(str(where.root))
    if not as_json:
        print(f"{seated.note}\nYou can follow and take part: graphbus negotiate watch {here}", file=sys.stderr)

    def observe(ask: Ask, reply: Reply | None) -> None:
        if ask.kind == "rule_issue" and judge is None:
            todo = f"graphbus negotiate rule {here} {ask.about['issue']['issue']} --text '…'"
            print(f"{ask.to} is asked for a ruling: {todo}", file=sys.stderr, flush=True)
        elif not as_json:
            said = "thinks" if reply is None else "answered" if reply.body is not None else f"silent ({reply.why})"
            print(shown_line(f"{ask.to}: {ask.kind} {said}"), file=sys.stderr, flush=True)

    def refused(ask: Ask, why: str) -> None:
        if not as_json:
            print(shown_line(f"{ask.to}: {ask.kind} refused: {why}"), file=sys.stderr, flush=True)

    played = seating.play(where, seated, judge, observe, refused)
    _report(where, played, as_json)
    return EXIT_DONE if played.outcome.final else EXIT_UNFINISHED


def _report(where: NegotiationDirectory, played: seating.Played, as_json: bool) -> None:
    outcome = played.outcome
    if as_json:
        data = {
            "final": str(where.root / "final.md") if outcome.final else None,
            "agreed": outcome.agreed,
            "escalated": outcome.escalated,
            "turns": outcome.turns,
            "why": outcome.why,
            "answers": played.answers,
            "usage": played.usage,
        }
        print(text.as_json(data))
        return
    if outcome.final:
        print(f"Finished after {outcome.turns} turns: {where.root / 'final.md'}")
    else:
        print(shown_line(f"It ended without a document: {outcome.why}."))
        for line in text.missing(where.look()):
            print(shown_line(f"  {line}"))
    counted = f"{len(outcome.agreed)} agreed, {len(outcome.escalated)} escalated, {played.answers} answers kept."
    print(f"{counted} {played.sentence}".rstrip())
