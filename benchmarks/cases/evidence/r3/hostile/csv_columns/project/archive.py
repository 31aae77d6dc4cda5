import csv
import io

from graphbus_core import GraphBusNode, depends_on, schema_method

COLUMNS = ["parcel", "clerk"]


class Archive(GraphBusNode):
    def __init__(self):
        super().__init__()
        self.file = io.StringIO()
        self.writer = csv.DictWriter(self.file, COLUMNS, extrasaction="ignore", lineterminator="\n")
        self.writer.writeheader()

    @depends_on("Shipping.label")
    @schema_method(output_schema={"text": str})
    def add(self, parcel: str, clerk: str = "bob"):
        self.writer.writerow(locals())
        return {"text": self.file.getvalue()}
