from pixel.effects import butterfly, mirrored, upside_down
from pixel.grid import Grid


def test_mirrored():
    assert str(mirrored(Grid(["#..", "##."]))) == "..#\n.##"


def test_upside_down():
    assert str(upside_down(Grid(["#..", "##."]))) == "##.\n#.."


def test_butterfly():
    wings = butterfly(Grid(["#.", "##"]))
    assert (wings.width, wings.height) == (4, 2)
    assert str(wings).splitlines()[0] == "#..#"
