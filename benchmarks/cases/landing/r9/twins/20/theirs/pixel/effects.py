"""New pictures from old ones."""
from pixel.grid import Grid


def mirrored(grid):
    rows = []
    for y in range(grid.height):
        row = grid.row(y)
        row = row[::-1]
        rows.append(row)
    return Grid(rows)


def upside_down(grid):
    return Grid([grid.row(y) for y in reversed(range(grid.height))])


def butterfly(grid):
    """The picture with its mirror image to the right."""
    other = mirrored(grid)
    return Grid([list(grid.row(y)) + list(other.row(y)) for y in range(grid.height)])
