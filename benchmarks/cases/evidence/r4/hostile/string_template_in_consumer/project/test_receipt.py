from rates import Rates
from receipt import Receipt


def test_line():
    assert "total" in Receipt().render(cur=Rates().get("SE")["currency"])["text"]
