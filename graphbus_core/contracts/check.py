"""`check`: does every payload of the producer fit the consumer? And if not, show one that does not.

Contracts are read as the two ends of a link (`readings`), plain schemas as they stand. The fast road proves the
common "yes"; what it does not settle is decided (`decided`, loaded only then: most links are settled by a glance).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from graphbus_core.contracts.inclusion import quick
from graphbus_core.contracts.reading import dialects, tagged
from graphbus_core.contracts.reading.contract import Contract
from graphbus_core.contracts.reading.walk import same
from graphbus_core.contracts.values.budget import STEPS
from graphbus_core.contracts.values.verdict import FITS, Verdict
from graphbus_core.errors import ContractError

Schema = Contract | Mapping[str, Any] | bool
_NO_FORMATS: frozenset[str] = frozenset()


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
    from graphbus_core.contracts.decided import decided

    return decided(a, draft_a, b, draft_b, counted, steps, marked=marked is not None)


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
