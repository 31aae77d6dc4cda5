from operator import attrgetter
from types import SimpleNamespace

from graphbus_core import GraphBusNode, depends_on, schema_method

LABEL = ["animal.species", "animal.weight"]


class Vet(GraphBusNode):
    @schema_method(input_schema={"cage": int}, output_schema={"species": str, "kilos": int})
    def examine(self, cage):
        return {"species": "tapir", "kilos": 220}


class Feeder(GraphBusNode):
    @depends_on("Vet.examine")
    @schema_method(input_schema={"species": str, "weight": int}, output_schema={"label": str})
    def portion(self, **seen):
        here = SimpleNamespace(animal=SimpleNamespace(**seen))
        return {"label": " ".join(str(attrgetter(path)(here)) for path in LABEL)}


def rounds():
    seen = Vet().examine(cage=3)
    return Feeder().portion(species=seen["species"], weight=seen["kilos"])


if __name__ == "__main__":
    print(rounds()["label"])
