from orders import Order, unpaid


def test_unpaid():
    assert unpaid([Order(1, 500, [("2024-01-02", 500)]), Order(2, 500, [("2024-01-02", 100)])]) == [2]
