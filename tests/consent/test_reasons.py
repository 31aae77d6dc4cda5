"""What people ask afterwards: who gave what, the runner-up, how firm the choice is, what would have to change."""

from __future__ import annotations

import json
import os
import random
from dataclasses import replace
from itertools import product as every
from pathlib import Path

import pytest

from graphbus_core.cli.main import main
from graphbus_core.negotiation.consent.counterfactuals import find_smallest_change
from graphbus_core.negotiation.consent.narrative import compute_reasons
from graphbus_core.negotiation.consent.optimum import search
from graphbus_core.negotiation.consent.optimum.results import nash_product
from graphbus_core.negotiation.consent.optimum.search import choose_package, find_optima, rank_gains
from graphbus_core.negotiation.consent.scenario.model import (
    Advocate,
    BargainingRule,
    Issue,
    Package,
    Scenario,
    build_minimum_line,
)
from tests.consent.worlds import ROOT, generated

pytestmark = pytest.mark.timeout(400)  # against a hang; a busy machine is slow
DECISIONS = int(os.environ.get("GRAPHBUS_CONSENT_DECISIONS", "100"))
STORAGE = ROOT / "examples" / "consent" / "storage.yaml"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def wins(scenario: Scenario, outcome: Package) -> bool:
    """Whether it keeps every red line and no permitted outcome has a greater product, by the exact search."""
    found = find_optima(scenario)
    if found is None or any(scenario.find_crossed_lines(n, outcome) for n in scenario.names):
        return False
    value = nash_product([a.score(outcome) - a.floor for a in scenario.scored_advocates])
    return value > 0 and value >= found.nash.value * (1 - 1e-9)


def test_the_stated_change_makes_it_win_and_half_of_it_does_not() -> None:
    """Over generated decisions, and each package drawn blindly: most cross red lines of several advocates."""
    rng = random.Random(7)
    kinds: set[str] = set()
    count = seed = 0
    while count < DECISIONS:
        seed += 1
        scenario = generated(seed)
        if find_optima(scenario) is None:
            continue
        wanted = tuple(rng.randrange(len(i.options)) for i in scenario.issues)
        change = find_smallest_change(scenario, wanted, scenario.names)
        if change is None:
            assert (
                wins(scenario, wanted)
                or nash_product([a.score(wanted) - a.floor for a in scenario.scored_advocates]) > 0
            )
            continue
        count += 1
        kinds |= {s.kind for s in change.steps}
        assert not wins(scenario, wanted)
        assert wins(change.apply(scenario), wanted), (seed, change.text)
        assert not wins(change.apply(scenario, 0.5), wanted), (seed, change.text)
    assert kinds == {"weight", "minimum", "red_line", "options"}


def test_the_nearest_rivals_need_one_number_and_no_smaller_one_is_enough() -> None:
    """Of near rivals the smallest change is one number; a smaller one, on either side, is not enough."""
    issues = tuple(Issue(f"i{n}", ("a", "b", "c")) for n in range(3))
    rng = random.Random(3)
    checked = 0
    for _ in range(30):
        seats = tuple(
            Advocate(n, scores=tuple(tuple(float(rng.randrange(30)) for _ in "abc") for _ in issues), minimum=5.0)
            for n in "PQ"
        )
        scenario = Scenario("t", issues, tuple(replace(a, red_lines=(build_minimum_line(a.name, 5.0),)) for a in seats))
        found = find_optima(scenario)
        assert found is not None
        second = compute_reasons(scenario, found.nash.outcome, scenario.names)
        assert second is not None
        if (
            second.second is None
            or (change := find_smallest_change(scenario, second.second.outcome, scenario.names)) is None
        ):
            continue
        if len(change.steps) != 1 or change.steps[0].kind != "weight":
            continue
        checked += 1
        step = change.steps[0]
        for share in (0.2, 0.5, 0.9, 0.99):
            assert not wins(change.apply(scenario, share), second.second.outcome)
            other = replace(change, steps=(replace(step, by=-step.by * share),))
            assert not wins(other.apply(scenario), second.second.outcome), "nor on the other side"
    assert checked >= 5


