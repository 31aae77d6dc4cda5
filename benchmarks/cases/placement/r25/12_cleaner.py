# pure
"""Keeps nothing: a chain of text functions put together once."""
import re
import unicodedata
from functools import partial, reduce
from typing import Callable

from graphbus_core import GraphBusNode, subscribe

Step = Callable[[str], str]


def compose(*steps: Step) -> Step:
    return lambda text: reduce(lambda acc, step: step(acc), steps, text)


def replacing(pattern: str, repl: str) -> Step:
    return partial(re.compile(pattern).sub, repl)


def strip_accents(text: str) -> str:
    decomposed = unicodedata.normalize("NFD", text)
    return "".join(c for c in decomposed if not unicodedata.combining(c))


def when(test: Callable[[str], bool], step: Step) -> Step:
    return lambda text: step(text) if test(text) else text


clean = compose(
    strip_accents,
    when(str.isupper, str.capitalize),
    replacing(r"https?://\S+", "<link>"),
    replacing(r"[!?]{2,}", "!"),
    replacing(r"\s+", " "),
    str.strip,
)


class CommentCleaner(GraphBusNode):
    @subscribe("/comments/raw")
    def on_comment(self, text: str) -> dict[str, object]:
        cleaned = clean(text)
        return {"text": cleaned, "changed": cleaned != text}
