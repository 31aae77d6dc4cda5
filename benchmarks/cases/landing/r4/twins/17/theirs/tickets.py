"""Support tickets."""
from dataclasses import dataclass
from enum import Enum


class Status(str, Enum):
    OPEN = "open"
    WAITING = "waiting"
    CLOSED = "closed"


@dataclass
class Ticket:
    title: str
    owner: str = ""
    status: Status = Status.OPEN

    def close(self):
        self.status = Status.CLOSED

    def wait(self):
        if self.status is not Status.CLOSED:
            self.status = Status.WAITING