def test_the_runner_up_and_the_firmness_are_what_trying_all_finds() -> None:
    for seed in (1, 4, 9, 12, 20):
        scenario = generated(seed)
        found = find_optima(scenario)
        if found is None or found.nash.value <= 0:
            continue
        agreed = found.nash.outcome
        told = compute_reasons(scenario, agreed, scenario.names)
        assert told is not None
        assert told.best
        worth = {
            o: nash_product([a.score(o) - a.floor for a in scenario.scored_advocates])
            for o in scenario.iterate_outcomes()
            if scenario.is_permitted(o) and o != agreed
        }
        left = {o: v for o, v in worth.items() if v > 0}
        if left:
            assert told.second is not None
            assert worth[told.second.outcome] == pytest.approx(max(left.values()))
        upset = {(n, i, e > 0) for n, i, e in told.firm.upset}
        for seat, (i, issue) in every(scenario.advocates, enumerate(scenario.issues)):
            for move in (-0.1, 0.1):
                rows = tuple(
                    tuple(v * (1 + move) for v in row) if n == i else row for n, row in enumerate(seat.scores or ())
                )
                moved = replace(
                    scenario,
                    advocates=tuple(replace(a, scores=rows) if a is seat else a for a in scenario.advocates),
                )
                if not wins(moved, agreed):
                    assert (seat.name, issue.name, move > 0) in upset


@pytest.mark.parametrize("rule", [BargainingRule.LEXIMIN, BargainingRule.KALAI_SMORODINSKY])
@pytest.mark.parametrize("road", ["enumerated", "programmed"])
def test_the_other_choices_are_what_trying_all_finds(
    rule: BargainingRule, road: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if road == "programmed":
        monkeypatch.setattr(search, "ENUMERABLE", 1)
    for seed in range(40 if road == "enumerated" else 8):
        scenario = replace(generated(seed), choose=rule)
        found = choose_package(scenario)
        possible = [
            o for o in scenario.iterate_outcomes() if not any(scenario.find_crossed_lines(n, o) for n in scenario.names)
        ]
        assert (found is None) == (not possible)
        if found is None:
            continue
        most = max([round(v, 7) for v in rank_gains(scenario, o)] for o in possible)
        mine = [round(v, 7) for v in rank_gains(scenario, found.outcome)]
        assert (mine == most) if road == "enumerated" else (mine[0] == pytest.approx(most[0], abs=1e-4))


def test_the_command_says_why_and_what_would_change_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["consent", "run", str(STORAGE), "--output", "d.md", "--json"]) == 0
    capsys.readouterr()
    assert main(["consent", "why"]) == 0
    said = capsys.readouterr().out
    assert "The runner-up has budget 5000" in said
    assert "of one weight by 10% change the choice" in said
    assert said.split("\n\n")[0] in Path("d.md").read_text(), "the document has the same paragraph"
    assert main(["consent", "why", "--to-win", "store=dynamo", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["to_win"]["agreement"]["store"] == "dynamo"
    assert told["to_win"]["change"]["steps"]
    assert main(["consent", "verify", "d.md"]) == 0
    text = Path("d.md").read_text()
    Path("d.md").write_text(text.replace("Each gets at least", "Each gets more than"))
    assert main(["consent", "verify", "d.md"]) == 1
    capsys.readouterr()
    for wrong in ("store", "nothing=1", "store=paper", "", "=", "store=dynamo,,"):
        assert main(["consent", "why", "--to-win", wrong]) == 2
        assert "--to-win" in capsys.readouterr().err


@pytest.mark.parametrize("rule", ["leximin", "kalai-smorodinsky"])
def test_a_decision_by_another_rule_says_so_and_can_be_verified(rule: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["consent", "run", str(STORAGE), "--choose", rule, "--output", "d.md", "--json"]) == 0
    record = json.loads(capsys.readouterr().out)["certificate"]
    assert record["choice"]["rule"] == rule
    assert record["choice"]["reached"] == record["choice"]["best"]
    assert f"Chosen by {rule}" in Path("d.md").read_text()
    assert main(["consent", "verify", "d.md"]) == 0
    assert main(["consent", "verify", "d.md", "--scenario", str(STORAGE)]) == 0
    text = Path("d.md").read_text()
    Path("d.md").write_text(text.replace(f'"rule": "{rule}"', '"rule": "nash"'))
    assert main(["consent", "verify", "d.md"]) == 1
    Path("d.md").write_text(text)
    assert main(["consent", "why", "--to-win", "store=files"]) == 2
    assert main(["consent", "run", str(STORAGE), "--choose", "best"]) == 2
