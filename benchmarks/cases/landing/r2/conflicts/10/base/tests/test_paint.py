from paint import litres
from shapes import Box


def test_litres():
    assert litres(Box(2, 5)) == 1
