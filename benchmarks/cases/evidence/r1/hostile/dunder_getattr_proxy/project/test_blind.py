from blind import Blind, Sensor
from proxy import Night


def test_day():
    assert Blind().move(light=Sensor().now()["lux"]) == {"down": True}


def test_night():
    assert Night(Blind()).move() == {"down": False}
