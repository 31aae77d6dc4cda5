from graphbus_core import GraphBusNode, subscribe

from settings import section


class SubscriberFeed(GraphBusNode):
    """One line a subscriber, in the units of the subscriber's wish."""

    def __init__(self) -> None:
        super().__init__()

    @subscribe("/Weather/Feed/Pull")
    def pull(self, celsius: float, knots: float, wish: dict) -> dict[str, str]:
        units = section("units")
        units.update({k: v for k, v in wish.items() if k in units})
        t = celsius if units["temperature"] == "C" else celsius * 9 / 5 + 32
        w = knots * {"kt": 1, "kmh": 1.852, "ms": 0.5144}[units["wind"]]
        return {"line": f"{t:.1f}{units['temperature']} {w:.1f}{units['wind']}"}
