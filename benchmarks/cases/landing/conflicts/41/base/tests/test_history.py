from history import History


def test_newest():
    h = History()
    h.add('a')
    h.add('b')
    assert h.newest() == 'b'
