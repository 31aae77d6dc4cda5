"""The morning overview: open tickets by owner."""
from collections import Counter


def overview(tickets):
    counts = Counter(t.owner or "nobody" for t in tickets if t.status == "open")
    return [f"{owner}: {count}" for owner, count in sorted(counts.items())]
