"""Events."""

from dataclasses import dataclass


@dataclass
class Event:
    name: str
    at: int
