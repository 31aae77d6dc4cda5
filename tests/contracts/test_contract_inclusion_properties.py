"""What must hold of every verdict, over schemas and payloads by chance (issue "the contract engine", Hypothesis).

`GRAPHBUS_EXAMPLES` multiplies the number of examples; the default keeps the file under some twenty seconds.
"""

from __future__ import annotations

import os
from itertools import islice
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings, strategies as st

from graphbus_core.contracts import Contract, check
from graphbus_core.contracts.inclusion import emptiness, sampling
from graphbus_core.contracts.inclusion.solver import decide
from graphbus_core.contracts.parsing.json_schema import DRAFT2020
from graphbus_core.contracts.validation import judge
from tests.contracts.schemas_by_chance import payloads, schemas

pytestmark = pytest.mark.no_cover

MORE = int(os.environ.get("GRAPHBUS_EXAMPLES", "1"))
QUIET = list(HealthCheck)

near_pairs = st.one_of(
    st.tuples(schemas, schemas),
    st.tuples(schemas, schemas).map(lambda p: (p[0], {"anyOf": [p[0], p[1]]})),
    st.tuples(schemas, schemas).map(lambda p: ({"allOf": [p[0], p[1]]}, p[1])),
    st.tuples(schemas, schemas).map(lambda p: ({**p[0], **p[1]}, p[1])),
)


def contradicts(a: Any, b: Any, value: Any) -> bool:
    """Whether the judge says that a value is of A and not of B."""
    return judge.is_accepted(a, value, DRAFT2020) is True and judge.is_accepted(b, value, DRAFT2020) is False


@settings(max_examples=250 * MORE, deadline=None, suppress_health_check=QUIET)
@given(near_pairs, st.lists(payloads, max_size=8))
def test_no_payload_contradicts_a_verdict(pair: tuple[Any, Any], values: list[Any]) -> None:
    """True: no payload refutes it, neither by chance nor of the search. False: its counterexample is one."""
    a, b = pair
    verdict = check(a, b)
    if verdict.compatible is True:
        for value in [*values, *islice(sampling.generate_candidates(a, b, 1), 25)]:
            assert not contradicts(a, b, value)
    if verdict.has_counterexample:
        assert verdict.compatible is False
        assert contradicts(a, b, verdict.counterexample)


@settings(max_examples=150 * MORE, deadline=None, suppress_health_check=QUIET)
@given(near_pairs)
def test_the_search_never_refutes_what_the_structure_proves(pair: tuple[Any, Any]) -> None:
    """Two ways to the same answer: where the search finds a value, the decision is not True."""
    a, b = pair
    if decide(a, DRAFT2020, b, DRAFT2020).within:
        assert sampling.search(a, b, lambda v: contradicts(a, b, v), tries=40) is sampling.NOTHING


@settings(max_examples=120 * MORE, deadline=None, suppress_health_check=QUIET)
@given(schemas)
def test_plain_schemas_are_reflexive(schema: Any) -> None:
    """A schema lies within itself, seen by the fast road or not."""
    assert check(schema, schema).compatible is not False
    assert decide(schema, DRAFT2020, schema, DRAFT2020).within is not False


@settings(max_examples=120 * MORE, deadline=None, suppress_health_check=QUIET)
@given(schemas, schemas, schemas)
def test_plain_schemas_are_transitive(one: Any, two: Any, three: Any) -> None:
    """a within b and b within c: then c does not refuse a."""
    a, b, c = {"allOf": [one, two]}, one, {"anyOf": [one, three]}
    for p, q, r in ((a, b, c), (one, two, three), (c, b, a)):
        if check(p, q).compatible and check(q, r).compatible:
            assert check(p, r).compatible is not False


@settings(max_examples=200 * MORE, deadline=None, suppress_health_check=QUIET)
@given(schemas)
def test_links_are_reflexive(schema: Any) -> None:
    """What a contract sends, read closed, it takes, read open."""
    contract = Contract.from_json_schema(schema)
    assert check(contract, contract).compatible is not False
    assert check(contract.closed, schema).compatible is not False
    assert check(schema, contract.opened).compatible is not False


@settings(max_examples=120 * MORE, deadline=None, suppress_health_check=QUIET)
@given(schemas, st.lists(payloads, min_size=1, max_size=8))
def test_our_own_reading_of_a_schema_agrees_with_the_judge(schema: Any, values: list[Any]) -> None:
    """One value is within a schema exactly where the judge accepts it."""
    for value in values:
        accepted = judge.is_accepted(schema, value, DRAFT2020)
        within = decide({"enum": [value]}, DRAFT2020, schema, DRAFT2020).within
        assert within is None or accepted is None or within is accepted


@settings(max_examples=250 * MORE, deadline=None, suppress_health_check=QUIET)
@given(schemas)
@example({"type": "integer", "minimum": 0.2, "maximum": 0.8})
@example({"type": ["integer"], "minimum": 0.5, "maximum": 0.5})
def test_a_glance_never_sees_a_value_where_there_is_none(schema: Any) -> None:
    """What looks as if it could be fulfilled is: the decision finds no proof that it is empty."""
    if emptiness.is_surely_satisfiable(schema):
        assert decide(schema, DRAFT2020, False, DRAFT2020).within is not True


def test_a_flat_pair_is_settled_without_the_solver(monkeypatch: pytest.MonkeyPatch) -> None:
    """Plain fields show at a glance that they fit, and that something can be sent."""
    kinds = ["integer", "string", "number", "boolean", "array", "object"]
    fields = {f"f{i}": {"type": kind} for i, kind in enumerate(kinds)}
    flat = {"type": "object", "properties": fields, "required": list(fields)}
    wider = {**flat, "properties": {**fields, "f0": {"type": "number"}}}
    monkeypatch.setattr(emptiness, "decide", lambda *_, **__: pytest.fail("the solver was asked"))
    assert check(flat, wider).compatible
    assert check(Contract(flat), Contract(wider)).compatible
