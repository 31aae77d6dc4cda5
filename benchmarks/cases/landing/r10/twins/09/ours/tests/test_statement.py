from statement import Transaction, write


def test_line():
    line, = write([Transaction("2024-05-01", "Baker", -350, "rolls")])
    assert line.startswith("2024-05-01Baker ")
    assert " -350rolls" in line


def test_all_lines_have_the_same_length():
    lines = write([Transaction("2024-05-01", "A" * 99, 1), Transaction("2024-05-02", "B", 2, "x" * 99)])
    assert len(set(map(len, lines))) == 1
