"""A prepared negotiation, run to its end: log and answers are kept, the ledger is written, a document is left."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from graphbus_core.errors import UsageError
from graphbus_core.logs.jsonl import JsonlAnswers, JsonlLog, inspect_log
from graphbus_core.logs.memory import MemoryAnswers, MemoryLog
from graphbus_core.negotiation.consent.certificate import (
    build_attestation,
    build_certificate,
    build_proof,
    compute_digest,
    compute_scores,
    is_checkable,
    list_minimums,
    strip_numbers,
)
from graphbus_core.negotiation.consent.events import EVENTS, Outcome, PositionStated, Status
from graphbus_core.negotiation.consent.protocol import ConsentProtocol
from graphbus_core.negotiation.consent.report import draw_picture, has_picture, render_document
from graphbus_core.negotiation.consent.scenario.model import Preferences, Scenario
from graphbus_core.negotiation.consent.state import State
from graphbus_core.negotiation.consent.transcript import VoteBuffer, filter_tellable, render_block, render_status_block
from graphbus_core.negotiation.core import Driver, Event, Session
from graphbus_core.negotiation.core.driver import run_blocking
from graphbus_core.sessions.consent.files import CommsLedger, Run, write_document
from graphbus_core.sessions.consent.preparation import PreparedNegotiation, Request, prepare
from graphbus_core.sessions.consent.seat_links import PICTURE, clear_desk

# What a kept run started from: written at its start, compared when somebody goes on with it.


def build_start_record(prepared: PreparedNegotiation, ledger: CommsLedger | None) -> dict[str, Any]:
    """What a run keeps of how it began, so that it can be resumed."""
    # What is empty is left out, so that a field of a later edition does not make an old record look damaged.
    request = {k: v for k, v in vars(prepared.request).items() if v not in (None, {}, (), "")}
    return {
        "request": request,
        "scenario": compute_identity(prepared),
        "ledger_at": ledger.size() if ledger is not None else 0,
    }


def compute_identity(prepared: PreparedNegotiation) -> str:
    """What must be the same for a run to be resumed."""
    # Words count beside the digest: the digest covers what can be computed, and a changed priority is another
    # negotiation.
    texts = [[a.name, a.priority, a.rationale, a.red_line, a.willing_to_trade] for a in prepared.scenario.advocates]
    rest = [prepared.scenario.topic, texts, prepared.config.max_turns, prepared.scenario.preferences.value]
    return json.dumps([compute_digest(prepared.scenario), rest, prepared.config.work], ensure_ascii=False)


def read_start(run: Run) -> tuple[str, list[Any]]:
    """The topic that a run began with, and its advocates, each with its words. Raises UsageError."""
    try:
        _, (topic, texts, *_), _ = json.loads(run.read_record()["scenario"])
    except (KeyError, TypeError, ValueError):
        raise UsageError(f"{run.folder / 'run.json'} does not say what the run began from") from None
    return topic, texts


Observe = Callable[[Event], None]


@dataclass(frozen=True)
class FinishedNegotiation:
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
        is_done = self.outcome.status is Status.DONE
        structured = is_done and self.scenario.issues and isinstance(self.outcome.terms, Mapping)
        aside: dict[str, Any] = {"stood_aside": dict(self.outcome.stood_aside)} if self.scenario.stand_aside else {}
        if self.outcome.forfeited:
            aside["forfeited"] = list(self.outcome.forfeited)
        return {
            "status": self.outcome.status.value,
            "agreement": self.agreement,
            **aside,
            "scores": compute_scores(self.scenario, self.scenario.parse_terms(self.outcome.terms))
            if structured
            else {},
            "minimums": list_minimums(self.scenario),
            "turns": self.outcome.turns,
            "speaking_turns": self.outcome.speaking_turns,
            "certificate" if is_done else "proof": self.record,
        }


def run(prepared: PreparedNegotiation, kept: Run | None = None, observe: Observe | None = None) -> FinishedNegotiation:
    """Negotiate to the end. `kept`: the folder that makes it survive a kill; None keeps it in memory."""
    return run_blocking(run_async(prepared, kept, observe))


async def run_async(
    prepared: PreparedNegotiation, kept: Run | None = None, observe: Observe | None = None
) -> FinishedNegotiation:
    """See `run`."""
    ledger = CommsLedger(prepared.comms) if prepared.comms is not None else None
    protocol = ConsentProtocol()
    if kept is None:
        # No session on disk, no ledger position: a caller that wants nothing kept gets the same rules and the same
        # facts.
        session: Session[State, Outcome] = Session(protocol, prepared.config, MemoryLog())
        return await _run_session(prepared, session, MemoryAnswers(), ledger, observe, None)
    if not (kept.folder / "run.json").exists():
        kept.write_record(build_start_record(prepared, ledger))
    start = kept.read_record()
    with JsonlLog(kept.log, EVENTS, kept.id, "consent") as log, JsonlAnswers(kept.answers) as answers:
        session = Session(protocol, prepared.config, log)
        if ledger is not None:
            ledger_blocks = [
                b for e in filter_tellable(entry.event for entry in log) if (b := render_block(e)) is not None
            ]
            # Before the first new fact: a kill may have come between the log and the ledger. The log is what counts.
            ledger.catch_up(int(start.get("ledger_at", 0)), ledger_blocks)
        finished = await _run_session(
            prepared, session, answers, ledger, observe, (kept, log, int(start.get("ledger_at", 0)))
        )
    # Kept last. A run whose record has no end is one that can be resumed.
    kept.write_record({**start, "ended": finished.outcome.status.value})
    if prepared.request.links:
        if (svg := draw_outcome(finished)) is not None:
            write_document(kept.folder / PICTURE, svg)
        clear_desk(kept)
    return finished


async def _run_session(
    prepared: PreparedNegotiation,
    session: Session[State, Outcome],
    answers: Any,
    ledger: CommsLedger | None,
    observe: Observe | None,
    on_disk: tuple[Run, JsonlLog, int] | None,
) -> FinishedNegotiation:
    stored_run, log, ledger_at = on_disk or (None, None, None)
    ballots = VoteBuffer()
    # Facts of before a kill are taken once more: a ballot stays sealed until all of its check are in, so what may be
    # told depends on what came earlier.
    for entry in session.log:
        ballots.take(entry.event)

    # Replies are not told: only a fact has passed the rules, and only facts may be seen by others.
    def tell(what: Any, reply: Any) -> None:
        for event in ballots.take(what) if isinstance(what, Event) else ():
            block_text = render_block(event)
            if ledger is not None and block_text is not None:
                ledger.append(block_text)
            if observe is not None:
                observe(event)

    outcome = await Driver(prepared.seats, answers, observe=tell).run(session)
    entries = tuple(session.log)
    events = tuple(entry.event for entry in entries)
    bound = build_attestation(
        prepared.scenario, entries, stored_run.id if stored_run else None, log.head.hash if log else None
    )
    finished = conclude_negotiation(prepared.scenario, outcome, events, bound)
    if ledger is not None:
        status_text = render_status(finished, prepared.output)
        if ledger_at is None:
            ledger.append(status_text)
        else:
            # With every block again, and not the last alone: `observe` may have been cut off between two of them.
            ledger.catch_up(ledger_at, [*[b for e in events if (b := render_block(e)) is not None], status_text])
    write_outputs(prepared, finished, stored_run.log if stored_run else None)
    return finished


def conclude_negotiation(
    scenario: Scenario, outcome: Outcome, events: tuple[Event, ...], bound: Mapping[str, Any] | None = None
) -> FinishedNegotiation:
    """The certificate of an agreement, or the proof of a deadlock. `bound`: what it is attested by."""
    record = _build_record(scenario, outcome)
    # An agreement in words has no numbers. Without a log it would be a record of nothing.
    if record is not None and (bound is not None or record["kind"] != "agreement"):
        if bound is not None:
            record["attested"] = dict(bound)
        return FinishedNegotiation(scenario, outcome, events, record)
    return FinishedNegotiation(scenario, outcome, events, None)


def _build_record(scenario: Scenario, outcome: Outcome) -> dict[str, Any] | None:
    """What can be computed of this end; of terms in words only who agreed to them."""
    is_done = outcome.status is Status.DONE
    is_sealed = scenario.preferences is Preferences.SEALED and bool(scenario.issues)
    if not is_done:
        return build_proof(scenario) if is_checkable(scenario) and not is_sealed else None
    if is_sealed or is_checkable(scenario):
        full_certificate = build_certificate(
            scenario,
            scenario.parse_terms(outcome.terms),
            outcome.consented,
            tuple(outcome.stood_aside),
            outcome.forfeited,
        )
        # The document must not show what the seats kept: numbers were computed from what the mediator fitted, not
        # from them.
        return (
            strip_numbers(scenario, full_certificate) if is_sealed else full_certificate
        )  # sealed: nobody gave numbers
    terms = list(outcome.terms) if isinstance(outcome.terms, tuple) else outcome.terms
    # Text cannot be computed again; the digest binds it to what was asked, and that is all it claims.
    record = {"kind": "agreement", "scenario": compute_digest(scenario), "agreement": terms}
    aside = {"stood_aside": sorted(outcome.stood_aside)} if scenario.stand_aside else {}
    return {**record, "advocates": sorted(outcome.consented), **aside}


def write_outputs(prepared: PreparedNegotiation, finished: FinishedNegotiation, log: Path | None) -> None:
    """Write the document where it was asked for, and the picture beside it. `log`: the run's log, which it names."""
    if prepared.output is None:
        return
    # The picture first: a document that names a picture which is not there would fail its own verification.
    if (svg := draw_outcome(finished)) is not None:
        write_document(build_picture_path(prepared.output), svg)
    write_document(prepared.output, render_output_document(prepared, finished, log))


