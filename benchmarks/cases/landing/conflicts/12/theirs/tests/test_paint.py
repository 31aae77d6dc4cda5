from paint import litres
from shapes import Rect


def test_litres():
    assert litres([Rect(5, 2)]) == 1
