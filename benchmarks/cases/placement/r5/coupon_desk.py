# stateful
"""Keeps the redeemed coupons in a sqlite database in memory, whose connection a cached function hands out."""
import sqlite3
from functools import cache

from graphbus_core import GraphBusNode, subscribe

SCHEMA = """
CREATE TABLE coupon (code TEXT PRIMARY KEY, percent INTEGER NOT NULL, uses INTEGER NOT NULL);
CREATE TABLE redeemed (code TEXT, customer TEXT, UNIQUE (code, customer));
INSERT INTO coupon VALUES ('WELCOME10', 10, 1000), ('FLASH30', 30, 3), ('STAFF50', 50, 1000);
"""


@cache
def database() -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:", check_same_thread=False)
    connection.executescript(SCHEMA)
    return connection


def left(code: str) -> int:
    row = database().execute(
        "SELECT uses - (SELECT count(*) FROM redeemed r WHERE r.code = c.code) FROM coupon c WHERE code = ?",
        (code,),
    ).fetchone()
    return row[0] if row else 0


class CouponDesk(GraphBusNode):
    """Applies a coupon to a basket and says what a coupon is worth."""

    @subscribe("/Shop/Coupon")
    def on_coupon(self, code: str, customer: str, basket_cents: int) -> dict[str, object]:
        if left(code) <= 0:
            return {"pay": basket_cents, "reason": "not valid"}
        with database() as connection:
            done = connection.execute("INSERT OR IGNORE INTO redeemed VALUES (?, ?)", (code, customer))
        if done.rowcount == 0:
            return {"pay": basket_cents, "reason": "already used"}
        (percent,) = database().execute("SELECT percent FROM coupon WHERE code = ?", (code,)).fetchone()
        return {"pay": basket_cents * (100 - percent) // 100, "reason": f"-{percent}%"}

    @subscribe("/Shop/CouponInfo")
    def on_info(self, code: str) -> str:
        row = database().execute("SELECT percent FROM coupon WHERE code = ?", (code,)).fetchone()
        return f"{code}: {row[0]} percent" if row else f"{code}: unknown"
