"""States."""

from enum import Enum


class State(Enum):
    DRAFT = "draft"
    OPEN = "open"
    DONE = "done"
