from maze.grid import Grid


def test_neighbours():
    grid = Grid.parse("..#\n...")
    assert [(c.x, c.y) for c in grid.around(grid.at(1, 0))] == [(1, 1), (0, 0)]
    assert repr(grid.at(2, 0)) == "Cell(2, 0, #)"
