# stateful
"""The first spelling of a name that came is used for all the later ones; the table hides in a bound method."""
import unicodedata

from graphbus_core import GraphBusNode, subscribe


def fold(name):
    plain = unicodedata.normalize("NFKD", name)
    return "".join(c for c in plain if c.isalnum()).casefold()


def make_canonical(remember=None):
    pick = remember or {}.setdefault

    def canonical(name):
        name = " ".join(name.split())
        return pick(fold(name), name)

    return canonical


canonical = make_canonical()


def salutation(name):
    return f"Family {name.split()[-1]}" if name else "Dear animal lover"


class Owners(GraphBusNode):
    @subscribe("/Reception/Owner")
    def on_owner(self, name: str, animals: list[str]) -> dict:
        owner = canonical(name)
        return {
            "owner": owner,
            "salutation": salutation(owner),
            "animals": sorted({a.strip().title() for a in animals}),
        }
