"""Keeps a noisy service from waking everybody up."""
from collections import Counter


def make_throttle(every: int):
    hits = Counter()

    def let_through(key: str) -> bool:
        hits[key] += 1
        return hits[key] % every == 1

    return let_through


page_someone = make_throttle(3)
