from turtle2 import Pen


def test_forward():
    p = Pen()
    p.forward(2)
    assert p.x == 2
