import pytest

from plots import Histogram, Style


@pytest.mark.parametrize("name, first", [("paper", 0.25), ("screen", 1.0), ("print", 1.0)])
def test_bars(name, first):
    style = Style().choose(name)
    assert Histogram().draw(normed=style["density"])["bars"][0] == first
