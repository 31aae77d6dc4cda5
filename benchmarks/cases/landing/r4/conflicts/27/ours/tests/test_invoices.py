from invoices import Invoice


def test_total():
    assert Invoice("R1").add("tea", 2, 450).add("cup", 1, 900).total == 1800
