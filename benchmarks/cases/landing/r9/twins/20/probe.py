from pixel.effects import mirrored
from pixel.grid import Grid

grid = Grid(["#..", "##."])
assert str(mirrored(grid)) == "..#\n.##"
assert str(grid) == "#..\n##.", str(grid)
