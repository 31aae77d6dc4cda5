"""Shapes."""


class Box:
    def __init__(self, a, b):
        self.a = a
        self.b = b

    @property
    def area(self):
        return self.a * self.b

    @property
    def edge(self):
        return 2 * (self.a + self.b)
