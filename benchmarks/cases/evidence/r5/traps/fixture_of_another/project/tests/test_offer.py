from trade.nodes import Offer


def test_offer(quote):
    assert Offer().write(price=quote["cost"]) == {"text": "only 59.00!"}
