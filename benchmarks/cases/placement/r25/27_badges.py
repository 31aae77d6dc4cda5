# stateful
"""Keeps how far the list of valid badges was read, for it is an iterator that a search uses up."""
from itertools import chain
from typing import Iterator

from graphbus_core import GraphBusNode, subscribe

STAFF_SHEET = """
A17 lena    active
A22 omar    active
B03 pia     left
B11 quentin active
C05 rosa    active
"""
VISITORS = ("V01", "V02", "V03")


def rows(sheet: str) -> Iterator[list[str]]:
    return (line.split() for line in sheet.splitlines() if line.strip())


def active(sheet: str) -> Iterator[str]:
    return (badge for badge, _, status in rows(sheet) if status == "active")


def door(badges, wing):
    def open_for(badge: str) -> dict[str, object]:
        allowed = badge.strip().upper() in badges
        return {"badge": badge, "wing": wing, "open": allowed}
    return open_for


class Entrance(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._door = door(chain(active(STAFF_SHEET), VISITORS), wing="north")

    @subscribe("/doors/badge")
    def on_badge(self, badge: str) -> dict[str, object]:
        return self._door(badge)
