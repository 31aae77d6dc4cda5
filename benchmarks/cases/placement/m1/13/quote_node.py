from graphbus_core import GraphBusNode, subscribe

from freight.tariff import TariffService, Zone


class QuoteNode(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._standard = TariffService()
        self._express = TariffService(surcharge_percent=60)

    @subscribe("/Freight/QuoteRequested")
    def handle(self, zone: str, kilos: int, express: bool) -> dict[str, int]:
        service = self._express if express else self._standard
        return {"cents": service.quote(Zone(zone), kilos)}
