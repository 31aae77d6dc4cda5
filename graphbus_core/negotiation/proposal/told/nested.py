"""Seed 000's nested form of a diff, as it is written out; `said.forms` reads it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from graphbus_core.model.operation import (
    AddField,
    FieldOperation,
    Operation,
    RemoveField,
    RenameField,
    RetypeField,
    SetOptional,
)


def nested(ops: Sequence[Operation]) -> dict[str, Any] | None:
    """Seed 000's form of a diff that is nothing but contract changes of one method; None where it has no such form."""
    if not ops or len({op.symbol for op in ops}) != 1:
        return None
    first = ops[0]
    made: dict[str, Any] = {
        "node": first.node,
        **({"method": first.method} if first.method else {"topic": first.topic}),
    }
    for op in ops:
        if not isinstance(op, FieldOperation):
            return None
        side = made.setdefault(f"{op.side}_schema", {})
        match op:
            case AddField():
                given = {"type": op.type, "description": op.description, "default": op.default}
                spec = {k: v for k, v in given.items() if v is not None}
                side.setdefault("add", {})[op.field] = {**spec, **({"optional": True} if op.optional else {})}
            case RemoveField():
                side.setdefault("remove", []).append(op.field)
            case RenameField():
                side.setdefault("rename", {})[op.field] = op.to
            case RetypeField():
                side.setdefault("retype", {})[op.field] = op.type
            case SetOptional():
                side.setdefault("optional", {})[op.field] = op.optional
            case _:
                return None
    return made
