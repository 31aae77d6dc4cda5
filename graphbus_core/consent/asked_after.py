"""`consent why`: the reasons of an ended negotiation, and what would have to change for another deal to win."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from graphbus_core.errors import UsageError
from graphbus_core.negotiation.consent.reasons.change import smallest_change
from graphbus_core.negotiation.consent.reasons.outcome_space import LARGEST
from graphbus_core.negotiation.consent.reasons.story import data, reasons, told
from graphbus_core.negotiation.consent.scenario.scenario import BargainingRule, Preferences, Scenario
from graphbus_core.negotiation.consent.vocabulary import Outcome, Status


@dataclass(frozen=True)
class Explanation:
    """The reasons in words and as data."""

    text: str
    data: dict[str, Any]


def asked_after(scenario: Scenario, outcome: Outcome | None, to_win: str | None = None) -> Explanation:
    """Why it was agreed; with `to_win` what would make another deal win. Raises UsageError where nobody can say."""
    if outcome is None:
        raise UsageError("It is not over yet. `graphbus consent resume` goes on with it.")
    if outcome.status is not Status.DONE:
        raise UsageError("Nothing was agreed. `graphbus consent show --document` has the proof, where there is one.")
    # Only now: an outcome that is missing is the likelier mistake, and its message the one that helps.
    _raise_where_unknown(scenario)
    agreed = scenario.outcome(outcome.terms)
    found = reasons(scenario, agreed, outcome.consented)
    if found is None:
        raise UsageError("Nobody who consented gave scores: there is nothing to compute reasons from.")
    text, plain = told(scenario, agreed, found), data(scenario, found)
    if to_win is not None:
        # Leximin and Kalai-Smorodinsky compare sorted or scaled gains: no single score change has a closed form
        # there, and
        # a searched one would be called "smallest" without a proof.
        if scenario.choose is not BargainingRule.NASH:
            raise UsageError(f"What would make another deal win is known for `choose: nash`, not {scenario.choose}.")
        wanted = _wanted(scenario, dict(outcome.terms), to_win)
        change = smallest_change(scenario, scenario.outcome(wanted), outcome.consented)
        named = ", ".join(f"{k} {v}" for k, v in wanted.items() if outcome.terms[k] != v) or "the agreed deal"
        said = "it is already as good as any" if change is None else f"it would win if {change.text}"
        text = f"{text}\n\nFor {named}: {said}."
        plain["to_win"] = {"agreement": wanted, "change": None if change is None else change.to_dict()}
    return Explanation(text, plain)


def _raise_where_unknown(scenario: Scenario) -> None:
    if not scenario.issues:
        raise UsageError(
            "The terms are text: how good they are cannot be computed. Give the decision issues and scores."
        )
    # A reason names scores. Where they are private or sealed, the reason would publish what the vote kept back.
    if scenario.preferences is not Preferences.DISCLOSED:
        raise UsageError(f"The preferences are {scenario.preferences}: reasons would give them away.")
    if scenario.size > LARGEST:
        raise UsageError(f"There are {scenario.size:.3g} possible deals; reasons are computed for up to {LARGEST}.")


def _wanted(scenario: Scenario, agreed: dict[str, str], to_win: str) -> dict[str, str]:
    """The deal that is asked about: what is named, the rest as agreed."""
    # People type issue names by hand: case and spaces at the ends are forgiven, options are not, since they may
    # differ by case.
    names = {i.name.strip().casefold(): i.name for i in scenario.issues}
    for part in to_win.split(","):
        name, mark, option = part.partition("=")
        known = names.get(name.strip().casefold())
        if not mark or known is None:
            raise UsageError(f"--to-win {part.strip()!r}: write issue=option; there are {', '.join(names.values())}.")
        agreed[known] = option.strip()
    try:
        scenario.outcome(agreed)
    except ValueError as e:
        # `from None`: the cause repeats the sentence, and a traceback helps nobody at a command line.
        raise UsageError(f"--to-win: {e}.") from None
    return agreed
