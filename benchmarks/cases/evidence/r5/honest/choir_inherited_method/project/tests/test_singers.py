from choir.singers import Bass, Fork, Singer


def test_singer():
    assert Singer().tune(tone_hz=Fork().strike("a")["pitch_hz"]) == {"sings": 880}


def test_bass():
    assert Bass().tune(tone_hz=440) == {"sings": 220}
