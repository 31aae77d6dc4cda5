"""Containers that are filled after they were made: keys that are set, elements that are added, hands that may add."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace

from graphbus_core.adopt.asked import AskedValues
from graphbus_core.adopt.known.shapes import (
    EMPTY,
    UNKNOWN,
    Certainty,
    Field,
    Keyed,
    KnownShape,
    Many,
    Mapped,
    Shape,
    either,
)
from graphbus_core.syntax import inside, is_name

MUTATING = {"update", "pop", "clear", "setdefault", "popitem"}
GROWING = {"append", "add", "extend", "insert", "appendleft"}
LOOKING = {"len", "print", "str", "sorted", "dict", "list", "repr", "bool", "isinstance"}


def filled(values: AskedValues, name: str, told: KnownShape) -> KnownShape:
    """What the container of a local name is at the end of its function."""
    if not isinstance(told.shape, Keyed | Many | Mapped) or told.level >= Certainty.DECLARED:
        return told  # whoever fills a declared one keeps to its declaration
    body = values.frame.body
    top = {id(at) for at in body}
    shape: Shape = told.shape
    elements: list[Shape] = []
    handed = name in _shared(body)  # another name may be filling it
    for at in inside(body):
        handed |= _handed(at, name)
        for key, value in _set_keys(at, name):
            shape = _with_key(values, shape, key, value, id(at) in top)
        elements += _added(values, at, name)
    if elements and isinstance(shape, Many):
        first = [shape.element] if shape.element != EMPTY else []
        shape = Many(shape.kind, either([*first, *elements]))
    if not handed or isinstance(shape, Mapped):
        return replace(told, shape=shape)
    if isinstance(shape, Keyed):
        shape = replace(shape, open=True) if shape.fields else Mapped(UNKNOWN, UNKNOWN)
    return replace(told, shape=shape, level=min(told.level, Certainty.LIKELY))


def _handed(at: ast.AST, name: str) -> bool:
    """Whether a node may put keys into the mapping of that name, or take some out, by itself or by who gets it."""
    match at:
        case ast.Delete(targets=targets):
            return any(isinstance(t, ast.Subscript) and is_name(t.value, name) for t in targets)
        case ast.Call(func=ast.Attribute(value=base, attr=attr)) if is_name(base, name):
            return attr in MUTATING
        case ast.Call(func=ast.Name(id=word)) if word in LOOKING:
            return False
        case ast.Call(func=ast.Attribute(attr="append" | "add")):
            return False  # where it goes, it is only read; a second name is seen by `_shared`
        case ast.Call(args=args, keywords=keywords):
            return any(is_name(a, name) for a in args) or any(is_name(k.value, name) and k.arg for k in keywords)
    return False


def _set_keys(at: ast.AST, name: str) -> Iterator[tuple[ast.expr, ast.expr]]:
    if isinstance(at, ast.Assign):
        for target in at.targets:
            if isinstance(target, ast.Subscript) and is_name(target.value, name):
                yield target.slice, at.value


def _added(values: AskedValues, at: ast.AST, name: str) -> list[Shape]:
    match at:
        case ast.Call(func=ast.Attribute(value=base, attr=attr), args=args) if attr in GROWING and is_name(base, name):
            return [values.of(args[0]).shape if attr in ("append", "add") and args else UNKNOWN]
    return []


def _shared(body: list[ast.stmt]) -> set[str]:
    """Local names whose object gets a second name: `other = name`, `self.x = name`, `[name]`."""
    found: set[str] = set()
    for at in inside(body):
        match at:
            case ast.Assign(value=ast.Name(id=name)) | ast.AnnAssign(value=ast.Name(id=name)):
                found.add(name)
            case ast.List(elts=parts) | ast.Tuple(elts=parts) | ast.Set(elts=parts) | ast.Dict(values=parts):
                found |= {p.id for p in parts if isinstance(p, ast.Name) and isinstance(p.ctx, ast.Load)}
    return found


def _with_key(values: AskedValues, shape: Shape, key: ast.expr, value: ast.expr, always: bool) -> Shape:
    if not isinstance(shape, Keyed):
        return shape
    if not (isinstance(key, ast.Constant) and isinstance(key.value, str)):
        return Mapped(UNKNOWN, UNKNOWN) if not shape.fields else replace(shape, open=True)
    before = shape.field(key.value)
    new = values.of(value).shape
    if before is not None:
        new = either((before.shape, new))
    made = Field(key.value, new, always or (before is not None and before.required))
    return replace(shape, fields=(*(f for f in shape.fields if f.name != key.value), made))
