"""Optima, dominators, deadlocks and relaxations against brute force over generated scenarios, both roads."""

from __future__ import annotations

import itertools
import math
import os
import random

import pytest

from graphbus_core.negotiation.consent.certificate import build_certificate
from graphbus_core.negotiation.consent.optimum import search as exact
from graphbus_core.negotiation.consent.optimum.deadlock import find_smallest_hitting_set
from graphbus_core.negotiation.consent.optimum.exhaustive import Grid
from graphbus_core.negotiation.consent.optimum.results import compute_unit_cost
from graphbus_core.negotiation.consent.optimum.search import find_deadlock, find_dominator, find_frontier
from graphbus_core.negotiation.consent.scenario.model import Advocate, Issue, Package, Scenario
from tests.consent.worlds import generated

COUNT = int(os.environ.get("GRAPHBUS_CONSENT_SCENARIOS", "150"))


@pytest.fixture(params=["enumerated", "solved"])
def road(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Both roads to the same answer: enumeration, and the solver for what cannot be enumerated."""
    bound = 10**9 if request.param == "enumerated" else 0
    monkeypatch.setattr(exact, "ENUMERABLE", bound)
    return str(request.param)


def gains(scenario: Scenario, outcome: Package) -> list[float]:
    """What each advocate gains over its minimum."""
    return [a.score(outcome) - (a.minimum or 0.0) for a in scenario.advocates]


@pytest.mark.no_cover
def test_optima_and_proofs_equal_brute_force(road: str) -> None:
    """The best of each kind where something is possible; else the smallest conflict and the cheapest relaxation."""
    feasible = infeasible = 0
    for seed in range(COUNT if road == "enumerated" else COUNT // 5):
        scenario = generated(seed)
        outcomes = list(scenario.iterate_outcomes())
        lines = scenario.list_red_lines()
        crossed = [frozenset(i for i, x in enumerate(lines) if scenario.measure_violation(x, o) > 0) for o in outcomes]
        possible = [o for o, c in zip(outcomes, crossed, strict=True) if not c]
        found = exact.find_optima(scenario)
        if possible:
            feasible += 1
            assert found is not None
            assert found.nash.value == pytest.approx(max(math.prod(gains(scenario, o)) for o in possible))
            assert found.egalitarian.value == pytest.approx(max(min(gains(scenario, o)) for o in possible))
            assert found.utilitarian.value == pytest.approx(
                max(sum(gains(scenario, o)) for o in possible) + sum(a.minimum or 0.0 for a in scenario.advocates)
            )
            assert find_dominator(scenario, found.nash.outcome) is None
            assert find_deadlock(scenario) is None
            continue
        infeasible += 1
        assert found is None
        proof = find_deadlock(scenario)
        assert proof is not None
        smallest = next(
            size
            for size in range(1, len(lines) + 1)
            if any(all(c & set(some) for c in crossed) for some in itertools.combinations(range(len(lines)), size))
        )
        assert len(proof.conflict) == smallest
        chosen = {i for i, line in enumerate(lines) if any(line is x for x in proof.conflict)}
        assert all(c & chosen for c in crossed)
        for left_out in chosen:
            assert not all(c & (chosen - {left_out}) for c in crossed)
        cheapest = min(
            (len(c), sum(scenario.measure_violation(lines[i], o) * compute_unit_cost(scenario, lines[i]) for i in c))
            for o, c in zip(outcomes, crossed, strict=True)
        )
        assert (len(proof.relaxation.steps), proof.relaxation.cost) == pytest.approx(cheapest)
    assert feasible
    assert infeasible


def test_a_dominator_is_found_exactly_where_there_is_one(road: str) -> None:
    """A permitted outcome that makes someone better off and nobody worse."""
    for seed in range(40 if road == "enumerated" else 10):
        scenario = generated(seed)
        possible = [o for o in scenario.iterate_outcomes() if scenario.is_permitted(o)]
        for outcome in possible[:5]:
            mine = [a.score(outcome) for a in scenario.advocates]
            better = [
                o
                for o in possible
                if all(a.score(o) >= m for a, m in zip(scenario.advocates, mine, strict=True))
                and any(a.score(o) > m for a, m in zip(scenario.advocates, mine, strict=True))
            ]
            found = find_dominator(scenario, outcome)
            assert (found in better) if better else found is None


def test_the_frontier_is_every_efficient_outcome_and_no_other() -> None:
    """One point for each efficient score vector."""
    for seed in range(60):
        scenario = generated(seed)
        vectors = {
            tuple(a.score(o) for a in scenario.advocates)
            for o in scenario.iterate_outcomes()
            if scenario.is_permitted(o)
        }
        efficient = {
            v for v in vectors if not any(w != v and all(x >= y for x, y in zip(w, v, strict=True)) for w in vectors)
        }
        found = find_frontier(scenario)
        assert found.complete
        assert {tuple(round(x, 6) for x in scores) for _, scores in found.points} == efficient


def test_the_smallest_hitting_set_is_smallest() -> None:
    """On every family of up to four sets over five elements that a seed draws."""
    import random

    for seed in range(200):
        rng = random.Random(seed)
        sets = [frozenset(rng.sample(range(5), rng.randint(1, 3))) for _ in range(rng.randint(0, 4))]
        smallest = next(
            size
            for size in range(6)
            if any(all(s & set(some) for s in sets) for some in itertools.combinations(range(5), size))
        )
        found = find_smallest_hitting_set(sets)
        assert len(found) == smallest
        assert all(s & found for s in sets)


def test_a_product_of_many_small_gains_is_a_product_still() -> None:
    """Scores of any scale: the settlement has the greatest product, and a poor agreement a poor ratio."""
    for seed in range(40):
        rng = random.Random(seed)
        count, scale = rng.choice([2, 6, 12]), rng.choice([1e-4, 0.01, 1.0, 1e6])
        issues = tuple(Issue(f"i{k}", ("a", "b", "c", "d")) for k in range(3))
        tables = [tuple(tuple(scale * rng.random() for _ in "abcd") for _ in issues) for _ in range(count)]
        scenario = Scenario("x", issues, tuple(Advocate(f"p{n}", scores=t) for n, t in enumerate(tables)))

        def value(outcome: tuple[int, ...], scenario: Scenario = scenario) -> float:
            return math.prod(a.score(outcome) - a.floor for a in scenario.advocates)

        best = max(map(value, scenario.iterate_outcomes()))
        found = exact.find_optima(scenario)
        assert found is not None
        assert value(found.nash.outcome) == pytest.approx(best, rel=1e-9)
        worst = min(scenario.iterate_outcomes(), key=value)
        assert build_certificate(scenario, worst)["nash"]["ratio"] == pytest.approx(value(worst) / best, abs=1e-6)


def test_an_issue_with_many_options_makes_no_block_of_one_outcome() -> None:
    """Blocks are walked in Python: 28 million of them would take half an hour, whichever issue is the long one."""
    long = Issue("long", tuple(map(str, range(40_000))))
    few, some = Issue("few", tuple("abcdefghij")), Issue("some", tuple(map(str, range(70))))
    for issues in ((some, few, long), (some, long, few), (long, some, few)):
        grid = Grid(Scenario("x", issues, (Advocate("P"), Advocate("Q"))))
        assert grid.size / grid.width <= 60_000
        assert grid.width <= 1_000_000
