"""Shapes."""


class Box:
    def __init__(self, a, b):
        self.a = a
        self.b = b

    def area(self, margin=0):
        return (self.a + margin) * (self.b + margin)

    @property
    def edge(self):
        return 2 * (self.a + self.b)
