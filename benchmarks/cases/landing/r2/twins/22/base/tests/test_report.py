from report_time import line


def test_line():
    assert line(1, 3).startswith("2")
