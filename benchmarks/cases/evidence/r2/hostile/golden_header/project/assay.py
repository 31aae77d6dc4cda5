from dataclasses import astuple, dataclass, fields

from graphbus_core import GraphBusNode, depends_on, schema_method


@dataclass
class Assay:
    sample: str
    gold_ppm: float


class Lab(GraphBusNode):
    @schema_method
    def assay(self, sample: str) -> Assay:
        return Assay(sample, 7.5)


class Refinery(GraphBusNode):
    @depends_on("Lab.assay")
    @schema_method
    def accept(self, grade: float) -> dict[str, bool]:
        return {"worth_it": grade > 5}


def report(*rows):
    lines = [",".join(f.name for f in fields(Assay))]
    return "\n".join(lines + [",".join(map(str, astuple(r))) for r in rows]) + "\n"
