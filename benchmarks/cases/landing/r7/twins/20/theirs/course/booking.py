from dataclasses import dataclass
from enum import Enum


class Status(Enum):
    OPEN = "open"
    PAID = "paid"
    ATTENDED = "attended"
    CANCELLED = "cancelled"
    REFUNDED = "refunded"


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

    def refund(self):
        """The course does not take place, or the guest is ill."""
        self._move(Status.PAID, Status.REFUNDED)

    def _move(self, before, after):
        if self.status is not before:
            raise ValueError(f"{self.name}: {self.status.value}, not {before.value}")
        self.status = after
