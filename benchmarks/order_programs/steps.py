"""What every program does at each step, so that none has it easier: a little work, and a line in a file."""

from __future__ import annotations

import os
import time

STOCK = {"apple": 100_000, "pear": 100_000}
WORK_S = 0.002


def note(step: str, order: dict) -> None:
    """Keep that a step was done for an order. One write: lines of several processes do not mix."""
    time.sleep(WORK_S)
    out = os.open(os.environ["ORDERS_OUT"], os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    try:
        os.write(out, f"{step} {order['id']} {order['customer']} {order['n']}\n".encode())
    finally:
        os.close(out)


def charge(order: dict) -> str:
    """A receipt. The gateway fails at the first try of each tenth order, and always for a customer it does not know."""
    if order["customer"] == "nobody":
        raise ValueError("unknown customer")
    mark = f"{os.environ['ORDERS_OUT']}.tried.{order['id']}"
    if order["id"] % 10 == 0 and not os.path.exists(mark):
        open(mark, "w").close()
        raise ConnectionError("the gateway is busy")
    return f"receipt-{order['id']}"
