from payment import Payment


def fake_charge(amount):
    return f"fake {amount}"


def test_pay(monkeypatch):
    monkeypatch.setattr("gateway.charge", fake_charge)
    payment = Payment()
    payment.pay({"amount": 5})
    assert payment.receipts == ["fake 5"]
