from shop.app import Application


def test_receipt_of_a_paid_order():
    app = Application()
    app.orders.create("A1", "kim", [("tea", 2, 450), ("pot", 1, 1999)])
    app.orders.pay("A1")
    app.orders.pay("A1")
    assert [line.split()[:2] for line in app.receipts.lines] == [["A1:", "28.99"]]


def test_receipt_names_the_currency():
    app = Application()
    app.orders.create("A2", "kim", [("tea", 1, 450)], currency="CHF")
    app.orders.pay("A2")
    assert app.receipts.lines == ["A2: 4.50 CHF"]
