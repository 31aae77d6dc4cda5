"""The sealed mediator over random tables: how good its deals are, what its bound is worth, what a listener learns."""

from __future__ import annotations

import asyncio
import random
import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from benchmarks._consent_tables import correlation, domain, interval, truth
from graphbus_core.logs.memory import MemoryLog
from graphbus_core.negotiation.consent.scenario.model import Advocate, Conditional, Preferences, Scenario
from graphbus_core.negotiation.core import Ask, Reply, View
from graphbus_core.participants.advocates.elicitation_seats import ScoreTableSeat
from graphbus_core.sessions.consent.elicitation import PreferenceElicitation, hold_vote, open_session, strip_tables

Row = Callable[[str, str, str, bool], None]


class Careless(ScoreTableSeat):
    """Truthful, but every third grade between the ends is a step off."""

    def __init__(self, scenario: Scenario, seat: Advocate, seed: int) -> None:
        super().__init__(scenario, seat)
        self.rng = random.Random(f"careless:{seed}:{seat.name}")
        self.shown = 0  # answers that were shown back

    async def answer(self, ask: Ask, view: View) -> Reply:
        """As the table says, nearly. Shown answers that cannot all be meant, it takes the last one back."""
        if ask.kind == "contradiction":
            self.shown += 1
            return Reply({"choice": len(ask.about["answers"])})
        reply = await super().answer(ask, view)
        grades = (reply.body or {}).get("grades")
        if not isinstance(grades, list):
            return reply
        off = [g if g in (0, 10) or self.rng.random() > 1 / 3 else g + self.rng.choice((-1, 1)) for g in grades]
        return Reply({"grades": [min(9, max(1, o)) if o != g else g for o, g in zip(off, grades, strict=True)]})


def drawn(seed: int) -> Scenario:
    """Three to six parties, four to six issues of three to five options, minimums at 10 to 40 % of the way."""
    rng = random.Random(f"sealed:{seed}")
    base = domain(500 + seed)
    seats = []
    for a in base.advocates:
        low, high = sum(map(min, a.scores or ())), sum(map(max, a.scores or ()))
        seats.append(replace(a, minimum=low + rng.uniform(0.1, 0.4) * (high - low), red_lines=()))
    return replace(base, topic=f"sealed {seed}", advocates=tuple(seats), preferences=Preferences.SEALED)


def entangled(seed: int) -> Scenario:
    """The same table, where to about half of the parties an option is worth more, or less, beside one of another issue.

    By up to a third of what all its scores can add up to; to the others all adds up.
    """
    rng = random.Random(f"entangled:{seed}")
    base = drawn(seed)
    seats = []
    for a in base.advocates:
        room = a.ceiling - a.least
        first, second = rng.sample(range(len(base.issues)), 2)
        when = {i: frozenset({rng.randrange(len(base.issues[i].options))}) for i in (first, second)}
        score = rng.choice((-1, 1)) * rng.uniform(0.1, 0.33) * room
        seats.append(replace(a, conditionals=(Conditional(when, score),)) if rng.random() < 0.5 else a)
    return replace(base, topic=f"entangled {seed}", advocates=tuple(seats))


def measure_entangled(seed: int) -> tuple[float, float, float] | None:
    """Loss of the tabled package, the bound that is stated, and the bound that all adding up would have stated."""
    scenario = entangled(seed)
    shape = tuple(len(i.options) for i in scenario.issues)
    packages = list(np.ndindex(shape))
    gains = np.array([[max(0.0, a.score(p) - a.floor) for p in packages] for a in scenario.advocates]).prod(axis=0)
    if gains.max() <= 0:
        return None
    seats = {a.name: ScoreTableSeat(scenario, a) for a in scenario.advocates}
    asking = PreferenceElicitation(strip_tables(scenario), seats, None, seed)

    async def run() -> tuple[Any, float, float]:
        mediator = await asking.begin()
        bound = await asking.run(mediator)
        standing = mediator.choose_package()
        return standing.package if standing else None, bound, mediator.compute_bound()

    package, bound, additive = asyncio.run(run())
    loss = 1 - float(gains[packages.index(package)] / gains.max()) if package is not None else 1.0
    return loss, bound, additive


def listened(scenario: Scenario, said: list[dict[str, Any]], agreed: Any) -> tuple[list[float], list[float]]:
    """What somebody rebuilds of each party's scores: from the agreed deal alone, and from all public words.

    From the deal: what it holds is liked. From the words also: what a party objected to, and what was tabled. The
    better of several ways of counting them stands, a party at a time.
    """
    known = truth(scenario)
    packages = np.indices(known.shape).reshape(len(known.shape), -1).T

    def like(terms: Any) -> Any:
        return (packages == np.array(scenario.parse_terms(terms))).sum(axis=1).astype(float)

    tabled = {f["number"]: like(f["terms"]) for f in said if f["fact"] == "proposal_tabled"}
    alone, all_words = [], []
    for n, name in enumerate(scenario.names):
        truth_of = known.scores[n]
        first = correlation(like(agreed), truth_of) if agreed is not None else 0.0
        no = sum((tabled[f["number"]] for f in said if f["fact"] == "objected" and f["advocate"] == name), 0.0)
        yes = sum((tabled[f["number"]] for f in said if f["fact"] == "consented" and f["advocate"] == name), 0.0)
        tried = [t for t in (yes - no, yes - 0.3 * no, 0.0 - no, sum(tabled.values())) if not np.isscalar(t)]
        alone.append(first)
        all_words.append(max([first, *(correlation(t, truth_of) for t in tried)]))
    return alone, all_words


