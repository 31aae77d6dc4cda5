from uptime import days_up


def test_up():
    assert days_up() >= 0
