import billing
import bus


def test_account_in_event():
    seen = []
    bus.subscribe("invoice.paid", seen.append)
    billing.issue("A9", "acme", 100)
    billing.pay("A9")
    assert seen[-1]["account_id"] == "acme"