def _whole(scenario: Scenario, seats: dict[str, Any], seed: int) -> tuple[Any, float, Any, Any, PreferenceElicitation]:
    asking = PreferenceElicitation(strip_tables(scenario), seats, None, seed)

    async def run() -> tuple[Any, float, Any, Any]:
        mediator = await asking.begin()
        bound = await asking.run(mediator)
        standing = mediator.choose_package()
        session = open_session(asking.scenario, 30, MemoryLog())
        outcome = await hold_vote(asking, mediator, bound, session)
        return standing.package if standing else None, bound, outcome, session.state.said

    return *asyncio.run(run()), asking


@dataclass(frozen=True)
class Measured:
    """One table: how good its deal is, the bound, and what was asked; the same of careless parties on every fourth."""

    ratio: float
    bound: float
    asked: tuple[int, ...]
    agreed: bool
    alone: tuple[float, ...]
    words: tuple[float, ...]
    careless: tuple[float, float] | None = None
    shown: tuple[int, ...] = ()


def measured(seed: int) -> Measured | None:
    """One random table, honestly answered; None where no deal gives everybody something."""
    scenario = drawn(seed)
    known = truth(scenario)
    gain = np.maximum(known.scores - known.minimums[:, None], 0).prod(axis=0)
    if gain.max() <= 0:
        return None
    seats = {a.name: ScoreTableSeat(scenario, a) for a in scenario.advocates}
    package, bound, outcome, said, asking = _whole(scenario, seats, seed)
    alone, words = listened(scenario, said, outcome.terms)
    one = Measured(
        float(gain[known.place(package)] / gain.max()),
        bound,
        tuple(asking.counts.values()),
        outcome.status == "DONE",
        tuple(alone),
        tuple(words),
    )
    if seed % 4:
        return one
    loose = {a.name: Careless(scenario, a, seed) for a in scenario.advocates}
    package, bound, _, _, _ = _whole(scenario, loose, seed)
    ratio = float(gain[known.place(package)] / gain.max())
    return replace(one, careless=(ratio, bound), shown=tuple(s.shown for s in loose.values()))


def sealed(count: int, row: Row, jobs: int = 1) -> None:
    """At most 15 questions a party, minimums stated; every claim that the mediator makes."""
    found: list[Measured | None] = []
    with ProcessPoolExecutor(jobs) as pool:
        for one in pool.map(measured, range(count)):
            found.append(one)
            print(f"\r{len(found)} of {count} tables", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    tables = [m for m in found if m is not None]
    ratios, bounds = [m.ratio for m in tables], [m.bound for m in tables]
    asked = [n for m in tables for n in m.asked]
    missed = sum(1 - m.ratio > m.bound + 1e-6 for m in tables)
    agreed = sum(m.agreed for m in tables)
    mean, half = interval(ratios)
    median = float(np.median(bounds))
    row(f"sealed mediator, {len(ratios)} tables: mean Nash ratio", f"{mean:.3f} ± {half:.3f}", ">= .95", mean >= 0.95)
    told = f"{median:.3f} (90 % below {np.quantile(bounds, 0.9):.3f}, most {max(bounds):.3f})"
    row("  proven bound of the regret, median", told, "<= .3", median <= 0.3)
    row("  bounds that were missed", str(missed), "0", not missed)
    row("  questions a party, most (mean)", f"{max(asked)} ({sum(asked) / len(asked):.1f})", "<= 15", max(asked) <= 15)
    row("  tables that agreed", f"{agreed} of {len(ratios)}", "all", agreed == len(ratios))
    heard = interval(w for m in tables for w in m.words)[0]
    from_deal = interval(a for m in tables for a in m.alone)[0]
    told = f"{heard:.3f} - {from_deal:.3f} = {heard - from_deal:.3f}"
    row("  listener: all public words, less the deal alone", told, "<= .2", heard - from_deal <= 0.2)
    with ProcessPoolExecutor(jobs) as pool:
        knotted = [one for one in pool.map(measure_entangled, range(count)) if one is not None]
    missed = sum(loss > bound + 1e-6 for loss, bound, _ in knotted)
    would = sum(loss > additive + 1e-6 for loss, _, additive in knotted)
    stated = sum(bound < 1 for _, bound, _ in knotted)
    told = f"{missed} of {stated} stated (without the question {would} of {len(knotted)})"
    row("  where issues depend on each other: bounds missed", told, "0", not missed)
    mean, half = interval(1 - loss for loss, _, _ in knotted)
    print(f"  {'  mean Nash ratio there':<56} {mean:.3f} ± {half:.3f}")
    off = [m.careless for m in tables if m.careless is not None]
    mean, half = interval(ratio for ratio, _ in off)
    wrong = sum(1 - ratio > bound + 1e-6 for ratio, bound in off)
    told = f"{mean:.3f} ± {half:.3f}, bound {np.median([b for _, b in off]):.3f}, missed {wrong}"
    print(f"  {'careless (a third of the grades one step off): Nash':<56} {told} of {len(off)}")
    print(f"  {'  answers shown back, a party':<56} {interval(n for m in tables for n in m.shown)[0]:.2f}")
