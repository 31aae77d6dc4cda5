# stateful
"""Numbers are given out by year and department, from a global table that every event counts up."""
from graphbus_core import GraphBusNode, subscribe

DEPARTMENTS = {"painting": "P", "coins": "C", "tools": "T"}
START = {"P": 40, "C": 900, "T": 0}
LAST = {}


def clean(text):
    text = text.strip()
    while "  " in text:
        text = text.replace("  ", " ")
    return text


def next_number(letter, year):
    key = "%s%d" % (letter, year)
    LAST[key] = LAST.get(key, START.get(letter, 0)) + 1
    return "%d.%s.%04d" % (year, letter, LAST[key])


def card(title, donor, number):
    lines = []
    lines.append("No. " + number)
    lines.append(title)
    if donor:
        lines.append("Gift of " + donor)
    return lines


class Accession(GraphBusNode):
    @subscribe("/Museum/Acquired")
    def on_acquired(self, title: str, department: str, year: int, donor: str) -> dict[str, object]:
        letter = DEPARTMENTS.get(department.lower(), "X")
        number = next_number(letter, year)
        return {"number": number, "card": card(clean(title), clean(donor), number)}
