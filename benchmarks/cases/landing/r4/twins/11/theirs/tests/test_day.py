from orders import Order, unpaid


def test_unpaid_at_new_year():
    order = Order(1, 500, [("2023-12-30", 200), ("2024-01-04", 300)])
    assert unpaid([order], "2024-01-01") == [1]
    assert unpaid([order]) == []
