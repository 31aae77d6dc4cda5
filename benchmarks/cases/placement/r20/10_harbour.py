# stateful
"""Hands out berths; unknown ships get the next number from the default factory and keep it."""
from collections import defaultdict
from dataclasses import asdict, dataclass
from itertools import count

from graphbus_core import GraphBusNode, subscribe

QUAYS = (("North", 180.0, 11.5), ("South", 120.0, 8.0), ("Fish dock", 45.0, 4.2))


@dataclass
class Mooring:
    quay: str
    berth: int
    pilot: bool
    tugs: int


def choose_quay(length: float, draught: float) -> str | None:
    """The smallest quay that is long and deep enough."""
    fitting = [q for q in QUAYS if length <= q[1] and draught <= q[2]]
    return min(fitting, key=lambda q: q[1])[0] if fitting else None


def tugs_needed(length: float, wind: int) -> int:
    base = 0 if length < 60 else 1 if length < 110 else 2
    return base + (1 if wind > 7 and length >= 60 else 0)


class HarbourMaster(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.berths = {quay: defaultdict(count(1).__next__) for quay, _, _ in QUAYS}

    @subscribe("/Harbour/Arrival")
    def on_arrival(self, ship: str, length: float, draught: float, wind: int) -> dict[str, object]:
        quay = choose_quay(length, draught)
        if quay is None:
            return {"ship": ship, "anchorage": True}
        mooring = Mooring(
            quay=quay,
            berth=self.berths[quay][ship.casefold()],
            pilot=length > 70,
            tugs=tugs_needed(length, wind),
        )
        return {"ship": ship, "anchorage": False, **asdict(mooring)}
