# pure
"""The language of a letter stands in a context variable, which an exit stack sets back at the end of every event."""
import string
import textwrap
from contextlib import ExitStack
from contextvars import ContextVar
from io import StringIO

from graphbus_core import GraphBusNode, subscribe

LANGUAGE: ContextVar[str] = ContextVar("language", default="en")
TEXTS = {
    "en": {"greeting": "Dear $name,", "reject": "we cannot pay for $what.", "accept": "we pay $sum for $what."},
    "de": {"greeting": "Guten Tag $name,", "reject": "wir zahlen nicht: $what.", "accept": "wir zahlen $sum: $what."},
}


def say(key: str, **values: object) -> str:
    texts = TEXTS[LANGUAGE.get()]
    return string.Template(texts[key]).safe_substitute(values)


def money(cents: int) -> str:
    text = f"{cents / 100:,.2f}"
    if LANGUAGE.get() == "de":
        text = text.translate(str.maketrans(",.", ".,"))
    return f"{text} EUR"


class Letters(GraphBusNode):
    @subscribe("/Insurer/Decisions")
    def on_decision(self, name: str, language: str, what: str, cents: int) -> dict[str, object]:
        with ExitStack() as stack:
            if language in TEXTS:
                stack.callback(LANGUAGE.reset, LANGUAGE.set(language))
            page = stack.enter_context(StringIO())
            print(say("greeting", name=name), file=page)
            body = say("accept" if cents else "reject", what=what, sum=money(cents))
            print(textwrap.fill(body, width=32), end="", file=page)
            text = page.getvalue()
        return {"language": language, "text": text, "lines": text.count("\n") + 1}
