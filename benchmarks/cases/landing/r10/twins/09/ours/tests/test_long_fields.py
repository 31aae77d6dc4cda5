from statement import Transaction, write


def test_long_memos_are_kept():
    memo = "Rolls for the Seven Sisters"
    line, = write([Transaction("2024-05-01", "Baker", -350, memo)])
    assert memo in line


def test_oldest_first():
    lines = write([Transaction("2024-05-02", "B", 2), Transaction("2024-05-01", "A", 1)])
    assert [line[:10] for line in lines] == ["2024-05-01", "2024-05-02"]
