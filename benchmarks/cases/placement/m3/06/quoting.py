from graphbus_core import GraphBusNode, subscribe

import tariffs


class TariffQuote(GraphBusNode):
    @subscribe("/Quote/Asked")
    def quote(self, plan: str, profile: list[int]) -> dict:
        try:
            rule = tariffs.PLANS[plan]
        except KeyError:
            return {"error": f"no plan {plan!r}"}
        energy = rule(profile)
        fee = tariffs.standing_fee(sum(profile) * 365)
        cheapest = min(tariffs.PLANS, key=lambda p: (tariffs.PLANS[p](profile), p))
        return {"cents": energy + fee, "cheapest": cheapest}


class PeakShaver(GraphBusNode):
    """Moves load out of the peak, hour by hour, on a copy of the profile."""

    @subscribe("/Profile/Shave")
    def shave(self, profile: list[int], limit: int) -> list[int]:
        moved = list(profile)
        night = sorted(tariffs.HOURS["night"])
        for hour in sorted(tariffs.HOURS["peak"]):
            if hour < len(moved) and moved[hour] > limit:
                extra = moved[hour] - limit
                moved[hour] = limit
                share, rest = divmod(extra, len(night))
                for i, n in enumerate(night):
                    moved[n] += share + (1 if i < rest else 0)
        return moved
