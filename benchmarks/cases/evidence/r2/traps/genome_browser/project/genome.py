from dataclasses import dataclass

from graphbus_core import GraphBusNode, depends_on, schema_method


@dataclass
class Feature:
    chrom: str
    start: int
    end: int


class Bed(GraphBusNode):
    @schema_method
    def feature(self, gene: str) -> Feature:
        return Feature("chr17", 43044294, 43125364)


class Vcf(GraphBusNode):
    @depends_on("Bed.feature")
    @schema_method
    def write(self, chrom: str, pos: int) -> dict[str, str]:
        return {"line": f"{chrom}\t{pos}"}
