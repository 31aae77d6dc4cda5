import pytest

from pay.charge import Charge
from pay.wallet import Wallet


@pytest.fixture(params=["cus_1", "cus_2"])
def method(request):
    return Wallet().default(request.param)["payment_method"]


@pytest.fixture
def receipt(method):
    return Charge().create(source=method)["receipt"]


def test_receipt(receipt):
    assert receipt in {"paid with visa", "paid with bank"}
