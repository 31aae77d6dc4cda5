# pure
"""The fee tables are merged anew down the class chain, and the count of handled bills is never told to anybody."""
from graphbus_core import GraphBusNode, subscribe


class Tariff:
    fees: dict[str, int] = {"consultation": 1072, "phone": 466, "letter": 230}
    multiplier = 100

    def table(self) -> dict[str, int]:
        merged: dict[str, int] = {}
        for cls in reversed(type(self).__mro__):
            merged.update(vars(cls).get("fees", {}))
        return merged

    def price(self, service: str, times: int) -> int:
        cents = self.table().get(service, 0) * times
        return cents * self.multiplier // 100


class PrivateTariff(Tariff):
    fees = {"consultation": 1472, "ecg": 2653}
    multiplier = 230


class InsuredTariff(Tariff):
    fees = {"ecg": 1990}


class StudentTariff(InsuredTariff):
    multiplier = 80

    def price(self, service: str, times: int) -> int:
        if service == "letter":
            return 0
        return super().price(service, min(times, 2))


class BillDesk(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._tariffs: dict[str, Tariff] = {"private": PrivateTariff(), "student": StudentTariff()}
        self._fallback = InsuredTariff()
        self._handled = 0

    @subscribe("/Clinic/Bills")
    def on_bill(self, patient: str, plan: str, services: dict[str, int]) -> dict[str, object]:
        self._handled += 1
        tariff = self._tariffs.get(plan, self._fallback)
        lines = {name: tariff.price(name, times) for name, times in services.items()}
        total = sum(lines.values())
        return {"patient": patient, "lines": lines, "total": f"{total // 100}.{total % 100:02d}"}
