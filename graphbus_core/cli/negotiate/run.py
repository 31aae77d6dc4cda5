"""`graphbus negotiate run`: seats models (or a script) and a person at the table, beside whoever else takes part."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from shlex import quote
from typing import Any

from graphbus_core.cli.negotiate import text
from graphbus_core.cli.negotiate.operations import EXIT_ERROR, EXIT_INTERRUPTED, EXIT_USAGE, report_failure
from graphbus_core.config import LLMConfig
from graphbus_core.errors import GraphBusError, UsageError
from graphbus_core.services.documents import Ask, NegotiationDirectory, Participant, Reply, seating
from graphbus_core.text import escape_line, format_count

EXIT_DONE, EXIT_UNFINISHED = 0, 1

GO_ON = "Every answer is kept: run the same command again to go on."


def run(directory: Path, request: seating.RunRequest, model: Mapping[str, Any], as_json: bool = False) -> int:
    """0 finished; 1 it ended without a document, or has no seat; 64 bad usage; 70 a participant that cannot answer."""
    begun = False
    try:
        llm = LLMConfig(**model)
        where = NegotiationDirectory(directory)
        mine = seating.open_or_join(where, request, seating.prepare_sources(where, llm, request))
        begun = True
        return _run_seated(where, seating.seat_participants(llm, mine), request, as_json)
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return report_failure(UsageError("Interrupted."), EXIT_INTERRUPTED, as_json, GO_ON if begun else "")
    except seating.NoSeat as e:
        return report_failure(e, EXIT_UNFINISHED, as_json)
    except UsageError as e:
        return report_failure(e, EXIT_USAGE, as_json)
    except (GraphBusError, OSError) as e:
        return report_failure(e, EXIT_ERROR, as_json, GO_ON if begun else "")


def _run_seated(
    where: NegotiationDirectory, seated: seating.SeatedNames, request: seating.RunRequest, as_json: bool
) -> int:
    judge: Participant | None = None
    if request.human and sys.stdin.isatty():
        from graphbus_core.services.questions import TerminalParticipant

        judge = TerminalParticipant()
    root_text = quote(str(where.root))
    if not as_json:
        print(f"{seated.note}\nYou can follow and take part: graphbus negotiate watch {root_text}", file=sys.stderr)

    def observe(ask: Ask, reply: Reply | None) -> None:
        if ask.kind == "rule_issue" and judge is None:
            todo = f"graphbus negotiate rule {root_text} {ask.about['issue']['issue']} --text '…'"
            print(f"{ask.to} is asked for a ruling: {todo}", file=sys.stderr, flush=True)
        elif not as_json:
            state_text = (
                "thinks" if reply is None else "answered" if reply.body is not None else f"silent ({reply.why})"
            )
            print(escape_line(f"{ask.to}: {ask.kind} {state_text}"), file=sys.stderr, flush=True)

    def report_refusal(ask: Ask, why: str) -> None:
        if not as_json:
            print(escape_line(f"{ask.to}: {ask.kind} refused: {why}"), file=sys.stderr, flush=True)

    played = seating.play(where, seated, judge, observe, report_refusal)
    _report(where, played, as_json)
    return EXIT_DONE if played.outcome.final else EXIT_UNFINISHED


def _report(where: NegotiationDirectory, played: seating.RunResult, as_json: bool) -> None:
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
        print(text.render_json(data))
        return
    if outcome.final:
        print(f"Finished after {format_count(outcome.turns, 'turn')}: {where.root / 'final.md'}")
    else:
        print(escape_line(f"It ended without a document: {outcome.why}."))
        for line in text.list_open_issues(where.read_state()):
            print(escape_line(f"  {line}"))
    counted = (
        f"{len(outcome.agreed)} agreed, {len(outcome.escalated)} escalated, "
        f"{format_count(played.answers, 'answer')} kept."
    )
    print(f"{counted} {played.sentence}".rstrip())
