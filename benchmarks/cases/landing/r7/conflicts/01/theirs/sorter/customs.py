"""Parcels from outside the union wait until their papers are there."""
from dataclasses import dataclass

UNION = {"AT", "BE", "DE", "FR", "IT", "NL"}


@dataclass
class Papers:
    origin: str
    invoice: bool = False


def on_arrival(handlers, parcel, papers):
    handlers.handle("IN", parcel)
    if papers.origin not in UNION and not papers.invoice:
        handlers.handle("HOLD", parcel)
