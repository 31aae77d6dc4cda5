from shapes import Rect


def test_rect():
    assert Rect(2, 3).width == 2
