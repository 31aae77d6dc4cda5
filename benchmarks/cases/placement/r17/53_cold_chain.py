# stateful
"""Keeps certificates: ABC.register makes a goods class a virtual subclass for good."""
from __future__ import annotations

from abc import ABC
from dataclasses import dataclass

from graphbus_core import GraphBusNode, subscribe


class Chilled(ABC):
    """Goods that may ride in the cold lorry; certified classes count as such."""


class Hazardous(ABC):
    """Goods that need a driver with a permit."""


@dataclass
class Goods:
    kilos: float

    @property
    def lorry(self) -> str:
        cold = "cold" if isinstance(self, Chilled) else "dry"
        return f"{cold}-adr" if isinstance(self, Hazardous) else cold


class Vaccine(Goods, Chilled):
    pass


class Cheese(Goods):
    pass


class Solvent(Goods):
    pass


class Flowers(Goods):
    pass


CLASSES = {cls.__name__.lower(): cls for cls in Goods.__subclasses__()}
PAPERS = {"chilled": Chilled, "hazardous": Hazardous}


class ColdChain(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._capacity = {"cold": 900.0, "dry": 2400.0}

    @subscribe("/Certificates")
    def on_certificate(self, goods: str, paper: str) -> dict[str, str]:
        try:
            PAPERS[paper].register(CLASSES[goods])
        except KeyError as unknown:
            return {"refused": str(unknown)}
        return {"noted": f"{goods} is {paper}"}

    @subscribe("/Loads")
    def on_load(self, goods: str, kilos: float) -> dict[str, object]:
        cls = CLASSES.get(goods)
        if cls is None:
            return {"error": f"no goods {goods}"}
        lorry = cls(kilos).lorry
        return {"lorry": lorry, "trips": int(-(-kilos // self._capacity[lorry.partition("-")[0]]))}
