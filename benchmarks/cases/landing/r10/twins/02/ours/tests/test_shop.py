from checkout import quote
from labels import label


def test_label_begins_with_the_name():
    assert label("Ann Lee", "1 Pine St", "97201").startswith("ANN LEE\n1 Pine St\nPortland")


def test_quote_adds_shipping():
    q = quote([1000, 500], "10001")
    assert q["ship_to"] == "New York"
    assert q["subtotal"] == 1500
    assert q["shipping"] == 500
