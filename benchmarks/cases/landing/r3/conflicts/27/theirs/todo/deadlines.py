"""What is late, and what is due soon."""
import datetime

from todo import clock, items


def due_time(item):
    """The due time of an item; a plain day ends at midnight."""
    due = datetime.datetime.fromisoformat(item["due"].rstrip("Z"))
    if len(item["due"]) == 10:
        due += datetime.timedelta(days=1)
    return due


def sort_out(todo, now=None, soon=datetime.timedelta(days=2)):
    """Return {late: texts, soon: texts}, the earliest first."""
    now = now or clock.now()
    found = {"late": [], "soon": []}
    for item in sorted((i for i in todo if i["due"] and items.is_open(i)), key=due_time):
        left = due_time(item) - now
        if left < datetime.timedelta(0):
            found["late"].append(item["text"])
        elif left < soon:
            found["soon"].append(item["text"])
    return found
