"""Little pictures made of characters."""


class Grid:
    def __init__(self, rows):
        self._rows = [list(row) for row in rows]
        if len({len(row) for row in self._rows}) > 1:
            raise ValueError("rows of different length")

    @property
    def width(self):
        return len(self._rows[0]) if self._rows else 0

    @property
    def height(self):
        return len(self._rows)

    def row(self, y):
        """The characters of row y."""
        return list(self._rows[y])

    def set(self, x, y, char):
        self._rows[y][x] = char

    def __str__(self):
        return "\n".join("".join(self.row(y)) for y in range(self.height))
