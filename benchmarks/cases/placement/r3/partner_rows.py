# stateful
import csv

from graphbus_core import GraphBusNode, subscribe


class PartnerRows(GraphBusNode):
    """Reads the uploads of our partners. Each announces its own format first."""

    @subscribe("/Partner/Format")
    def on_format(self, payload):
        csv.register_dialect(
            "partner-" + payload["partner"],
            delimiter=payload.get("delimiter", ","),
            quotechar=payload.get("quote", '"'),
            skipinitialspace=True,
        )

    @subscribe("/Partner/Upload")
    def on_upload(self, payload):
        name = "partner-" + payload["partner"]
        if name not in csv.list_dialects():
            name = "excel"
        rows = list(csv.reader(payload["text"].splitlines(), dialect=name))
        self.publish("/Partner/Rows", {"partner": payload["partner"], "rows": rows})