def draw_outcome(finished: FinishedNegotiation) -> str | None:
    """The picture of an ended negotiation as SVG; None where there are no scores to draw, or they are not disclosed."""
    return draw_picture(finished.scenario, finished.events, finished.outcome)


def build_picture_path(output: Path) -> Path:
    """Where a document's picture goes. A forge shows a file, and drops SVG that stands in Markdown."""
    return output.with_name(f"{output.stem}.picture.svg")


def render_output_document(
    prepared: PreparedNegotiation, finished: FinishedNegotiation, log: Path | None = None
) -> str:
    """The output document. `log`: the run's log, which it names."""
    out = str(prepared.output) if prepared.output is not None else None
    beside = prepared.output.parent if prepared.output is not None else Path()
    files = {"scenario_file": prepared.scenario_file, "log_file": str(log) if log is not None else ""}
    # Relative to the document, so that the folder can be moved or sent and still be verified.
    files = {k: os.path.relpath(v, beside) for k, v in files.items() if v}
    if prepared.output is not None and has_picture(finished.scenario):
        files["picture_file"] = build_picture_path(prepared.output).name
    return render_document(finished.scenario, finished.events, finished.outcome, finished.record, out, files)


def render_status(finished: FinishedNegotiation, output: Path | None) -> str:
    """The seed's final status block."""
    stated_priorities = {e.advocate: e.priority for e in finished.events if isinstance(e, PositionStated)}
    seats = {a.name: a.priority or stated_priorities.get(a.name, "") for a in finished.scenario.advocates}
    out = str(output) if output else None
    return render_status_block(
        finished.outcome.status, finished.outcome.turns, out, seats, finished.outcome.stood_aside
    )


