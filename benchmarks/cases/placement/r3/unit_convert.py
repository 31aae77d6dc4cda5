# pure
from graphbus_core import GraphBusNode, subscribe


class Unit:
    registry = {}

    def __init_subclass__(cls, symbol, factor=1.0, **kw):
        super().__init_subclass__(**kw)
        cls.symbol, cls.factor = symbol, factor
        Unit.registry[symbol] = cls

    def __init__(self, value):
        self.value = value

    def to(self, symbol):
        other = Unit.registry[symbol]
        return other(self.value * self.factor / other.factor)


class Metre(Unit, symbol="m"): ...
class Foot(Unit, symbol="ft", factor=0.3048): ...
class Mile(Unit, symbol="mi", factor=1609.344): ...


class UnitConvert(GraphBusNode):
    @subscribe("/Unit/Convert")
    def on_convert(self, payload):
        cls = Unit.registry.get(payload["from"])
        if cls is None or payload["to"] not in Unit.registry:
            self.publish("/Unit/Unknown", {"units": sorted(Unit.registry)})
            return
        result = cls(payload["value"]).to(payload["to"])
        self.publish("/Unit/Converted", {"value": round(result.value, 4), "unit": result.symbol})
