from home.house import House
from home.signals import Signal


def test_lamp():
    house = House()
    house.sensor("hall", 7)
    assert house.lamp.on


def test_screen_that_was_closed():
    seen = []

    class Screen:
        def show(self, **what):
            seen.append(what)

    signal = Signal()
    screen = Screen()
    signal.connect(screen.show)
    signal.send(n=1)
    del screen
    signal.send(n=2)
    assert seen == [{"n": 1}]


def test_send():
    seen = []
    signal = Signal()
    signal.connect(lambda **what: seen.append(what))
    signal.send(a=1)
    assert seen == [{"a": 1}]
