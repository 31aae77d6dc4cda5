import pytest

from receipt import Receipt
from tax import Tax


@pytest.mark.parametrize("vat, total", [(0, 200.0), (19, 238.0), (22, 244.0)])
def test_total(vat, total):
    assert Receipt().total(vat=vat)["total"] == total


def test_from_the_service():
    vat = Tax().rate_for("IT")["vat"]
    assert Receipt().total(vat=round(vat * 100))["total"] == 244.0
