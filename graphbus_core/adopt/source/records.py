"""A TypedDict beside the class, where every return shows the same keys; and the hint that leads to it."""

from __future__ import annotations

import ast
import keyword
from collections.abc import Iterable

from graphbus_core.adopt.known.code import FunctionNode
from graphbus_core.adopt.known.shapes import Certainty, Keyed, KnownShape
from graphbus_core.adopt.source.types import type_text
from graphbus_core.build.edit.text.source import Edit, Source

MAX_FIELDS = 24  # a larger one is a table, and no record


def is_record(told: KnownShape, function: FunctionNode) -> bool:
    """Whether a function gives a dict whose keys are certain, and no hint says so yet."""
    shape = told.shape
    if told.level != Certainty.CERTAIN or not isinstance(shape, Keyed) or shape.open or not shape.fields:
        return False
    if any(not f.name.isidentifier() or keyword.iskeyword(f.name) or f.name.startswith("__") for f in shape.fields):
        return False
    bare = function.returns is None or ast.unparse(function.returns) in ("dict", "Dict", "typing.Dict")
    return bare and len(shape.fields) <= MAX_FIELDS and not function.decorator_list


def name_of(function: FunctionNode, cls: str, taken: Iterable[str]) -> str:
    """What the record is called: `get_order` gives an `OrderRecord`; with the class's name where that is taken."""
    words = [word for word in function.name.split("_") if word]
    words = words[1:] if len(words) > 1 and words[0] in ("get", "make", "build", "create", "to") else words
    name = "".join(word[:1].upper() + word[1:] for word in words) + "Record"
    return f"{cls}{name}" if name in set(taken) else name


def written(name: str, shape: Keyed, newline: str) -> str:
    """The class, as PEP 8 has it, with the lines that stand between it and what follows."""
    lines = [f"class {name}(TypedDict):"]
    for one in shape.fields:
        hint = type_text(one.shape, hint=True)
        lines.append(f"    {one.name}: {hint if one.required else f'NotRequired[{hint}]'}")
    return newline.join([*lines, "", "", ""])


def names_needed(shape: Keyed) -> list[str]:
    """What the class needs from `typing`."""
    text = written("_", shape, "\n")
    return [word for word in ("Any", "NotRequired", "TypedDict") if word in text]


def hint(source: Source, function: FunctionNode, name: str) -> Edit:
    """The edit that writes `-> Name`."""
    if function.returns is not None:
        start, end = source.span(function.returns)
        return Edit(start, end, name.encode())
    start, _ = source.span(function)
    _, last = source.span(function)
    depth = 0
    for token in source.tokens(start, last):
        depth += (token.text in ("(", "[", "{")) - (token.text in (")", "]", "}"))
        if token.text == ":" and depth == 0:
            return Edit(token.start, token.start, f" -> {name}".encode())
    raise ValueError("a function without a colon")
