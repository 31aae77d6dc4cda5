from dataclasses import dataclass

UNLIMITED = 0


@dataclass
class Plan:
    name: str
    quota: int = UNLIMITED  # megabytes


PLANS = {
    "free": Plan("free", 500),
    "team": Plan("team", 20_000),
    "staff": Plan("staff"),
}
