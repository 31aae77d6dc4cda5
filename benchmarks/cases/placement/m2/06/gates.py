import itertools

from graphbus_core import GraphBusNode, subscribe

PIERS = {"A": range(1, 6), "B": range(10, 13)}
WIDE = {"A380", "B777", "A350"}
stands = {pier: itertools.cycle(numbers) for pier, numbers in PIERS.items()}


class GateDisplay(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()

    @subscribe("/Air/Flight/Landing")
    def assign(self, flight: str, aircraft: str) -> dict[str, str]:
        pier = "B" if aircraft in WIDE else "A"
        stand = next(n for n in stands[pier] if not (flight[-1] in "02468" and n == 3))
        return {"flight": flight, "gate": f"{pier}{stand:02d}"}
