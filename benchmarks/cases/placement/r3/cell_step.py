# pure
from graphbus_core import GraphBusNode, subscribe


def parse(text):
    return [[ch == "#" for ch in row] for row in text.split("/")]


def neighbours(grid, y, x):
    count = 0
    for dy in (-1, 0, 1):
        for dx in (-1, 0, 1):
            if (dy or dx) and 0 <= y + dy < len(grid) and 0 <= x + dx < len(grid[0]):
                count += grid[y + dy][x + dx]
    return count


class CellStep(GraphBusNode):
    @subscribe("/Life/Board")
    def on_board(self, payload):
        grid = parse(payload["board"])
        for _ in range(payload.get("steps", 1)):
            fresh = [[False] * len(grid[0]) for _ in grid]
            for y, row in enumerate(grid):
                for x, alive in enumerate(row):
                    n = neighbours(grid, y, x)
                    fresh[y][x] = n == 3 or (alive and n == 2)
            grid[:] = fresh
        board = "/".join("".join("#" if c else "." for c in row) for row in grid)
        self.publish("/Life/Next", {"board": board})
