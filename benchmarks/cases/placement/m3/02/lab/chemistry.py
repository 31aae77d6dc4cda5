from decimal import Decimal

from graphbus_core import GraphBusNode, subscribe

from .quantities import BENCH, LastValue, Unit


class Concentration(GraphBusNode):
    @subscribe("/Sample/Weighed")
    def weighed(self, milligrams: str, millilitres: str) -> str:
        volume = Decimal(millilitres)
        if not volume:
            return "no volume"
        return str(Decimal(milligrams) / volume * 1000)


class DilutionPlan(GraphBusNode):
    @subscribe("/Dilution/Asked")
    def plan(self, stock: str, unit: str, target: str, flask_ml: str) -> dict:
        strong = BENCH.multiply(Decimal(stock), Unit.named(unit).factor)
        weak = Decimal(target)
        if BENCH.compare(weak, strong) > 0:
            return {"possible": False}
        take = BENCH.divide(BENCH.multiply(weak, Decimal(flask_ml)), strong)
        return {"possible": True, "take_ml": str(take), "fill_ml": str(BENCH.subtract(Decimal(flask_ml), take))}


class DriftWatch(GraphBusNode):
    reading = LastValue()

    @subscribe("/Probe/Read")
    def read(self, volts: float) -> dict:
        self.reading = round(volts, 4)
        value, moved = self.reading
        return {"volts": value, "drifting": abs(moved) > 0.05}
