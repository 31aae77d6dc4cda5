"""One word, one thing: the class names that several files share. The list of today's may only shrink."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

from tests.structure.house import House

LIST = Path(__file__).with_name("shared_words.txt")
# Bodies of the API are called after what they show, and their names stand in the published document.
BODIES = ("graphbus_core/api/schemas.py", "graphbus_core/api/v1/models/")


def shared(house: House) -> Counter[str]:
    """How many classes have each name that more than one has; private ones are not counted."""
    names = Counter(
        node.name
        for path, tree in house.tree.items()
        if not house.where(path).startswith(BODIES)
        for node in tree.body
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    )
    return Counter({name: number for name, number in names.items() if number > 1})


def listed(text: str) -> Counter[str]:
    """The names of a list, one a line behind its number."""
    return Counter({name: int(number) for number, name in (line.split() for line in text.splitlines() if line)})


def shortened(text: str, house: House) -> str:
    """The list without what is gone, and with smaller numbers where fewer share a name now."""
    rest = listed(text) & shared(house)
    return "".join(f"{number} {name}\n" for name, number in sorted(rest.items(), key=lambda one: (-one[1], one[0])))
