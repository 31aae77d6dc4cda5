import pytest

from pixel.count import lit
from pixel.grid import Grid


def test_str():
    grid = Grid(["#..", ".#."])
    grid.set(2, 1, "#")
    assert str(grid) == "#..\n.##"
    assert (grid.width, grid.height) == (3, 2)


def test_lit():
    assert lit(Grid(["#..", ".##"])) == 3


def test_rows_are_not_copied():
    grid = Grid(["#.."])
    assert grid.row(0) is grid.row(0)


def test_ragged():
    with pytest.raises(ValueError):
        Grid(["#", "##"])
