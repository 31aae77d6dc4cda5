from invoice import Invoice
from meter import Meter


def test_meter():
    assert Meter().read("m1") == {"meter": "m1", "reading": 1200, "previous": 1150}


def test_big_customer():
    assert Invoice().issue(meter="m1", consumption=1200)["cents"] == 36000
