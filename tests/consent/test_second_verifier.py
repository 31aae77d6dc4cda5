"""What a stranger's second verifier, written from the docs alone, found that the first one missed."""

from __future__ import annotations

import itertools
import random
import shutil
from pathlib import Path

import pytest

from graphbus_core.errors import ScenarioError
from graphbus_core.negotiation.consent.certificate import build_certificate, build_proof, serialize_red_line
from graphbus_core.negotiation.consent.optimum.results import compute_relaxation, compute_unit_cost, format_amount
from graphbus_core.negotiation.consent.optimum.search import find_deadlock, find_optima
from graphbus_core.negotiation.consent.report import FENCE, compare_with_record
from graphbus_core.negotiation.consent.scenario import score_range
from graphbus_core.negotiation.consent.scenario.model import Advocate, Conditional, Scenario
from graphbus_core.negotiation.consent.scenario.score_range import compute_score_range
from graphbus_core.negotiation.consent.scenario.yaml_format import read_scenario
from graphbus_core.negotiation.consent.verification import verify_record
from graphbus_core.sessions import consent
from graphbus_core.sessions.consent.files import Runs
from graphbus_core.sessions.consent.verification import verify_file
from tests.consent.worlds import ROOT

DEADLOCK = """
topic: t
issues: {a: [p, q, r]}
advocates:
  A: {scores: {a: {p: 9, q: 6.5}}, minimum: 9}
  B: {scores: {a: {p: 1.905, q: 7, r: 9}}, minimum: 7}
"""
LEAST = """
topic: least
issues: {a: [won, woff], b: [x, y, z], n: {min: 0, max: 10}}
advocates:
  Ann: {scores: {b: {x: 20, y: 4}}, conditional_scores: [{when: {a: woff}, scores: {n: {from: -5, to: -5}}}]}
  Bob: {scores: {b: {x: 2, y: 5}}}
"""


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_a_dearer_set_of_steps_beside_the_right_total_is_named() -> None:
    scenario = read_scenario(DEADLOCK)
    proof = build_proof(scenario) or {}
    assert verify_record(scenario, proof) == []
    for package in scenario.iterate_outcomes():
        other = compute_relaxation(scenario, scenario.list_red_lines(), package)
        steps = [
            {**serialize_red_line(scenario, s.line), "by": round(s.by, 9), "cost": round(s.cost, 9)}
            for s in other.steps
        ]
        agreement = scenario.build_terms(package)
        claimed = {**proof, "relaxation": {**proof["relaxation"], "steps": steps, "agreement": agreement}}
        wrong = verify_record(scenario, claimed)
        if agreement == proof["relaxation"]["agreement"]:
            assert wrong == []
        else:
            assert any("the steps cost" in w or "are enough" in w for w in wrong), wrong


def test_the_least_total_is_one_that_a_package_has() -> None:
    scenario = read_scenario(LEAST)
    ann = scenario.advocates[0]
    assert (ann.least, ann.ceiling) == (-5, 20)
    best = find_optima(scenario)
    assert best is not None
    assert best.nash.value == 50
    assert scenario.build_terms(best.nash.outcome) | {"n": "0"} == {"a": "won", "b": "x", "n": "0"}


def test_the_least_and_the_greatest_are_those_of_all_packages_one_by_one() -> None:
    rng = random.Random(5)
    for _ in range(300):
        rows = [[rng.randint(-9, 9) for _ in range(rng.randint(1, 4))] for _ in range(rng.randint(1, 5))]
        conditions = []
        for _ in range(rng.randint(0, 8)):
            chosen = rng.sample(range(len(rows)), rng.randint(0, min(3, len(rows))))
            when = {i: frozenset(rng.sample(range(len(rows[i])), rng.randint(1, len(rows[i])))) for i in chosen}
            conditions.append(Conditional(when, rng.randint(-9, 9)))
        seat = Advocate("A", scores=tuple(map(tuple, rows)), conditionals=tuple(conditions))
        totals = [seat.score(p) for p in itertools.product(*(range(len(row)) for row in rows))]
        assert (seat.least, seat.ceiling, seat.score_range.exact) == (min(totals), max(totals), True)


def test_scores_that_are_conditional_alone_know_the_options_of_their_issues() -> None:
    rules = "conditional_scores: [{when: {b: [x, y]}, score: -5}]"
    text = "topic: t\nissues: {b: [x, y%s]}\nadvocates:\n  A: {%s}\n  B: {scores: {b: {x: 1}}}\n"
    assert read_scenario(text % ("", rules)).advocates[0].ceiling == -5
    assert read_scenario(text % (", z", rules)).advocates[0].ceiling == 0


def test_the_range_that_a_relaxation_is_measured_by_is_the_true_one() -> None:
    scenario = read_scenario(LEAST.replace("Ann: {scores", "Ann: {minimum: 30, scores"))
    (line,) = scenario.advocates[0].red_lines
    assert compute_unit_cost(scenario, line) == 1 / 25


