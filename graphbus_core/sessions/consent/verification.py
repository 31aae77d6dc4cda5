"""`verify`: a document, a certificate or a proof, held against its scenario and against the log that it speaks of.

Numbers are computed again from the scenario. What was agreed, by whom, when and after how many turns is in the log
alone: with it every line of a document is made again and compared; without it nothing is attested.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from graphbus_core.errors import GraphBusError, LogDamaged, ScenarioError
from graphbus_core.logs.jsonl import LogReader, inspect_log
from graphbus_core.logs.memory import MemoryLog
from graphbus_core.negotiation.consent.certificate import build_attestation, find_log_faults
from graphbus_core.negotiation.consent.events import EVENTS, MAX_TURNS, ConsentConfig, Outcome
from graphbus_core.negotiation.consent.protocol import ConsentProtocol
from graphbus_core.negotiation.consent.report import (
    compare_documents,
    compare_with_record,
    draw_picture,
    extract_record,
    parse_record,
    render_document,
)
from graphbus_core.negotiation.consent.scenario.model import BargainingRule, Preferences, Scenario
from graphbus_core.negotiation.consent.state import State
from graphbus_core.negotiation.consent.verification import compare_record_parts, verify_record
from graphbus_core.negotiation.core import Entry, Session
from graphbus_core.sessions.consent.files import Run, load_scenario, read_text
from graphbus_core.sessions.consent.preparation import PreparedNegotiation
from graphbus_core.sessions.consent.runner import read_start, resume


@dataclass(frozen=True)
class VerificationResult:
    # Two booleans and not one: numbers may hold while nobody can say that the talk happened. Both are told apart in
    # the report.
    """What `verify` found. `attested`: the log was there and bears everything out."""

    kind: str
    wrong: tuple[str, ...]
    numbers: bool  # whether all that the scenario tells holds
    attested: bool
    against: str  # what it was computed from, for people
    why_not: str = ""  # why nothing is attested

    @property
    def holds(self) -> bool:
        """Whether every claim holds, and the log says so."""
        return not self.wrong and self.attested


@dataclass(frozen=True)
class _Log:
    path: Path
    run: Run | None
    entries: tuple[Entry, ...]
    head: str


def verify_file(file: str, scenario: str | None = None, log: str | None = None) -> VerificationResult:
    """Check each claim of the file. Raises UsageError where file, scenario or log cannot be read."""
    text = read_text(Path(file))
    record = _parse_record(text, file)
    negotiation_log = _find_log(record, Path(file), log)
    table, against, prepared = _find_scenario(record, Path(file), scenario, negotiation_log)
    wrong = verify_record(table, record) + _compare_start(table, negotiation_log)
    if negotiation_log is None:
        wrong += _compare_page(text, table, record)
        # The numbers alone attest nothing: whoever made the file could have made them from the scenario without any
        # vote.
        return VerificationResult(
            str(record.get("kind")), tuple(wrong), not wrong, False, against, "the log is not here"
        )
    numbers = not wrong
    if negotiation_log.entries:
        wrong += _compare_with_log(text, record, table, prepared, negotiation_log)
        wrong += _compare_picture(
            record, Path(file), prepared.scenario if prepared is not None else table, negotiation_log
        )
    else:
        # A fault is found by more than one road; each sentence is told once, in the order it was found.
        wrong.append(f"the log {negotiation_log.path} holds no fact")
    return VerificationResult(str(record.get("kind")), tuple(dict.fromkeys(wrong)), numbers, not wrong, against)


def _compare_page(text: str, table: Scenario, record: Mapping[str, Any]) -> list[str]:
    """What a document says otherwise than its own record; nothing for a record that stands alone."""
    if text.lstrip().startswith("{"):
        return []
    try:
        return compare_with_record(text, table, record)
    # The record comes from outside and may have any shape. What is wrong with it has been told.
    except (KeyError, TypeError, ValueError, AttributeError):
        return ["the page cannot be made again from its record"]


def _parse_record(text: str, file: str) -> dict[str, Any]:
    try:
        record = parse_record(text) if text.lstrip().startswith("{") else extract_record(text)
    except ValueError as e:
        raise ScenarioError(f"{file}:1: the record in it cannot be read ({e}).") from None
    # The first edition nested the record under its kind. Its documents must still verify.
    if isinstance(record, dict) and "kind" not in record:
        record = record.get("certificate") or record.get("proof")
    if not isinstance(record, dict):
        raise ScenarioError(f"{file}:1: there is neither a certificate nor a proof in it.")
    return record


def _find_log(record: Mapping[str, Any], file: Path, log_argument: str | None) -> _Log | None:
    """The log that was given, or that the record names beside the file; None where it is not there."""
    log_name = log_argument or record.get("log_file")
    if not isinstance(log_name, str) or not log_name:
        return None
    path = Path(log_name) if log_argument else file.parent / log_name
    path = path / "log.jsonl" if path.is_dir() else path
    if not path.is_file():
        # A log that was named on the command line must be there; one that a document names may have stayed on another
        # machine.
        if log_argument:
            raise ScenarioError(f"{path}: there is no such log. Give a negotiation's folder, or its log.jsonl.")
        return None
    inspection = inspect_log(path)
    # A damaged log is not evidence for either side, so it is an error and not a list of differences.
    if inspection.damage is not None or inspection.header is None or inspection.header.get("protocol") != "consent":
        raise LogDamaged(
            f"{path} is not a whole log of a consent negotiation: {inspection.damage or 'another protocol'}."
        )
    run = Run(path.parent) if (path.parent / "run.json").is_file() else None
    return _Log(path, run, tuple(LogReader(path, EVENTS)), inspection.hash)


def _find_scenario(
    record: Mapping[str, Any], file: Path, scenario_argument: str | None, log: _Log | None
) -> tuple[Scenario, str, PreparedNegotiation | None]:
    """The scenario that the claim is about: as given, as the record names it, or as the run began."""
    prepared = None
    if log is not None and log.run is not None:
        try:
            prepared = resume(log.run)
        except GraphBusError:
            prepared = None  # its scenario file has moved or changed: what is computed again will say so
    scenario_name = scenario_argument or record.get("scenario_file")
    if isinstance(scenario_name, str) and scenario_name:
        path = Path(scenario_name) if scenario_argument else file.parent / scenario_name
        return _apply_run_options(load_scenario(path), record, prepared, log), str(path), prepared
    if prepared is not None:
        return prepared.scenario, f"the request of {log.run.id if log and log.run else ''}", prepared
    raise ScenarioError(f"{file}:1: it names no scenario. Give it with --scenario FILE, or the run with --log.")


def _compare_start(table: Scenario, log: _Log | None) -> list[str]:
    """What the scenario says otherwise than the run that began from it: its topic, its advocates and their words."""
    if log is None or log.run is None:
        return []
    try:
        topic, texts = read_start(log.run)
    except GraphBusError:
        return [f"{log.run.folder / 'run.json'} does not say what the run began from"]
    wrong = [] if topic == table.topic else [f"the run was about {topic!r}, and the scenario is about {table.topic!r}"]
    now = sorted([a.name, a.priority, a.rationale, a.red_line, a.willing_to_trade] for a in table.advocates)
    if sorted(texts) != now:
        wrong.append("the run began with other advocates, or other words of theirs, than stand in the scenario")
    return wrong


def _apply_run_options(
    scenario: Scenario, record: Mapping[str, Any], prepared: PreparedNegotiation | None, log: _Log | None
) -> Scenario:
    """The file's scenario with what a command's options put in its place: as the run was asked, else as is claimed."""
    if prepared is not None:
        return replace(scenario, choose=prepared.scenario.choose, stand_aside=prepared.scenario.stand_aside)
    choice = record.get("choice")
    claimed = choice.get("rule") if isinstance(choice, Mapping) else None
    opened = "stood_aside" in record or record.get("stand_aside") is True
    # Else a claim could open the vote after the fact: a document that says "stand aside was allowed" would make it
    # so.
    if log is not None and log.run is not None:  # the run knows what its command was given: a claim is not enough
        request = log.run.read_record().get("request")
        opened = isinstance(request, Mapping) and request.get("stand_aside") is True
    scenario = replace(scenario, stand_aside=True) if opened else scenario
    return replace(scenario, choose=BargainingRule(claimed)) if claimed in set(BargainingRule) else scenario


def _compare_with_log(
    text: str, record: dict[str, Any], table: Scenario, prepared: PreparedNegotiation | None, log: _Log
) -> list[str]:
    # Facts are judged first by the negotiation's own rules: a log can be whole and hashed, and still hold a vote out
    # of turn.
    events = tuple(e.event for e in log.entries)
    config = prepared.config if prepared is not None else _build_config(table, record)
    wrong = find_log_faults(config, events)
    session: Session[State, Outcome] = Session(ConsentProtocol(), config, MemoryLog(events))
    outcome = session.outcome
    if outcome is None:
        return wrong
    # The first edition attested nothing. Its documents are compared in what they do have.
    first_edition = "attested" not in record
    if not first_edition:
        name = log.run.id if log.run is not None else record["attested"].get("log")
        fresh = build_attestation(config.scenario, log.entries, name, log.head)
        wrong += compare_record_parts(fresh, record["attested"], "attested")
    if "preferences" in record:
        wrong += compare_record_parts(config.scenario.preferences.value, record["preferences"], "preferences")
    if outcome.status == "DONE":
        # JSON has no tuples: the record holds a list, and a tuple would differ from it.
        terms = list(outcome.terms) if isinstance(outcome.terms, tuple) else outcome.terms
        wrong += compare_record_parts(terms, record.get("agreement"), "agreement")
        wrong += compare_record_parts(sorted(outcome.consented), record.get("advocates"), "advocates")
        wrong += compare_record_parts(sorted(outcome.stood_aside), list(record.get("stood_aside", ())), "stood_aside")
        wrong += compare_record_parts(sorted(outcome.forfeited), list(record.get("forfeited", ())), "forfeited")
    elif record.get("kind") in ("certificate", "agreement"):
        wrong.append("the log's negotiation ended without an agreement")
    if text.lstrip().startswith("{"):
        return wrong
    out = _find_output(prepared, text)
    files: dict[str, str] = {k: str(record[k]) for k in ("scenario_file", "log_file", "picture_file") if k in record}
    plain = {k: v for k, v in record.items() if k not in files}
    try:
        expected = render_document(config.scenario, events, outcome, plain, out, files)
    # The record comes from outside and may have any shape. What is wrong with it has been collected above.
    except (KeyError, TypeError, ValueError, AttributeError):
        return wrong  # the record is not one: what is wrong with it has been said
    return wrong + compare_documents(text, expected, whole=not first_edition)


def _compare_picture(record: Mapping[str, Any], file: Path, table: Scenario, log: _Log) -> list[str]:
    """The picture beside the document, drawn again and compared; a document of the first edition holds its own."""
    picture_name = record.get("picture_file")
    if picture_name is None:
        return []
    path = file.parent / str(picture_name)
    # A path in a record must not lead anywhere else: `..` would let a document have any file of the machine read.
    if Path(str(picture_name)).name != picture_name or not path.is_file():
        return [f"the picture {picture_name} is not beside it"]
    events = tuple(e.event for e in log.entries)
    # Ten thousand turns: the bound of the run is not in the document, and a lower one would end the fold too early.
    outcome = Session[State, Outcome](ConsentProtocol(), ConsentConfig(table, 10_000), MemoryLog(events)).outcome
    expected = draw_picture(table, events, outcome) if outcome is not None else None
    return (
        [] if expected is None or read_text(path) == expected else [f"the picture {picture_name} shows something else"]
    )


def _build_config(table: Scenario, record: Mapping[str, Any]) -> ConsentConfig:
    claimed = record.get("preferences") or (record.get("attested") or {}).get("preferences")
    if claimed in set(Preferences):
        table = replace(table, preferences=Preferences(claimed))
    # As above: the fold must reach the end that the log reached.
    return ConsentConfig(table, max(table.max_turns or MAX_TURNS, 10_000))


def _find_output(prepared: PreparedNegotiation | None, text: str) -> str | None:
    """What the document's status names as its place: as the run was asked, else as it says itself."""
    if prepared is not None:
        return str(prepared.output) if prepared.output is not None else None
    for line in text.splitlines():
        if line.startswith("OUTPUT: "):
            output = line.removeprefix("OUTPUT: ").strip()
            return None if output == "none" else output
    return None
