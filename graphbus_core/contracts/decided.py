"""What two schemas come to that a glance did not settle: it is decided, and the counterexample is shown to a judge.

The structural decision (`inclusion`) answers; the judge reads the schemas on its own and confirms what is shown. Only
where the decision gives up does a bounded, seeded search try to refute.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from graphbus_core.contracts.explain import reasons
from graphbus_core.contracts.inclusion import sampling
from graphbus_core.contracts.inclusion.decide import Decision, decide
from graphbus_core.contracts.reading import tagged
from graphbus_core.contracts.values import judge
from graphbus_core.contracts.values.budget import GivesUp
from graphbus_core.contracts.values.dressed import dressed
from graphbus_core.contracts.values.verdict import FITS, NOTHING, Reason, Verdict

_VALUES_TRIED = 8  # that the decision offers the judge, where it is of another mind about the first
_MUTE = 5  # values about which the judge cannot say anything, after which it is not asked again
_SEARCHED = 300  # values tried where the decision gave up


def decided(
    a: Any, draft_a: int, b: Any, draft_b: int, counted: frozenset[str], steps: int, *, marked: bool
) -> Verdict:
    """Whether every value that `a` accepts is accepted by `b`. `counted`: formats that are checked; `marked`: the two
    carry the marks of Python types, which no counterexample shows. Raises ContractError for what is not a schema.
    """
    decision = decide(a, draft_a, b, draft_b, formats=counted, steps=steps)
    if decision.within:
        return FITS

    found: list[Any] = []  # the judge's errors about the value that it confirmed
    mute = 0  # how often the judge could not say

    def refutes(value: Any) -> bool:
        nonlocal mute
        accepted = judge.accepts(a, value, draft_a, counted) if mute < _MUTE else None
        errors = judge.errors(b, value, draft_b, counted) if accepted else None
        if accepted is None or (accepted and errors is None):
            mute += 1
        found[:] = errors or ()
        return bool(found)

    if decision.within is None:
        too_deep = decision.reason is not None and decision.reason.kind == "depth"  # the judge would stumble, too
        value = NOTHING if too_deep else sampling.search(a, b, refutes, tries=_SEARCHED)
        if value is NOTHING:
            return Verdict(None, (_given_up(decision.reason),))
    else:
        value = _shown(decision, a, b, refutes)
    if value is not NOTHING:
        before, value = value, dressed(a, value, refutes)
        if value is not before or not found:
            refutes(value)  # the reasons are of what is shown
    why = reasons(a, found, decision.value if value is NOTHING else value)
    return Verdict(False, why, tagged.shown(value) if marked else value)


def _shown(decision: Decision, a: Any, b: Any, refutes: Callable[[Any], bool]) -> Any:
    """A counterexample that the judge confirms; NOTHING where it reads the schemas differently (its own limits)."""
    for value in decision.more(_VALUES_TRIED):
        if refutes(value):
            return value
    return sampling.search(a, b, refutes, tries=_SEARCHED)


def _given_up(reason: GivesUp | None) -> Reason:
    if reason is None:
        return Reason("undecided", "", "it was not decided")
    return Reason(reason.kind, "", reason.message)
