from paint.palette import Palette


def test_mix():
    assert Palette().mix(255, 1)["colour"] == "#ff0001"
