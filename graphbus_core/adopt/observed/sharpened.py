"""Contracts with what the tests showed: only where nobody declared or showed one, and never more than *likely*."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from graphbus_core.adopt.asked import InferredSignature, TakenParameter
from graphbus_core.adopt.known.shapes import (
    NONE,
    UNKNOWN,
    Certainty,
    Keyed,
    KnownShape,
    Many,
    Mapped,
    Plain,
    Shape,
    options,
    text,
)
from graphbus_core.adopt.observed.told import Observed, Watched
from graphbus_core.adopt.project import Component, Inferred, Method

SOURCE = "tests"


@dataclass(frozen=True)
class Sharpened:
    """The project with its contracts sharpened: how many parts, and sentences where tests saw something undeclared."""

    inferred: Inferred
    parts: int
    methods: int
    otherwise: tuple[str, ...]


def sharpened(found: Inferred, seen: Observed) -> Sharpened:
    """What nobody knew becomes likely. A declared or certain contract stays; `otherwise` says where it was not kept."""
    parts = methods = 0
    otherwise: list[str] = []
    components: list[Component] = []
    for component in found.components:
        made: list[Method] = []
        for method in component.methods:
            watched = _watched(seen, component, method)
            if watched is None:
                made.append(method)
                continue
            methods += 1
            signature, number = _signature(method.signature, watched)
            parts += number
            otherwise += _otherwise(method, watched)
            made.append(replace(method, signature=signature))
        components.append(replace(component, methods=tuple(made)))
    return Sharpened(replace(found, components=tuple(components)), parts, methods, tuple(otherwise))


def _watched(seen: Observed, component: Component, method: Method) -> Watched | None:
    name = f"{component.name}.{method.name}" if component.kind == "class" else method.name
    return seen.functions.get((method.file, name))


def _signature(signature: InferredSignature, watched: Watched) -> tuple[InferredSignature, int]:
    takes: list[TakenParameter] = []
    number = 0
    for one in signature.takes:
        told = _better(one.told, watched.takes.get(one.name, UNKNOWN))
        number += told is not one.told
        takes.append(replace(one, told=told))
    gives = _better(signature.gives, watched.gives)
    number += gives is not signature.gives
    return replace(signature, takes=tuple(takes), gives=gives), number


def _better(told: KnownShape, seen: Shape) -> KnownShape:
    """What was seen, where nothing was known or only a bare container."""
    if seen in (UNKNOWN, NONE):  # `None` alone says what a test left out, and not what is taken
        return told
    if told.shape == UNKNOWN or (_bare(told.shape) and not _bare(seen) and isinstance(seen, Keyed | Many | Mapped)):
        return KnownShape(seen, Certainty.LIKELY, SOURCE)
    return told


def _bare(shape: Shape) -> bool:
    match shape:
        case Mapped(value=value):
            return value == UNKNOWN
        case Many(element=element):
            return element == UNKNOWN
    return False


def _otherwise(method: Method, watched: Watched) -> Iterator[str]:
    """Where `None` came though what is declared does not allow it: of all that tests do, the plainest."""
    for one in method.signature.takes:
        seen = watched.takes.get(one.name, UNKNOWN)
        if one.told.level >= Certainty.DECLARED and NONE in options(seen) and not _takes_none(one.told.shape):
            declared = f"{method.name} declares `{one.name}` as {text(one.told.shape)}"
            yield f"{method.file}:{method.line}: {declared}; tests sent None"
    gives = method.signature.gives
    if gives.level >= Certainty.DECLARED and NONE in options(watched.gives) and not _takes_none(gives.shape):
        yield f"{method.file}:{method.line}: {method.name} promises {text(gives.shape)}; in tests it gave None"


def _takes_none(shape: Shape) -> bool:
    """Whether `None` is one of the alternatives, or what is written is not a type that we know all of."""
    return any(one in (NONE, UNKNOWN) or _open(one) for one in options(shape))


def _open(shape: Shape) -> bool:
    return isinstance(shape, Plain) and shape.name not in ("str", "int", "float", "bool", "bytes")
