"""Squares."""

from base_shape import Shape


class Square(Shape):
    def __init__(self):
        super().__init__(name="square", sides=4)
