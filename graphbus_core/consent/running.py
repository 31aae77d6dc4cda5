"""A prepared negotiation, run to its end: log and answers are kept, the ledger is written, a document is left."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from graphbus_core.consent.files import CommsLedger, Run, write_document
from graphbus_core.consent.links import PICTURE, cleared
from graphbus_core.consent.prepared import Prepared
from graphbus_core.consent.started import start_of
from graphbus_core.negotiation.consent.rules import ConsentNegotiation
from graphbus_core.negotiation.consent.scenario.scenario import Preferences, Scenario
from graphbus_core.negotiation.consent.state import State
from graphbus_core.negotiation.consent.told.attestation import attested
from graphbus_core.negotiation.consent.told.certificate import (
    certificate,
    checkable,
    digest,
    minimums,
    proof,
    scores,
    without_numbers,
)
from graphbus_core.negotiation.consent.told.report import document, drawing, is_drawn
from graphbus_core.negotiation.consent.told.texts import HeldBackVotes, block, status_block, tellable
from graphbus_core.negotiation.consent.vocabulary import EVENTS, Outcome, PositionStated, Status
from graphbus_core.negotiation.core import Driver, Event, Session
from graphbus_core.negotiation.core.blocking import run_blocking
from graphbus_core.stores.jsonl import JsonlAnswers, JsonlLog
from graphbus_core.stores.memory import MemoryAnswers, MemoryLog

Observe = Callable[[Event], None]


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
        aside = {"stood_aside": dict(self.outcome.stood_aside)} if self.scenario.stand_aside else {}
        return {
            "status": self.outcome.status.value,
            "agreement": self.agreement,
            **aside,
            "scores": scores(self.scenario, self.scenario.outcome(self.outcome.terms)) if structured else {},
            "minimums": minimums(self.scenario),
            "turns": self.outcome.turns,
            "speaking_turns": self.outcome.speaking_turns,
            "certificate" if done else "proof": self.record,
        }


def run(prepared: Prepared, kept: Run | None = None, observe: Observe | None = None) -> Finished:
    """Negotiate to the end. `kept`: the folder that makes it survive a kill; None keeps it in memory."""
    return run_blocking(run_async(prepared, kept, observe))


async def run_async(prepared: Prepared, kept: Run | None = None, observe: Observe | None = None) -> Finished:
    """See `run`."""
    ledger = CommsLedger(prepared.comms) if prepared.comms is not None else None
    protocol = ConsentNegotiation()
    if kept is None:
        # No session on disk, no ledger position: a caller that wants nothing kept gets the same rules and the same
        # facts.
        session: Session[State, Outcome] = Session(protocol, prepared.config, MemoryLog())
        return await _drive(prepared, session, MemoryAnswers(), ledger, observe, None)
    if not (kept.folder / "run.json").exists():
        kept.keep(start_of(prepared, ledger))
    start = kept.start()
    with JsonlLog(kept.log, EVENTS, kept.id, "consent") as log, JsonlAnswers(kept.answers) as answers:
        session = Session(protocol, prepared.config, log)
        if ledger is not None:
            said = [b for e in tellable(entry.event for entry in log) if (b := block(e)) is not None]
            # Before the first new fact: a kill may have come between the log and the ledger. The log is what counts.
            ledger.catch_up(int(start.get("ledger_at", 0)), said)
        finished = await _drive(
            prepared, session, answers, ledger, observe, (kept, log, int(start.get("ledger_at", 0)))
        )
    # Kept last. A run whose record has no end is one that can be resumed.
    kept.keep({**start, "ended": finished.outcome.status.value})
    if prepared.request.links:
        if (svg := drawn(finished)) is not None:
            write_document(kept.folder / PICTURE, svg)
        cleared(kept)
    return finished


async def _drive(
    prepared: Prepared,
    session: Session[State, Outcome],
    answers: Any,
    ledger: CommsLedger | None,
    observe: Observe | None,
    on_disk: tuple[Run, JsonlLog, int] | None,
) -> Finished:
    kept, log, ledger_at = on_disk or (None, None, None)
    ballots = HeldBackVotes()
    # Facts of before a kill are taken once more: a ballot stays sealed until all of its check are in, so what may be
    # told depends on what came earlier.
    for entry in session.log:
        ballots.take(entry.event)

    # Replies are not told: only a fact has passed the rules, and only facts may be seen by others.
    def tell(what: Any, reply: Any) -> None:
        for event in ballots.take(what) if isinstance(what, Event) else ():
            said = block(event)
            if ledger is not None and said is not None:
                ledger.append(said)
            if observe is not None:
                observe(event)

    outcome = await Driver(prepared.seats, answers, observe=tell).run(session)
    entries = tuple(session.log)
    events = tuple(entry.event for entry in entries)
    bound = attested(prepared.scenario, entries, kept.id if kept else None, log.head.hash if log else None)
    finished = settle(prepared.scenario, outcome, events, bound)
    if ledger is not None:
        said = status_of(finished, prepared.output)
        if ledger_at is None:
            ledger.append(said)
        else:
            # With every block again, and not the last alone: `observe` may have been cut off between two of them.
            ledger.catch_up(ledger_at, [*[b for e in events if (b := block(e)) is not None], said])
    leave(prepared, finished, kept.log if kept else None)
    return finished


def settle(
    scenario: Scenario, outcome: Outcome, events: tuple[Event, ...], bound: Mapping[str, Any] | None = None
) -> Finished:
    """The certificate of an agreement, or the proof of a deadlock. `bound`: what it is attested by."""
    record = _record(scenario, outcome)
    # An agreement in words has no numbers. Without a log it would be a record of nothing.
    if record is not None and (bound is not None or record["kind"] != "agreement"):
        if bound is not None:
            record["attested"] = dict(bound)
        return Finished(scenario, outcome, events, record)
    return Finished(scenario, outcome, events, None)


def _record(scenario: Scenario, outcome: Outcome) -> dict[str, Any] | None:
    """What can be computed of this end; of terms in words only who agreed to them."""
    is_done = outcome.status is Status.DONE
    is_sealed = scenario.preferences is Preferences.SEALED and bool(scenario.issues)
    if not is_done:
        return proof(scenario) if checkable(scenario) and not is_sealed else None
    if is_sealed or checkable(scenario):
        made = certificate(scenario, scenario.outcome(outcome.terms), outcome.consented, tuple(outcome.stood_aside))
        # The document must not show what the seats kept: numbers were computed from what the mediator fitted, not
        # from them.
        return without_numbers(scenario, made) if is_sealed else made  # sealed: nobody gave numbers
    terms = list(outcome.terms) if isinstance(outcome.terms, tuple) else outcome.terms
    # Text cannot be computed again; the digest binds it to what was asked, and that is all it claims.
    record = {"kind": "agreement", "scenario": digest(scenario), "agreement": terms}
    aside = {"stood_aside": sorted(outcome.stood_aside)} if scenario.stand_aside else {}
    return {**record, "advocates": sorted(outcome.consented), **aside}


def leave(prepared: Prepared, finished: Finished, log: Path | None) -> None:
    """Write the document where it was asked for, and the picture beside it. `log`: the run's log, which it names."""
    if prepared.output is None:
        return
    # The picture first: a document that names a picture which is not there would fail its own verification.
    if (svg := drawn(finished)) is not None:
        write_document(picture_beside(prepared.output), svg)
    write_document(prepared.output, written(prepared, finished, log))


