# pure
"""The kinds of shape register themselves when the module is read, and after that nothing is registered."""
from dataclasses import dataclass
from functools import singledispatch
from math import pi, sqrt

from graphbus_core import GraphBusNode, subscribe

KINDS: dict[str, type["Shape"]] = {}


class Shape:
    def __init_subclass__(cls, kind: str, **more: object) -> None:
        super().__init_subclass__(**more)
        KINDS[kind] = cls


@dataclass
class Circle(Shape, kind="circle"):
    radius: float


@dataclass
class Box(Shape, kind="box"):
    width: float
    height: float


@dataclass
class Triangle(Shape, kind="triangle"):
    a: float
    b: float
    c: float


@singledispatch
def area(shape: Shape) -> float:
    raise TypeError(type(shape).__name__)


@area.register
def _(shape: Circle) -> float:
    return pi * shape.radius ** 2


@area.register
def _(shape: Box) -> float:
    return shape.width * shape.height


@area.register
def _(shape: Triangle) -> float:
    s = (shape.a + shape.b + shape.c) / 2
    return sqrt(max(0.0, s * (s - shape.a) * (s - shape.b) * (s - shape.c)))


class ShapeArea(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()

    @subscribe("/cut/part")
    def on_part(self, kind: str, sizes: list[float], gram_per_m2: float) -> dict[str, object]:
        try:
            shape = KINDS[kind](*sizes)
        except (KeyError, TypeError):
            return {"error": f"cannot make {kind} of {len(sizes)} sizes"}
        square_mm = area(shape)
        return {"mm2": round(square_mm, 3), "grams": round(square_mm * gram_per_m2 / 1e6, 4)}
