from gateway import Gateway
from till import pay


def test_paid():
    assert pay(Gateway(lambda r: {"ok": True, "receipt": 7}), "ann", 100) == "paid, receipt 7"


def test_declined():
    assert pay(Gateway(lambda r: {"ok": False, "reason": "limit"}), "ann", 100) == "declined: limit"


def test_no_connection():
    def down(request):
        raise ConnectionError("unreachable")
    assert pay(Gateway(down), "ann", 100).startswith("try again later")
