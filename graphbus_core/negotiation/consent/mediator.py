"""The mediator: with disclosed preferences it finds the best trade, the swap that helps everyone, or the deadlock.

It tables the Nash optimum: the greatest product of what each advocate gains over its minimum. With a quorum it looks
for the largest group that can be content. Its words are made of the trades that the advocates declared.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from graphbus_core.negotiation.consent.optimum.results import Deadlock, Optimum
from graphbus_core.negotiation.consent.optimum.search import (
    RULE_DESCRIPTIONS,
    choose_package,
    find_deadlock,
    find_dominator,
)
from graphbus_core.negotiation.consent.scenario.model import Advocate, BargainingRule, Package, Preferences, Scenario

MAX_GROUPS = 2_000


@dataclass(frozen=True, slots=True)
class Mediation:
    """What the mediator says: terms with their reasons, or the proof that there are none."""

    outcome: Package | None = None
    terms: dict[str, str] | None = None
    offer: str = ""
    want: str = ""
    rationale: str = ""
    deadlock: Deadlock | None = None


def mediate(scenario: Scenario) -> Mediation | None:
    """The mediator's opening, or None where it has nothing to go by (private preferences, or text alone)."""
    if scenario.preferences is not Preferences.DISCLOSED or not scenario.issues:
        return None
    if not scenario.scored_advocates and not any(a.red_lines for a in scenario.advocates):
        return None
    group, best = find_best_group(scenario)
    if best is None:
        return Mediation(deadlock=find_deadlock(scenario))
    if not scenario.scored_advocates:
        return None  # red lines alone say what cannot be, not what is best
    offer, want = describe_trades(scenario, best.outcome)
    left_out = [n for n in scenario.names if n not in group]
    rationale = _explain_quality(scenario, group, best, bool(left_out))
    if left_out:
        rationale += f". {' and '.join(left_out)} cannot be content with any terms that the others can accept"
    return Mediation(best.outcome, scenario.build_terms(best.outcome), offer, want, rationale)


def _explain_quality(scenario: Scenario, group: Sequence[str], best: Optimum, part: bool) -> str:
    """What may be said of the deal: that it is the best, only where that is proved."""
    if scenario.choose is not BargainingRule.NASH:
        among = f" among {' and '.join(group)}" if part else ""
        caveat = "" if best.gap <= 0 else ", as far as the solver's time allowed to tell"
        return f"{RULE_DESCRIPTIONS[scenario.choose]}{among}{caveat}"
    who = f"what {' and '.join(group)} gain over their minimums" if part else "what each gains over its minimum"
    if best.gap > 0:
        return (
            f"The greatest known product of {who}. The solver's time ran out: "
            f"the best possible product is at most {describe_bound(best)} as great"
        )
    lose = "none of them can gain without another of them losing" if part else "nobody can gain without another losing"
    return f"The greatest product of {who}; {lose}"


def describe_bound(best: Optimum) -> str:
    """How many times as great as what is known the best possible value is at most, in words."""
    if best.bound is None or best.value <= 0:
        return "any number of times"
    times = best.bound / best.value
    return f"{times:.3g} times" if times < 1e6 else "over a million times"


def find_best_group(scenario: Scenario) -> tuple[tuple[str, ...], Optimum | None]:
    """The largest group of advocates that can be content together and is enough, and its best package."""
    everyone = scenario.names
    optimum = choose_package(scenario)
    if optimum is not None:
        return everyone, optimum
    for size in range(len(everyone) - 1, scenario.quorum_size - 1, -1):
        best: tuple[float, tuple[str, ...], Optimum] | None = None
        for group in iterate_groups(scenario, size):
            optimum = choose_package(scenario, group)
            if optimum is not None:
                worth = _compute_fair_share(scenario, group, optimum)
                if best is None or worth > best[0]:
                    best = (worth, group, optimum)
        if best is not None:
            return best[1], best[2]
    return everyone, None


def iterate_groups(scenario: Scenario, size: int) -> Iterator[tuple[str, ...]]:
    """Every group of that size with all vetoes in it, in canonical order, as far as `MAX_GROUPS`."""
    vetoes = {a.name for a in scenario.advocates if a.veto}
    count = 0
    for group in combinations(scenario.names, size):
        if vetoes <= set(group):
            yield group
            count += 1
            if count >= MAX_GROUPS:
                return


def _compute_fair_share(scenario: Scenario, group: Sequence[str], nash: Optimum) -> float:
    """The product of surpluses, each as a share of what its advocate could gain: comparable between groups."""
    scored = [a for a in scenario.scored_advocates if a.name in group]
    shares = []
    for seat, score in zip(scored, nash.scores, strict=True):
        least = seat.minimum if seat.minimum is not None else sum(min(r) for r in seat.scores or ())
        room = sum(max(r) for r in seat.scores or ()) - least
        shares.append(max(0.0, score - least) / room if room > 0 else 1.0)
    return math.prod(shares) ** (1 / len(shares)) if shares else 0.0


def find_swap(scenario: Scenario, outcome: Package) -> Mediation | None:
    """The swap from this outcome that makes someone better off and nobody worse, in words; None: it is efficient."""
    if scenario.preferences is not Preferences.DISCLOSED or not scenario.scored_advocates:
        return None
    better = find_dominator(scenario, outcome)
    if better is None:
        return None
    changed = [
        f"{issue.name} {issue.options[new]} instead of {issue.options[old]}"
        for issue, old, new in zip(scenario.issues, outcome, better, strict=True)
        if old != new
    ]
    offer, want = describe_trades(scenario, better)
    gains = [a.name for a in scenario.scored_advocates if a.score(better) > a.score(outcome) + 1e-9]
    rationale = f"{'; '.join(changed)}: better for {' and '.join(gains)}, worse for nobody"
    return Mediation(better, scenario.build_terms(better), offer, want, rationale)


def describe_trades(scenario: Scenario, outcome: Package) -> tuple[str, str]:
    """Who gives what and who gets what, from the declared trades; else from what each wanted most."""
    gives, gets = [], []
    for seat in scenario.advocates:
        give, get = _list_declared_trades(scenario, seat, outcome)
        if not give and not get:
            give, get = _list_wanted_options(scenario, seat, outcome)
        if give:
            gives.append(f"{seat.name}: {', '.join(give)}")
        if get:
            gets.append(f"{seat.name}: {', '.join(get)}")
    return "; ".join(gives), "; ".join(gets)


def _list_declared_trades(scenario: Scenario, seat: Advocate, outcome: Package) -> tuple[list[str], list[str]]:
    give: list[str] = []
    get: list[str] = []
    for trade in seat.trades:
        if all(outcome[i] == o for i, o in trade.give.items()) and all(outcome[i] == o for i, o in trade.get.items()):
            give += [f"{scenario.issues[i].name} {scenario.issues[i].options[o]}" for i, o in trade.give.items()]
            get += [f"{scenario.issues[i].name} {scenario.issues[i].options[o]}" for i, o in trade.get.items()]
    return list(dict.fromkeys(give)), list(dict.fromkeys(get))


def _list_wanted_options(scenario: Scenario, seat: Advocate, outcome: Package) -> tuple[list[str], list[str]]:
    give: list[str] = []
    get: list[str] = []
    for i, row in enumerate(seat.scores or ()):
        if max(row) - min(row) <= 1e-9:
            continue
        name = f"{scenario.issues[i].name} {scenario.issues[i].options[outcome[i]]}"
        (get if row[outcome[i]] >= max(row) - 1e-9 else give).append(name)
    return give, get
