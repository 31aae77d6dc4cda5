from graphbus_core import GraphBusNode, subscribe

from measures import Must

QUALITY = ((73, "Kabinett"), (85, "Spätlese"), (95, "Auslese"), (125, "Beerenauslese"))


class MustAnalysis(GraphBusNode):
    @subscribe("/lab/must")
    def analyse(self, sample: dict) -> dict:
        must = Must(**{k: v for k, v in sample.items() if k in ("oechsle", "acid")})
        grade = "Landwein"
        for limit, name in QUALITY:
            if must.oechsle >= limit:
                grade = name
        return {"grade": grade, "alcohol": round((must.oechsle - 15) / 8, 1), "deacidify": must.acid > 9}


class Blend(GraphBusNode):
    """Weighted mean of several musts."""

    __slots__ = ("weight", "sweet", "sour")

    @subscribe("/lab/blend")
    def blend(self, parts: list[list[float]]) -> dict:
        self.weight = self.sweet = self.sour = 0.0
        for litres, oechsle, acid in parts:
            must = Must(oechsle, acid)
            self.weight += litres
            self.sweet += litres * must.oechsle
            self.sour += litres * must.acid
        if not self.weight:
            return {"empty": True}
        return {"oechsle": round(self.sweet / self.weight, 1), "acid": round(self.sour / self.weight, 2)}
