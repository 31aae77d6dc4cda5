# stateful
"""A ContextVar is set and never reset; handlers called one after the other share the context."""
from contextvars import ContextVar

from graphbus_core import GraphBusNode, subscribe

language: ContextVar[str] = ContextVar("language", default="de")

PHRASES = {
    "de": {"hello": "Guten Tag", "paid": "Wir haben bezahlt"},
    "en": {"hello": "Good day", "paid": "We have paid"},
    "fr": {"hello": "Bonjour", "paid": "Nous avons paye"},
}


def phrase(key: str) -> str:
    return PHRASES[language.get()][key]


class LanguageLetters(GraphBusNode):
    @subscribe("/Letters/Payment")
    def on_payment(self, name: str, amount: int, lang: str) -> dict[str, str]:
        if lang in PHRASES:
            language.set(lang)
        body = f"{phrase('hello')} {name}, {phrase('paid')}: {amount / 100:.2f}"
        return {"to": name, "body": body}
