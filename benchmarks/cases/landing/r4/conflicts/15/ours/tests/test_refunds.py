from refunds import refund


def test_refund():
    assert refund({"paid": 25.0, "currency": "USD"}) == 19.5
    assert refund({"paid": 0.3, "currency": "EUR"}) == 0
