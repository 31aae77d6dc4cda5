def lit(grid, off="."):
    """How many pixels are not off."""
    return grid.width * grid.height - sum(grid.row(y).count(off) for y in range(grid.height))
