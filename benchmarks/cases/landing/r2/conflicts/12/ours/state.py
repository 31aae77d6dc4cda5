"""States."""

from enum import Enum


class State(Enum):
    OPEN = "open"
    DONE = "done"
