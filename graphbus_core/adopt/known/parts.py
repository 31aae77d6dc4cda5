"""What is inside a value of a shape: an element, what stands under a key; and what operators make of two."""

from __future__ import annotations

import ast
from dataclasses import replace

from graphbus_core.adopt.known.shapes import (
    BYTES,
    DARK,
    FLOAT,
    INT,
    STR,
    UNKNOWN,
    Certainty,
    Keyed,
    KnownShape,
    Many,
    Mapped,
    Plain,
    Row,
    Shape,
    either,
)

NUMBERS: dict[Shape, int] = {INT: 0, FLOAT: 1}  # the wider one counts


def element_of(told: KnownShape) -> KnownShape:
    """What a loop over it gives."""
    match told.shape:
        case Many(element=element) if element != UNKNOWN:
            return replace(told, shape=element)
        case Row(elements=elements) if (shape := either(elements)) != UNKNOWN:
            return replace(told, shape=shape)
        case Plain(name="str"):
            return told
        case Mapped(key=key) if key != UNKNOWN:
            return replace(told, shape=key)
        case Keyed():
            return replace(told, shape=STR)
    return DARK


def under(shape: Shape, key: ast.expr) -> Shape:
    """What a subscript gives."""
    constant = key.value if isinstance(key, ast.Constant) else None
    match shape:
        case Keyed() if isinstance(constant, str) and (found := shape.field(constant)) is not None:
            return found.shape
        case Mapped(value=value):
            return value
        case Many(element=element, kind=kind) if kind in ("list", "tuple", "Sequence"):
            return shape if isinstance(key, ast.Slice) else element
        case Row(elements=elements) if isinstance(constant, int) and -len(elements) <= constant < len(elements):
            return elements[constant]
        case Plain(name="str"):
            return STR
        case Plain(name="bytes") if isinstance(key, ast.Slice):
            return BYTES
    return UNKNOWN


def arithmetic(op: ast.operator, left: KnownShape, right: KnownShape) -> KnownShape:
    """What `left op right` gives."""
    if left.shape == STR and isinstance(op, ast.Mod | ast.Add | ast.Mult):
        return replace(left, source="code", level=max(left.level, Certainty.LIKELY))
    if right.shape == STR and isinstance(op, ast.Add):
        return KnownShape(STR, min(right.level, Certainty.CERTAIN), "code")
    if left.shape in NUMBERS and right.shape in NUMBERS:
        level = min(left.level, right.level)
        if isinstance(op, ast.Div):
            return KnownShape(FLOAT, level, "code")
        return KnownShape(max(left.shape, right.shape, key=lambda s: NUMBERS[s]), level, "code")
    if isinstance(op, ast.Div) and FLOAT in (left.shape, right.shape):
        return KnownShape(FLOAT, Certainty.LIKELY, "code")
    if isinstance(left.shape, Many) and left.shape == right.shape:
        return left
    return DARK
