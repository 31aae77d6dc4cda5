from store.evening import close_shop


def test_receipt():
    assert close_shop("mon") == "R-840"


def test_the_office_is_shut(monkeypatch):
    monkeypatch.setattr("store.accountant.Accountant.file", lambda self, *, revenue: {"receipt": f"later: {revenue}"})
    assert close_shop("sun") == "later: 840"
