from billing.model import Invoice, Line


def test_fields():
    line = Line(sku="pen", qty=2, cents=150)
    assert line.total == 300


def test_invoice_total():
    assert Invoice("x", [Line("a", 2, 5), Line("b", 1, 7)]).total == 17
