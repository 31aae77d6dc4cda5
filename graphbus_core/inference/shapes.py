"""What a value can be, as far as source tells. Shapes are compared and printed; contracts are made of them."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import IntEnum
from functools import partial
from typing import TypeAlias


class Certainty(IntEnum):
    """How sure a statement is. Declared: somebody wrote the type. Certain: the code gives nothing else."""

    UNKNOWN = 0
    LIKELY = 1
    CERTAIN = 2
    DECLARED = 3

    @property
    def word(self) -> str:
        """As people and `--json` are told it."""
        return ("unknown", "likely", "certain", "declared")[self]


@dataclass(frozen=True)
class UnknownShape:
    """Nobody can tell."""


@dataclass(frozen=True)
class PlainShape:
    """A type by name: a builtin, or a class that is not the project's."""

    name: str


@dataclass(frozen=True)
class InstanceShape:
    """An object of a class of the project."""

    path: str
    name: str


@dataclass(frozen=True)
class RecordField:
    """One key of a mapping."""

    name: str
    shape: Shape
    required: bool = True


@dataclass(frozen=True)
class RecordShape:
    """A mapping whose keys are known. `open`: it may have more."""

    fields: tuple[RecordField, ...] = ()
    open: bool = False

    def find_field(self, name: str) -> RecordField | None:
        """The field of that name."""
        return next((record_field for record_field in self.fields if record_field.name == name), None)


@dataclass(frozen=True)
class ContainerShape:
    """A container of one kind of element: `list`, `set`, `Iterable`, …; a mapping is a `MappingShape`."""

    kind: str
    element: Shape


@dataclass(frozen=True)
class MappingShape:
    """A mapping from any key to such values."""

    key: Shape
    value: Shape
    kind: str = "dict"


@dataclass(frozen=True)
class TupleShape:
    """A tuple whose elements are known one by one."""

    elements: tuple[Shape, ...]


@dataclass(frozen=True)
class UnionShape:
    """One of several."""

    options: tuple[Shape, ...]


Shape: TypeAlias = (
    UnknownShape | PlainShape | InstanceShape | RecordShape | ContainerShape | MappingShape | TupleShape | UnionShape
)

UNKNOWN = UnknownShape()
NONE, STR, INT, FLOAT, BOOL, BYTES, ANY = map(PlainShape, ("None", "str", "int", "float", "bool", "bytes", "Any"))
MOST_OPTIONS = 8
EMPTY = UnionShape(())  # the elements of a list that nothing was put into


@dataclass(frozen=True)
class KnownShape:
    """A shape, how sure it is, and where that comes from (`hint`, `returns`, `default`, `docstring`, …)."""

    shape: Shape
    level: Certainty
    source: str = ""


DARK = KnownShape(UNKNOWN, Certainty.UNKNOWN)


def join_shapes(shapes: Iterable[Shape]) -> Shape:
    """One of these, flat and each once. Anything or unknown swallows the rest."""
    flat: dict[Shape, None] = {}
    for shape in shapes:
        for option in expand_union(shape):
            flat[option] = None
    for shape in [o for o in flat if isinstance(o, ContainerShape) and o.element == EMPTY]:  # empty: of any kind
        if any(isinstance(o, ContainerShape) and o.kind == shape.kind and o != shape for o in flat):
            del flat[shape]
    if not flat or UNKNOWN in flat or len(flat) > MOST_OPTIONS:
        return UNKNOWN
    return next(iter(flat)) if len(flat) == 1 else UnionShape(tuple(flat))


def join_known(known_shapes: Iterable[KnownShape], source: str = "") -> KnownShape:
    """One of these, as sure as the least sure of them."""
    some = list(known_shapes)
    if not some:
        return DARK
    shape = join_shapes(known_shape.shape for known_shape in some)
    if shape == UNKNOWN:
        return DARK
    return KnownShape(shape, min(known_shape.level for known_shape in some), source or some[0].source)


def expand_union(shape: Shape) -> tuple[Shape, ...]:
    """The alternatives of a shape."""
    return shape.options if isinstance(shape, UnionShape) else (shape,)


def is_larger(shape: Shape, most: int) -> bool:
    """Whether a shape has more than so many parts. Looks at no more: `x = [x, [x]]` doubles at every line."""
    waiting: list[Shape] = [shape]
    count = 0
    while waiting and count <= most:
        count += 1
        match waiting.pop():
            case RecordShape(fields=fields):
                waiting += [record_field.shape for record_field in fields]
            case ContainerShape(element=element):
                waiting.append(element)
            case MappingShape(key=key, value=value):
                waiting += (key, value)
            case TupleShape(elements=parts) | UnionShape(options=parts):
                waiting += parts
    return count > most


def strip_none(shape: Shape) -> Shape:
    """The same without `None`."""
    return (
        join_shapes(option for option in expand_union(shape) if option != NONE)
        if NONE in expand_union(shape) and shape != NONE
        else shape
    )


def render_shape(shape: Shape) -> str:
    """As a person writes it."""
    match shape:
        case UnknownShape():
            return "?"
        case PlainShape(name=name):
            return name
        case InstanceShape(name=name):
            return name
        case RecordShape(fields=fields, open=is_open):
            inside = [f"{f.name}{'' if f.required else '?'}: {render_shape(f.shape)}" for f in fields]
            return "{" + ", ".join([*inside, *(["…"] if is_open else [])]) + "}"
        case ContainerShape(kind=kind, element=element):
            return (
                kind
                if element in (UNKNOWN, EMPTY)
                else f"{kind}[{render_shape(element)}{', ...' if kind == 'tuple' else ''}]"
            )
        case MappingShape(key=key, value=value, kind=kind):
            return (
                kind if key == UNKNOWN and value == UNKNOWN else f"{kind}[{render_shape(key)}, {render_shape(value)}]"
            )
        case TupleShape(elements=elements):
            return f"tuple[{', '.join(map(render_shape, elements)) or '()'}]"
        case UnionShape(options=some):
            return " | ".join(map(render_shape, some))


