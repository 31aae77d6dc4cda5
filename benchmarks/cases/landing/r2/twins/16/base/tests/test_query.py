from query import rows


def test_rows():
    assert rows(99) == 50