def test_a_least_total_that_nobody_can_know_is_called_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(score_range, "MOST_STEPS", 3)
    scenario = read_scenario(LEAST + "# another text, so that it is read again\n")
    bounds = scenario.advocates[0].score_range
    assert (bounds.exact, bounds.least <= -5, bounds.greatest >= 20) == (False, True, True)
    record = build_certificate(scenario, (0, 0, 0))
    assert record["bounded"] == ["Ann"]
    assert verify_record(scenario, record) == []
    assert verify_record(scenario, {k: v for k, v in record.items() if k != "bounded"})
    hard = read_scenario(LEAST.replace("Ann: {scores", "Ann: {minimum: 30, scores") + "#\n")
    proof = build_proof(hard) or {}
    assert proof["bounded"] == ["Ann"]
    assert verify_record(hard, {k: v for k, v in proof.items() if k != "bounded"})


def test_forty_issues_in_a_chain_are_still_exact() -> None:
    conditions = [({i: frozenset({0}), i + 1: frozenset({1})}, -3.0 if i % 2 else 2.0) for i in range(39)]
    found = compute_score_range([[0.0, 1.0, 2.0]] * 40, conditions)
    assert found.exact
    assert found.least < 0 < found.greatest


def decided(scenario: str, output: str) -> Path:
    request = consent.Request(scenario, output=output)
    run = Runs(Path.cwd()).create()
    consent.run(consent.prepare(request), run)
    shutil.rmtree(run.folder)
    return Path(output)


@pytest.mark.parametrize("name", ["storage", "deadlock"])
def test_without_the_log_the_page_says_what_its_record_says(name: str) -> None:
    if name == "storage":
        shutil.copy(ROOT / "examples" / "consent" / "storage.yaml", "storage.yaml")
    else:
        Path("deadlock.yaml").write_text(DEADLOCK)
    file = decided(f"{name}.yaml", f"{name}.md")
    text = file.read_text()
    assert verify_file(str(file)).numbers, verify_file(str(file)).wrong
    lines = text.split("\n")
    fence = lines.index(FENCE)
    moved = 0
    for n, line in enumerate(lines[:fence]):
        if not line.strip() or line.startswith(("## ", "|---")) or line == "```":
            continue
        title = next((x for x in reversed(lines[: n + 1]) if x.startswith("## ")), "")
        if title not in ("", "## Terms", "## Reasons", "## Votes", "## Certificate", "## Proof"):
            continue
        file.write_text("\n".join([*lines[:n], line + "0", *lines[n + 1 :]]))
        assert not verify_file(str(file)).numbers, line
        moved += 1
    assert moved > 8
    file.write_text(text.replace("## Votes", "## Votings"))
    assert not verify_file(str(file)).numbers


def test_the_page_of_a_record_whose_form_is_broken_is_not_called_right() -> None:
    scenario = read_scenario(LEAST)
    with pytest.raises((KeyError, TypeError, ValueError, AttributeError)):
        compare_with_record("", scenario, {"kind": "certificate", "attested": {"votes": [{}]}})


@pytest.mark.parametrize("by", [5.095, 1 / 3, 0.5, 2.0, 0.00123456, 1234.56789, 18.25, 7e-9, 30.0])
def test_who_follows_the_page_gives_enough(by: float) -> None:
    shown = float(format_amount(by))
    assert by - 1e-9 <= shown <= by * 1.01 + 1e-9


def test_the_relaxation_that_the_page_names_suffices() -> None:
    file = Path("deadlock.yaml")
    file.write_text(DEADLOCK.replace("q: 7,", "q: 1.905,").replace("minimum: 9}", "minimum: 8.9}"))
    text = decided("deadlock.yaml", "deadlock.md").read_text()
    deadlock = find_deadlock(read_scenario(file.read_text()))
    assert deadlock is not None
    (step,) = deadlock.relaxation.steps
    assert f", by {format_amount(step.by)}." in text
    assert step.by == pytest.approx(5.095)
    assert "by 5.095." in text


def read(issue: str, key: str) -> Scenario:
    text = f"topic: t\nissues: {{a: {issue}}}\nadvocates:\n  A: {{scores: {{a: {{{key}: 5}}}}, red_lines: "
    return read_scenario(text + f"[{{forbid: {{a: {key}}}}}]}}\n  B: {{scores: {{a: {{{key}: 1}}}}}}\n")


@pytest.mark.parametrize(
    ("issue", "key"),
    [
        ("[on, off]", "on"),
        ("[on, off]", "'on'"),
        ("['on', 'off']", "on"),
        ("{options: {on: lit, off: dark}}", "on"),
        ("[true, false]", "true"),
        ("[yes, no]", "yes"),
        ("[0, 1]", "0.0"),
        ("['0', '1']", "0.0"),
        ("{min: 0, max: 3}", "0.00"),
    ],
)
def test_options_that_yaml_reads_as_truths_or_numbers_are_found_by_their_keys(issue: str, key: str) -> None:
    seat = read(issue, key).advocates[0]
    assert (seat.scores or ())[0][0] == 5
    assert seat.red_lines[0].rule.combination == {0: frozenset({0})}  # type: ignore[union-attr]


def test_a_word_that_two_options_could_mean_is_asked_for() -> None:
    with pytest.raises(ScenarioError, match="no option"):
        read("['on', 'true']", "yes")
