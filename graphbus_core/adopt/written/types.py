"""A shape as the text of a type. What no contract can say becomes `object`, which takes everything."""

from __future__ import annotations

from graphbus_core.adopt.known.shapes import Either, Field, Keyed, Many, Mapped, Plain, Row, Shape

ANYTHING = "object"
WORDS = frozenset({"str", "int", "float", "bool", "bytes", "None", "Any"})
SEQUENCES = frozenset({"list", "set", "frozenset", "tuple", "Sequence", "Iterable", "Iterator", "Collection"})


def type_text(shape: Shape) -> str:
    """As a hint writes it; a mapping with known keys as a dict of them."""
    match shape:
        case Plain(name=name) if name in WORDS:
            return name
        case Keyed(fields=fields) if fields:
            inside = ", ".join(f"{one.name!r}: {_presence(one)}" for one in fields)
            return "{" + inside + "}"
        case Many(kind=kind, element=element):
            word = kind if kind in SEQUENCES else "list"
            inner = type_text(element)
            return word if inner == ANYTHING else f"{word}[{inner}{', ...' if word == 'tuple' else ''}]"
        case Mapped(value=value):
            inner = type_text(value)
            return "dict" if inner == ANYTHING else f"dict[str, {inner}]"
        case Row(elements=elements) if elements:
            return f"tuple[{', '.join(map(type_text, elements))}]"
        case Either(options=some) if some:
            texts = list(dict.fromkeys(map(type_text, some)))
            return ANYTHING if ANYTHING in texts else " | ".join(texts)
    # An object of a class says what Python sees; what of it would be sent, only its author knows.
    return ANYTHING


def says_something(shape: Shape) -> bool:
    """Whether a contract made of the shape would refuse anything worth refusing."""
    text = type_text(shape)
    return text not in (ANYTHING, "Any", "None", "dict", "list", "set", "tuple", "frozenset")


def _presence(one: Field) -> str:
    text = type_text(one.shape)
    return text if one.required else f"NotRequired[{text}]"
