"""Tab separated values."""
from export.base import Exporter, exporter


@exporter("tsv")
class Tsv(Exporter):
    def head(self):
        return ["\t".join(self.columns)]

    def check(self, row):
        for column in self.columns:
            if "\t" in str(row.get(column, "")):
                raise ValueError(f"a tab in {column}")

    def row(self, row):
        return "\t".join(str(row.get(column, "")) for column in self.columns)
