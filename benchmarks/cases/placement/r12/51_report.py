# pure
"""The report is written on a buffer opened for the event; the columns are constants."""
import csv
import io
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple, TypedDict

from graphbus_core import GraphBusNode, subscribe


class Sale(TypedDict):
    clerk: str
    article: str
    cents: int


class Row(NamedTuple):
    clerk: str
    sales: int
    turnover: str
    best: str


class ShopDialect(csv.excel):
    delimiter = ";"
    lineterminator = "\n"


@contextmanager
def sheet(buffer: io.StringIO) -> Iterator["csv.DictWriter[str]"]:
    writer = csv.DictWriter(buffer, Row._fields, dialect=ShopDialect)
    writer.writeheader()
    yield writer
    buffer.flush()


def summarise(clerk: str, sales: list[Sale]) -> Row:
    articles = Counter(s["article"] for s in sales)
    best = min(articles, key=lambda name: (-articles[name], name))
    cents = sum(s["cents"] for s in sales)
    return Row(clerk, len(sales), f"{cents / 100:.2f}", best)


class DailyReport(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._title = "Sales by clerk"

    @subscribe("/Till/Closed")
    def on_closed(self, till: int, sales: list[Sale]) -> dict[str, object]:
        by_clerk: dict[str, list[Sale]] = {}
        for sale in sales:
            by_clerk.setdefault(sale["clerk"], []).append(sale)
        buffer = io.StringIO()
        with sheet(buffer) as writer:
            for clerk in sorted(by_clerk):
                writer.writerow(summarise(clerk, by_clerk[clerk])._asdict())
        return {"till": till, "title": self._title, "csv": buffer.getvalue(), "clerks": len(by_clerk)}
