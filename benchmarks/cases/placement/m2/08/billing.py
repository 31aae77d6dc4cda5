from graphbus_core import GraphBusNode, subscribe

from grid.tariff import energy_cost


class MeterBilling(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()

    @subscribe("/Grid/Meter/Read")
    def bill(self, meter: str, old: int, new: int, digits: int) -> dict[str, object]:
        used = (new - old) % 10 ** digits
        cents = energy_cost(used)
        return {"meter": meter, "kwh": used, "amount": f"{cents // 100}.{cents % 100:02d}"}
