from home.house import House
from home.signals import Signal


def test_lamp():
    house = House()
    house.sensor("hall", 7)
    assert house.lamp.on


def test_send():
    seen = []
    signal = Signal()
    signal.connect(lambda **what: seen.append(what))
    signal.send(a=1)
    assert seen == [{"a": 1}]
