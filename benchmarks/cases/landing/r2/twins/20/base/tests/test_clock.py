from clock import tick


def test_tick():
    assert tick().name == "tick"
