"""A copy that is given parts of its own at once: what stood there in the other one is nothing to it.

    bill = BLANK.copy()                 one = copy.copy(TEMPLATE)
    bill["lines"] = []                  one.rows = []

The lines follow each other, nothing else has the copy yet, and whatever fails on the way leaves the function.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from graphbus_core.artifacts.sharing.keys import DICT
from graphbus_core.artifacts.sharing.memo_forms import Function, list_locals
from graphbus_core.artifacts.sharing.protocols import COPYING
from graphbus_core.artifacts.sharing.values import KEYS, Site, Value

if TYPE_CHECKING:
    from graphbus_core.artifacts.sharing.engine import Engine

_CATCHING = (ast.Try, ast.TryStar, ast.With, ast.AsyncWith)
_BY_NAME = frozenset(("locals", "vars", "eval", "exec"))


@dataclass(eq=False)
class Replacing:
    """`name` is bound to a copy that `made` makes, and these keys and attributes of it are set next."""

    name: str
    made: ast.expr
    keys: set[str] = field(default_factory=set)
    attributes: set[str] = field(default_factory=set)


def find_replacing(body: Sequence[ast.stmt], index: int, function: Function) -> Replacing | None:
    """The copy that this statement makes and the next ones change."""
    match body[index]:
        case (
            ast.Assign(targets=[ast.Name(id=name)], value=ast.Call() | ast.Dict() as made)
            | ast.AnnAssign(target=ast.Name(id=name), value=ast.Call() | ast.Dict() as made)
        ):
            found = Replacing(name, made)
        case _:
            return None
    for statement in body[index + 1 :]:
        if not _list_replaced(statement, found):
            break
    is_own = found.keys or found.attributes
    return found if is_own and name in list_locals(function) and _has_it_alone(name, function) else None


def _list_replaced(statement: ast.stmt, found: Replacing) -> bool:
    """Whether it sets a part, and asks for nothing of the copy; the part is added to what is found."""
    match statement:
        case (
            ast.Assign(targets=[ast.Subscript(value=ast.Name(id=name), slice=ast.Constant(value=str(key)))])
            | ast.AnnAssign(target=ast.Subscript(value=ast.Name(id=name), slice=ast.Constant(value=str(key))))
        ) if name == found.name:
            into, part = found.keys, key
        case (
            ast.Assign(targets=[ast.Attribute(value=ast.Name(id=name), attr=attribute)])
            | ast.AnnAssign(target=ast.Attribute(value=ast.Name(id=name), attr=attribute))
        ) if name == found.name:
            into, part = found.attributes, attribute
        case _:
            return False
    if statement.value is None or _mentions(statement.value, found.name):
        return False
    into.add(part)
    return True


def _has_it_alone(name: str, function: Function) -> bool:
    """Whether nothing but the lines of the function itself can have what the name stands for, and none goes on after
    an error."""
    for part in ast.walk(function):
        if isinstance(part, _CATCHING) or (isinstance(part, ast.Name) and part.id in _BY_NAME):
            return False
        is_inner = isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef)
        if is_inner and part is not function and _mentions(part, name):
            return False
    return True


def _mentions(node: ast.AST, name: str) -> bool:
    return any(isinstance(part, ast.Name) and part.id == name for part in ast.walk(node))


def take_parts(engine: Engine, found: Replacing, value: Value) -> Value:
    """The copies that were made here, without what is set next."""
    return frozenset(_take_from(engine, found, a) if isinstance(a, Site) else a for a in value)


def _take_from(engine: Engine, found: Replacing, site: Site) -> Site:
    if site.lasting or site.views or engine.fresh.get(site) is not found.made:
        return site
    is_dict = site.kind == "container" and site.made_by == DICT
    is_own = site.kind == "instance" and site.cls is not None
    if is_own and (any(map(site.cls.find, COPYING)) or not found.attributes):  # type: ignore[union-attr]
        return site
    names = {n for n in found.attributes if is_own and not engine.attributes.is_set_by_hand(site.cls, n)}
    if not names and not (is_dict and found.keys):
        return site
    twin = engine.make((found.made, site.copied or site, "without"), site.kind, cls=site.cls)
    twin.copied, twin.made_by, twin.is_copy, twin.is_filled = site.copied or site, site.made_by, site.is_copy, True
    twin.is_mixed = twin.is_mixed or site.is_mixed
    engine.put_value(twin, frozenset(site.loose))
    for key, values in list(site.keyed.items()):
        if not is_dict or key not in found.keys:
            engine.put_at(twin, ast.Constant(key), frozenset(values))
    for name, values in list(site.fields.items()):
        if name not in names or name == KEYS:
            engine.put_value(twin, frozenset(values), name)
    return twin


__all__ = ["Replacing", "find_replacing", "take_parts"]
