"""`check`: does every payload of the producer fit the consumer? And if not, show one that does not.

Contracts are read as the two ends of a link (`readings`), plain schemas as they stand. The fast road proves the
common "yes"; else the structural decision answers, and its counterexample is shown to the independent judge.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from graphbus_core.contracts import dialects, judge, quick, sampling
from graphbus_core.contracts.contract import Contract
from graphbus_core.contracts.explain import reasons
from graphbus_core.contracts.forms import TYPE_FORMATS
from graphbus_core.contracts.verdict import FITS, NOTHING, Reason, Verdict
from graphbus_core.errors import ContractError

Schema = Contract | Mapping[str, Any] | bool
_NO_FORMATS: frozenset[str] = frozenset()


def check(
    producer: Schema,
    consumer: Schema,
    *,
    dialect: str | int | None = None,
    formats: bool | None = None,
) -> Verdict:
    """Whether every value that `producer` accepts is accepted by `consumer`.

    A Contract is read as the end of a link: the producer's objects closed, the consumer's open (design §4). A mapping
    or a boolean is a plain JSON Schema; `$schema` says its dialect, else `dialect`, else 2020-12. `formats` True counts
    every format that can be checked, False none; None: those that stand for a Python type, and on links only.
    Raises ContractError for what is no schema at all.
    """
    a, draft_a = _side(producer, dialect, closed=True)
    b, draft_b = _side(consumer, dialect, closed=False)
    link = isinstance(producer, Contract) and isinstance(consumer, Contract)
    counted = TYPE_FORMATS if (link if formats is None else formats) else _NO_FORMATS
    if quick.proves(a, b, counted):
        return FITS

    def refutes(value: Any) -> bool:
        return bool(judge.accepts(a, value, draft_a, counted) and judge.accepts(b, value, draft_b, counted) is False)

    found = sampling.search(a, b, refutes)
    if found is not NOTHING:
        return Verdict(False, reasons(a, b, found, draft_b, counted), found)
    return Verdict(None, (Reason("undecided", "", "no payload was found that refutes it, and no proof."),))


def _side(schema: Any, default: str | int | None, *, closed: bool) -> tuple[Any, int]:
    if isinstance(schema, Contract):
        return (schema.closed if closed else schema.opened), dialects.NEWEST
    if not isinstance(schema, Mapping | bool):
        raise ContractError(f"a JSON Schema is an object or true/false, not {type(schema).__name__}.")
    return schema, dialects.dialect_of(schema, default)
