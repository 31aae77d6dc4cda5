import tax


def test_gross():
    assert round(tax.gross(100)) == 120
