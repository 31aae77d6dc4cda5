# stateful
"""dataclasses.replace() copies only the outer object, so the extras of one customer land in the plan all customers start from."""
from dataclasses import dataclass, replace

from graphbus_core import GraphBusNode, subscribe


@dataclass(frozen=True)
class Plan:
    name: str
    base_cents: int
    customer: str
    extras: dict[str, int]

    @property
    def monthly(self) -> int:
        return self.base_cents + sum(self.extras.values())


PLANS = {
    "basic": Plan("Basic", 799, "", {}),
    "family": Plan("Family", 2499, "", {"second_sim": 300}),
    "business": Plan("Business", 3999, "", {"fixed_ip": 250, "support": 500}),
}
EXTRA_PRICES = {"roaming": 399, "hotspot": 199, "second_sim": 350, "music": 499}


def personal_plan(key: str, customer: str, wanted: list[str]) -> Plan:
    plan = replace(PLANS[key], customer=customer)
    for extra in wanted:
        if extra in EXTRA_PRICES:
            plan.extras.setdefault(extra, EXTRA_PRICES[extra])
    return plan


class MobilePlans(GraphBusNode):
    @subscribe("/Mobile/Signup")
    def on_signup(self, customer: str, plan: str, extras: list[str]) -> dict[str, object]:
        key = plan.strip().lower()
        if key not in PLANS:
            return {"customer": customer, "error": "no such plan"}
        mine = personal_plan(key, customer, extras)
        return {
            "customer": mine.customer,
            "plan": mine.name,
            "monthly_cents": mine.monthly,
            "extras": sorted(mine.extras),
        }
