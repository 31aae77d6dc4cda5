"""More."""

from base_shape import Shape


def describe(shape: Shape):
    return f"{shape.name} {shape.sides}"


class Triangle(Shape):
    def __init__(self):
        super().__init__("triangle", 3)
