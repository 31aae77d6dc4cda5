from maze.flood import reachable
from maze.grid import Grid

assert reachable(Grid.parse("...\n##."), 0, 0) == 4
