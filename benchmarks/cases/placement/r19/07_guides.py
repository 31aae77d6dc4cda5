# stateful
"""Whoever gets a tour goes to the end of the global list, so the next tour goes to another guide."""
from graphbus_core import GraphBusNode, subscribe

GUIDES = [
    {"name": "Vera", "languages": "de en", "stairs": 1},
    {"name": "Luc", "languages": "fr en", "stairs": 0},
    {"name": "Tomas", "languages": "de es en", "stairs": 1},
    {"name": "Sofia", "languages": "es fr", "stairs": 1},
]
TOURS = {"tower": 1, "vault": 1, "garden": 0}


def suits(guide, language, stairs):
    if language not in guide["languages"].split():
        return 0
    if stairs and not guide["stairs"]:
        return 0
    return 1


def find_guide(language, stairs):
    for i in range(len(GUIDES)):
        guide = GUIDES[i]
        if suits(guide, language, stairs):
            # fair turn: to the back of the queue
            GUIDES.append(GUIDES.pop(i))
            return guide["name"]
    return ""


class Tours(GraphBusNode):
    @subscribe("/Museum/Tours")
    def on_tour(self, tour: str, language: str, persons: int) -> dict[str, object]:
        groups = (persons + 14) // 15
        names = []
        for i in range(groups):
            name = find_guide(language, TOURS.get(tour, 0))
            if name and name not in names:
                names.append(name)
        return {"tour": tour, "guides": names, "missing": groups - len(names)}
