from feeds.base import Feed, make
from feeds import agency

__all__ = ["Feed", "make", "agency"]
