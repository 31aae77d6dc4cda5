from collections import OrderedDict
from string import Template

from graphbus_core import GraphBusNode, subscribe

from .catalogue import OBJECTS, get


class LabelTemplate(Template):
    delimiter = "%"


LABELS = {
    "en": LabelTemplate("%title, %era (room %room)"),
    "de": LabelTemplate("%title, %era (Saal %room)"),
    "fr": LabelTemplate("« %title », %era (salle %room)"),
}

ERAS = {"en": ("BC", "AD"), "de": ("v. Chr.", "n. Chr."), "fr": ("av. J.-C.", "apr. J.-C.")}


class WallLabel(GraphBusNode):
    @subscribe("/museum/label")
    def render(self, inv: str, lang: str) -> str:
        obj = get(inv)
        lang = lang if lang in LABELS else "en"
        era = f"{abs(obj['year'])} {ERAS[lang][obj['year'] > 0]}"
        return LABELS[lang].substitute(obj, era=era)


class RouteSheet(GraphBusNode):
    """Rooms in walking order for a wish list."""

    @subscribe("/museum/route")
    def sheet(self, wishes: list[str]) -> list[str]:
        rooms = OrderedDict()
        for inv in sorted(OBJECTS, key=lambda k: OBJECTS[k]["room"]):
            if inv in wishes:
                rooms.setdefault(OBJECTS[inv]["room"], []).append(OBJECTS[inv]["title"])
        if 3 in rooms:
            rooms.move_to_end(3, last=False)
        return [f"{room}: {', '.join(titles)}" for room, titles in rooms.items()]
