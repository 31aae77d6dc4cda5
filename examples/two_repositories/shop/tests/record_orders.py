"""Builds an order from each row of the tests, and records what would be sent: `python -m tests.record_orders`."""

from __future__ import annotations

import json
from pathlib import Path

from shop.orders import build_order

ROWS = [
    {
        "id": 1,
        "status": "placed",
        "currency": "EUR",
        "customer_name": "Ada",
        "customer_email": "ada@example.org",
        "lines": [("A-1", 2, 995), ("B-7", 1, 0)],
        "note": "Ring twice",
    },
    {"id": 2, "status": "paid", "currency": "USD", "customer_name": "Bob", "lines": [("C-3", 10, 150)]},
    {"id": 3, "status": "cancelled", "currency": "EUR", "customer_name": "Cleo", "lines": [("A-1", 1, 995)]},
]
RECORDED = Path(__file__).parents[1] / "recorded" / "orders.jsonl"


def main() -> None:
    """Write one payload a line."""
    RECORDED.parent.mkdir(exist_ok=True)
    RECORDED.write_text("".join(json.dumps(build_order(row)) + "\n" for row in ROWS))


if __name__ == "__main__":
    main()
