import pytest
from checkout import Checkout
from gateway import Gateway


def test_text():
    assert Gateway().capture(1905, "CHF") == {"text": "CHF 19.05"}


@pytest.mark.xfail(strict=True, reason="#212: customers were charged nineteen centimes")
def test_what_went_wrong_in_may():
    bill = Checkout().close()
    assert Gateway().capture(minor_units=bill["total"], currency=bill["currency"])["text"] == "CHF 19.00"
