from summary import summary


def test_max():
    assert summary(["08:00 19", "09:00 25"])["max"] == 25


def test_no_lines():
    assert summary([]) == {"max": None, "busiest": None}
