# pure
"""Keeps nothing: two handlers share functions and a table, and neither writes to them."""
from functools import partial, singledispatch

from graphbus_core import GraphBusNode, subscribe

WORDS = {
    "en": {"on": "on", "off": "off", "none": "nothing", "new": "New on {site}: {what}", "end": "Leaving in {days}: {what}"},
    "de": {"on": "an", "off": "aus", "none": "nichts", "new": "Neu bei {site}: {what}", "end": "Nur noch {days}: {what}"},
}


@singledispatch
def show(value: object, words: dict[str, str]) -> str:
    return str(value)


@show.register
def _(value: bool, words: dict[str, str]) -> str:
    return words["on" if value else "off"]


@show.register
def _(value: list, words: dict[str, str]) -> str:
    return ", ".join(show(item, words) for item in value) or words["none"]


def render(key: str, language: str, **fields: object) -> str:
    words = WORDS.get(language, WORDS["en"])
    return words[key].format(**{name: show(value, words) for name, value in fields.items()})


novelty = partial(render, "new", site="Kanal+1")
farewell = partial(render, "end")


class Notices(GraphBusNode):
    @subscribe("/Catalog/Added")
    def on_added(self, language: str, titles: list[str]) -> dict[str, str]:
        return {"text": novelty(language, what=sorted(titles))}

    @subscribe("/Catalog/Expiring")
    def on_expiring(self, language: str, title: str, days: int, hd: bool) -> dict[str, str]:
        words = WORDS.get(language, WORDS["en"])
        return {"text": farewell(language, days=f"{days} d", what=[title, f"HD {show(hd, words)}"])}