# A kept run read again: its request and its log, whether it is to go on or only to be shown.


def resume(kept: Run, prompts_to_stderr: bool = False) -> PreparedNegotiation:
    """The same negotiation again, from what its folder keeps. Raises UsageError where its scenario has changed."""
    start = kept.read_record()
    request_data = _read_request(kept, start)
    # By the same road as a fresh one, so that there is one place where a request is judged.
    prepared = prepare(Request(**request_data), prompts_to_stderr, begun=True)
    # Answers were given to another question. Going on would record consent to terms that nobody saw.
    if compute_identity(prepared) != start["scenario"]:
        raise UsageError(
            f"{request_data.get('source')}: the scenario is not what {kept.id} started from. Restore it, or "
            f"start a new "
            "negotiation with `graphbus consent run`."
        )
    return prepared


# Types by name: the record is a file that people can edit, and a list where a number was would fail far from here.
_REQUEST_TYPES: dict[str, tuple[type, ...]] = {
    **dict.fromkeys(
        ("source", "model", "preferences", "output", "work", "comms", "seal", "choose", "deadline", "notify"), (str,)
    ),
    **dict.fromkeys(("advocates", "models"), (dict,)),
    **dict.fromkeys(("max_turns", "seed"), (int,)),
    "humans": (list,),
    **dict.fromkeys(("links", "stand_aside"), (bool,)),
}


def _read_request(stored_run: Run, start: Mapping[str, Any]) -> dict[str, Any]:
    """What the run was asked for. Raises UsageError where its record is damaged."""
    request_data = start.get("request")
    sound = (
        isinstance(request_data, dict)
        and isinstance(start.get("scenario"), str)
        and isinstance(start.get("ledger_at", 0), int)
        and all(isinstance(value, _REQUEST_TYPES.get(key, ())) for key, value in request_data.items())
    )
    if not sound or not isinstance(request_data, dict):
        raise UsageError(f"{stored_run.folder / 'run.json'} is damaged: it does not say what was asked. Start anew.")
    # JSON has no tuples, and a request compares as one.
    return {**request_data, "humans": tuple(request_data.get("humans", ()))}


def replay_run(stored_run: Run) -> tuple[PreparedNegotiation, State, tuple[Event, ...]]:
    """Where a kept run stands, without going on with it."""
    prepared = resume(stored_run)
    events = tuple(e.event for e in JsonlLog.open_reader(stored_run.log, EVENTS)) if stored_run.log.exists() else ()
    session: Session[State, Outcome] = Session(ConsentProtocol(), prepared.config, MemoryLog(events))
    return prepared, session.state, events


def load_finished_negotiation(
    stored_run: Run, prepared: PreparedNegotiation, state: State
) -> FinishedNegotiation | None:
    """How a kept run ended, with its record and what attests it; None where it has not."""
    if state.outcome is None:
        return None
    entries = tuple(JsonlLog.open_reader(stored_run.log, EVENTS))
    bound = build_attestation(prepared.scenario, entries, stored_run.id, inspect_log(stored_run.log).hash)
    return conclude_negotiation(prepared.scenario, state.outcome, tuple(e.event for e in entries), bound)
