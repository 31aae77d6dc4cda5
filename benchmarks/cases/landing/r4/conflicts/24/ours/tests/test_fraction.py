from durations import minutes


def test_half_an_hour():
    assert minutes("1.5h") == 90
    assert minutes("0.5d 15m") == 255