def drawn(finished: Finished) -> str | None:
    """The picture of an ended negotiation as SVG; None where there are no scores to draw, or they are not disclosed."""
    return drawing(finished.scenario, finished.events, finished.outcome)


def picture_beside(output: Path) -> Path:
    """Where a document's picture goes. A forge shows a file, and drops SVG that stands in Markdown."""
    return output.with_name(f"{output.stem}.picture.svg")


def written(prepared: Prepared, finished: Finished, log: Path | None = None) -> str:
    """The output document. `log`: the run's log, which it names."""
    out = str(prepared.output) if prepared.output is not None else None
    beside = prepared.output.parent if prepared.output is not None else Path()
    files = {"scenario_file": prepared.scenario_file, "log_file": str(log) if log is not None else ""}
    # Relative to the document, so that the folder can be moved or sent and still be verified.
    files = {k: os.path.relpath(v, beside) for k, v in files.items() if v}
    if prepared.output is not None and is_drawn(finished.scenario):
        files["picture_file"] = picture_beside(prepared.output).name
    return document(finished.scenario, finished.events, finished.outcome, finished.record, out, files)


def status_of(finished: Finished, output: Path | None) -> str:
    """The seed's final status block."""
    said = {e.advocate: e.priority for e in finished.events if isinstance(e, PositionStated)}
    seats = {a.name: a.priority or said.get(a.name, "") for a in finished.scenario.advocates}
    out = str(output) if output else None
    return status_block(finished.outcome.status, finished.outcome.turns, out, seats, finished.outcome.stood_aside)
