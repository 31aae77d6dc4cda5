from plots.histogram import Histogram
from plots.style import Style

__all__ = ["Histogram", "Style"]
