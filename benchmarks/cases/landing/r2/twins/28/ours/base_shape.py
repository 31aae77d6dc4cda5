"""Shapes."""


class Shape:
    def __init__(self, *, name, sides):
        self.name = name
        self.sides = sides
