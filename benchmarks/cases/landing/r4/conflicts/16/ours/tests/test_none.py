from jobs import JobQueue


def test_nothing_to_do():
    assert JobQueue().take() is None
