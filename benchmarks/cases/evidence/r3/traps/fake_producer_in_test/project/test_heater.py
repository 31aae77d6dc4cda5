from climate.heater import Heater


class Thermostat:
    def __init__(self, value):
        self.value = value

    def read(self, raw=0):
        return {"value": self.value}


def test_cold():
    assert Heater().set(fahrenheit=Thermostat(50.0).read()["value"])["on"]


def test_warm():
    assert not Heater().set(fahrenheit=Thermostat(75.0).read()["value"])["on"]
