from framing import frame


def test_len():
    assert len(frame('abc')) == 5
