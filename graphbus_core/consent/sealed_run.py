"""A sealed negotiation from its first question to its document: the folder that keeps it, the seats, the vote."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from graphbus_core.consent.asking import Asking, Tell, opened, vote
from graphbus_core.consent.away import behind_links
from graphbus_core.consent.files import CommsLedger, Run
from graphbus_core.consent.links import cleared
from graphbus_core.consent.prepared import Prepared
from graphbus_core.consent.running import Finished, leave, settle, status_of
from graphbus_core.consent.started import start_of
from graphbus_core.negotiation.consent.optimum.best import need
from graphbus_core.negotiation.consent.scenario.scenario import MinimumScore, Scenario
from graphbus_core.negotiation.consent.told.attestation import attested
from graphbus_core.negotiation.consent.told.texts import block
from graphbus_core.negotiation.consent.vocabulary import EVENTS
from graphbus_core.negotiation.core import Participant
from graphbus_core.negotiation.core.blocking import run_blocking
from graphbus_core.stores.jsonl import JsonlLog


def asked_seats(
    prepared: Prepared, to_stderr: bool = False, kept: Run | None = None, tell: Tell = lambda text: None
) -> dict[str, Participant]:
    """Who answers for whom: the models that were named, programs for seats with scores, people.

    People sit at the terminal; where the run was asked to, each behind a link of its own (`kept`: the run's folder).
    """
    # Before anybody is asked: a missing library after ten answers would throw a person's time away.
    need("numpy", "highspy")
    from graphbus_core.participants.advocates.asked import AskedTerminal, TableSeat

    request, person = prepared.request, AskedTerminal(to_stderr=to_stderr)
    seats: dict[str, Participant] = {}
    for seat in prepared.scenario.advocates:
        model = request.models.get(seat.name, request.model)
        if model not in (None, "rules") and seat.name not in request.humans:
            seats[seat.name] = prepared.seats[seat.name]
        # A program answers from the table beside the seat, and the mediator never sees that table: it learns by
        # questions,
        # so that a run with people and one with tables prove the same thing.
        elif seat.scored and seat.name not in request.humans:
            seats[seat.name] = TableSeat(prepared.scenario, seat)
        else:
            seats[seat.name] = person
    if request.links and kept is not None:
        people = [n for n, p in seats.items() if p is person]
        seats.update(dict.fromkeys(people, behind_links(prepared, kept, people, tell)))
    return seats


def without_tables(scenario: Scenario) -> Scenario:
    """The decision as the mediator sees it: a table that stands beside a seat stays with that seat."""
    seats = []
    # A red line on a score says what the table says. It goes with the table, or the mediator could read it off.
    for seat in scenario.advocates:
        lines = tuple(line for line in seat.red_lines if not isinstance(line.rule, MinimumScore))
        seats.append(replace(seat, scores=None, conditionals=(), minimum=None, red_lines=lines))
    return replace(scenario, advocates=tuple(seats))


def ask_everyone(
    prepared: Prepared, kept: Run, seats: Mapping[str, Participant], tell: Tell = lambda text: None
) -> Finished:
    """Questions, then the vote. What was answered before a kill is not asked again."""
    return run_blocking(ask_everyone_async(prepared, kept, seats, tell))


async def ask_everyone_async(
    prepared: Prepared, kept: Run, seats: Mapping[str, Participant], tell: Tell = lambda text: None
) -> Finished:
    """See `ask_everyone`."""
    ledger = CommsLedger(prepared.comms) if prepared.comms is not None else None
    if not (kept.folder / "run.json").exists():
        kept.keep(start_of(prepared, ledger))
    at = int(kept.start().get("ledger_at", 0))
    # The mediator and the vote get the bare scenario alone. The full one is used again only for seats and for the
    # record.
    bare = without_tables(prepared.scenario)
    asking = Asking(bare, seats, kept.folder / "seats", prepared.request.seed or 0, tell)
    mediator = await asking.begin()
    bound = await asking.run(mediator)
    with JsonlLog(kept.log, EVENTS, kept.id, "consent") as log:
        outcome = await vote(asking, mediator, bound, opened(asking.scenario, prepared.config.max_turns, log))
        entries = tuple(log)
        bound_to = attested(prepared.scenario, entries, kept.id, log.head.hash)
    events = tuple(e.event for e in entries)
    finished = settle(prepared.scenario, outcome, events, bound_to)
    if ledger is not None:
        # `catch_up` and not `append`: a run killed between vote and document writes only the blocks that are missing.
        ledger.catch_up(at, [*[b for e in events if (b := block(e)) is not None], status_of(finished, prepared.output)])
    leave(prepared, finished, kept.log)
    # Last, so that a run without `ended` is one whose document may be missing: resuming it writes the document again.
    kept.keep({**kept.start(), "ended": outcome.status.value})
    if prepared.request.links:
        cleared(kept)
    return finished
