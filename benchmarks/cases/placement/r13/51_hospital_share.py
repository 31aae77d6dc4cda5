# stateful
"""The generator was started at import and remembers the running share between send calls."""
from graphbus_core import GraphBusNode, subscribe

CEILING = 28_000
PER_DAY = 1_000


def copayment():
    charged = 0
    days = yield
    while True:
        due = min(days * PER_DAY, CEILING - charged)
        charged += due
        days = yield due


_copay = copayment()
next(_copay)


class HospitalShare(GraphBusNode):
    tariffs = {"basic": 1.0, "comfort": 0.5, "free": 0.0}

    @subscribe("/Health/Stay")
    def on_stay(self, patient: str, tariff: str, days: int) -> dict[str, object]:
        factor = self.tariffs.get(tariff, 1.0)
        due = int(_copay.send(max(days, 0)) * factor)
        return {"patient": patient, "due": due, "free": due == 0}
