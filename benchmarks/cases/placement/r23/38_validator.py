# pure
"""The rules register themselves once when the module is loaded; each ticket is judged alone."""
from graphbus_core import GraphBusNode, subscribe


class Rule:
    registry: list["Rule"] = []
    order = 50

    def __init_subclass__(cls, **kwargs) -> None:
        super().__init_subclass__(**kwargs)
        Rule.registry.append(cls())
        Rule.registry.sort(key=lambda rule: rule.order)

    def refuse(self, ticket: dict) -> str | None:
        raise NotImplementedError


class ZoneRule(Rule):
    order = 20

    def refuse(self, ticket: dict) -> str | None:
        if ticket["zone"] not in ticket["paid_zones"]:
            return f"zone {ticket['zone']} not paid"
        return None


class ExpiryRule(Rule):
    order = 10

    def refuse(self, ticket: dict) -> str | None:
        return "expired" if ticket["minute"] > ticket["valid_until"] else None


class BicycleRule(Rule):
    def refuse(self, ticket: dict) -> str | None:
        rush = 420 <= ticket["minute"] % 1440 < 540
        return "no bicycles in rush hour" if ticket["bicycle"] and rush else None


class TicketValidator(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.rules = list(Rule.registry)

    @subscribe("/Gate/Scan")
    def on_scan(self, zone: int, paid_zones: list[int], minute: int, valid_until: int, bicycle: bool = False) -> dict:
        ticket = dict(zone=zone, paid_zones=paid_zones, minute=minute, valid_until=valid_until, bicycle=bicycle)
        reasons = []
        for rule in self.rules:
            reason = rule.refuse(ticket)
            if reason:
                reasons.append(reason)
        return {"open": not reasons, "reasons": reasons}
