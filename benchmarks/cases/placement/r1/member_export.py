# pure
import csv
import io

from graphbus_core import GraphBusNode, subscribe


class MemberExport(GraphBusNode):
    COLUMNS = ["name", "since"]

    @subscribe("/Members/Asked")
    def on_asked(self, payload):
        with io.StringIO() as out:
            writer = csv.DictWriter(out, self.COLUMNS, extrasaction="ignore", lineterminator="\n")
            writer.writeheader()
            writer.writerows(payload["members"])
            self.publish("/Members/Csv", {"text": out.getvalue()})
