# stateful
"""Keeps the place in an endless cycle of clerks, from which the next one able to do the work is taken."""
from itertools import cycle, dropwhile, islice, starmap

from graphbus_core import GraphBusNode, subscribe

CLERKS = (
    ("Aalto", frozenset({"permits", "noise"})),
    ("Brandt", frozenset({"trees", "noise"})),
    ("Castro", frozenset({"permits", "trees", "events"})),
    ("Dvorak", frozenset({"events", "noise"})),
)


def rounds():
    yield from cycle(CLERKS)


def skilled(subject, source, size=len(CLERKS)):
    one_round = islice(source, size)
    return dropwhile(lambda clerk: subject not in clerk[1], one_round)


def initials(names):
    return "".join(starmap(lambda first, *rest: first, names))


class Rota(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.source = rounds()

    @subscribe("/Mail/Opened")
    def on_mail(self, letter: int, subject: str, urgent: bool) -> dict[str, object]:
        name, skills = next(skilled(subject, self.source), ("registry", frozenset()))
        return {
            "letter": letter,
            "clerk": name,
            "stamp": f"{initials([name])}{letter:04d}{'!' if urgent else ''}",
            "known": bool(skills),
        }