def build_sample(shape: Shape, depth: int = 0) -> object:
    """A value of the shape, as JSON: the payload of a finding. None where nothing is known."""
    plain = {"str": "", "int": 0, "float": 0.5, "bool": False, "bytes": "", "None": None}
    match shape:
        case PlainShape(name=name):
            return plain.get(name, f"<{name}>")
        case RecordShape(fields=fields) if depth < 4:
            return {f.name: build_sample(f.shape, depth + 1) for f in fields if f.required}
        case ContainerShape(element=element) if depth < 4:
            return [] if element in (UNKNOWN, EMPTY) else [build_sample(element, depth + 1)]
        case TupleShape(elements=elements) if depth < 4:
            return [build_sample(part, depth + 1) for part in elements]
        case MappingShape():
            return {}
        case UnionShape(options=some):
            return build_sample(some[0], depth + 1)
        case InstanceShape(name=name):
            return f"<{name}>"
    return "<?>"


# What is inside a value of a shape: an element, what stands under a key; and what operators make of two.


NUMBERS: dict[Shape, int] = {INT: 0, FLOAT: 1}  # the wider one counts


def infer_element(inferred: KnownShape) -> KnownShape:
    """What a loop over it gives."""
    match inferred.shape:
        case ContainerShape(element=element) if element != UNKNOWN:
            return replace(inferred, shape=element)
        case TupleShape(elements=elements) if (shape := join_shapes(elements)) != UNKNOWN:
            return replace(inferred, shape=shape)
        case PlainShape(name="str"):
            return inferred
        case MappingShape(key=key) if key != UNKNOWN:
            return replace(inferred, shape=key)
        case RecordShape():
            return replace(inferred, shape=STR)
    return DARK


def infer_item(shape: Shape, key: ast.expr) -> Shape:
    """What a subscript gives."""
    constant = key.value if isinstance(key, ast.Constant) else None
    match shape:
        case RecordShape() if isinstance(constant, str) and (record_field := shape.find_field(constant)) is not None:
            return record_field.shape
        case MappingShape(value=value):
            return value
        case ContainerShape(element=element, kind=kind) if kind in ("list", "tuple", "Sequence"):
            return shape if isinstance(key, ast.Slice) else element
        case TupleShape(elements=elements) if isinstance(constant, int) and -len(elements) <= constant < len(elements):
            return elements[constant]
        case PlainShape(name="str"):
            return STR
        case PlainShape(name="bytes") if isinstance(key, ast.Slice):
            return BYTES
    return UNKNOWN


def infer_arithmetic(op: ast.operator, left: KnownShape, right: KnownShape) -> KnownShape:
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
    if isinstance(left.shape, ContainerShape) and left.shape == right.shape:
        return left
    return DARK


# A shape as the text of a type. What no contract can say becomes `object`, which takes everything.


ANYTHING = "object"
WORDS = frozenset({"str", "int", "float", "bool", "bytes", "None", "Any"})
BUILTIN = frozenset({"list", "set", "frozenset", "tuple"})  # what a hint may say without an import
SEQUENCES = BUILTIN | {"Sequence", "Iterable", "Iterator", "Collection"}


def render_type(shape: Shape, *, hint: bool = False) -> str:
    """As `contracts.toml` writes it; a mapping with known keys as a dict of them. `hint`: as source does."""
    render_inner = partial(render_type, hint=hint)
    match shape:
        case PlainShape(name=name) if name in WORDS:
            return name
        case RecordShape(fields=fields) if fields and not hint:
            inside = ", ".join(f"{record_field.name!r}: {_render_presence(record_field)}" for record_field in fields)
            return "{" + inside + "}"
        case ContainerShape(kind=kind, element=element) if kind in BUILTIN or not hint:
            word = kind if kind in SEQUENCES else "list"
            inner = render_inner(element)
            return word if inner == ANYTHING else f"{word}[{inner}{', ...' if word == 'tuple' else ''}]"
        case MappingShape(key=key, value=value):
            inner = render_inner(value)
            return "dict" if inner == ANYTHING else f"dict[{render_inner(key) if hint else 'str'}, {inner}]"
        case TupleShape(elements=elements) if elements:
            return f"tuple[{', '.join(map(render_inner, elements))}]"
        case UnionShape(options=some) if some:
            texts = list(dict.fromkeys(map(render_inner, some)))
            if "Any" not in texts and ANYTHING not in texts:
                return " | ".join(texts)
    # An object of a class says what Python sees; what of it would be sent, only its author knows.
    return "Any" if hint else ANYTHING


def is_informative(shape: Shape) -> bool:
    """Whether a contract made of the shape would refuse anything worth refusing."""
    text = render_type(shape)
    return text not in (ANYTHING, "Any", "None", "dict", "list", "set", "tuple", "frozenset")


def _render_presence(record_field: RecordField) -> str:
    text = render_type(record_field.shape)
    return text if record_field.required else f"NotRequired[{text}]"
