class Cell:
    def __init__(self, x, y, wall):
        self.x = x
        self.y = y
        self.wall = wall

    def __repr__(self):
        return f"Cell({self.x}, {self.y}, {'#' if self.wall else '.'})"


class Grid:
    def __init__(self, cells):
        self._cells = {(c.x, c.y): c for c in cells}

    @classmethod
    def parse(cls, text):
        return cls(Cell(x, y, ch == "#")
                   for y, line in enumerate(text.splitlines())
                   for x, ch in enumerate(line))

    def at(self, x, y):
        return self._cells.get((x, y))

    def around(self, cell):
        for dx, dy in ((1, 0), (0, 1), (-1, 0), (0, -1)):
            other = self.at(cell.x + dx, cell.y + dy)
            if other is not None and not other.wall:
                yield other
