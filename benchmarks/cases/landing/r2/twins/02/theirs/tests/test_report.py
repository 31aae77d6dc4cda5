from report import count_pages


def test_count():
    assert count_pages("2-4") == 3
