from graphbus_core import GraphBusNode, subscribe

from .vorgaben import Bahnen

KUEPEN = Bahnen(indigo=1, krapp=2)


class Kuepe(GraphBusNode):
    """In welche Küpe kommt der Strang?"""

    @subscribe("/weberei/strang")
    def strang(self, farbe: str) -> int:
        return KUEPEN[farbe.lower()]


class Kettplan(GraphBusNode):
    """Kettfäden eines Musters, Farben nach Bahnen beziffert."""

    @subscribe("/weberei/kette")
    def kette(self, muster: list[str]) -> dict:
        bahnen = Bahnen()
        ziffern = "".join(str(bahnen[f]) for f in muster)
        return {"ziffern": ziffern, "farben": list(bahnen), "indigo": KUEPEN["indigo"] in bahnen.values()}
