from pricing import currency_for, price_list


def test_currencies():
    assert currency_for("192.0.2.17") == "EUR"
    assert currency_for("198.51.100.3") == "CHF"


def test_dollars_for_visitors_from_elsewhere():
    assert price_list("203.0.113.1", {"mug": 10}) == ["mug: 11.00 USD"]


def test_price_list():
    assert price_list("198.51.100.3", {"mug": 10, "cup": 8}) == ["cup: 7.60 CHF", "mug: 9.50 CHF"]
