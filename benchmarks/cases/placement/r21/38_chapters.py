# pure
"""Keeps nothing: the counting closure is made anew inside each call."""
from typing import Callable

from graphbus_core import GraphBusNode, subscribe


def make_numbering(prefix: str) -> Callable[[str], str]:
    chapter = 0
    used: dict[str, int] = {}

    def number(title: str) -> str:
        nonlocal chapter
        chapter += 1
        slug = "-".join(title.lower().split()) or "untitled"
        used[slug] = used.get(slug, 0) + 1
        if used[slug] > 1:
            slug = f"{slug}-{used[slug]}"
        return f"{prefix}{chapter:02d}-{slug}"

    return number


def merge_short(starts: list[int], titles: list[str], minimum: int) -> list[tuple[int, str]]:
    merged: list[tuple[int, str]] = []
    for start, title in sorted(zip(starts, titles)):
        if merged and start - merged[-1][0] < minimum:
            continue
        merged.append((start, title))
    return merged


class Chapters(GraphBusNode):
    def __init__(self, minimum: int = 45) -> None:
        super().__init__()
        self.minimum = minimum
        self.numbering = make_numbering

    @subscribe("/Ingest/Chapters")
    def on_chapters(self, asset: str, starts: list[int], titles: list[str]) -> dict[str, object]:
        number = self.numbering(asset[:3].upper())
        kept = merge_short(starts, titles, self.minimum)
        return {
            "asset": asset,
            "chapters": {number(title): start for start, title in kept},
            "dropped": len(starts) - len(kept),
        }
