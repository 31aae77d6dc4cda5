import billing
import bus


def test_paid_once():
    seen = []
    bus.subscribe("invoice.paid", seen.append)
    billing.issue("B1", "ann", 500)
    billing.pay("B1")
    billing.pay("B1")
    assert [event["invoice"] for event in seen if event["invoice"] == "B1"] == ["B1"]
