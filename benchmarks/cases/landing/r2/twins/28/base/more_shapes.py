"""More."""

from base_shape import Shape


def describe(shape: Shape):
    return f"{shape.name} {shape.sides}"
