def lit(grid, off="."):
    """How many pixels are not off."""
    return sum(char != off for y in range(grid.height) for char in grid.row(y))
