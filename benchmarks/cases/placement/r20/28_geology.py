# pure
"""Orders the layers of a section from the observations in the event; the sorter is made anew each time."""
import re
from graphlib import CycleError, TopologicalSorter

from graphbus_core import GraphBusNode, subscribe

RELATION = re.compile(r"(?P<a>\w+)\s+(?P<verb>overlies|cuts|below|older than|intrudes)\s+(?P<b>\w+)")
YOUNGER_FIRST = {"overlies", "cuts", "intrudes"}
AGES = {"quaternary": 2.6, "neogene": 23, "cretaceous": 145, "jurassic": 201, "permian": 299}


def relations(notes: list[str]) -> list[tuple[str, str]]:
    """Pairs (older, younger)."""
    pairs: list[tuple[str, str]] = []
    for note in notes:
        for match in RELATION.finditer(note.lower()):
            a, b = match["a"], match["b"]
            pairs.append((b, a) if match["verb"] in YOUNGER_FIRST else (a, b))
    return pairs


def order(pairs: list[tuple[str, str]]) -> list[str]:
    sorter: TopologicalSorter[str] = TopologicalSorter()
    for older, younger in pairs:
        sorter.add(younger, older)
    sorter.prepare()
    result: list[str] = []
    while sorter.is_active():
        ready = sorted(sorter.get_ready())
        result.extend(ready)
        sorter.done(*ready)
    return result


def bracket(layers: list[str], fossils: dict[str, str], layer: str) -> str:
    """The oldest and youngest possible age of a layer by its dated neighbours."""
    at = layers.index(layer)
    below = [AGES[fossils[name]] for name in layers[:at + 1] if fossils.get(name) in AGES]
    above = [AGES[fossils[name]] for name in layers[at:] if fossils.get(name) in AGES]
    oldest = f"{min(below):g}" if below else "?"
    youngest = f"{max(above):g}" if above else "?"
    return f"{oldest}-{youngest} Ma"


class Section(GraphBusNode):
    @subscribe("/Geology/Section")
    def on_section(self, place: str, notes: list[str], fossils: dict[str, str]) -> dict[str, object]:
        try:
            layers = order(relations(notes))
        except CycleError as exc:
            return {"place": place, "contradiction": sorted(set(exc.args[1]))}
        dated = {name.lower(): period.lower() for name, period in fossils.items()}
        return {"place": place, "layers": [f"{name} ({bracket(layers, dated, name)})" for name in layers]}
