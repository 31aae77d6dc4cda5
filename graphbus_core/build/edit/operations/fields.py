"""Any operation on a field: find where its contract declares it, then hand over to the operation's own file.

A change is followed or refused (design §7): what cannot be followed with certainty raises Refusal with the lines named.
"""

from __future__ import annotations

from collections.abc import Sequence

from graphbus_core.build.confine.outcome import Refusal
from graphbus_core.build.edit import records
from graphbus_core.build.edit.operations import add_field, remove_field, rename_field, retype_field, set_optional
from graphbus_core.build.edit.operations.change import FieldChange
from graphbus_core.build.edit.text.edit_plan import EditPlan
from graphbus_core.model.operation import (
    AddField,
    FieldOperation,
    Operation,
    RemoveField,
    RenameField,
    RetypeField,
    SetOptional,
)


def run(plan: EditPlan, op: FieldOperation, diff: Sequence[Operation]) -> bool:
    """Plan the edits of one field operation. False where everything is so already."""
    change = FieldChange(plan, op, diff)
    source, expr, call, owner = records.declaration(change.work, op)
    if expr is None:
        if not isinstance(op, AddField) or len(change.path) > 1:
            raise Refusal(f"{op.symbol} declares no {op.side} contract.", source.places(call))
        return add_field.declare(change, op, source, call)
    record = records.find(change.work, source, expr, change.path, owner)
    match op:
        case AddField():
            return add_field.run(change, op, record)
        case RemoveField():
            return remove_field.run(change, record)
        case RetypeField():
            return retype_field.run(change, op, record)
        case SetOptional():
            return set_optional.run(change, op, record)
        case RenameField():
            return rename_field.run(change, op, record)
    raise Refusal(f"{op.op} is not known here.")
