# stateful
"""The context variable is set by an event that names a language and never set back, so one that names none gets the last."""
from contextvars import ContextVar

from graphbus_core import GraphBusNode, subscribe

STYLES = {"en": (",", "."), "de": (".", ","), "ch": ("'", "."), "fr": (" ", ",")}

language: ContextVar[str] = ContextVar("language", default="en")


def grouped(value: float, digits: int) -> str:
    thousands, point = STYLES[language.get()]
    text = f"{value:,.{digits}f}"
    whole, _, part = text.partition(".")
    whole = whole.replace(",", thousands)
    return f"{whole}{point}{part}" if part else whole


def money(cents: int, currency: str) -> str:
    text = grouped(cents / 100, 2)
    return f"{currency} {text}" if language.get() in ("en", "ch") else f"{text} {currency}"


class NumberFormat(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()

    @subscribe("/format/amount")
    def on_amount(self, cents: int, currency: str, lang: str | None) -> dict[str, str]:
        if lang in STYLES:
            language.set(lang)
        return {"text": money(cents, currency)}
