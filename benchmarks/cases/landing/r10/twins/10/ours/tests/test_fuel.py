from fuel import Car, cost, litres, stops
from route import Leg

CAR = Car(litres_per_100km=6.0, tank=40.0)


def test_litres_for_a_hundred_kilometres():
    assert litres(Leg("Bonn", "Ulm", 100), CAR) == 6.0


def test_cost():
    assert cost([Leg("Bonn", "Ulm", 100), Leg("Ulm", "Graz", 50)], CAR, 2.0) == 18.0


def test_stops():
    legs = [Leg("A", "B", 400), Leg("B", "C", 400)]
    assert stops(legs, CAR) == ["B"]
