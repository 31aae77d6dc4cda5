# stateful
"""Keeps every class ever made: a base class lists its subclasses, and unknown formats get one made on the spot."""
from typing import ClassVar

from graphbus_core import GraphBusNode, subscribe


class Format:
    known: ClassVar[dict[str, type["Format"]]] = {}
    words = 400

    def __init_subclass__(cls, words: int = 400, **kwargs: object) -> None:
        super().__init_subclass__(**kwargs)
        cls.words = words
        Format.known[cls.__name__.lower()] = cls

    def trim(self, text: str) -> str:
        parts = text.split()
        return " ".join(parts[: self.words]) + ("…" if len(parts) > self.words else "")


class Brief(Format, words=4):
    pass


class Column(Format, words=9):
    pass


def format_for(name: str, words: int) -> Format:
    name = name.strip().lower()
    try:
        return Format.known[name]()
    except KeyError:
        made = type(name.title(), (Format,), {}, words=max(1, words))
        return made()


class StoryFormats(GraphBusNode):
    @subscribe("/News/Story")
    def on_story(self, slug: str, form: str, words: int, text: str) -> dict[str, object]:
        chosen = format_for(form, words)
        return {"slug": slug, "form": type(chosen).__name__, "text": chosen.trim(text)}
