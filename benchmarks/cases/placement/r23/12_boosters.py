# pure
"""Rules are closures composed once at load time; they keep only their settings."""
from functools import reduce

from graphbus_core import GraphBusNode, subscribe


def every(vaccine, weeks, first=8):
    def rule(age, given):
        last = max((at for name, at in given if name == vaccine), default=None)
        due = first if last is None else last + weeks
        return [(vaccine, max(due, age))] if due <= age + 4 else []
    return rule


def unless(condition, rule):
    return lambda age, given: [] if condition(age, given) else rule(age, given)


def both(left, right):
    return lambda age, given: left(age, given) + right(age, given)


def all_of(*rules):
    return reduce(both, rules, lambda age, given: [])


def old(limit):
    return lambda age, given: age > limit


PLANS = {
    "dog": all_of(every("distemper", 156), every("rabies", 156, first=12), unless(old(624), every("kennel cough", 52))),
    "cat": all_of(every("panleukopenia", 156), every("rabies", 52, first=12)),
    "rabbit": all_of(every("myxomatosis", 52, first=5)),
}


class Boosters(GraphBusNode):
    @subscribe("/Patients/Visit")
    def on_visit(self, species: str, age_weeks: int, given: list[list]) -> dict:
        plan = PLANS.get(species, all_of())
        due = plan(age_weeks, [(str(name), int(at)) for name, at in given])
        return {"due": [f"{name} in week {week}" for name, week in sorted(due, key=lambda d: (d[1], d[0]))]}
