"""Give a field another type: its contract, the annotation of its parameter; constants must fit it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from graphbus_core.build.confine.outcome import Refusal
from graphbus_core.build.edit import declared, signature
from graphbus_core.build.edit.operations.change import FieldChange
from graphbus_core.build.edit.records import RecordDefinition
from graphbus_core.build.edit.type_text import takes
from graphbus_core.build.understand.keys import Trace
from graphbus_core.model.operation import RetypeField


def run(change: FieldChange, op: RetypeField, record: RecordDefinition) -> bool:
    """Write the new type. False where it says so already."""
    holder, before = change.declared(record)
    if not declared.retype(change.plan, holder, change.name, op.type):
        return False
    if op.side == "input" and len(change.path) == 1:
        signature.retype(change.plan, change.signature(), change.name, before, op.type)
    if op.side == "output":
        _refuse_misfits(change, op)
    return True


def _refuse_misfits(change: FieldChange, op: RetypeField) -> None:
    """A constant that the new type does not take is a lie in the source: the code must change first."""
    for source, _, _, trace in change.makers(None):
        for value in _constants(change.name, trace):
            if not takes(op.type, value.value):
                raise Refusal(
                    f"{op.address} is {source.text(value)} here, which is not {op.type}.", source.places(value)
                )


def _constants(name: str, trace: Trace) -> Iterator[ast.Constant]:
    """The constants that dict literals give the field."""
    for literal in trace.literals:
        if isinstance(literal, ast.Dict):
            for key, value in zip(literal.keys, literal.values, strict=True):
                if isinstance(key, ast.Constant) and key.value == name and isinstance(value, ast.Constant):
                    yield value
