# stateful
"""The decorator keeps a set of the owners who were already told, and answers None the next time."""
from functools import wraps

from graphbus_core import GraphBusNode, subscribe


def once_per(key):
    def decorate(func):
        told = set()

        @wraps(func)
        def wrapper(**event):
            mark = key(event)
            if mark in told:
                return None
            told.add(mark)
            return func(**event)

        return wrapper
    return decorate


def household(event):
    return event["owner"].strip().lower(), event["kind"]


@once_per(household)
def letter(owner, animal, kind):
    body = {
        "worming": "Time for the worming tablets",
        "teeth": "We recommend a dental check",
        "vaccine": "The vaccination is due",
    }.get(kind, "Please call us")
    return f"Dear {owner.strip()}, {body.lower()} for {animal}."


class Reminders(GraphBusNode):
    @subscribe("/Calendar/Due")
    def on_due(self, owner: str, animal: str, kind: str) -> dict:
        text = letter(owner=owner, animal=animal, kind=kind)
        return {"send": text is not None, "text": text or ""}
