from orders import share


def test_largest_share(monkeypatch):
    rows = [{"customer": "ann", "amount": 30}, {"customer": "bo", "amount": 10}]
    monkeypatch.setattr(share, "read_orders", lambda path: rows)
    assert share.largest_share("day.csv") == ("ann", 0.75)


def test_empty_day(tmp_path):
    p = tmp_path / "day.csv"
    p.write_text("customer,amount\n")
    assert share.largest_share(p) == (None, 0.0)
