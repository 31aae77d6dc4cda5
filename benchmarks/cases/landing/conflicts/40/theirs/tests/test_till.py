from till import cash_up


def test_cash_up():
    assert cash_up(['1.5', '2.5']) == 4
