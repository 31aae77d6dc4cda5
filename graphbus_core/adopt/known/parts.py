"""What is inside a value of a shape: an element, and what stands under a key."""

from __future__ import annotations

import ast
from dataclasses import replace

from graphbus_core.adopt.known.shapes import (
    BYTES,
    DARK,
    STR,
    UNKNOWN,
    Keyed,
    Many,
    Mapped,
    Plain,
    Row,
    Shape,
    Told,
    either,
)


def element_of(told: Told) -> Told:
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
