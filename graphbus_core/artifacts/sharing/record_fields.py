"""The fields of a record, as its class says them."""

from __future__ import annotations

import ast

from graphbus_core.artifacts.sharing.values import NOTHING, ClassScope, Outside


def list_fields(cls: ClassScope) -> dict[str, bool]:
    """The fields of a record, in order, and whether an argument reaches one by its place."""
    fields: dict[str, bool] = {}
    for ancestor in reversed(cls.lineage()):
        is_placed = True
        for statement in ancestor.node.body if ancestor.is_record else ():
            if not isinstance(statement, ast.AnnAssign) or not isinstance(statement.target, ast.Name):
                continue
            hint = _name_hints(ancestor, statement.annotation)
            if "KW_ONLY" in hint:
                is_placed = False
            elif "ClassVar" not in hint:
                given = statement.value.keywords if isinstance(statement.value, ast.Call) else []
                told = {k.arg: isinstance(k.value, ast.Constant) and bool(k.value.value) for k in given}
                fields[statement.target.id] = is_placed and told.get("init", True) and not told.get("kw_only", False)
    return fields


def _name_hints(cls: ClassScope, hint: ast.expr) -> str:
    """The words of a hint, under the names that they were imported by."""
    names = [n.id for n in ast.walk(hint) if isinstance(n, ast.Name)]
    atoms = [a for name in names for a in cls.module.names.get(name, NOTHING)]
    return " ".join([ast.unparse(hint), *(a.name for a in atoms if isinstance(a, Outside))])
