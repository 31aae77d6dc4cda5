"""`check`: does every payload of the producer fit the consumer? And if not, show one that does not.

Contracts are read as the two ends of a link (`readings`), plain schemas as they stand. The fast road proves the
common "yes"; else the structural decision (`subset`) answers, and its counterexample is shown to the independent
judge. Only where that gives up does a bounded, seeded search try to refute.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from graphbus_core.contracts.explain import reasons
from graphbus_core.contracts.inclusion import quick, sampling
from graphbus_core.contracts.inclusion.decide import STEPS, Decision, decide
from graphbus_core.contracts.reading import dialects, tagged
from graphbus_core.contracts.reading.contract import Contract
from graphbus_core.contracts.reading.walk import same
from graphbus_core.contracts.values import judge
from graphbus_core.contracts.values.budget import GivesUp
from graphbus_core.contracts.values.dressed import dressed
from graphbus_core.contracts.values.verdict import FITS, NOTHING, Reason, Verdict
from graphbus_core.errors import ContractError

Schema = Contract | Mapping[str, Any] | bool
_NO_FORMATS: frozenset[str] = frozenset()
_VALUES_TRIED = 8  # that the decision offers the judge, where it is of another mind about the first
_MUTE = 5  # values about which the judge cannot say anything, after which it is not asked again
_SEARCHED = 300  # values tried where the decision gave up


def check(
    producer: Schema,
    consumer: Schema,
    *,
    dialect: str | int | None = None,
    formats: bool | None = None,
    steps: int = STEPS,
) -> Verdict:
    """Whether every value that `producer` accepts is accepted by `consumer`.

    A Contract is read as the end of a link: the producer's objects closed, the consumer's open (design §4). A mapping
    or a boolean is a plain JSON Schema; `$schema` says its dialect, else `dialect`, else 2020-12. `formats` True counts
    every format that can be checked, False none; None: on links a format that stands for a Python type is that type.
    `steps` bounds the work: the same schemas take the same steps on every machine. Raises ContractError for what is
    no schema.
    """
    a, draft_a = _side(producer, dialect, closed=True)
    b, draft_b = _side(consumer, dialect, closed=False)
    marked = None
    if isinstance(producer, Contract) and isinstance(consumer, Contract) and formats is None:
        marked = tagged.both(a, b)
        a, b = marked or (a, b)
    counted = dialects.formats_in(a) | dialects.formats_in(b) if formats else _NO_FORMATS
    if quick.proves(a, b, quick.Glance(counted)):
        return FITS
    if _same(producer, consumer):
        return FITS  # also where it holds what cannot be decided: every value of it is one of it
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
    return Verdict(False, why, value if marked is None or value is NOTHING else tagged.shown(value))


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


def _same(producer: Schema, consumer: Schema) -> bool:
    if isinstance(producer, Contract) or isinstance(consumer, Contract):
        return isinstance(producer, Contract) and producer == consumer
    try:
        return isinstance(producer, Mapping) and same(producer, consumer)
    except RecursionError:  # the decision says that it is too deep
        return False


def _side(schema: Any, default: str | int | None, *, closed: bool) -> tuple[Any, int]:
    if isinstance(schema, Contract):
        return (schema.closed if closed else schema.opened), dialects.NEWEST
    if not isinstance(schema, Mapping | bool):
        raise ContractError(f"a JSON Schema is an object or true/false, not {type(schema).__name__}.")
    return schema, dialects.dialect_of(schema, default)
