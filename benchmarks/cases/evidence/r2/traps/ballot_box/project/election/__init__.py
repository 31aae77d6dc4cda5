from .counting import Counting
from .seats import Seats

__all__ = ["Counting", "Seats"]
