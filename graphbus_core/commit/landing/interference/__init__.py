"""What one side newly relies on and the other side changed, though no line of the two meets. Pure; nothing is run."""

from graphbus_core.commit.landing.interference.check import find_interference
from graphbus_core.commit.landing.interference.found import Interference

__all__ = ["Interference", "find_interference"]
