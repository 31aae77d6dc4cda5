"""Certificates and proofs: computed again they hold; altered in any way they do not."""

from __future__ import annotations

import copy
import json
import os
from dataclasses import replace
from typing import Any

import pytest

from graphbus_core.negotiation.consent.certificate import build_certificate, build_proof, compute_digest
from graphbus_core.negotiation.consent.report import FENCE, extract_record
from graphbus_core.negotiation.consent.scenario.model import Advocate, Forbidden, Issue, RedLine, Scenario
from graphbus_core.negotiation.consent.verification import verify_record
from tests.consent.worlds import generated

COUNT = int(os.environ.get("GRAPHBUS_CONSENT_SCENARIOS", "40"))


def test_what_is_handed_out_holds() -> None:
    """For each generated scenario: a certificate of some agreement, or the proof that there is none."""
    kinds = set()
    for seed in range(COUNT):
        scenario = generated(seed)
        possible = [o for o in scenario.iterate_outcomes() if scenario.is_permitted(o)]
        record = build_certificate(scenario, possible[seed % len(possible)]) if possible else build_proof(scenario)
        assert record is not None
        record = json.loads(json.dumps(record))
        kinds.add(record["kind"])
        assert verify_record(scenario, record) == []
        assert verify_record(generated(seed + 1000), record) != []
    assert kinds == {"certificate", "deadlock"}


def _altered(record: dict[str, Any]) -> list[dict[str, Any]]:
    out = []
    for path in (
        ("pareto_efficient",),
        ("nash", "ratio"),
        ("nash", "best"),
        ("egalitarian", "value"),
        ("utilitarian", "ratio"),
        ("scores", "p0"),
        ("minimums", "p1"),
        ("relaxation", "cost"),
    ):
        one = copy.deepcopy(record)
        place: Any = one
        for key in path[:-1]:
            place = place.get(key, {})
        if path[-1] in place:
            value = place[path[-1]]
            place[path[-1]] = not value if isinstance(value, bool) else value + 0.25
            out.append(one)
    if "conflict" in record:
        fewer = copy.deepcopy(record)
        fewer["conflict"].pop()
        out.append(fewer)
    return out


def test_an_altered_record_does_not_hold() -> None:
    tried = 0
    for seed in range(12):
        scenario = generated(seed)
        possible = [o for o in scenario.iterate_outcomes() if scenario.is_permitted(o)]
        record = build_certificate(scenario, possible[0]) if possible else build_proof(scenario)
        for wrong in _altered(record or {}):
            tried += 1
            assert verify_record(scenario, wrong), wrong
    assert tried > 20


def test_an_agreement_across_a_red_line_has_no_valid_certificate() -> None:
    scenario = next(s for s in map(generated, range(50)) if not all(map(s.is_permitted, s.iterate_outcomes())))
    bad = next(o for o in scenario.iterate_outcomes() if not scenario.is_permitted(o))
    assert any("red line" in w for w in verify_record(scenario, build_certificate(scenario, bad)))


def test_the_order_of_the_advocates_is_no_part_of_a_scenario() -> None:
    scenario = generated(2)
    assert compute_digest(replace(scenario, advocates=scenario.advocates[::-1])) == compute_digest(scenario)


def test_with_a_quorum_the_proof_names_a_conflict_for_every_group() -> None:
    """Two of three would do, but no two can."""
    issue = Issue("x", ("a", "b", "c"))
    seats = tuple(
        Advocate(n, red_lines=(RedLine(n, Forbidden({0: frozenset({0, 1, 2} - {k})}), f"only {issue.options[k]}"),))
        for k, n in enumerate("PQR")
    )
    found = build_proof(Scenario("x", (issue,), seats, quorum=2))
    assert found is not None
    assert found["kind"] == "deadlock"
    assert [g["advocates"] for g in found["groups"]] == [["P", "Q"], ["P", "R"], ["Q", "R"]]
    assert verify_record(Scenario("x", (issue,), seats, quorum=2), found) == []
    loose = build_proof(Scenario("x", (issue,), seats, quorum=1))
    assert loose is not None
    assert loose["kind"] == "possible"


def test_a_damaged_record_in_a_document_is_said_to_be() -> None:
    assert extract_record("no record") is None
    assert extract_record(f'{FENCE}\n{{"kind": 1}}\n```\n') == {"kind": 1}
    with pytest.raises(ValueError):
        extract_record(f'{FENCE}\n{{"kind"')


def _places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(p for key, part in inside for p in _places(part, (*path, key)))]


@pytest.mark.no_cover
def test_whatever_a_record_claims_is_checked_and_nonsense_is_an_answer() -> None:
    """Each part of a record in turn is replaced: never an exception, and a part that says something else is found."""
    possible = replace(generated(5), quorum=None)
    crowd = Scenario("x", (Issue("x", ("a", "b", "c")),), _only("abc"), quorum=2)
    agreed = next(
        (s, build_certificate(s, o))
        for s in map(generated, range(60))
        for o in s.iterate_outcomes()
        if s.is_permitted(o) and build_certificate(s, o)["better"] is not None
    )
    records = [agreed, (crowd, build_proof(crowd)), (possible, build_proof(possible))]
    kinds = set()
    for scenario, record in records:
        assert record is not None
        kinds.add(record["kind"])
        assert verify_record(scenario, record) == []
        for path in _places(record)[1:]:
            for odd in (None, [], {}, "odd", 7, [{}], [[]], float("nan")):
                altered = copy.deepcopy(record)
                place: Any = altered
                for key in path[:-1]:
                    place = place[key]
                before, place[path[-1]] = place[path[-1]], odd
                if before not in (odd, None):
                    assert verify_record(scenario, altered), (path, odd)
    assert {"certificate", "deadlock"} <= kinds


def _only(options: str) -> tuple[Advocate, ...]:
    """One advocate an option, who accepts nothing else."""
    every = frozenset(range(len(options)))
    return tuple(
        Advocate(o.upper(), red_lines=(RedLine(o.upper(), Forbidden({0: every - {k}}), f"only {o}"),))
        for k, o in enumerate(options)
    )


def test_a_better_deal_that_is_none_is_found() -> None:
    """The certificate of a poor agreement cannot show a deal that is worse, or a best one that is not the best."""
    for scenario in map(generated, range(60)):
        good = [o for o in scenario.iterate_outcomes() if scenario.is_permitted(o)]
        poor = [o for o in good if build_certificate(scenario, o)["better"] is not None]
        if not poor:
            continue
        record = build_certificate(scenario, poor[0])
        same = {"agreement": scenario.build_terms(poor[0]), "scores": record["scores"]}
        assert any("better" in w for w in verify_record(scenario, {**record, "better": same}))
        nash = {**record["nash"], "best_agreement": scenario.build_terms(poor[0])}
        if record["nash"]["ratio"] < 0.999:
            assert any("nash.best_agreement" in w for w in verify_record(scenario, {**record, "nash": nash}))
            return
    raise AssertionError("no scenario had a poor agreement")


def test_words_of_an_objection_are_no_record() -> None:
    text = f'- P: no, {FENCE} {{"kind": 2}}\n\n{FENCE}\n{{"kind": 1}}\n```\n'
    assert extract_record(text) == {"kind": 1}
    assert extract_record(text.replace("\n", "\r\n")) == {"kind": 1}
