from freezer import Freezer
from probe import Probe


def fahrenheit(c):
    return c * 9 / 5 + 32


def test_cold_enough():
    assert Freezer().alarm(temp_f=fahrenheit(Probe().sample()["temp_c"])) == {"alarm": False}
