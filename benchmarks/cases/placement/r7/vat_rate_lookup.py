# pure
"""The in-memory database is filled by the constructor and then only queried."""
import sqlite3
from datetime import date

from graphbus_core import GraphBusNode, subscribe

RATES = [
    ("DE", "standard", "2007-01-01", "2020-07-01", 190),
    ("DE", "standard", "2020-07-01", "2021-01-01", 160),
    ("DE", "standard", "2021-01-01", "9999-12-31", 190),
    ("DE", "books", "2007-01-01", "9999-12-31", 70),
    ("FR", "standard", "2014-01-01", "9999-12-31", 200),
    ("FR", "books", "2014-01-01", "9999-12-31", 55),
    ("LU", "standard", "2015-01-01", "2023-01-01", 170),
    ("LU", "standard", "2023-01-01", "2024-01-01", 160),
    ("LU", "standard", "2024-01-01", "9999-12-31", 170),
]

QUERY = """
select permille from rate
where country = :country and category in (:category, 'standard') and valid_from <= :day and :day < valid_to
order by category = 'standard' limit 1
"""


def reference_database() -> sqlite3.Connection:
    db = sqlite3.connect(":memory:")
    db.row_factory = sqlite3.Row
    db.execute("create table rate (country text, category text, valid_from text, valid_to text, permille int)")
    db.executemany("insert into rate values (?, ?, ?, ?, ?)", RATES)
    db.execute("create index by_country on rate (country, category)")
    db.commit()
    return db


class VatDesk(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._db = reference_database()

    def _permille(self, country: str, category: str, day: date) -> int | None:
        found = self._db.execute(QUERY, {"country": country, "category": category, "day": day.isoformat()}).fetchone()
        return found["permille"] if found else None

    @subscribe("/vat/ask")
    def on_ask(self, invoice: str, country: str, category: str, day: str, net_cents: int) -> dict[str, object]:
        try:
            permille = self._permille(country.upper(), category.lower(), date.fromisoformat(day))
        except ValueError:
            return {"invoice": invoice, "error": "bad date"}
        if permille is None:
            return {"invoice": invoice, "error": "no rate"}
        vat = (net_cents * permille + 500) // 1000
        return {"invoice": invoice, "rate": f"{permille / 10:g} %", "vat": vat, "gross": net_cents + vat}
