# pure
"""Lays out the sheets of one job in a list that the job brings about."""
from collections import deque

from graphbus_core import GraphBusNode, subscribe

BLANK = "-"


def padded(pages: int, fold: int) -> list[str]:
    numbers = [str(n) for n in range(1, pages + 1)]
    numbers.extend([BLANK] * (-pages % fold))
    return numbers


def signature(pages: list[str]) -> list[tuple[str, str]]:
    queue = deque(pages)
    sides: list[tuple[str, str]] = []
    front = True
    while queue:
        left, right = queue.pop(), queue.popleft()
        sides.append((left, right) if front else (right, left))
        front = not front
    return sides


def chunks(items: list[str], size: int) -> list[list[str]]:
    return [items[i:i + size] for i in range(0, len(items), size)]


class Imposition(GraphBusNode):
    def __init__(self, gripper: int = 12) -> None:
        super().__init__()
        self.gripper = gripper

    @subscribe("/Job")
    def on_job(self, pages: int, fold: int, title: str) -> dict[str, object]:
        sheets = [signature(part) for part in chunks(padded(pages, fold), fold)]
        return {
            "job": "".join(word[0] for word in title.split()),
            "sides": [[f"{a}|{b}" for a, b in sides] for sides in sheets],
            "blanks": -pages % fold,
            "gripper": self.gripper,
        }
