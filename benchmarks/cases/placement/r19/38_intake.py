# stateful
"""A database in memory holds the claims of the instance, and the unique index tells a second report of the same damage."""
import sqlite3
from contextlib import closing
from datetime import date

from graphbus_core import GraphBusNode, subscribe

SCHEMA = """
CREATE TABLE claim (contract TEXT, day TEXT, kind TEXT, amount INTEGER);
CREATE UNIQUE INDEX same_damage ON claim (contract, day, kind);
"""


class ClaimIntake(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._db = sqlite3.connect(":memory:", check_same_thread=False)
        self._db.executescript(SCHEMA)

    def _execute(self, statement: str, *values: object) -> int:
        with self._db, closing(self._db.cursor()) as cursor:
            return cursor.execute(statement, values).rowcount

    @subscribe("/Insurer/Reports")
    def on_report(self, contract: str, day: str, kind: str, amount: int) -> dict[str, object]:
        try:
            happened = date.fromisoformat(day)
        except ValueError:
            return {"accepted": False, "reason": f"bad date {day!r}"}
        rows = self._execute("INSERT OR IGNORE INTO claim VALUES (?, ?, ?, ?)", contract, day, kind.lower(), amount)
        return {
            "accepted": rows == 1,
            "reason": "" if rows else "already reported",
            "weekday": f"{happened:%a}",
            "express": rows == 1 and amount < 500,
        }

    @subscribe("/Insurer/Withdrawals")
    def on_withdrawal(self, contract: str, kind: str) -> dict[str, object]:
        rows = self._execute("DELETE FROM claim WHERE contract = ? AND kind = ?", contract, kind.lower())
        return {"contract": contract, "withdrawn": rows}
