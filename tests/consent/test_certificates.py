"""Certificates and proofs: computed again they hold; altered in any way they do not."""

from __future__ import annotations

import copy
import json
import os
from typing import Any

import pytest

from graphbus_core.negotiation.consent.certificate import certificate, digest, proof, verify
from graphbus_core.negotiation.consent.document import FENCE, record_in
from graphbus_core.negotiation.consent.scenario import Advocate, Forbidden, Issue, RedLine, Scenario
from tests.consent.worlds import generated

COUNT = int(os.environ.get("GRAPHBUS_CONSENT_SCENARIOS", "40"))


def test_what_is_handed_out_holds() -> None:
    """For each generated scenario: a certificate of some agreement, or the proof that there is none."""
    kinds = set()
    for seed in range(COUNT):
        scenario = generated(seed)
        possible = [o for o in scenario.outcomes() if scenario.permitted(o)]
        record = certificate(scenario, possible[seed % len(possible)]) if possible else proof(scenario)
        assert record is not None
        record = json.loads(json.dumps(record))
        kinds.add(record["kind"])
        assert verify(scenario, record) == []
        assert verify(generated(seed + 1000), record) != []
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
        possible = [o for o in scenario.outcomes() if scenario.permitted(o)]
        record = certificate(scenario, possible[0]) if possible else proof(scenario)
        for wrong in _altered(record or {}):
            tried += 1
            assert verify(scenario, wrong), wrong
    assert tried > 20


def test_an_agreement_across_a_red_line_has_no_valid_certificate() -> None:
    scenario = next(s for s in map(generated, range(50)) if not all(map(s.permitted, s.outcomes())))
    bad = next(o for o in scenario.outcomes() if not scenario.permitted(o))
    assert any("red line" in w for w in verify(scenario, certificate(scenario, bad)))


def test_the_order_of_the_advocates_is_no_part_of_a_scenario() -> None:
    from dataclasses import replace

    scenario = generated(2)
    assert digest(replace(scenario, advocates=scenario.advocates[::-1])) == digest(scenario)


def test_with_a_quorum_the_proof_names_a_conflict_for_every_group() -> None:
    """Two of three would do, but no two can."""
    issue = Issue("x", ("a", "b", "c"))
    seats = tuple(
        Advocate(n, red_lines=(RedLine(n, Forbidden({0: frozenset({0, 1, 2} - {k})}), f"only {issue.options[k]}"),))
        for k, n in enumerate("PQR")
    )
    found = proof(Scenario("x", (issue,), seats, quorum=2))
    assert found is not None
    assert found["kind"] == "deadlock"
    assert [g["advocates"] for g in found["groups"]] == [["P", "Q"], ["P", "R"], ["Q", "R"]]
    assert verify(Scenario("x", (issue,), seats, quorum=2), found) == []
    loose = proof(Scenario("x", (issue,), seats, quorum=1))
    assert loose is not None
    assert loose["kind"] == "possible"


def test_a_damaged_record_in_a_document_is_said_to_be() -> None:
    assert record_in("no record") is None
    assert record_in(f'{FENCE}\n{{"kind": 1}}\n```\n') == {"kind": 1}
    with pytest.raises(ValueError):
        record_in(f'{FENCE}\n{{"kind"')
