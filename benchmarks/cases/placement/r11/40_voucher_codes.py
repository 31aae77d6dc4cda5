# stateful
"""Keeps redeemed vouchers in a database in memory, reached through a cached function that always returns one connection."""
import sqlite3
from functools import lru_cache

from graphbus_core import GraphBusNode, subscribe

VALUES = {"WELCOME": 500, "SUMMER": 1_000, "VIP": 2_500}


@lru_cache(maxsize=1)
def _db() -> sqlite3.Connection:
    db = sqlite3.connect(":memory:", isolation_level=None)
    db.execute("create table redeemed (code text, customer text, primary key (code, customer)) without rowid")
    return db


def _normal(code: str) -> str:
    return "".join(c for c in code.upper() if c.isalnum())


def _redeem(code: str, customer: str) -> bool:
    try:
        _db().execute("insert into redeemed values (?, ?)", (code, customer))
    except sqlite3.IntegrityError:
        return False
    return True


class VoucherCodes(GraphBusNode):
    @subscribe("/Shop/Voucher")
    def on_voucher(self, customer: str, code: str, cart: int) -> dict:
        code = _normal(code)
        value = VALUES.get(code)
        if value is None or cart < value:
            return {"customer": customer, "discount": 0, "reason": "not valid here"}
        if not _redeem(code, customer.casefold()):
            return {"customer": customer, "discount": 0, "reason": "used"}
        return {"customer": customer, "discount": min(value, cart // 2), "reason": ""}
