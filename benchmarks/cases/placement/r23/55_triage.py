# stateful
"""The waiting list is a default argument, so it lives on between the calls."""
import heapq

from graphbus_core import GraphBusNode, subscribe

URGENCY = {"bleeding": 0, "poison": 0, "breathing": 0, "lame": 2, "vomiting": 1, "claws": 4}


def urgency(complaint):
    words = complaint.lower().split()
    return min((URGENCY[w] for w in words if w in URGENCY), default=3)


def place(level, waiting=[]):
    ahead = sum(1 for other in waiting if other <= level)
    heapq.heappush(waiting, level)
    if len(waiting) > 12:
        heapq.heappop(waiting)
    return ahead


def minutes(ahead, level):
    return 0 if level == 0 else 15 * ahead + 5


class Triage(GraphBusNode):
    @subscribe("/Reception/Arrival")
    def on_arrival(self, animal: str, complaint: str) -> dict:
        level = urgency(complaint)
        ahead = place(level)
        return {
            "animal": animal,
            "level": level,
            "room": "emergency" if level == 0 else "waiting room",
            "minutes": minutes(ahead, level),
        }
