def test_lot(measured):
    assert measured["area"] == 900.0
