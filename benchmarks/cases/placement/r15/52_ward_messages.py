# pure
"""Keeps nothing: the context variables are set for one event and put back whatever happens."""
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from string import Template

from graphbus_core import GraphBusNode, subscribe

_language: ContextVar[str] = ContextVar("language", default="en")
_urgent: ContextVar[bool] = ContextVar("urgent", default=False)

TEXTS = {
    "en": {"moved": Template("$name is now in room $room"), "fasting": Template("$name must not eat"), "!": "URGENT"},
    "de": {"moved": Template("$name liegt jetzt in Zimmer $room"), "fasting": Template("$name ist nüchtern"), "!": "EILT"},
    "fr": {"moved": Template("$name est en chambre $room"), "!": "URGENT"},
}


@contextmanager
def speaking(language: str, urgent: bool) -> Iterator[None]:
    tokens = []
    if language in TEXTS:
        tokens.append((_language, _language.set(language)))
    if urgent:
        tokens.append((_urgent, _urgent.set(True)))
    try:
        yield
    finally:
        while tokens:
            variable, token = tokens.pop()
            variable.reset(token)


def render(key: str, **values: str) -> str:
    texts = TEXTS[_language.get()]
    template = texts.get(key) or TEXTS["en"][key]
    text = template.safe_substitute(values)
    return f"{texts['!']}: {text}" if _urgent.get() else text


class WardMessages(GraphBusNode):
    @subscribe("/Ward/Changed")
    def on_changed(self, name: str, what: str, room: str, language: str, urgent: bool) -> dict[str, str]:
        try:
            with speaking(language, urgent):
                return {"text": render(what, name=name, room=room)}
        except KeyError as missing:
            return {"text": f"no text for {missing}"}
