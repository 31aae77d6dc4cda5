from dataclasses import dataclass


@dataclass(frozen=True)
class Booking:
    name: str
    seat: str
