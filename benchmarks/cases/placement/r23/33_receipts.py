# stateful
"""The class attribute `notes` of the policies is one list for all receipts, so old notes turn up on later ones."""
from graphbus_core import GraphBusNode, subscribe


class Policy:
    factor = 1.0
    notes: list[str] = []

    def apply(self, cents: int) -> int:
        return round(cents * self.factor)

    def note(self, text: str) -> None:
        self.notes.append(text)


class SeniorPolicy(Policy):
    factor = 0.6

    def apply(self, cents: int) -> int:
        self.note("senior reduction 40%")
        return super().apply(cents)


class NightPolicy(Policy):
    def apply(self, cents: int) -> int:
        self.note("night supplement")
        return super().apply(cents) + 150


POLICIES = {"senior": SeniorPolicy, "night": NightPolicy}


class ReceiptPrinter(GraphBusNode):
    @subscribe("/Ticketing/Sold")
    def on_sale(self, fare_cents: int, kind: str) -> dict:
        policy = POLICIES.get(kind, Policy)()
        total = policy.apply(fare_cents)
        return {
            "total": f"{total / 100:.2f}",
            "footer": "; ".join(policy.notes) or "no remarks",
        }
