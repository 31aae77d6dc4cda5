"""Tab separated values."""
from export.base import Exporter, exporter


@exporter("tsv")
class Tsv(Exporter):
    def head(self):
        return ["\t".join(self.columns)]

    def row(self, row):
        return "\t".join(str(row.get(column, "")) for column in self.columns)
