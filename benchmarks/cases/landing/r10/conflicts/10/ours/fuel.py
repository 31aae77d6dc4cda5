"""Fuel and its cost on a route."""
from dataclasses import dataclass


@dataclass(frozen=True)
class Car:
    litres_per_100km: float
    tank: float


def litres(leg, car):
    """Fuel for one leg."""
    return leg.distance * car.litres_per_100km / 100


def cost(legs, car, price):
    """Cost of the fuel for all legs at a price a litre."""
    return round(sum(litres(leg, car) for leg in legs) * price, 2)


def stops(legs, car):
    """Places where the car has to be filled up before going on."""
    found, left = [], car.tank
    for leg in legs:
        need = litres(leg, car)
        if need > left:
            found.append(leg.start)
            left = car.tank
        left -= need
    return found
