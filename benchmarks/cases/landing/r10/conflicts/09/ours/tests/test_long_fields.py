from statement import Transaction, write


def test_long_names_are_kept():
    name = "Bakery of the Seven Sisters"
    line, = write([Transaction("2024-05-01", name, -350)])
    assert name in line


def test_oldest_first():
    lines = write([Transaction("2024-05-02", "B", 2), Transaction("2024-05-01", "A", 1)])
    assert [line[:10] for line in lines] == ["2024-05-01", "2024-05-02"]
