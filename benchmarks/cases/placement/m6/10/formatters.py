"""Cell formatters, found by name."""
from typing import Callable

FORMATTERS: dict[str, Callable[[object], str]] = {}


def formatter(name: str):
    def keep(func):
        FORMATTERS[name] = func
        return func
    return keep


@formatter("money")
def _money(value) -> str:
    return f"{value / 100:,.2f}"


@formatter("percent")
def _percent(value) -> str:
    return f"{value:.1%}"


@formatter("flag")
def _flag(value) -> str:
    return "yes" if value else "no"


def show(kind: str, value) -> str:
    if value is None:
        return ""
    return FORMATTERS.get(kind, str)(value)
