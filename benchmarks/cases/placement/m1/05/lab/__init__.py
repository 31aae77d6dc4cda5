"""Sample handling for the bench."""
from lab.units import to_si

reference = 1.0

__all__ = ["to_si", "reference"]
