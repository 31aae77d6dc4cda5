from hub import Hub


def test_hub():
    got = []
    hub = Hub()
    hub.subscribe('a', lambda **d: got.append(d))
    hub.publish('a', n=1)
    assert got == [{'n': 1}]
