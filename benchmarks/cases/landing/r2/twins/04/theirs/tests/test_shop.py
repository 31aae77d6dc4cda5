from shop import sell


def test_sell():
    assert sell("pen", 5).price.cents == 5
