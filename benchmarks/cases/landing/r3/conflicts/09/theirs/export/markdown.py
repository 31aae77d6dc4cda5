"""A table for the wiki."""
from export.base import Exporter, exporter


def cell(value):
    return str(value).replace("|", "\\|").replace("\n", " ")


@exporter("md")
class Markdown(Exporter):
    def head(self):
        return ["| " + " | ".join(map(cell, self.columns)) + " |",
                "|" + "---|" * len(self.columns)]

    def row(self, row):
        return "| " + " | ".join(cell(row.get(column, "")) for column in self.columns) + " |"
