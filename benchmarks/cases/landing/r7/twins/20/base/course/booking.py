from dataclasses import dataclass
from enum import Enum


class Status(Enum):
    OPEN = "open"
    PAID = "paid"
    ATTENDED = "attended"
    CANCELLED = "cancelled"


@dataclass
class Booking:
    name: str
    cents: int
    status: Status = Status.OPEN

    def pay(self):
        self._move(Status.OPEN, Status.PAID)

    def attend(self):
        self._move(Status.PAID, Status.ATTENDED)

    def cancel(self):
        self._move(Status.OPEN, Status.CANCELLED)

    def _move(self, before, after):
        if self.status is not before:
            raise ValueError(f"{self.name}: {self.status.value}, not {before.value}")
        self.status = after
