"""A consent negotiation as front ends show it: what stands, who said what, the frontier, the record of its end."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from graphbus_core import consent
from graphbus_core.consent.asked_after import asked_after
from graphbus_core.consent.files import Run
from graphbus_core.errors import GraphBusError
from graphbus_core.negotiation.consent.optimum.best import frontier, is_separable
from graphbus_core.negotiation.consent.scenario.scenario import Outcome, Preferences, Scenario
from graphbus_core.negotiation.consent.told.picture import share
from graphbus_core.negotiation.consent.told.texts import block

# A chart of some hundred pixels cannot show more, and the exact frontier may have thousands.
POINTS = 400  # of the frontier, as many as a chart can tell apart
ENUMERATED = 1_000_000  # outcomes that may be looked at one by one


def told_consent(kept: Run, state: str, detail: str) -> dict[str, Any]:
    """All of one. `state` is what this process knows of it: running, ended, stopped, failed or unfinished."""
    prepared, folded, events = consent.folded(kept)
    finished = consent.finished_of(kept, prepared, folded)
    scenario, standing = prepared.scenario, folded.standing
    said = []
    for event in events:
        text = block(event)
        if text is not None:
            # Read back from the seed's blocks, so that the page shows the words that the ledger has, and no second
            # wording.
            kind, _, who = text.partition("]")[0].lstrip("[").partition(" - ")
            said.append({"who": who.partition(":")[0], "kind": kind.lower(), "text": text.partition("\n")[2]})
    outcome = finished.outcome if finished else None
    return {
        "id": kept.id,
        "topic": scenario.topic,
        "state": "ended" if outcome else state,
        "status": outcome.status.value if outcome else "RUNNING",
        "detail": detail,
        "preferences": scenario.preferences.value,
        "turns": folded.turns,
        "max_turns": folded.config.max_turns,
        "advocates": [
            {"name": a.name, "priority": a.priority, "person": a.name in prepared.request.humans}
            for a in scenario.advocates
        ],
        # The log knows whether it ended. What this process remembers may be older.
        "issues": [{"name": i.name, "title": i.title, "options": list(i.options)} for i in scenario.issues],
        "said": said,
        "standing": None
        if standing is None
        else {"number": standing.number, "terms": _terms(standing.terms), "objections": dict(standing.objections)},
        "agreement": _terms(finished.agreement) if finished and finished.agreement is not None else None,
        "frontier": _frontier(scenario, finished),
        "record": dict(finished.record) if finished and finished.record else None,
    }


def told_reasons(kept: Run, to_win: str | None = None) -> dict[str, Any]:
    """Why it was agreed, and with `to_win` (`issue=option, …`) what would make that deal win. Raises UsageError where
    nobody can say: it is not over, nothing was agreed, or the reasons would give preferences away."""
    prepared, folded, _ = consent.folded(kept)
    finished = consent.finished_of(kept, prepared, folded)
    answered = asked_after(prepared.scenario, finished.outcome if finished else None, to_win)
    # The words hold a table for a terminal; here the same figures stand in `seats`.
    words, _, rest = answered.text.partition("\n\n|")
    change = rest.rpartition("\n\n")[2] if to_win is not None else None
    return {"words": words, "change": change, "seats": answered.data["advocates"]}


def _terms(terms: Any) -> list[dict[str, str | None]]:
    """Issue and option, or lines of words with no issue."""
    if isinstance(terms, Mapping):
        return [{"issue": str(k), "says": str(v)} for k, v in terms.items()]
    return [{"issue": None, "says": str(line)} for line in ([terms] if isinstance(terms, str) else terms)]


def _frontier(scenario: Scenario, finished: consent.Finished | None) -> list[dict[str, Any]]:
    """Efficient outcomes by their mean and least satisfaction, and the agreement. Empty where preferences are not told:
    a chart would give away what their owners keep to themselves."""
    if scenario.preferences is not Preferences.DISCLOSED or not scenario.scored or not scenario.issues:
        return []
    try:
        if scenario.size > ENUMERATED and not is_separable(scenario):
            return []
        points = [_point(scenario, outcome, False) for outcome, _ in frontier(scenario, at_most=POINTS).points]
        if finished is not None and isinstance(finished.outcome.terms, Mapping):
            points.append(_point(scenario, scenario.outcome(finished.outcome.terms), True))
    except GraphBusError:
        return []  # numpy is missing: the rest is told all the same
    return points


def _point(scenario: Scenario, outcome: Outcome, agreed: bool) -> dict[str, Any]:
    # Clamped: below its minimum a share is negative, and a chart of shares ends at nought.
    shares = [min(1.0, max(0.0, share(seat, outcome))) for seat in scenario.scored]
    terms = scenario.terms(outcome)
    return {"mean": sum(shares) / len(shares), "least": min(shares), "agreed": agreed, "terms": _terms(terms)}
