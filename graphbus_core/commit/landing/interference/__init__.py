"""What one side newly relies on and the other side changed, though no line of the two meets. Pure; nothing is run."""

from graphbus_core.commit.landing.interference.check import Interference, find_interference

__all__ = ["Interference", "find_interference"]
