# stateful
"""Keeps a cache whose key is the title alone, though the text also depends on the first caller's language."""
from functools import wraps
from typing import Callable

from graphbus_core import GraphBusNode, subscribe

TEXTS = {
    ("t100", "en"): "The Lighthouse Keeper",
    ("t100", "de"): "Der Leuchtturmwärter",
    ("t100", "fr"): "Le Gardien du phare",
    ("t200", "en"): "Night Shift",
    ("t200", "de"): "Nachtschicht",
    ("t300", "en"): "Salt",
}


def cached(function: Callable[..., str]) -> Callable[..., str]:
    results: dict[str, str] = {}

    @wraps(function)
    def wrapper(title: str, **options: str) -> str:
        if title not in results:
            results[title] = function(title, **options)
        return results[title]

    return wrapper


@cached
def display_name(title: str, *, language: str = "en") -> str:
    for candidate in (language, language[:2], "en"):
        if (title, candidate) in TEXTS:
            return TEXTS[title, candidate]
    return f"[{title}]"


def card(title: str, language: str, width: int) -> str:
    name = display_name(title, language=language)
    return name if len(name) <= width else name[: width - 1] + "…"


class Catalog(GraphBusNode):
    @subscribe("/Catalog/CardWanted")
    def on_card(self, title: str, language: str, width: int) -> dict[str, str]:
        return {"title": title, "card": card(title, language, width)}
