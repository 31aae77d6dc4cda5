# stateful
"""A heading registers the broker's dialect with the csv module, and parts without a heading are read by the last one."""
import csv
import io
import re
from collections import Counter
from operator import itemgetter

from graphbus_core import GraphBusNode, subscribe

HEADING = re.compile(r"^#\s*sep=(?P<mark>[;,|])(?:\s+quote=(?P<quote>['\"]))?\s*$", re.MULTILINE)

csv.register_dialect("broker", delimiter=",", skipinitialspace=True)


def split_heading(text: str) -> tuple[re.Match[str] | None, str]:
    match = HEADING.search(text)
    return match, HEADING.sub("", text).strip()


def parse(text: str) -> list[list[str]]:
    match, body = split_heading(text)
    if match is not None:
        csv.register_dialect(
            "broker",
            delimiter=match["mark"],
            quotechar=match["quote"] or '"',
            skipinitialspace=True,
        )
    return [row for row in csv.reader(io.StringIO(body), "broker") if row]


class BrokerFiles(GraphBusNode):
    """Brokers send their new contracts as small text files."""

    @subscribe("/Insurer/BrokerFiles")
    def on_file(self, broker: str, text: str) -> dict[str, object]:
        rows = parse(text)
        products = Counter(map(itemgetter(0), rows))
        broken = sum(len(row) != 3 for row in rows)
        return {"broker": broker, "rows": rows, "broken": broken, "products": dict(sorted(products.items()))}
