from alarm import first_above


def test_first_above():
    assert first_above(["# t", "08:00 19", "", "09:00 25", "10:00 30"], 20) == "09:00"
    assert first_above([], 20) is None
