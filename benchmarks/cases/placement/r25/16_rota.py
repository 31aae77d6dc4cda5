# stateful
"""Keeps whose turn it is, by moving the chosen person to the end of the staff list."""
from graphbus_core import GraphBusNode, subscribe

STAFF = [
    ("ines", ("plumbing", "heating")),
    ("karl", ("electric",)),
    ("moira", ("plumbing", "electric", "locks")),
    ("tadeusz", ("heating", "locks")),
    ("yusuf", ("plumbing", "electric")),
]


def pick(skill):
    for i in range(len(STAFF)):
        name, skills = STAFF[i]
        if skill in skills:
            STAFF.append(STAFF.pop(i))
            return name
    return None


def normalise(skill):
    skill = skill.strip().lower()
    if skill in ("water", "pipes"):
        return "plumbing"
    if skill in ("power", "lights"):
        return "electric"
    return skill


class Dispatcher(GraphBusNode):
    def __init__(self):
        super().__init__()
        self.fallback = "office"

    @subscribe("/jobs/open")
    def assign(self, skill: str, address: str) -> dict:
        skill = normalise(skill)
        who = pick(skill)
        if who is None:
            who = self.fallback
        return {"worker": who, "job": "%s at %s" % (skill, address)}
