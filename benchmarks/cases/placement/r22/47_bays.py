# stateful
"""Bays of the workshop are written through an alias of a nested layout."""
from graphbus_core import GraphBusNode, subscribe

MINUTES = {"tyres": 40, "oil": 25, "brakes": 90}


def empty_layout() -> dict[str, dict[str, list]]:
    return {
        "lift": {"queue": [], "jobs": ["tyres", "brakes"]},
        "pit": {"queue": [], "jobs": ["oil"]},
    }


def place_for(layout: dict, job: str) -> list:
    for area in layout.values():
        if job in area["jobs"]:
            return area["queue"]
    raise ValueError(f"no place for {job}")


def hhmm(minutes: int) -> str:
    hours, rest = divmod(minutes, 60)
    return f"{hours}:{rest:02d}"


class Workshop(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.layout = empty_layout()

    @subscribe("/Car")
    def on_car(self, plate: str, job: str) -> dict[str, str]:
        queue = place_for(self.layout, job)
        wait = sum(MINUTES[other] for _, other in queue)
        queue.append((plate, job))
        return {"plate": plate, "wait": hhmm(wait), "ready": hhmm(wait + MINUTES[job])}
