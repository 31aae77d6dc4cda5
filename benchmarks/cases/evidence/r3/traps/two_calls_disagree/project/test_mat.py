from frame import Frame
from mat import Mat


def test_upright():
    frame = Frame().measure("30x80")
    assert Mat().cut(side=frame["height"])["cut"] == 70
