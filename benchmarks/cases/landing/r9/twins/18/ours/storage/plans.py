from dataclasses import dataclass

UNLIMITED = -1  # 0 is a real quota: nothing may be uploaded


@dataclass
class Plan:
    name: str
    quota: int = UNLIMITED  # megabytes


PLANS = {
    "free": Plan("free", 500),
    "team": Plan("team", 20_000),
    "staff": Plan("staff"),
    "suspended": Plan("suspended", 0),
}
