# pure
"""The decorator counts its calls, but nobody reads the count; the portions are worked out from the event."""
from functools import wraps

from graphbus_core import GraphBusNode, subscribe

FOODS = {"dry": 3.6, "wet": 0.9, "renal": 4.0}


def counted(func):
    @wraps(func)
    def wrapper(*args):
        wrapper.calls += 1
        return func(*args)
    wrapper.calls = 0
    return wrapper


@counted
def energy(kg, neutered, activity):
    resting = 70 * kg ** 0.75
    return resting * (1.4 if neutered else 1.6) * {"low": 0.9, "high": 1.3}.get(activity, 1.0)


@counted
def split(grams, meals):
    base, rest = divmod(int(grams), meals)
    return [base + (1 if i < rest else 0) for i in range(meals)]


def plan(kcal, shares, meals):
    portions = {}
    for food, share in shares:
        for number, grams in enumerate(split(kcal * share / FOODS[food], meals), 1):
            portions.setdefault(number, {})[food] = grams
    return portions


class Feeding(GraphBusNode):
    @subscribe("/Ward/Admission")
    def on_admission(self, animal: str, kg: float, neutered: bool, activity: str, kidney: bool) -> dict:
        shares = [("renal", 1.0)] if kidney else [("dry", 0.6), ("wet", 0.4)]
        kcal = energy(kg, neutered, activity)
        return {"animal": animal, "kcal": round(kcal), "meals": plan(kcal, shares, 2 if kg > 5 else 3)}
