"""Items of a to-do list; times are kept as text, UTC."""
from todo import clock


def new(text, due=None):
    return {"text": text, "created": clock.stamp(), "due": due, "done": None}


def finish(item):
    item["done"] = clock.stamp()
    return item


def is_open(item):
    return item["done"] is None
