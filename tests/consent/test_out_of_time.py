"""What is said where the solver's time runs out: the best that is known, and what is proved; nothing is claimed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from graphbus_core.negotiation.consent.certificate import build_certificate
from graphbus_core.negotiation.consent.mediator import mediate
from graphbus_core.negotiation.consent.optimum import search
from graphbus_core.negotiation.consent.optimum.mip import IntegerProgram, SolverTimeout
from graphbus_core.negotiation.consent.optimum.results import Optimum
from graphbus_core.negotiation.consent.report import _describe_certificate
from graphbus_core.negotiation.consent.scenario.model import Advocate, Issue, Preferences, Scenario, build_minimum_line
from graphbus_core.negotiation.consent.verification import verify_record

ISSUES = tuple(Issue(f"i{n}", ("a", "b", "c")) for n in range(3))
SEATS = (
    Advocate("P", scores=((9, 4, 0), (3, 5, 8), (2, 0, 6)), minimum=4, red_lines=(build_minimum_line("P", 4),)),
    Advocate("Q", scores=((0, 5, 9), (7, 6, 0), (5, 1, 0)), minimum=4, red_lines=(build_minimum_line("Q", 4),)),
)
SCENARIO = Scenario("late", ISSUES, SEATS, preferences=Preferences.DISCLOSED)


@pytest.fixture
def late(monkeypatch: pytest.MonkeyPatch) -> None:
    """Too many outcomes to enumerate, and a solver that always stops a little before it has proved anything."""
    solve = IntegerProgram._solve

    def stopped(self: IntegerProgram, goal: Mapping[int, float], rows: Sequence[Any], at_most_s: float) -> Any:
        found = solve(self, goal, rows, at_most_s)
        self.proved, self.left_s = False, self.left_s - 25
        return None if found is None else (found[0] + 0.5, found[1])

    monkeypatch.setattr(search, "ENUMERABLE", 1)
    monkeypatch.setattr(IntegerProgram, "_solve", stopped)


def test_a_certificate_says_what_is_proved_and_claims_no_more(late: None) -> None:
    found = mediate(SCENARIO)
    assert found is not None
    assert found.outcome is not None
    assert "time ran out" in found.rationale
    assert "nobody can gain" not in found.rationale
    record = build_certificate(SCENARIO, found.outcome)
    assert record["pareto_efficient"] is None
    assert record["nash"]["bound"] > record["nash"]["best"]
    assert 0 < record["nash"]["gap"] < 1
    words = _describe_certificate(record)
    assert "is not known" in words
    assert "of the best known" in words
    assert "nobody can gain" not in words
    assert verify_record(SCENARIO, record) == []


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda r: r["nash"].update(bound=r["nash"]["best"] / 2), "can be reached"),
        (lambda r: r["nash"].update(gap=0.0), "nash.gap"),
        (lambda r: r["nash"].update(bound=r["nash"]["best"] * 1.0001), "could not be proved again"),
        (lambda r: r["nash"].update(best=r["nash"]["best"] * 2), "nash"),
        (lambda r: r["nash"].update(ratio=0.9), "nash.ratio"),
        (lambda r: r.update(pareto_efficient=True), "could not be proved again"),
    ],
)
def test_each_claim_about_a_bound_is_checked(late: None, change: Any, told: str) -> None:
    found = mediate(SCENARIO)
    assert found is not None
    assert found.outcome is not None
    record = build_certificate(SCENARIO, found.outcome)
    change(record)
    assert any(told in w for w in verify_record(SCENARIO, record))


def test_where_everything_is_looked_at_not_known_is_no_excuse() -> None:
    found = mediate(SCENARIO)
    assert found is not None
    assert found.outcome is not None
    record = build_certificate(SCENARIO, found.outcome)
    assert "bound" not in record["nash"]
    record["pareto_efficient"] = None
    assert any("pareto_efficient" in w for w in verify_record(SCENARIO, record))


def test_a_better_deal_that_is_found_in_time_is_one_even_if_the_search_was_not_over(late: None) -> None:
    found = search.check_efficiency(SCENARIO, (0, 0, 1))
    assert found.better is not None
    assert found.efficient is False


def test_no_deal_in_time_is_no_proof_that_there_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    def none(self: IntegerProgram, *_: Any) -> Any:
        raise SolverTimeout("late")

    monkeypatch.setattr(search, "ENUMERABLE", 1)
    monkeypatch.setattr(IntegerProgram, "_solve", none)
    assert search.check_efficiency(SCENARIO, (0, 0, 0)).efficient is None


def test_the_gap_is_a_share_of_the_bound() -> None:
    assert Optimum(8.0, (), (), 10.0).gap == pytest.approx(0.2)
    assert Optimum(8.0, (), ()).gap == 0.0
