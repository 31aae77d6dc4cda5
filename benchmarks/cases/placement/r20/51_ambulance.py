# stateful
"""Picks the crew for a call; the list of crews is sorted in place, and equal distances keep the order of the last call."""
from dataclasses import dataclass

from graphbus_core import GraphBusNode, subscribe


@dataclass(frozen=True)
class Crew:
    sign: str
    x: int
    y: int
    doctor: bool = False

    def blocks_to(self, x: int, y: int) -> int:
        return abs(self.x - x) + abs(self.y - y)


CREWS = [
    Crew("North 1", 4, 9),
    Crew("East 1", 9, 4, doctor=True),
    Crew("South 1", 4, 0),
    Crew("West 1", 0, 4),
    Crew("Centre 1", 4, 4, doctor=True),
    Crew("Centre 2", 5, 5),
]
KEYWORDS = {"heart": True, "breath": True, "unconscious": True, "fall": False, "cut": False}


def needs_doctor(text: str) -> bool:
    lowered = text.lower()
    return any(doctor for word, doctor in KEYWORDS.items() if word in lowered)


def minutes(blocks: int, hour: int) -> int:
    """Two minutes to leave, then by the traffic."""
    per_block = 1.6 if hour in (7, 8, 16, 17, 18) else 1.0
    return 2 + round(blocks * per_block)


class Dispatch(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.crews = CREWS

    def nearest(self, x: int, y: int) -> list[Crew]:
        self.crews.sort(key=lambda crew: crew.blocks_to(x, y))
        return self.crews

    @subscribe("/Ambulance/Call")
    def on_call(self, text: str, x: int, y: int, hour: int) -> dict[str, object]:
        by_distance = self.nearest(x, y)
        first = by_distance[0]
        team = [first]
        if needs_doctor(text) and not first.doctor:
            team += [crew for crew in by_distance if crew.doctor][:1]
        arrival = {crew.sign: minutes(crew.blocks_to(x, y), hour) for crew in team}
        return {"crews": list(arrival), "arrival": arrival, "reserve": by_distance[len(team)].sign}
