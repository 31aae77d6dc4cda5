"""Support tickets."""
from dataclasses import dataclass


@dataclass
class Ticket:
    title: str
    owner: str = ""
    status: str = "open"  # open, waiting, closed

    def close(self):
        self.status = "closed"

    def wait(self):
        if self.status != "closed":
            self.status = "waiting"
