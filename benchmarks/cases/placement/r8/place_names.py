# pure
"""Keeps nothing: dictionaries are read with get, and the working sets belong to the call."""
import re
import unicodedata
from collections import defaultdict
from difflib import get_close_matches

from graphbus_core import GraphBusNode, subscribe

PLACES = {"Zürich": "CH", "Łódź": "PL", "São Paulo": "BR", "Kraków": "PL", "Genève": "CH"}
SPECIAL = str.maketrans({"ł": "l", "ß": "ss", "ø": "o", "đ": "d"})


def fold(name: str) -> str:
    lowered = name.casefold().translate(SPECIAL)
    plain = unicodedata.normalize("NFD", lowered)
    return re.sub(r"[^a-z]+", " ", "".join(c for c in plain if not unicodedata.combining(c))).strip()


INDEX = {fold(name): name for name in PLACES}


def resolve(name: str) -> str | None:
    key = fold(name)
    exact = INDEX.get(key)
    if exact is not None:
        return exact
    close = get_close_matches(key, INDEX, n=1, cutoff=0.75)
    return INDEX[close[0]] if close else None


class PlaceNames(GraphBusNode):
    @subscribe("/Addresses/Batch")
    def on_batch(self, names: list[str]) -> dict[str, object]:
        by_country: defaultdict[str, set[str]] = defaultdict(set)
        unknown = []
        for name in names:
            found = resolve(name)
            if found is None:
                unknown.append(name)
            else:
                by_country[PLACES[found]].add(found)
        return {"countries": {c: sorted(by_country[c]) for c in sorted(by_country)}, "unknown": unknown}
