# stateful
"""A notice makes a kind of cargo a virtual subclass, and isinstance knows it from then on."""
from abc import ABC, abstractmethod

from graphbus_core import GraphBusNode, subscribe


class Hazardous(ABC):
    @abstractmethod
    def placard(self) -> str: ...


class Goods:
    def __init__(self, tonnes: float) -> None:
        self.tonnes = tonnes


class Grain(Goods): ...
class Cotton(Goods): ...
class Batteries(Goods): ...


class Acid(Goods, Hazardous):
    def placard(self) -> str:
        return "8"


KINDS = {cls.__name__.lower(): cls for cls in (Grain, Cotton, Batteries, Acid)}


class CargoClass(GraphBusNode):
    @subscribe("/Authority/Notice")
    def on_notice(self, kind: str, dangerous: bool) -> dict[str, str]:
        if dangerous and kind in KINDS:
            Hazardous.register(KINDS[kind])
        return {"notice": kind}

    @subscribe("/Port/Load")
    def on_load(self, kind: str, tonnes: float) -> dict[str, str]:
        goods = KINDS.get(kind, Goods)(tonnes)
        deck = "open deck" if isinstance(goods, Hazardous) else "hold"
        return {"stow": deck, "tonnes": f"{goods.tonnes:.1f}"}
