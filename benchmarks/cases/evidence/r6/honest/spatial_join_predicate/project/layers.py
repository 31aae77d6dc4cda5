from dataclasses import dataclass

from graphbus_core import GraphBusNode, depends_on, schema_method


@dataclass(frozen=True)
class Box:
    name: str
    x0: float
    y0: float
    x1: float
    y1: float

    def within(self, other):
        return self.x0 > other.x0 and self.y0 > other.y0 and self.x1 < other.x1 and self.y1 < other.y1

    def touches(self, other):
        return self.x1 == other.x0 or self.x0 == other.x1


PLOTS = [Box("park", 0, 0, 10, 10), Box("yard", 11, 0, 15, 4)]
TREES = [Box("oak", 2, 2, 3, 3), Box("elm", 10, 1, 11, 2)]
OPS = {"within": Box.within, "touches": Box.touches}


class LayerJoin(GraphBusNode):
    @depends_on("Survey.plan")
    @schema_method(input_schema={"op": str}, output_schema={"hits": list})
    def match(self, op):
        if op not in OPS:
            raise KeyError(f"no such relation: {op}")
        return {"hits": [(t.name, p.name) for t in TREES for p in PLOTS if OPS[op](t, p)]}
