"""What a value can be, as far as source tells. Shapes are compared and printed; contracts are made of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum
from typing import TypeAlias


class Certainty(IntEnum):
    """How sure a statement is. Declared: somebody wrote the type. Certain: the code gives nothing else."""

    UNKNOWN = 0
    LIKELY = 1
    CERTAIN = 2
    DECLARED = 3


@dataclass(frozen=True)
class UnknownShape:
    """Nobody can tell."""


@dataclass(frozen=True)
class Plain:
    """A type by name: a builtin, or a class that is not the project's."""

    name: str


@dataclass(frozen=True)
class Made:
    """An object of a class of the project."""

    path: str
    name: str


@dataclass(frozen=True)
class Field:
    """One key of a mapping."""

    name: str
    shape: Shape
    required: bool = True


@dataclass(frozen=True)
class Keyed:
    """A mapping whose keys are known. `open`: it may have more."""

    fields: tuple[Field, ...] = ()
    open: bool = False

    def field(self, name: str) -> Field | None:
        """The field of that name."""
        return next((one for one in self.fields if one.name == name), None)


@dataclass(frozen=True)
class Many:
    """A container of one kind of element: `list`, `set`, `Iterable`, …; a mapping is a `Mapped`."""

    kind: str
    element: Shape


@dataclass(frozen=True)
class Mapped:
    """A mapping from any key to such values."""

    key: Shape
    value: Shape
    kind: str = "dict"


@dataclass(frozen=True)
class Row:
    """A tuple whose elements are known one by one."""

    elements: tuple[Shape, ...]


@dataclass(frozen=True)
class Either:
    """One of several."""

    options: tuple[Shape, ...]


Shape: TypeAlias = UnknownShape | Plain | Made | Keyed | Many | Mapped | Row | Either

UNKNOWN = UnknownShape()
NONE, STR, INT, FLOAT, BOOL, BYTES, ANY = map(Plain, ("None", "str", "int", "float", "bool", "bytes", "Any"))
MOST_OPTIONS = 8
EMPTY = Either(())  # the elements of a list that nothing was put into


@dataclass(frozen=True)
class KnownShape:
    """A shape, how sure it is, and where that comes from (`hint`, `returns`, `default`, `docstring`, …)."""

    shape: Shape
    level: Certainty
    source: str = ""


DARK = KnownShape(UNKNOWN, Certainty.UNKNOWN)


def either(shapes: Iterable[Shape]) -> Shape:
    """One of these, flat and each once. Anything or unknown swallows the rest."""
    flat: dict[Shape, None] = {}
    for one in shapes:
        for option in options(one):
            flat[option] = None
    for one in [o for o in flat if isinstance(o, Many) and o.element == EMPTY]:  # empty: of any kind
        if any(isinstance(o, Many) and o.kind == one.kind and o != one for o in flat):
            del flat[one]
    if not flat or UNKNOWN in flat or len(flat) > MOST_OPTIONS:
        return UNKNOWN
    return next(iter(flat)) if len(flat) == 1 else Either(tuple(flat))


def union(told: Iterable[KnownShape], source: str = "") -> KnownShape:
    """One of these, as sure as the least sure of them."""
    some = list(told)
    if not some:
        return DARK
    shape = either(one.shape for one in some)
    if shape == UNKNOWN:
        return DARK
    return KnownShape(shape, min(one.level for one in some), source or some[0].source)


def options(shape: Shape) -> tuple[Shape, ...]:
    """The alternatives of a shape."""
    return shape.options if isinstance(shape, Either) else (shape,)


def is_larger(shape: Shape, most: int) -> bool:
    """Whether a shape has more than so many parts. Looks at no more: `x = [x, [x]]` doubles at every line."""
    waiting: list[Shape] = [shape]
    seen = 0
    while waiting and seen <= most:
        seen += 1
        match waiting.pop():
            case Keyed(fields=fields):
                waiting += [one.shape for one in fields]
            case Many(element=element):
                waiting.append(element)
            case Mapped(key=key, value=value):
                waiting += (key, value)
            case Row(elements=parts) | Either(options=parts):
                waiting += parts
    return seen > most


def without_none(shape: Shape) -> Shape:
    """The same without `None`."""
    return either(one for one in options(shape) if one != NONE) if NONE in options(shape) and shape != NONE else shape


def text(shape: Shape) -> str:
    """As a person writes it."""
    match shape:
        case UnknownShape():
            return "?"
        case Plain(name=name):
            return name
        case Made(name=name):
            return name
        case Keyed(fields=fields, open=is_open):
            inside = [f"{f.name}{'' if f.required else '?'}: {text(f.shape)}" for f in fields]
            return "{" + ", ".join([*inside, *(["…"] if is_open else [])]) + "}"
        case Many(kind=kind, element=element):
            return (
                kind if element in (UNKNOWN, EMPTY) else f"{kind}[{text(element)}{', ...' if kind == 'tuple' else ''}]"
            )
        case Mapped(key=key, value=value, kind=kind):
            return kind if key == UNKNOWN and value == UNKNOWN else f"{kind}[{text(key)}, {text(value)}]"
        case Row(elements=elements):
            return f"tuple[{', '.join(map(text, elements)) or '()'}]"
        case Either(options=some):
            return " | ".join(map(text, some))


def sample(shape: Shape, depth: int = 0) -> object:
    """A value of the shape, as JSON: the payload of a finding. None where nothing is known."""
    plain = {"str": "", "int": 0, "float": 0.5, "bool": False, "bytes": "", "None": None}
    match shape:
        case Plain(name=name):
            return plain.get(name, f"<{name}>")
        case Keyed(fields=fields) if depth < 4:
            return {f.name: sample(f.shape, depth + 1) for f in fields if f.required}
        case Many(element=element) if depth < 4:
            return [] if element in (UNKNOWN, EMPTY) else [sample(element, depth + 1)]
        case Row(elements=elements) if depth < 4:
            return [sample(one, depth + 1) for one in elements]
        case Mapped():
            return {}
        case Either(options=some):
            return sample(some[0], depth + 1)
        case Made(name=name):
            return f"<{name}>"
    return "<?>"
