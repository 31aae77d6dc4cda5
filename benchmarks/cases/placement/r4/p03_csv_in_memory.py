# pure
"""Exports order lines as CSV and checks the file by reading it back."""
from graphbus_core import GraphBusNode, subscribe
import csv
import io


class Semicolon(csv.excel):
    delimiter = ";"
    lineterminator = "\n"


FIELDS = ("sku", "qty", "price")


class ExportNode(GraphBusNode):
    @subscribe("/In")
    def on_export(self, event):
        buffer = io.StringIO(newline="")
        writer = csv.DictWriter(buffer, FIELDS, dialect=Semicolon)
        writer.writeheader()
        writer.writerows(event["rows"])
        buffer.seek(0)
        back = list(csv.DictReader(buffer, dialect=Semicolon))
        return {"csv": buffer.getvalue(), "total": sum(int(r["qty"]) * int(r["price"]) for r in back)}
