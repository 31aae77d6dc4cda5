"""A shape as the text of a type. What no contract can say becomes `object`, which takes everything."""

from __future__ import annotations

from functools import partial

from graphbus_core.adopt.known.shapes import Either, Field, Keyed, Many, Mapped, Plain, Row, Shape

ANYTHING = "object"
WORDS = frozenset({"str", "int", "float", "bool", "bytes", "None", "Any"})
BUILTIN = frozenset({"list", "set", "frozenset", "tuple"})  # what a hint may say without an import
SEQUENCES = BUILTIN | {"Sequence", "Iterable", "Iterator", "Collection"}


def type_text(shape: Shape, *, hint: bool = False) -> str:
    """As `contracts.toml` writes it; a mapping with known keys as a dict of them. `hint`: as source does."""
    said = partial(type_text, hint=hint)
    match shape:
        case Plain(name=name) if name in WORDS:
            return name
        case Keyed(fields=fields) if fields and not hint:
            inside = ", ".join(f"{one.name!r}: {_presence(one)}" for one in fields)
            return "{" + inside + "}"
        case Many(kind=kind, element=element) if kind in BUILTIN or not hint:
            word = kind if kind in SEQUENCES else "list"
            inner = said(element)
            return word if inner == ANYTHING else f"{word}[{inner}{', ...' if word == 'tuple' else ''}]"
        case Mapped(key=key, value=value):
            inner = said(value)
            return "dict" if inner == ANYTHING else f"dict[{said(key) if hint else 'str'}, {inner}]"
        case Row(elements=elements) if elements:
            return f"tuple[{', '.join(map(said, elements))}]"
        case Either(options=some) if some:
            texts = list(dict.fromkeys(map(said, some)))
            if "Any" not in texts and ANYTHING not in texts:
                return " | ".join(texts)
    # An object of a class says what Python sees; what of it would be sent, only its author knows.
    return "Any" if hint else ANYTHING


def says_something(shape: Shape) -> bool:
    """Whether a contract made of the shape would refuse anything worth refusing."""
    text = type_text(shape)
    return text not in (ANYTHING, "Any", "None", "dict", "list", "set", "tuple", "frozenset")


def _presence(one: Field) -> str:
    text = type_text(one.shape)
    return text if one.required else f"NotRequired[{text}]"
