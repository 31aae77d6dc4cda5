from greenhouse.alerts import check

CFG = {"frost_below": 20, "phone": "555-0101"}


def test_message_beyond_the_limit():
    sent = []
    assert check(CFG, 19, lambda *a: sent.append(a))
    assert sent[0][0] == "555-0101"


def test_silence_within_the_limit():
    assert not check(CFG, 20, None)
