"""A kept run read again: its request and its log, whether it is to go on or only to be shown."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from graphbus_core.consent.files import Run
from graphbus_core.consent.prepared import Prepared, Request, prepare
from graphbus_core.consent.running import Finished, settle
from graphbus_core.consent.started import identity
from graphbus_core.errors import UsageError
from graphbus_core.negotiation.consent.rules import ConsentNegotiation
from graphbus_core.negotiation.consent.state import State
from graphbus_core.negotiation.consent.told.attestation import attested
from graphbus_core.negotiation.consent.vocabulary import EVENTS, Outcome
from graphbus_core.negotiation.core import Event, Session
from graphbus_core.stores.jsonl import JsonlLog
from graphbus_core.stores.log_reading import inspect_log
from graphbus_core.stores.memory import MemoryLog


def resume(kept: Run, prompts_to_stderr: bool = False) -> Prepared:
    """The same negotiation again, from what its folder keeps. Raises UsageError where its scenario has changed."""
    start = kept.start()
    asked = _asked(kept, start)
    # By the same road as a fresh one, so that there is one place where a request is judged.
    prepared = prepare(Request(**asked), prompts_to_stderr, begun=True)
    # Answers were given to another question. Going on would record consent to terms that nobody saw.
    if identity(prepared) != start["scenario"]:
        raise UsageError(
            f"{asked.get('source')}: the scenario is not what {kept.id} started from. Restore it, or start a new "
            "negotiation with `graphbus consent run`."
        )
    return prepared


# Types by name: the record is a file that people can edit, and a list where a number was would fail far from here.
_KEPT: dict[str, tuple[type, ...]] = {
    **dict.fromkeys(
        ("source", "model", "preferences", "output", "work", "comms", "seal", "choose", "deadline", "notify"), (str,)
    ),
    **dict.fromkeys(("advocates", "models"), (dict,)),
    **dict.fromkeys(("max_turns", "seed"), (int,)),
    "humans": (list,),
    **dict.fromkeys(("links", "stand_aside"), (bool,)),
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
    # JSON has no tuples, and a request compares as one.
    return {**asked, "humans": tuple(asked.get("humans", ()))}


def folded(kept: Run) -> tuple[Prepared, State, tuple[Event, ...]]:
    """Where a kept run stands, without going on with it."""
    prepared = resume(kept)
    events = tuple(e.event for e in JsonlLog.read(kept.log, EVENTS)) if kept.log.exists() else ()
    session: Session[State, Outcome] = Session(ConsentNegotiation(), prepared.config, MemoryLog(events))
    return prepared, session.state, events


def finished_of(kept: Run, prepared: Prepared, state: State) -> Finished | None:
    """How a kept run ended, with its record and what attests it; None where it has not."""
    if state.outcome is None:
        return None
    entries = tuple(JsonlLog.read(kept.log, EVENTS))
    bound = attested(prepared.scenario, entries, kept.id, inspect_log(kept.log).hash)
    return settle(prepared.scenario, state.outcome, tuple(e.event for e in entries), bound)
