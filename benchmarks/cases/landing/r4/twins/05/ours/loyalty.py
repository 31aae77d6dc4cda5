"""A point for every full euro paid."""
from collections import Counter

import bus

POINTS = Counter()


def on_paid(event):
    POINTS[event.get("user_id")] += event["cents"] // 100


bus.subscribe("invoice.paid", on_paid)
