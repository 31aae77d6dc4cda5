from maze.flood import reachable
from maze.grid import Grid


def test_reachable():
    grid = Grid.parse("..#.\n.##.\n...#")
    assert reachable(grid, 0, 0) == 6
    assert reachable(grid, 3, 0) == 2
