from shop.app import Application
from shop.loyalty import LoyaltyProgramme


def test_a_stamp_for_every_order():
    programme = LoyaltyProgramme()
    programme.on_order_paid({"order_id": "L1", "customer": "kim", "amount": 2899})
    programme.on_order_paid({"order_id": "L2", "customer": "kim", "amount": 1000})
    programme.on_order_paid({"order_id": "L3", "customer": None, "amount": 5000})
    assert programme.points == {"kim": 2}


def test_receipt_of_a_paid_order():
    app = Application()
    app.orders.create("A1", "kim", [("tea", 2, 450), ("pot", 1, 1999)])
    app.orders.pay("A1")
    app.orders.pay("A1")
    assert [line.split()[:2] for line in app.receipts.lines] == [["A1:", "28.99"]]
